// Weight updates as clients write them, in JSON and in CSV.
#include "apps/server/weight_update.h"

#include <gtest/gtest.h>

#include "apps/server/message.h"
#include "hand_town.h"

namespace lodestar::server::weight_update_test {
namespace {

using Changes = std::vector<WeightChange>;

class WeightUpdates : public ::testing::Test {
 protected:
  Changes changes(const std::string& body, const std::string& type = "application/json") const {
    return finder_.parse(body, type).changes;
  }
  std::string code(const std::string& body, const std::string& type = "application/json") const {
    try {
      finder_.parse(body, type);
      return "Ok";
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.status(), 400);
      return std::string(refusal.code());
    }
  }
  double given(ArcIndex arc) const { return finder_.weights()[arc]; }

  GraphFile file_ = town_file();
  ArcFinder finder_{file_};
};

TEST_F(WeightUpdates, EveryWayToNameArcs) {
  // Arcs by tail and head: 0→1, 1→0, 1→2, 1→3, 2→1, 2→3, 3→1, 3→4, 4→3.
  ASSERT_EQ(finder_.weights().size(), 9u);
  struct Row {
    const char* json;
    const char* csv;
    Changes expected;
  };
  const Row rows[] = {
      {R"({"arc": 0, "weight": 3.5})", "arc,weight\n0,3.5\n", {{0, 3.5}}},
      {R"({"arc": 8, "factor": 2})", "arc,factor\r\n8,2", {{8, 2 * given(8)}}},
      {R"({"from": "1", "to": "3", "weight": 0})", "from,to,weight\n\n1,3,0\n\n", {{3, 0}}},
      {R"({"from": 3, "to": 1, "factor": 1})", "from,to,factor\n3,1,1", {{6, given(6)}}},
      {R"({"way": 4, "weight": 7})", "way,weight\n4,7\n", {{5, 7}}},
      {R"({"way": 1, "factor": 3})", "way,factor\n1,3\n", {{0, 3 * given(0)}, {1, 3 * given(1)}}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(changes(R"({"updates": [)" + std::string(row.json) + "]}"), row.expected) << row.json;
    EXPECT_EQ(changes(row.csv, "text/csv"), row.expected) << row.csv;
  }
  const Changes whole = changes("weight\n0\n1\n2\n3\n4\n5\n6\n7\n8\n", "text/csv");
  ASSERT_EQ(whole.size(), 9u);
  for (ArcIndex arc = 0; arc < 9; ++arc) EXPECT_EQ(whole[arc], (WeightChange{arc, 1.0 * arc}));
  EXPECT_TRUE(changes("", "text/csv").empty());
  EXPECT_TRUE(changes("arc,weight\n", "text/plain").empty());
  EXPECT_TRUE(changes(R"({"updates": []})").empty());
}

TEST_F(WeightUpdates, ResetAndExpect) {
  const WeightUpdate reset = finder_.parse(R"({"reset": true})", "");
  EXPECT_TRUE(reset.reset);
  EXPECT_FALSE(reset.expect);
  const WeightUpdate both = finder_.parse(
      R"({"reset": false, "expect": 7, "updates": [{"arc": 1, "weight": 1}]})", "application/json");
  EXPECT_FALSE(both.reset);
  EXPECT_EQ(both.expect, 7u);
  EXPECT_EQ(both.changes.size(), 1u);
}

TEST_F(WeightUpdates, WrongBodies) {
  for (const char* body :
       {"", "[]", "{", "{}", R"({"expect": 3})", R"({"reset": false})", R"({"updates": 3})",
        R"({"expect": -1, "updates": []})", R"({"expect": "1", "updates": []})",
        R"({"reset": 1, "updates": []})", R"({"other": 1, "updates": []})"}) {
    EXPECT_EQ(code(body), "InvalidQuery") << body;
  }
  for (const char* update : {"3",
                             "{}",
                             R"({"arc": 0})",
                             R"({"arc": 0, "weight": 1, "factor": 1})",
                             R"({"arc": 0, "weight": "1"})",
                             R"({"arc": 0, "factor": null})",
                             R"({"arc": 9, "weight": 1})",
                             R"({"arc": -1, "weight": 1})",
                             R"({"arc": 0.5, "weight": 1})",
                             R"({"arc": 0, "weight": -1})",
                             R"({"arc": 0, "factor": -1})",
                             R"({"arc": 0, "weight": 1e300})",
                             R"({"arc": 0, "way": 1, "weight": 1})",
                             R"({"weight": 1})",
                             R"({"from": 1, "weight": 1})",
                             R"({"to": 1, "weight": 1})",
                             R"({"from": 1, "to": 3, "arc": 1, "weight": 1})",
                             R"({"from": 5, "to": 1, "weight": 1})",
                             R"({"from": 1, "to": 5, "weight": 1})",
                             R"({"from": 0, "to": 4, "weight": 1})",
                             R"({"from": true, "to": 4, "weight": 1})",
                             R"({"from": 1, "to": [], "weight": 1})",
                             R"({"way": 6, "weight": 1})",
                             R"({"way": "1", "weight": 1})",
                             R"({"way": 1.5, "weight": 1})"}) {
    EXPECT_EQ(code(R"({"updates": [)" + std::string(update) + "]}"), "InvalidValue") << update;
  }
  for (const char* csv :
       {"arc,weight\nx,1\n", "arc,weight\n0,x\n", "arc,weight\n0\n", "arc,weight\n0,1,2\n",
        "arc,weight\n9,1\n", "way,weight\nx,1\n", "way,weight\n9,1\n", "from,to,weight\n0,4,1\n",
        "from,to,weight\n0,5,1\n", "from,to,weight\n5,0,1\n", "weight\n1\n2\n", "weight\n",
        "arc,weight\n0,-1\n", "arc,factor\n0,-0.5\n"}) {
    EXPECT_EQ(code(csv, "text/csv"), "InvalidValue") << csv;
  }
  for (const char* csv : {"arc,cost\n0,1\n", "a\n1\n", "to,from,weight\n0,1,2\n"}) {
    EXPECT_EQ(code(csv, "text/csv"), "InvalidQuery") << csv;
  }
  // The number of the update that is wrong.
  try {
    changes(R"({"updates": [{"arc": 1, "weight": 1}, {"way": 1, "weight": 1}, {"arc": 1}]})");
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_TRUE(std::string(refusal.what()).starts_with("update 2:")) << refusal.what();
  }
}

TEST_F(WeightUpdates, GraphsWithoutWays) {
  GraphFile plain;
  plain.graph = file_.graph;
  plain.names = file_.names;
  const ArcFinder finder(plain);
  EXPECT_EQ(finder.parse("arc,weight\n1,2\n", "text/csv").changes.size(), 1u);
  EXPECT_THROW(finder.parse("way,weight\n1,2\n", "text/csv"), Refusal);
}

TEST_F(WeightUpdates, WrittenAsItIsRead) {
  std::vector<Weight> now = finder_.weights();
  EXPECT_EQ(weights_csv(finder_.weights(), now, false), "arc,weight\n");
  now[3] = 0.1;
  now[7] = 1e100;
  EXPECT_EQ(weights_csv(finder_.weights(), now, false), "arc,weight\n3,0.1\n7,1e+100\n");
  const Changes again = changes(weights_csv(finder_.weights(), now, true), "text/csv");
  ASSERT_EQ(again.size(), now.size());
  for (ArcIndex arc = 0; arc < now.size(); ++arc) {
    EXPECT_EQ(again[arc], (WeightChange{arc, now[arc]}));
  }
}

}  // namespace
}  // namespace lodestar::server::weight_update_test
