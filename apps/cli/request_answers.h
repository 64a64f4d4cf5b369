// `lodestar solve` with preferences: routes by the weights of the request, and alternatives.
#pragma once

#include <string>
#include <vector>

#include "answer.h"
#include "lodestar/graph_io.h"
#include "lodestar/preferences.h"
#include "lodestar/router.h"
#include "place_answers.h"
#include "place_queries.h"

namespace lodestar::cli {

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
