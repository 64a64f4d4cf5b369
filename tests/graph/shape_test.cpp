// Ids of points, details of streets, and the bytes they are stored as.
#include "lodestar/shape.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "formats/binary.h"
#include "lodestar/rng.h"

namespace lodestar::shape_test {
namespace {

IdList list_of(const IdListBuilder& builder) {
  return {builder.anchors, builder.steps};
}

TEST(IdList, GivesBackAnyPartOfAnyIds) {
  Rng rng(1);
  for (const std::size_t count : {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000}) {
    std::vector<std::int64_t> ids;
    IdListBuilder builder;
    for (std::size_t i = 0; i < count; ++i) {
      constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
      const std::int64_t extremes[] = {
          0, -1, 1, kLeast, std::numeric_limits<std::int64_t>::max(), 12'345'678'901};
      const std::int64_t last = ids.empty() ? 0 : ids.back();
      const bool near = rng.below(2) == 0 && std::abs(last / 2) < 1'000'000'000'000;
      ids.push_back(near ? last + rng.below(300) - 150 : extremes[rng.below(6)]);
      builder.add(ids.back());
    }
    const IdList list = list_of(builder);
    EXPECT_TRUE(list.holds(count));
    EXPECT_FALSE(list.holds(count + 1));
    EXPECT_TRUE(count == 0 || !list.holds(count - 1));
    for (int i = 0; i < 50; ++i) {
      const std::size_t end = rng.below(static_cast<std::uint32_t>(count) + 1);
      const std::size_t begin = rng.below(static_cast<std::uint32_t>(end) + 1);
      const std::vector<std::int64_t> expected(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                               ids.begin() + static_cast<std::ptrdiff_t>(end));
      EXPECT_EQ(list.part(begin, end), expected);
    }
  }
}

TEST(IdList, NeighboursTakeAboutAByte) {
  IdListBuilder builder;
  for (std::int64_t i = 0; i < 6400; ++i) builder.add(9'000'000'000 + i);
  EXPECT_LE(builder.steps.size() + builder.anchors.size() * sizeof(IdAnchor), 6400u * 5 / 4);
}

// Two streets, one segment with three points; 2 nodes, 2 arcs.
Shape sample_shape() {
  ShapeBuilder shape;
  shape.points = {{1, 1}, {2, 2}, {3, 3}};
  for (const std::int64_t id : {70, 71, -9}) shape.point_id.add(id);
  shape.first_point = {0, 3, 3};
  shape.segment_length = {10, 20};
  shape.segment_street = {1, 0};
  shape.segment_way = {1, 2};
  shape.letters = "LaneBow StreetA 7ferry";
  shape.first_letter = {0, 4, 14, 17, 22};
  shape.street_detail = {{}, {2, StreetDetail::kNoText, 3, 1}};
  shape.arc_segment = {0, 3};
  shape.arc_duration = {1, 2};
  shape.node_id = {4, 5};
  shape.remarks = "profile car\n";
  return std::move(shape).build();
}

// Every array of a shape, damaged on its own.
TEST(Shape, WhatIsWrong) {
  const std::vector<std::uint32_t> high{0, 4}, far_street{1, 4}, no_detail{2, 0};
  const auto problem = [&](auto&& change) {
    Shape shape = sample_shape();
    change(shape);
    return what_is_wrong(shape, 2, 2);
  };
  using S = Shape;
  const std::string misfit = "its shape does not fit the graph";
  EXPECT_EQ(problem([](S&) {}), "");
  EXPECT_EQ(problem([](S& s) { s.arc_segment = s.arc_segment.first(1); }), misfit);
  EXPECT_EQ(problem([](S& s) { s.arc_duration = s.arc_duration.first(1); }), misfit);
  EXPECT_EQ(problem([](S& s) { s.node_id = s.node_id.first(1); }), misfit);
  EXPECT_EQ(problem([](S& s) { s.segment_street = s.segment_street.first(1); }), misfit);
  EXPECT_EQ(problem([](S& s) { s.segment_way = s.segment_way.first(1); }), misfit);
  EXPECT_EQ(problem([](S& s) { s.first_point = s.first_point.first(2); }), misfit);
  EXPECT_EQ(problem([](S& s) { s.first_letter = {}; }), misfit);
  EXPECT_EQ(what_is_wrong(sample_shape(), 3, 2), misfit);
  EXPECT_EQ(what_is_wrong(sample_shape(), 2, 3), misfit);
  const std::string rows = "rows of its shape do not ascend";
  EXPECT_EQ(problem([](S& s) { s.points = s.points.first(2); }), rows);
  EXPECT_EQ(problem([](S& s) { s.letters = s.letters.first(9); }), rows);
  EXPECT_EQ(problem([&](S& s) { s.arc_segment = high; }), "an arc's segment is out of range");
  EXPECT_EQ(problem([&](S& s) { s.segment_street = far_street; }),
            "a segment's street is out of range");
  EXPECT_EQ(problem([&](S& s) { s.segment_street = no_detail; }), "a street has no details");
  const std::vector<StreetDetail> many(5);
  EXPECT_EQ(problem([&](S& s) { s.street_detail = many; }), "a street has no details");
  for (const int field : {0, 1, 2}) {
    std::vector<StreetDetail> bad(2);
    (field == 0 ? bad[1].ref : field == 1 ? bad[1].destinations : bad[1].mode) = 4;
    EXPECT_EQ(problem([&](S& s) { s.street_detail = bad; }), "a street's text is out of range");
  }
  EXPECT_EQ(problem([](S& s) { s.point_id.steps = s.point_id.steps.first(1); }),
            "the ids of its shape are damaged");
  const std::int32_t turn = 1'800'000'000, pole = 900'000'000;
  for (const FixedPoint good : {FixedPoint{turn, pole}, FixedPoint{-turn, -pole}}) {
    const std::vector<FixedPoint> points{{1, 1}, good, {3, 3}};
    EXPECT_EQ(problem([&](S& s) { s.points = points; }), "");
  }
  for (const FixedPoint bad : {FixedPoint{turn + 1, 0}, FixedPoint{-turn - 1, 0},
                               FixedPoint{0, pole + 1}, FixedPoint{0, -pole - 1}}) {
    const std::vector<FixedPoint> points{{1, 1}, {2, 2}, bad};
    EXPECT_NE(problem([&](S& s) { s.points = points; }), "");
  }
}

TEST(Shape, NodesWithoutRoadsHaveOne) {
  ShapeBuilder builder;
  builder.first_point = {0};
  builder.first_letter = {0};
  builder.node_id = {4, 5};
  const Shape shape = std::move(builder).build();
  EXPECT_EQ(what_is_wrong(shape, 2, 0), "");
  EXPECT_NE(what_is_wrong(shape, 2, 1), "");
}

TEST(Shape, EntryCosts) {
  const Shape shape = sample_shape();
  std::vector<std::remove_const_t<decltype(shape.arc_entry)::element_type>> entry{1, 2};
  const auto problem = [&] {
    Shape changed = shape;
    changed.arc_entry = entry;
    return what_is_wrong(changed, 2, 2);
  };
  EXPECT_EQ(problem(), "");
  entry[1] = 3;
  EXPECT_EQ(problem(), "an arc takes less than its entry");
  entry.pop_back();
  EXPECT_EQ(problem(), "its arcs have no entry costs");
}

TEST(Shape, NotesAreLines) {
  const auto notes = [](const std::string& remarks) {
    ShapeBuilder builder;
    builder.remarks = remarks;
    return std::move(builder).build().notes();
  };
  EXPECT_TRUE(notes("").empty());
  EXPECT_TRUE(notes("\n\n").empty());
  EXPECT_EQ(notes("a\n\nb c"), (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(notes("a\n"), std::vector<std::string>{"a"});
}

TEST(Shape, DistancesInThePlaneAndOnTheSphere) {
  EXPECT_EQ(distance_between(CoordinateKind::kPlane, {0, 0}, {3, 4}), 5);
  EXPECT_NEAR(distance_between(CoordinateKind::kDegrees, {0, 0}, {1, 0}), 111'195, 0.1);
  EXPECT_NEAR(distance_between(CoordinateKind::kDegrees, {0, 0}, {0, 1}), 111'195, 0.1);
  EXPECT_NEAR(distance_between(CoordinateKind::kDegrees, {0, 60}, {1, 60}), 55'597, 1);
  EXPECT_NEAR(distance_between(CoordinateKind::kDegrees, {0, 0}, {180, 0}), 20'015'114, 2);
  EXPECT_NEAR(distance_between(CoordinateKind::kDegrees, {0, 90}, {77, -90}), 20'015'114, 2);
}

// Ids whose bytes are damaged: too many, too few, or a number beyond 64 bits.
TEST(IdList, DamagedBytes) {
  IdListBuilder builder;
  for (const std::int64_t id : {7, 8, 9}) builder.add(id);
  const auto holds = [&](const std::string& steps) {
    std::vector<char> bytes(steps.begin(), steps.end());
    decltype(builder.steps) kept(bytes.begin(), bytes.end());
    return IdList{builder.anchors, kept}.holds(3);
  };
  EXPECT_TRUE(holds(std::string(2, '\1')));
  EXPECT_FALSE(holds(std::string(1, '\1')));
  EXPECT_FALSE(holds(std::string(3, '\1')));
  EXPECT_TRUE(holds(std::string(9, '\x80') + "\1\1"));
  EXPECT_FALSE(holds(std::string(9, '\x80') + "\2\1"));
  EXPECT_FALSE(holds(std::string(10, '\x80') + "\1\1"));
  EXPECT_FALSE(holds(std::string(1, '\x80')));
}

// Bytes as a file has them: at a multiple of 64.
struct Image {
  explicit Image(const Shape& shape) : Image(formats::shape_bytes(shape)) {
    formats::store_shape(shape, data);
  }
  explicit Image(std::size_t bytes)
      : memory(std::make_shared<std::vector<char>>(bytes + 64)), size(bytes) {
    data = memory->data() + (64 - reinterpret_cast<std::uintptr_t>(memory->data()) % 64) % 64;
  }
  Shape load() const { return formats::load_shape({data, size}, memory, 2, 2, "test"); }
  std::shared_ptr<std::vector<char>> memory;
  char* data;
  std::size_t size;
};

TEST(ShapeImage, KeepsDetailsAndIds) {
  const Shape shape = Image(sample_shape()).load();
  EXPECT_EQ(shape.street(0), "Bow Street");
  EXPECT_EQ(shape.street(1), "Lane");
  EXPECT_EQ(shape.text(shape.detail(0).ref), "A 7");
  EXPECT_EQ(shape.text(shape.detail(0).mode), "ferry");
  EXPECT_EQ(shape.text(shape.detail(0).destinations), "");
  EXPECT_EQ(shape.detail(0).left, 1u);
  EXPECT_EQ(shape.detail(1).ref, StreetDetail::kNoText);
  EXPECT_EQ(shape.point_id.part(0, 3), (std::vector<std::int64_t>{70, 71, -9}));
}

// A program that knows nothing of details takes them for a street that is never named.
TEST(ShapeImage, IsReadByProgramsThatKnowNoDetails) {
  const Image image(sample_shape());
  std::uint64_t flags = 0;
  std::memcpy(&flags, image.data + 56, 8);
  EXPECT_EQ(flags, 2u);
  flags = 0;
  std::memcpy(image.data + 56, &flags, 8);
  const Shape old = image.load();
  EXPECT_EQ(old.street(0), "Bow Street");
  EXPECT_EQ(old.street(1), "Lane");
  EXPECT_EQ(old.points.size(), 3u);
  EXPECT_TRUE(old.street_detail.empty());
  EXPECT_TRUE(old.point_id.empty());
  // And what such a program writes is read by this one.
  EXPECT_EQ(Image(old).load().street(0), "Bow Street");
}

TEST(ShapeImage, DamagedDetailsAreAnErrorOrHarmless) {
  const Image good(sample_shape());
  for (std::size_t at = 0; at < good.size; ++at) {
    for (const int bit : {0, 3, 7}) {
      const Image bad(good.size);
      std::memcpy(bad.data, good.data, good.size);
      bad.data[at] = static_cast<char>(bad.data[at] ^ (1 << bit));
      try {
        const Shape shape = bad.load();
        for (std::uint32_t s = 0; s < shape.segment_count(); ++s) {
          (void)shape.street(s);
          (void)shape.text(shape.detail(s).ref);
          (void)shape.text(shape.detail(s).mode);
        }
        if (!shape.point_id.empty()) (void)shape.point_id.part(0, shape.points.size());
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::shape_test
