#include "target.h"

FUZZ_TARGET(queries) {
  using namespace lodestar;
  static const GraphFile grid =
      parse_graph("type octile\nheight 2\nwidth 3\nmap\n..@\n@..\n", "a.map");
  static const GraphFile numbered = parse_graph("p sp 3 1\na 1 2 3\n", "a.gr");
  static const GraphFile named = parse_graph("a b,c,1\nc,d,1\n", "a.csv");
  const auto read = [&](const char* name, const GraphFile& graph) {
    try {
      for (const QueryLine& line : parse_queries(bytes, name, graph).lines) {
        fuzz::require(line.query.source < graph.graph.node_count());
        fuzz::require(line.query.target < graph.graph.node_count());
        fuzz::require(!line.expected || *line.expected >= 0);
      }
    } catch (const Error& error) {
      fuzz::require(std::string_view(error.what()).starts_with(name));
    }
  };
  read("fuzz.scen", grid);
  read("fuzz.scen", numbered);
  read("fuzz.tsv", grid);
  read("fuzz.tsv", numbered);
  read("fuzz.tsv", named);
}
