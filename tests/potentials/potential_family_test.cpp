// Families of potentials: which knots serve a blend, and their files.
#include "lodestar/potential_family.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "error_of.h"
#include "hand_drawn.h"
#include "lodestar/rng.h"
#include "potentials/mixed_bounds.h"
#include "scratch_folder.h"

namespace lodestar::potential_family_test {
namespace {

using Blends = std::vector<std::vector<double>>;

// sum of coefficient · blend stays below the wanted one.
void expect_covered(const Blends& blends, const std::vector<double>& wanted,
                    const PotentialFamily::Mix& mix) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double sum = 0;
    for (std::uint32_t k = 0; k < mix.count; ++k) {
      EXPECT_GT(mix.terms[k].coefficient, 0);
      sum += mix.terms[k].coefficient * blends[mix.terms[k].knot][i];
    }
    EXPECT_LE(sum, wanted[i]);
  }
}

TEST(PotentialFamilyTest, NeighboursOfABlendUseItUp) {
  const Blends blends = {{1, 0}, {0, 0.02}, {0.5, 0.01}};
  const std::vector<double> wanted = {0.75, 0.005};
  const auto corners = PotentialFamily::corners(blends, wanted);
  bool used_up = false;
  for (const auto& mix : corners) {
    expect_covered(blends, wanted, mix);
    double time = 0, length = 0;
    for (std::uint32_t k = 0; k < mix.count; ++k) {
      time += mix.terms[k].coefficient * blends[mix.terms[k].knot][0];
      length += mix.terms[k].coefficient * blends[mix.terms[k].knot][1];
    }
    used_up = used_up || (time > 0.75 - 1e-9 && length > 0.005 - 1e-9);
  }
  EXPECT_TRUE(used_up);
}

TEST(PotentialFamilyTest, RandomBlendsAreNeverOverdrawn) {
  Rng rng(5);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t metrics = 1 + rng.below(4), knots = 1 + rng.below(7);
    Blends blends(knots, std::vector<double>(metrics));
    for (auto& blend : blends) {
      for (double& share : blend) share = rng.below(3) == 0 ? 0 : rng.uniform() * 1e3;
    }
    std::vector<double> wanted(metrics);
    for (double& share : wanted) share = rng.below(4) == 0 ? 0 : rng.uniform() * 1e-3;
    for (const auto& mix : PotentialFamily::corners(blends, wanted)) {
      expect_covered(blends, wanted, mix);
    }
  }
}

TEST(PotentialFamilyTest, UncoveredBlendsHaveNoMix) {
  EXPECT_TRUE(PotentialFamily::corners(Blends{{1, 0}}, std::vector<double>{0, 1}).empty());
  EXPECT_EQ(PotentialFamily::corners(Blends{{1, 0}}, std::vector<double>{0.5, 1}).size(), 1u);
}

// Any potentials will do where only the blends of knots matter.
PotentialFamily family_at(const Blends& blends) {
  const Graph graph = testing::hand_drawn(2, {{0, 1, 1}});
  const std::vector<std::vector<std::int32_t>> columns = {{0, 1}};
  const auto potentials = std::make_shared<const Potentials>(graph, columns, 1.0);
  std::vector<Knot> knots;
  for (const auto& blend : blends) knots.push_back({blend, potentials});
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  return {{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(blends[0].size())}, knots};
}

