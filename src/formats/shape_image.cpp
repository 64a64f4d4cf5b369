#include "formats/shape_image.h"

#include <cstring>

namespace lodestar::formats {
namespace {

struct ShapeHeader {
  std::uint64_t nodes, arcs, segments, points, streets, letters, remarks, flags;
};
static_assert(sizeof(ShapeHeader) == 64);
constexpr std::uint64_t kArcBased = 1;

ShapeHeader header_of(const Shape& shape) {
  return {shape.node_id.size(), shape.arc_segment.size(),       shape.segment_count(),
          shape.points.size(),  shape.first_letter.size() - 1,  shape.letters.size(),
          shape.remarks.size(), shape.arc_based ? kArcBased : 0};
}

// Calls place(array, its size, where it begins) for every array in order; returns the end.
template <class ShapeType, class Place>
std::uint64_t lay_out(ShapeType& shape, const ShapeHeader& header, Place&& place) {
  std::uint64_t at = sizeof(ShapeHeader);
  const auto next = [&](auto& array, std::uint64_t count) {
    place(array, count, at);
    at += (count * sizeof(array[0]) + 63) / 64 * 64;
  };
  next(shape.arc_segment, header.arcs);
  next(shape.arc_duration, header.arcs);
  next(shape.segment_length, header.segments);
  next(shape.segment_street, header.segments);
  next(shape.segment_way, header.segments);
  next(shape.first_point, header.segments + 1);
  next(shape.points, header.points);
  next(shape.first_letter, header.streets + 1);
  next(shape.letters, header.letters);
  next(shape.node_id, header.nodes);
  next(shape.remarks, header.remarks);
  return at;
}

}  // namespace

std::uint64_t shape_bytes(const Shape& shape) {
  if (shape.empty()) return 0;
  return lay_out(shape, header_of(shape), [](auto&, std::uint64_t, std::uint64_t) {});
}

void store_shape(const Shape& shape, char* out) {
  const ShapeHeader header = header_of(shape);
  std::memcpy(out, &header, sizeof header);
  lay_out(shape, header, [&](auto& array, std::uint64_t, std::uint64_t at) {
    if (!array.empty()) std::memcpy(out + at, array.data(), array.size_bytes());
  });
}

Shape load_shape(std::string_view image, std::shared_ptr<const void> keeper, std::size_t nodes,
                 std::size_t arcs, const std::string& file) {
  const auto damaged = [&](const std::string& why) { return Error(file + ": is damaged: " + why); };
  ShapeHeader header;
  if (image.size() < sizeof header) throw damaged("its shape is cut off");
  std::memcpy(&header, image.data(), sizeof header);
  for (const std::uint64_t count : {header.nodes, header.arcs, header.segments, header.points,
                                    header.streets, header.letters, header.remarks}) {
    if (count > image.size()) throw damaged("its shape makes no sense");
  }
  Shape shape;
  const std::uint64_t end = lay_out(shape, header, [](auto&, std::uint64_t, std::uint64_t) {});
  if (end != image.size()) throw damaged("its shape has another size than it says");
  lay_out(shape, header, [&](auto& array, std::uint64_t count, std::uint64_t at) {
    using T = std::remove_cvref_t<decltype(array[0])>;
    array = {reinterpret_cast<const T*>(image.data() + at), count};
  });
  shape.arc_based = (header.flags & kArcBased) != 0;
  shape.keeper = std::move(keeper);
  const std::string wrong = what_is_wrong(shape, nodes, arcs);
  if (!wrong.empty()) throw damaged(wrong);
  return shape;
}

}  // namespace lodestar::formats
