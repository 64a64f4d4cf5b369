// Options of `solve` for weights that belong to the request. Names are those of preferences_text.h.
#pragma once

#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/preferences.h"
#include "lodestar/router.h"
#include "verb.h"

namespace lodestar::cli {

struct RequestOptions {
  std::string preferences;  // file
  std::string blend;
  std::vector<std::string> avoid;
  std::string vehicle;
  std::string depart;
  std::string travel_times;  // file
  std::size_t alternatives = 0;

  bool wanted() const {
    return !preferences.empty() || !blend.empty() || !avoid.empty() || !vehicle.empty() ||
           !depart.empty() || alternatives > 0;
  }
};

void add_request_options(Verb& verb, RequestOptions& options);

// What the options say together. Throws Error if one is malformed.
Preferences read_preferences(const RequestOptions& options);
// What a router needs of the graph file and of --travel-times.
void prepare_for_requests(RouterOptions& router, const RequestOptions& options,
                          const GraphFile& file);

}  // namespace lodestar::cli