// Distances are minima of linear functions. With two metrics no corner of exact knots bounds them
// better than the knots around a blend; with more, these are feasible and use the blend up.
TEST(PotentialFamilyTest, KnotsAroundABlendBoundConcaveFunctionsBest) {
  Rng rng(8);
  for (int i = 0; i < 300; ++i) {
    const std::size_t metrics = 2 + rng.below(3), further = rng.below(12);
    Blends blends;
    for (std::size_t m = 0; m < metrics; ++m) {  // the metrics alone, of different sizes
      blends.emplace_back(metrics, 0.0)[m] = std::pow(10.0, static_cast<double>(m));
    }
    for (std::size_t k = 0; k < further; ++k) {
      auto& blend = blends.emplace_back(metrics, 0.0);
      for (std::size_t m = 0; m < metrics; ++m) {
        if (rng.below(4) != 0) blend[m] = rng.uniform() * blends[m][m];
      }
      blend[0] += 1e-3;
    }
    std::vector<double> wanted(metrics);
    for (std::size_t m = 0; m < metrics; ++m) {
      wanted[m] = rng.below(5) == 0 ? 0 : 7 * rng.uniform() * blends[m][m];
    }
    wanted[rng.below(static_cast<std::uint32_t>(metrics))] += 0.1;
    const PotentialFamily family = family_at(blends);
    const std::vector<std::string> names(family.metrics().begin(), family.metrics().end());
    const auto mixes = family.mixes(names, wanted);
    ASSERT_EQ(mixes.size(), 1u);
    expect_covered(blends, wanted, mixes[0]);
    Blends paths(6, std::vector<double>(metrics));
    for (auto& path : paths) {
      for (std::size_t m = 0; m < metrics; ++m) path[m] = rng.uniform() / blends[m][m];
    }
    const auto distance = [&](const std::vector<double>& blend) {
      double least = kInfinity;
      for (const auto& path : paths) {
        double cost = 0;
        for (std::size_t m = 0; m < metrics; ++m) cost += blend[m] * path[m];
        least = std::min(least, cost);
      }
      return least;
    };
    const auto bound = [&](const PotentialFamily::Mix& mix) {
      double sum = 0;
      for (std::uint32_t k = 0; k < mix.count; ++k) {
        sum += mix.terms[k].coefficient * distance(blends[mix.terms[k].knot]);
      }
      return sum;
    };
    EXPECT_LE(bound(mixes[0]), distance(wanted) * (1 + 1e-12));
    std::vector<double> covered(metrics, 0);
    for (std::uint32_t k = 0; k < mixes[0].count; ++k) {
      for (std::size_t m = 0; m < metrics; ++m) {
        covered[m] += mixes[0].terms[k].coefficient * blends[mixes[0].terms[k].knot][m];
      }
    }
    for (std::size_t m = 0; m < metrics; ++m)
      EXPECT_NEAR(covered[m], wanted[m], 1e-6 * blends[m][m]);
    if (metrics > 2) continue;
    for (const auto& mix : PotentialFamily::corners(blends, wanted)) {
      EXPECT_GE(bound(mixes[0]), bound(mix) * (1 - 1e-9));
    }
  }
}

// Of several mixes for a blend outside of the knots, a query takes the one with the best bound.
TEST(PotentialFamilyTest, TakesTheMixWithTheBestBound) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 9}, {1, 2, 9}, {2, 0, 30}});
  const auto with = [&](std::vector<std::int32_t> column) {
    return std::make_shared<const Potentials>(
        graph, std::vector<std::vector<std::int32_t>>{std::move(column)}, 1.0);
  };
  // Good from 0 to 1, and from 1 to 2.
  const PotentialFamily family({"time", "length"},
                               {{{1, 0.5}, with({0, 9, 9})}, {{0.5, 1}, with({0, 1, 9})}});
  const std::string names[] = {"time", "length"};
  const double blend[] = {1, 0.3};
  const auto mixes = family.mixes(names, blend);
  ASSERT_EQ(mixes.size(), 2u);
  for (const Query query : {Query{0, 1}, Query{1, 2}, Query{0, 2}}) {
    double most = 0;
    for (const auto& mix : mixes) {
      most = std::max(most, MixedBounds(family, mix, query)(query.source).to_target);
    }
    EXPECT_EQ(MixedBounds(family, family.best(mixes, query), query)(query.source).to_target, most);
  }
  const auto knot_of = [&](Query query) { return family.best(mixes, query).terms[0].knot; };
  EXPECT_NE(knot_of({0, 1}), knot_of({1, 2}));
}

// As many as there can be at once.
TEST(PotentialFamilyTest, BoundsOfFourKnotsAddUp) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 9}, {1, 2, 9}, {2, 0, 30}});
  const std::vector<std::vector<std::int32_t>> columns = {{0, 7, 16}};
  const auto potentials = std::make_shared<const Potentials>(graph, columns, 1.0);
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  std::vector<Knot> knots;
  for (std::size_t i = 0; i < 4; ++i) {
    knots.push_back({std::vector<double>(4, 0), potentials});
    knots.back().blend[i] = 1;
  }
  const PotentialFamily family(names, knots);
  const double blend[] = {1, 2, 3, 4};
  const auto mixes = family.mixes(names, blend);
  ASSERT_EQ(mixes.size(), 1u);
  EXPECT_EQ(mixes[0].count, 4u);
  EXPECT_NEAR(MixedBounds(family, mixes[0], {0, 2})(0).to_target, 10 * 16, 1e-9);
  EXPECT_NEAR(MixedBounds(family, mixes[0], {0, 2})(1).to_target, 10 * 9, 1e-9);
}

PotentialFamily small_family() {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 2}, {1, 2, 3}, {2, 0, 9}});
  const std::vector<std::vector<std::int32_t>> columns = {{0, 2, 5}, {0, 1, 1}};
  const auto potentials = std::make_shared<const Potentials>(graph, columns, 1.0);
  return PotentialFamily({"time", "length"}, {{{1, 0}, potentials}, {{0, 0.5}, potentials}});
}

