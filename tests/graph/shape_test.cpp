// Ids of points, details of streets, and the bytes they are stored as.
#include "lodestar/shape.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "formats/shape_image.h"
#include "lodestar/rng.h"

namespace lodestar {
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
}  // namespace lodestar
