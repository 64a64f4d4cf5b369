// Arrays of numpy: an archive that numpy wrote, and damage at every byte.
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/npz.h"
#include "error_of.h"
#include "lodestar/types.h"
#include "scratch_folder.h"

namespace lodestar::numpy_arrays_test {
namespace {

// numpy.savez_compressed("x.npz", whole=array([[1, -2, 3], [4, 5, 2^40]]), truth=[True, False])
constexpr std::string_view kByNumpy =
    "504b030414000000080000002100fe3fb9e458000000b00000000900140077686f6c652e6e7079010010"
    "00b00000000000000058000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a1"
    "aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64"
    "032e460608f8f71f0298a17c1628cdca8004808a01504b030414000000080000002100ee19bb5d460000"
    "00820000000900140074727574682e6e707901001000820000000000000046000000000000009bec17ea"
    "1b10c9c850c650ad9e925a9c5ca46ea5a05e9364a8aea3a09e965f54529498179f5f94920a12774bcc29"
    "4e058a17672416a402f91a463a9a3a0ab50a14002e460600504b0102140314000000080000002100fe3f"
    "b9e458000000b000000009000000000000000000000080010000000077686f6c652e6e7079504b010214"
    "0314000000080000002100ee19bb5d460000008200000009000000000000000000000080019300000074"
    "727574682e6e7079504b050600000000020002006e000000140100000000";

std::string by_numpy() {
  std::string bytes;
  for (std::size_t i = 0; i < kByNumpy.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(kByNumpy.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

using Shape = std::vector<std::size_t>;

TEST(NumpyArrays, ReadsWhatNumpyCompressed) {
  const std::string bytes = by_numpy();
  const NpyArray whole = read_npz_array(bytes, "whole", "x.npz");
  EXPECT_EQ(whole.shape, (Shape{2, 3}));
  EXPECT_EQ(whole.values, (std::vector<double>{1, -2, 3, 4, 5, 0x1p40}));
  const NpyArray truth = read_npz_array(bytes, "truth", "x.npz");
  EXPECT_EQ(truth.shape, Shape{2});
  EXPECT_EQ(truth.values, (std::vector<double>{1, 0}));
  EXPECT_EQ(testing::error_of([&] { read_npz_array(bytes, "other", "x.npz"); }),
            "x.npz: other: the array is missing");
}

// Cut anywhere or with a changed byte, the array is the same or an error names it.
void expect_same_or_error(const std::string& bytes, const std::string& name,
                          const NpyArray& sound) {
  try {
    const NpyArray read = read_npz_array(bytes, name, "x.npz");
    EXPECT_EQ(read.shape, sound.shape);
    EXPECT_EQ(read.values, sound.values);
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("x.npz: " + name)) << error.what();
  }
}

TEST(NumpyArrays, OtherFilesAreNone) {
  for (const std::string& bytes : {std::string(), std::string("PK"), std::string(21, '\0'),
                                   std::string(200, '\0'), by_numpy() + "a comment"}) {
    EXPECT_EQ(testing::error_of([&] { read_npz_array(bytes, "whole", "x.npz"); }),
              "x.npz: whole: not an .npz file");
  }
}

void damage_everywhere(const std::string& bytes, const std::string& name) {
  const NpyArray sound = read_npz_array(bytes, name, "x.npz");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_THROW(read_npz_array(bytes.substr(0, i), name, "x.npz"), Error) << i;
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      expect_same_or_error(changed, name, sound);
    }
  }
}

TEST(NumpyArrays, DamageIsAnError) {
  damage_everywhere(by_numpy(), "whole");
  damage_everywhere(by_numpy(), "truth");
  const ScratchFolder folder;
  NpzWriter out(folder / "a.npz");
  const std::vector<float> reals = {0.5f, -1, 3e30f};
  const std::vector<std::int32_t> whole = {7, -8};
  out.add("reals", {3, 1}, std::span<const float>(reals));
  out.add("whole", {2}, std::span<const std::int32_t>(whole));
  out.close();
  const std::string bytes = folder.read("a.npz");
  EXPECT_EQ(read_npz_array(bytes, "reals", "x.npz").values,
            (std::vector<double>{0.5, -1, static_cast<double>(3e30f)}));
  EXPECT_EQ(read_npz_array(bytes, "reals", "x.npz").shape, (Shape{3, 1}));
  EXPECT_EQ(read_npz_array(bytes, "whole", "x.npz").values, (std::vector<double>{7, -8}));
  damage_everywhere(bytes, "reals");
  damage_everywhere(bytes, "whole");
}

TEST(NumpyArrays, BytesOfDoublesHaveAHeaderOf64) {
  const std::vector<double> values = {1, 2};
  const std::string bytes = npy_bytes({2, 1}, values);
  EXPECT_EQ(bytes.size(), 128u + 16u);
  EXPECT_TRUE(bytes.starts_with(std::string("\x93NUMPY\x01\0\x76\0", 10)));
  EXPECT_NE(bytes.find("'shape': (2,1,), }"), std::string::npos);
  EXPECT_EQ(bytes[127], '\n');
}

// An archive of one stored array with this header and these bytes, with its checksums right.
std::string archive_of(const std::string& header, const std::string& content) {
  const auto number = [](std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(i < 8 ? value >> 8 * i & 0xff : 0);
    return out;
  };
  const std::string npy =
      std::string("\x93NUMPY\x01\0", 8) + number(header.size(), 2) + header + content;
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(npy.data()), static_cast<uInt>(npy.size()));
  const std::string name = "a.npy";
  const std::string fields = number(20, 2) + number(0, 8) + number(crc, 4) + number(npy.size(), 4) +
                             number(npy.size(), 4) + number(name.size(), 2) + number(0, 2);
  const std::string local = number(0x04034b50, 4) + fields + name + npy;
  const std::string directory =
      number(0x02014b50, 4) + number(20, 2) + fields + number(0, 10) + number(0, 4) + name;
  return local + directory + number(0x06054b50, 4) + number(0, 4) + number(1, 2) + number(1, 2) +
         number(directory.size(), 4) + number(local.size(), 4) + number(0, 2);
}

TEST(NumpyArrays, HeadersAreChecked) {
  const auto header = [](const std::string& type, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  };
  const auto values = [](const std::string& head, const std::string& content) {
    return read_npz_array(archive_of(head, content), "a", "x.npz").values;
  };
  const std::string four("\x01\0\0\0", 4), eight = four + std::string(4, '\0');
  using Values = std::vector<double>;
  EXPECT_EQ(values(header("<i4", "1,"), four), Values{1});
  EXPECT_EQ(values(header("<i8", "1,"), eight), Values{1});
  EXPECT_EQ(values(header("|u1", "2, 2"), four), (Values{1, 0, 0, 0}));
  EXPECT_EQ(values(header("<f8", "1"), std::string("\0\0\0\0\0\0\xf0\x3f", 8)), Values{1});
  EXPECT_EQ(values(header("<f4", ""), std::string("\0\0\x80\x3f", 4)), Values{1});  // a number
  EXPECT_EQ(values(header("<f4", "0,99999999999"), ""), Values{});
  const auto error = [&](const std::string& head, const std::string& content) {
    return testing::error_of([&] { values(head, content); });
  };
  const std::string shape = "x.npz: a: the shape of the array is damaged";
  EXPECT_EQ(error(header("|u1", "x,"), four), shape);
  EXPECT_EQ(error(header("|u1", "2,-1"), four), shape);
  EXPECT_EQ(error(header("|u1", "99999999999999999999999"), four), shape);
  EXPECT_EQ(error(header("|u1", "4294967296,4294967296,4294967296"), four), shape);
  EXPECT_EQ(error(header("|u1", "1073741825,"), four), shape);
  EXPECT_EQ(error(header("|u1", "5,"), four), "x.npz: a: the file ends too early");
  EXPECT_EQ(error(header(">f4", "1,"), four), "x.npz: a: the type of the array is not supported");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", four),
            "x.npz: a: the array is not in C order");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False}", four),
            "x.npz: a: the header of the array is damaged");
}

}  // namespace
}  // namespace lodestar::numpy_arrays_test