TEST(PotentialFamilyTest, DamagedFilesAreRefused) {
  const ScratchFolder folder;
  const std::string path = folder / "family.lsp";
  small_family().save(path);
  EXPECT_EQ(PotentialFamily::load(path).knots().size(), 2u);
  const std::string image = folder.read("family.lsp");
  std::size_t refused = 0;
  for (std::size_t at = 0; at < image.size(); ++at) {
    std::string damaged = image;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const std::string name = folder.write("damaged.lsp", damaged);
    try {
      PotentialFamily::load(name);
    } catch (const Error&) {
      ++refused;
    }
  }
  // What is not checked is the origin of the potentials: texts and numbers that no search uses.
  EXPECT_GT(refused, image.size() / 3);
  for (std::size_t size = 0; size < image.size(); ++size) {
    const std::string name = folder.write("short.lsp", image.substr(0, size));
    EXPECT_THROW(PotentialFamily::load(name), Error) << size;
  }
  EXPECT_THROW(PotentialFamily::load(folder.write("long.lsp", image + "x")), Error);
  EXPECT_THROW(Potentials::load(path), Error);
}

// What the checksum covers is checked, too.
TEST(PotentialFamilyTest, NamesThatDoNotEndAreRefused) {
  const ScratchFolder folder;
  small_family().save(folder / "family.lsp");
  const std::string image = folder.read("family.lsp");
  constexpr std::size_t kNameBytes = 24, kChecksum = 32, kNames = 40;
  const auto put = [](std::string& bytes, std::size_t at, std::uint64_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  const auto with_names = [&](const std::string& names) {
    std::string changed = image.substr(0, kNames) + names + image.substr(kNames + 12);
    std::uint64_t sum = 1;
    for (const char letter : names) sum = mix64(sum ^ static_cast<unsigned char>(letter));
    for (const double share : {1.0, 0.0, 0.0, 0.5}) {
      sum = mix64(sum ^ std::bit_cast<std::uint64_t>(share));
    }
    put(changed, kNameBytes, names.size());
    put(changed, kChecksum, sum);
    return testing::error_of([&] { PotentialFamily::load(folder.write("changed.lsp", changed)); });
  };
  using namespace std::string_literals;
  EXPECT_EQ(with_names("time\0length\0"s), "");
  const std::string invalid = ": the names of its metrics are invalid; make the file again";
  for (const std::string& names : {"time\0length"s, "time\0"s, "time\0length\0more\0"s}) {
    EXPECT_NE(with_names(names).find(invalid), std::string::npos) << names;
  }
}

TEST(PotentialFamilyTest, AFamilyOfTheOwnWeightsIsAFileOfPotentials) {
  const ScratchFolder folder;
  const auto potentials = small_family().knots()[0].potentials;
  PotentialFamily("", potentials).save(folder / "own.lsp");
  EXPECT_EQ(Potentials::load(folder / "own.lsp").column(0), potentials->column(0));
  const PotentialFamily own = PotentialFamily::load(folder / "own.lsp");
  ASSERT_EQ(own.knots().size(), 1u);
  EXPECT_EQ(own.metrics()[0], "");
  PotentialFamily both = small_family();
  for (const bool from_source : {true, false}) {
    both.set_from_source(from_source);
    both.save(folder / "both.lsp");
    EXPECT_EQ(PotentialFamily::load(folder / "both.lsp").from_source(), from_source);
  }
  EXPECT_EQ(testing::error_of([&] { PotentialFamily::load(folder / "none.lsp"); }),
            folder / "none.lsp" + ": cannot be opened; check the path");
}

TEST(PotentialFamilyTest, RefusesKnotsThatDoNotFit) {
  const PotentialFamily family = small_family();
  const auto potentials = family.knots()[0].potentials;
  EXPECT_THROW(PotentialFamily({"time"}, std::vector<Knot>{}), Error);
  EXPECT_THROW(PotentialFamily({"time"}, std::vector<Knot>(33, {{1}, potentials})), Error);
  EXPECT_THROW(PotentialFamily({"a", "b", "c", "d", "e"}, {{{1, 1, 1, 1, 1}, potentials}}), Error);
  EXPECT_THROW(PotentialFamily(std::vector<std::string>{"time"}, {{{1, 2}, potentials}}), Error);
  EXPECT_THROW(PotentialFamily(std::vector<std::string>{"time"}, {{{-1}, potentials}}), Error);
  EXPECT_THROW(PotentialFamily(std::vector<std::string>{"time"}, {{{0}, potentials}}), Error);
  EXPECT_THROW(PotentialFamily(std::vector<std::string>{"time"}, {{{1}, nullptr}}), Error);
}

}  // namespace
}  // namespace lodestar::potential_family_test
