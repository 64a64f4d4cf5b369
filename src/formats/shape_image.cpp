#include <algorithm>
#include <cstring>
#include <vector>

#include "formats/binary.h"

namespace lodestar::formats {
namespace {

struct ShapeHeader {
  std::uint64_t nodes, arcs, segments, points, streets, letters, remarks, flags;
};
static_assert(sizeof(ShapeHeader) == 64);
constexpr std::uint64_t kArcBased = 1;
constexpr std::uint64_t kDetails = 2;  // the last street holds what DetailHeader counts

struct DetailHeader {
  std::uint64_t details, anchors, steps, entries, zero[4];
};
static_assert(sizeof(DetailHeader) == 64);

bool has_details(const Shape& shape) {
  return !shape.street_detail.empty() || !shape.point_id.empty() || !shape.arc_entry.empty();
}

std::uint64_t up_to_64(std::uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

ShapeHeader header_of(const Shape& shape) {
  return {shape.node_id.size(), shape.arc_segment.size(),       shape.segment_count(),
          shape.points.size(),  shape.first_letter.size() - 1,  shape.letters.size(),
          shape.remarks.size(), shape.arc_based ? kArcBased : 0};
}

// Calls place(array, size, offset) for one array after another.
template <class Place>
struct Layout {
  Place& place;
  std::uint64_t at;

  void operator()(auto& array, std::uint64_t count) {
    place(array, count, at);
    at += up_to_64(count * sizeof(array[0]));
  }
};

// The arrays of a shape in order; returns the end.
template <class ShapeType, class Place>
std::uint64_t lay_out(ShapeType& shape, const ShapeHeader& header, Place&& place) {
  Layout<std::remove_reference_t<Place>> next{place, sizeof(ShapeHeader)};
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
  return next.at;
}

// The same for the details.
template <class ShapeType, class Place>
std::uint64_t lay_out_details(ShapeType& shape, const DetailHeader& header, Place&& place) {
  Layout<std::remove_reference_t<Place>> next{place, sizeof(DetailHeader)};
  next(shape.street_detail, header.details);
  next(shape.point_id.anchors, header.anchors);
  next(shape.point_id.steps, header.steps);
  next(shape.arc_entry, header.entries);
  return next.at;
}

constexpr auto kNowhere = [](auto&, std::uint64_t, std::uint64_t) {};

// Copies arrays to their offsets.
auto copy_to(char* out) {
  return [out](auto& array, std::uint64_t, std::uint64_t at) {
    if (!array.empty()) std::memcpy(out + at, array.data(), array.size_bytes());
  };
}

// Sets arrays to point to their offsets.
auto point_to(const char* image) {
  return [image](auto& array, std::uint64_t count, std::uint64_t at) {
    using T = std::remove_cvref_t<decltype(array[0])>;
    array = {reinterpret_cast<const T*>(image + at), count};
  };
}

// A shape in its stored form, with the details as the letters of one more street.
struct Stored {
  explicit Stored(const Shape& given) : shape(given), header(header_of(given)) {
    if (!has_details(given)) return;
    const DetailHeader details = {given.street_detail.size(),
                                  given.point_id.anchors.size(),
                                  given.point_id.steps.size(),
                                  given.arc_entry.size(),
                                  {}};
    const std::uint64_t begin = up_to_64(given.letters.size());
    letters.assign(begin + lay_out_details(given, details, kNowhere), '\0');
    std::copy(given.letters.begin(), given.letters.end(), letters.begin());
    std::memcpy(letters.data() + begin, &details, sizeof details);
    lay_out_details(given, details, copy_to(letters.data() + begin));
    first_letter.assign(given.first_letter.begin(), given.first_letter.end());
    first_letter.push_back(letters.size());
    shape.letters = letters;
    shape.first_letter = first_letter;
    header = header_of(shape);
    header.flags |= kDetails;
  }
  Shape shape;
  ShapeHeader header;
  std::string letters;
  std::vector<std::uint64_t> first_letter;
};

// Extracts the details from the last street. Returns whether they are valid.
bool load_details(Shape& shape) {
  if (shape.first_letter.size() < 2) return false;
  const std::uint64_t end_of_names = shape.first_letter[shape.first_letter.size() - 2];
  if (end_of_names > shape.letters.size()) return false;
  const std::uint64_t begin = up_to_64(end_of_names);
  DetailHeader header;
  if (shape.letters.size() < begin + sizeof header) return false;
  const char* image = shape.letters.data() + begin;
  const std::uint64_t bytes = shape.letters.size() - begin;
  std::memcpy(&header, image, sizeof header);
  if (header.details > bytes || header.anchors > bytes || header.steps > bytes ||
      header.entries > bytes) {
    return false;
  }
  if (lay_out_details(shape, header, kNowhere) != bytes) return false;
  lay_out_details(shape, header, point_to(image));
  shape.letters = shape.letters.first(end_of_names);
  shape.first_letter = shape.first_letter.first(shape.first_letter.size() - 1);
  return true;
}

}  // namespace

std::uint64_t shape_bytes(const Shape& shape) {
  if (shape.empty()) return 0;
  const Stored stored(shape);
  return lay_out(stored.shape, stored.header, kNowhere);
}

void store_shape(const Shape& shape, char* out) {
  const Stored stored(shape);
  std::memcpy(out, &stored.header, sizeof stored.header);
  lay_out(stored.shape, stored.header, copy_to(out));
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
  if (lay_out(shape, header, kNowhere) != image.size()) {
    throw damaged("its shape has another size than it says");
  }
  lay_out(shape, header, point_to(image.data()));
  if ((header.flags & kDetails) != 0 && !load_details(shape)) {
    throw damaged("the details of its streets make no sense");
  }
  shape.arc_based = (header.flags & kArcBased) != 0;
  shape.keeper = std::move(keeper);
  const std::string wrong = what_is_wrong(shape, nodes, arcs);
  if (!wrong.empty()) throw damaged(wrong);
  return shape;
}

}  // namespace lodestar::formats
