#include "lodestar/potential_file.h"

#include <gtest/gtest.h>

#include "scratch_folder.h"

namespace lodestar::potential_file_test {
namespace {

GraphFile three_nodes() {
  return parse_graph("p sp 3 1\na 1 2 5\n", "three.gr");
}

std::string failure(const std::string& text) {
  try {
    parse_potentials(text, "y.txt", three_nodes());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PotentialFile, ReadsBothWays) {
  const std::vector<double> expected{0.5, -2, 1e-3};
  EXPECT_EQ(parse_potentials("0.5\n-2\n+1e-3", "y", three_nodes()), expected);
  EXPECT_EQ(parse_potentials("# y\n\n 2\t-2\r\n3,0.001\n1 0.5\n", "y", three_nodes()), expected);
  const ScratchFolder folder;
  EXPECT_EQ(read_potentials(folder.write("y.txt", "0.5\n-2\n0.001\n"), three_nodes()), expected);
  EXPECT_THROW(read_potentials(folder / "missing", three_nodes()), Error);
}

TEST(PotentialFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(failure("1\n2\n"), "y.txt: 2 values for 3 nodes; every node needs one");
  EXPECT_EQ(failure("1\n2\n3\n4\n"), "y.txt:4: more values than the graph has nodes (3)");
  EXPECT_EQ(failure("1\nabc\n3\n"), "y.txt:2: 'abc' is not a finite number");
  EXPECT_EQ(failure("1\ninf\n3\n"), "y.txt:2: 'inf' is not a finite number");
  EXPECT_EQ(failure("1\nnan\n3\n"), "y.txt:2: 'nan' is not a finite number");
  EXPECT_EQ(failure("1\n1e999\n3\n"), "y.txt:2: '1e999' is not a finite number");
  EXPECT_EQ(failure("1 2\n9 1\n"), "y.txt:2: the graph has no node '9'");
  EXPECT_EQ(failure("1 2\n1 1\n"), "y.txt:2: a second value for node '1'");
  EXPECT_EQ(failure("1 2\n3\n"),
            "y.txt:2: the value is missing; previous lines have a node and a value");
  EXPECT_EQ(failure("1\n2 3\n"), "y.txt:2: two fields; previous lines have only a value");
  EXPECT_EQ(failure("1 2 3\n"),
            "y.txt:1: more than two fields; expected a value, or a node and its value");
  EXPECT_EQ(failure(""), "y.txt: 0 values for 3 nodes; every node needs one");
}

TEST(PotentialFile, WrittenAsTextAndAsArray) {
  const GraphFile file = three_nodes();
  const std::vector<double> one{0.5, -2, 1e-3}, two{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(potentials_text(one, file), "1\t0.5\n2\t-2\n3\t0.001\n");
  EXPECT_EQ(parse_potentials(potentials_text(one, file), "y", file), one);
  EXPECT_EQ(potentials_text(two, file), "1\t1\t4\n2\t2\t5\n3\t3\t6\n");
  EXPECT_NE(potentials_npy(two, file).find("(2,3,)"), std::string::npos);
  EXPECT_NE(potentials_npy(one, file).find("(1,3,)"), std::string::npos);
  const GraphFile empty;
  EXPECT_EQ(potentials_text({}, empty), "");
  EXPECT_NE(potentials_npy({}, empty).find("(0,0,)"), std::string::npos);
}

}  // namespace
}  // namespace lodestar::potential_file_test
