#include "target.h"

FUZZ_TARGET(edge_list) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.csv");
  lodestar::ReadOptions options;
  options.undirected = true;
  options.weight = "length";
  options.metrics = {"weight"};
  lodestar::fuzz::read_and_check(bytes, "fuzz.tsv", options);
}
