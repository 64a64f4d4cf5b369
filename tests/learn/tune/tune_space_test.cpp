// What is drawn, how intervals shrink, what a malformed space is told, how a trial is judged.
#include <gtest/gtest.h>

#include <map>

#include "learn/tune/search.h"
#include "learn/tune/space.h"
#include "lodestar/types.h"

namespace lodestar::tune::tune_space_test {
namespace {

Space small_space() {
  return parse_space(R"({"draw": {"hidden": {"low": 4, "high": 8},
                                  "message": {"same_as": "hidden"},
                                  "learning_rate": {"low": 1e-4, "high": 1e-2, "log": true},
                                  "optimizer": {"choose": ["sgd", "adam", "adamw"]}}})",
                     "test");
}

TEST(Space, DrawsStayInsideAndReachTheEnds) {
  const Space space = small_space();
  std::map<int, int> hidden;
  std::map<std::string, int> optimizer;
  int below = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Json values = draw(space, 1, 1, i);
    ++hidden[values["hidden"].get<int>()];
    ++optimizer[values["optimizer"].get<std::string>()];
    EXPECT_EQ(values["message"], values["hidden"]);
    EXPECT_TRUE(values["hidden"].is_number_integer());
    const double rate = values["learning_rate"];
    EXPECT_GE(rate, 1e-4);
    EXPECT_LE(rate, 1e-2);
    below += rate < 1e-3 ? 1 : 0;
  }
  ASSERT_EQ(hidden.size(), 5u);  // 4 … 8
  for (const auto& [value, count] : hidden) EXPECT_NEAR(count, 600, 100) << value;
  EXPECT_EQ(optimizer.size(), 3u);
  EXPECT_NEAR(below, 1500, 150);  // half of them below the middle of the logarithm
}

TEST(Space, ADrawDependsOnSeedLevelAndIndexAlone) {
  const Space space = small_space();
  EXPECT_EQ(draw(space, 1, 1, 7), draw(parse_space(to_json(space).dump(), "copy"), 1, 1, 7));
  EXPECT_NE(draw(space, 1, 1, 7), draw(space, 1, 1, 8));
  EXPECT_NE(draw(space, 1, 1, 7), draw(space, 1, 2, 7));
  EXPECT_NE(draw(space, 1, 1, 7), draw(space, 2, 1, 7));
}

TEST(Space, ShrinksAroundTheBestWithinTheOldIntervals) {
  const Space space = parse_space(
      R"({"draw": {"hidden": {"low": 16, "high": 512}, "lambda": {"low": 1e-3, "high": 1.0},
                   "optimizer": {"choose": ["sgd", "adam"]}}})",
      "test");
  const std::vector<Json> best = {{{"hidden", 100}, {"lambda", 0.9}, {"optimizer", "adam"}},
                                  {{"hidden", 110}, {"lambda", 0.1}, {"optimizer", "adam"}},
                                  {{"hidden", 120}, {"lambda", 0.5}, {"optimizer", "adam"}}};
  const Space small = shrink(space, best);
  EXPECT_EQ(small.ranges[0].low, 75);  // a twentieth of 496, which is more than the gap of 10
  EXPECT_EQ(small.ranges[0].high, 145);
  EXPECT_EQ(small.ranges[1].high, 1);  // never beyond the old end
  EXPECT_EQ(small.ranges[1].low, 1e-3);
  EXPECT_EQ(small.ranges[2].choices, std::vector<Json>{"adam"});
}

TEST(Space, ThePapersSecondSpaceLiesInItsFirst) {
  const Space first = paper_space(), second = replace_ranges(first, paper_space2());
  for (std::size_t i = 0; i < first.ranges.size(); ++i) {
    EXPECT_EQ(first.ranges[i].name, second.ranges[i].name);
    EXPECT_LE(first.ranges[i].low, second.ranges[i].low);
    EXPECT_GE(first.ranges[i].high, second.ranges[i].high);
  }
  EXPECT_THROW(replace_ranges(small_space(), paper_space2()), Error);  // lambda is not drawn
}

TEST(Space, MalformedFilesAreToldWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "not JSON"},
      {"[1]", "must be a JSON object"},
      {"{}", "'draw' must be"},
      {R"({"draw": {}})", "'draw' must be"},
      {R"({"drow": {}})", "'drow' is not known"},
      {R"({"preset": 3, "draw": {}})", "'preset' must be a text"},
      {R"({"draw": {"hidden": [16, 512]}})", "'hidden' must be an object"},
      {R"({"draw": {"hidden": {"low": 16}}})", "'high' must be there"},
      {R"({"draw": {"hidden": {"low": 16, "high": "x"}}})", "'high' must be there and be a number"},
      {R"({"draw": {"hidden": {"low": 512, "high": 16}}})", "low 512 is above high 16"},
      {R"({"draw": {"hidden": {"low": 0, "high": 16, "log": true}}})", "must begin above 0"},
      {R"({"draw": {"hidden": {"low": 1, "high": 16, "step": 2}}})", "'step' is not known"},
      {R"({"draw": {"optimizer": {"choose": []}}})", "at least one value"},
      {R"({"draw": {"message": {"same_as": "hidden"}}})", "not drawn before"},
      {R"({"fixed": {"hidden": 3}, "draw": {"hidden": {"low": 1, "high": 2}}})", "both fixed"},
  };
  for (const auto& [text, expected] : cases) {
    try {
      parse_space(text, "space.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("space.json: ")) << message;
      EXPECT_NE(message.find(expected), std::string::npos) << message;
    }
  }
}

TEST(Metric, DistanceAndIterationsAreReadOffTheCurve) {
  const Json measures = Json::parse(R"({"validation_loss": -1.5, "curve":
      [[0.5, 0.8, 0.0, 1.0], [1.0, 0.4, 0.02, 0.99], [1.5, 0.2, 0.1, 0.9]]})");
  EXPECT_EQ(evaluate(parse_metric("loss"), measures), -1.5);
  EXPECT_NEAR(*evaluate(parse_metric("distance@0.4"), measures), 0.02, 1e-12);
  EXPECT_NEAR(*evaluate(parse_metric("distance@0.3"), measures), 0.06, 1e-12);
  EXPECT_NEAR(*evaluate(parse_metric("iterations@0.01"), measures), 0.6, 1e-12);
  EXPECT_NEAR(*evaluate(parse_metric("iterations@0.5,0.95"), measures), 0.4, 1e-12);
  EXPECT_FALSE(evaluate(parse_metric("distance@0.1"), measures));
  // Null stands for what is not finite; such a scale reaches nothing.
  const Json lost = Json::parse(R"({"validation_loss": null, "curve":
      [[0.5, 0.8, 0.0, 1.0], [1.0, 0.4, null, 0.99], [1.5, null, null, null]]})");
  EXPECT_FALSE(evaluate(parse_metric("loss"), lost));
  EXPECT_FALSE(evaluate(parse_metric("distance@0.4"), lost));
  EXPECT_EQ(evaluate(parse_metric("distance@0.9"), lost), 0.0);
  for (const char* text : {"loss", "distance@0.25", "iterations@0.01,0.99"}) {
    EXPECT_EQ(to_string(parse_metric(text)), text);
  }
  for (const char* text : {"", "los", "distance", "distance@", "distance@x", "iterations@-1"}) {
    EXPECT_THROW(parse_metric(text), Error) << text;
  }
}

}  // namespace
}  // namespace lodestar::tune::tune_space_test
