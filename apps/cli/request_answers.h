// `lodestar solve` with preferences: routes by the weights of the request, and alternatives.
#pragma once

#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/preferences.h"
#include "lodestar/router.h"
#include "place_answers.h"
#include "verb.h"

namespace lodestar::cli {

// Options of `solve` for weights that belong to the request. Names are those of preferences_text.h.
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

struct RequestJob {
  Preferences preferences;
  std::size_t alternatives = 1;  // routes per query
  bool paths = false;            // print the nodes
  bool json = false;
  bool single = false;  // one query, which is printed in words
  unsigned threads = 1;
  MapOptions map;
  std::vector<std::string> notes;
};

// Both answer, print and write; they return the exit code.
int solve_requests(const GraphFile& file, const Router& router, const std::vector<Query>& queries,
                   const RequestJob& job);
int solve_requests(const GraphFile& file, const Router& router,
                   const std::vector<PlaceQuery>& queries, const RequestJob& job);

}  // namespace lodestar::cli
