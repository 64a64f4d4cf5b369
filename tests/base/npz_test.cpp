// Arrays of numpy: round trips through the writer, archives as numpy makes them, and damaged ones.
#include "base/npz.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <zlib.h>

#include <cstring>

#include "error_of.h"
#include "scratch_folder.h"

namespace lodestar::npz_test {
namespace {

using testing::error_of;

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i, value >>= 8) out += static_cast<char>(value & 0xff);
  return out;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string npy(const std::string& dictionary, const std::string& values) {
  return std::string("\x93NUMPY\x01\0", 8) + number(dictionary.size(), 2) + dictionary + values;
}

std::string npy_of(const std::string& type, const std::string& shape, const std::string& values) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             values);
}

std::string deflated(const std::string& bytes) {
  std::string out(bytes.size() + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct Member {
  std::string name;
  std::string bytes;
  int method = 0;
  std::string stored = {};  // default: made from `bytes`
  std::string extra = {};   // as other programs add to their entries
};

// A zip archive, written after its specification.
std::string zip_of(const std::vector<Member>& members) {
  std::string out, directory;
  for (const Member& member : members) {
    const std::string stored = !member.stored.empty() ? member.stored
                               : member.method == 8   ? deflated(member.bytes)
                                                      : member.bytes;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(member.bytes.data()),
                           static_cast<uInt>(member.bytes.size()));
    const std::string fields =
        number(20, 2) + number(0, 2) + number(static_cast<std::uint64_t>(member.method), 2) +
        number(0, 4) + number(crc, 4) + number(stored.size(), 4) + number(member.bytes.size(), 4) +
        number(member.name.size(), 2) + number(member.extra.size(), 2);
    directory += number(0x02014b50, 4) + number(20, 2) + fields + number(0, 2 + 2 + 2 + 4) +
                 number(out.size(), 4) + member.name + member.extra;
    out += number(0x04034b50, 4) + fields + member.name + member.extra + stored;
  }
  const std::string end = number(0x06054b50, 4) + number(0, 4) + number(members.size(), 2) +
                          number(members.size(), 2) + number(directory.size(), 4) +
                          number(out.size(), 4) + number(0, 2);
  return out + directory + end;
}

NpyArray read(const std::string& archive) {
  return read_npz_array(archive, "a", "x.npz");
}

std::string refusal(const std::string& archive) {
  return error_of([&] { read(archive); });
}

std::string refusal_of_array(const std::string& array) {
  return refusal(zip_of({{"a.npy", array}}));
}

TEST(Npz, WhatIsWrittenIsReadBack) {
  const ScratchFolder folder;
  const std::vector<float> reals = {0.5f, -1, 3e30f, 0, 7, 8};
  const std::vector<std::int32_t> wholes = {-5, 2'000'000'000};
  NpzWriter out(folder / "x.npz");
  out.add("reals", {2, 3}, std::span<const float>(reals));
  out.add("wholes", {2}, std::span<const std::int32_t>(wholes));
  out.add("none", {0, 4}, std::span<const float>());
  EXPECT_EQ(folder.file_count(), 1u) << "only a temporary file before close()";
  out.close();
  const std::string archive = folder.read("x.npz");
  const NpyArray a = read_npz_array(archive, "reals", "x"),
                 b = read_npz_array(archive, "wholes", "x");
  EXPECT_EQ(a.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(a.values, std::vector<double>(reals.begin(), reals.end()));
  EXPECT_EQ(b.shape, (std::vector<std::size_t>{2}));
  EXPECT_EQ(b.values, std::vector<double>(wholes.begin(), wholes.end()));
  const NpyArray none = read_npz_array(archive, "none", "x");
  EXPECT_EQ(none.shape, (std::vector<std::size_t>{0, 4}));
  EXPECT_TRUE(none.values.empty());
}

TEST(Npz, ReadsEveryTypeAndCompressionOfNumpy) {
  const std::vector<double> expected = {0, 1, 1, 0};
  const std::pair<const char*, std::string> arrays[] = {
      {"<f4", bytes_of(std::vector<float>{0, 1, 1, 0})},
      {"<f8", bytes_of(expected)},
      {"<i4", bytes_of(std::vector<std::int32_t>{0, 1, 1, 0})},
      {"<i8", bytes_of(std::vector<std::int64_t>{0, 1, 1, 0})},
      {"|b1", std::string("\0\1\1\0", 4)},
      {"|u1", std::string("\0\1\1\0", 4)},
  };
  for (const auto& [type, values] : arrays) {
    for (const int method : {0, 8}) {
      const Member other{"other.npy", "x", 0, {}, "extra"};
      const Member wanted{"a.npy", npy_of(type, "2, 2", values), method, {}, "more"};
      const NpyArray array = read(zip_of({other, wanted}));
      EXPECT_EQ(array.values, expected) << type << ' ' << method;
      EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 2}));
    }
  }
  EXPECT_EQ(read(zip_of({{"a.npy", npy_of("<f8", "", bytes_of<double>({7}))}})).values,
            std::vector<double>{7})
      << "a number has no extents";
}

TEST(Npz, DoublesAsAFileOfTheirOwn) {
  const std::vector<double> values = {1.5, -2};
  const std::string file = npy_bytes({2}, values);
  EXPECT_EQ(file.size() % 64, 16u) << "the numbers start at a multiple of 64";
  EXPECT_EQ(read(zip_of({{"a.npy", file}})).values, values);
}

// 4 GB of address space without memory behind it: the size is checked before a byte is read.
TEST(Npz, RefusesToGrowBeyondFourGigabytes) {
  constexpr std::size_t kCount = std::size_t{1} << 30;
  void* const at = ::mmap(nullptr, kCount * sizeof(float), PROT_READ,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) GTEST_SKIP() << "no address space";
  const ScratchFolder folder;
  {
    NpzWriter out(folder / "x.npz");
    out.add("a", {1}, std::span(static_cast<const float*>(at), 1));
    EXPECT_EQ(
        error_of([&] { out.add("b", {kCount}, std::span(static_cast<const float*>(at), kCount)); }),
        folder / "x.npz" + ": an .npz file holds at most 4 GB; write fewer samples");
  }
  EXPECT_EQ(folder.file_count(), 0u);
  ::munmap(at, kCount * sizeof(float));
}

TEST(Npz, SaysWhatIsWrongWithAnArchive) {
  const std::string good = npy_of("<f8", "1,", bytes_of<double>({1}));
  const std::string archive = zip_of({{"a.npy", good}});
  ASSERT_EQ(refusal(archive), "");
  EXPECT_EQ(refusal(""), "x.npz: a: not an .npz file");
  EXPECT_EQ(refusal(archive + "x"), "x.npz: a: not an .npz file");
  EXPECT_EQ(refusal(zip_of({{"b.npy", good}})), "x.npz: a: the array is missing");
  EXPECT_EQ(refusal(zip_of({})), "x.npz: a: the array is missing");
  std::string damaged = archive;
  damaged[damaged.size() - 22 - 46 - 5] ^= 1;  // the first byte of the directory
  EXPECT_EQ(refusal(damaged), "x.npz: a: the directory of the archive is damaged");
  damaged = archive;
  damaged[damaged.size() - 22 - 46 - 5 + 27] = 0x7f;  // the size, unpacked
  EXPECT_EQ(refusal(damaged), "x.npz: a: an array is above 1 GB");
  damaged = archive;
  damaged[damaged.size() - 22 - 46 - 5 + 23] = 0x7f;  // the size in the file
  EXPECT_EQ(refusal(damaged), "x.npz: a: the file ends too early");
  damaged = archive;
  damaged[40] ^= 1;
  EXPECT_EQ(refusal(damaged),
            "x.npz: a: an array is damaged, or compressed by another method than deflate");
  EXPECT_EQ(refusal(zip_of({{"a.npy", good, 12, "stored"}})),
            "x.npz: a: an array is damaged, or compressed by another method than deflate");
  EXPECT_EQ(refusal(zip_of({{"a.npy", good, 8, "\x07none"}})),
            "x.npz: a: a compressed array is damaged");
  // More, or fewer, bytes than announced.
  EXPECT_EQ(refusal(zip_of({{"a.npy", good, 8, deflated(good + "x")}})),
            "x.npz: a: a compressed array is damaged");
  EXPECT_EQ(refusal(zip_of({{"a.npy", good, 8, deflated(good.substr(1))}})),
            "x.npz: a: a compressed array is damaged");
}

// Any byte of the directory and the end, changed: an Error, or the same numbers.
TEST(Npz, DamagedDirectoriesAreNeverReadBeyondTheFile) {
  const std::string archive =
      zip_of({{"b.npy", "x"}, {"a.npy", npy_of("<f8", "2,", bytes_of<double>({1, 2})), 8}});
  std::size_t refused = 0;
  for (std::size_t at = 0; at < archive.size(); ++at) {
    for (const int bit : {0, 7}) {
      std::string damaged = archive;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      try {
        EXPECT_EQ(read(damaged).values, (std::vector<double>{1, 2})) << at;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, archive.size() / 2);
  for (std::size_t size = 0; size < archive.size(); ++size) {
    EXPECT_NE(refusal(archive.substr(0, size)), "") << size;
  }
}

TEST(Npz, SaysWhatIsWrongWithAnArray) {
  const std::string one = bytes_of<double>({1});
  EXPECT_EQ(refusal_of_array("\x93NUMPX"), "x.npz: a: not an .npy array");
  EXPECT_EQ(refusal_of_array("\x93NU"), "x.npz: a: the file ends too early");
  std::string later = npy_of("<f8", "1,", one);
  later[6] = 2;
  EXPECT_EQ(refusal_of_array(later), "x.npz: a: not an .npy array");
  EXPECT_EQ(refusal_of_array(npy("{'descr': '<f8', 'shape': (1,), }", one)),
            "x.npz: a: the header of the array is damaged");
  EXPECT_EQ(refusal_of_array(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1,), }", one)),
            "x.npz: a: the array is not in C order");
  EXPECT_EQ(refusal_of_array(npy("{'descr': '<f8', 'fortran_order': False}", one)),
            "x.npz: a: the header of the array is damaged");
  EXPECT_EQ(refusal_of_array(npy("{'fortran_order': False, 'shape': (1,)}", one)),
            "x.npz: a: the header of the array is damaged");
  for (const char* shape : {"x", "-1,", "1,,y", "99999999999999999999,", "99999999,99999999,"}) {
    EXPECT_EQ(refusal_of_array(npy_of("<f8", shape, one)),
              "x.npz: a: the shape of the array is damaged")
        << shape;
  }
  EXPECT_EQ(refusal_of_array(npy_of("<f8", "2,", one)), "x.npz: a: the file ends too early");
  EXPECT_EQ(refusal_of_array(npy_of(">f8", "1,", one)),
            "x.npz: a: the type of the array is not supported");
}

}  // namespace
}  // namespace lodestar::npz_test
