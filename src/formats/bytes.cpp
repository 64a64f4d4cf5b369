#include "formats/bytes.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/huge_pages.h"
#include "lodestar/types.h"

namespace lodestar::formats {
namespace {

constexpr std::size_t kFreeOutput = std::size_t{256} << 20;
constexpr std::size_t kMaxRatio = 200;
constexpr std::uint64_t kXzMemory = std::uint64_t{256} << 20;

// Grown by realloc; std::string would first fill the memory with zeros.
class Buffer {
 public:
  explicit Buffer(std::size_t capacity) : capacity_(std::max<std::size_t>(capacity, 1)) {
    data_.reset(static_cast<char*>(allocate_large(capacity_)));
    if (data_ == nullptr) throw std::bad_alloc();
  }
  char* free_begin() { return data_.get() + size_; }
  std::size_t free_size() const { return capacity_ - size_; }
  std::size_t size() const { return size_; }
  void take(std::size_t count) { size_ += count; }
  void make_room() {
    if (size_ == capacity_) grow(capacity_ * 2);
  }
  Bytes release() {
    const std::string_view text(data_.get(), size_);
    return {text, std::shared_ptr<const void>(std::move(data_))};
  }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  void grow(std::size_t capacity) {
    char* grown = static_cast<char*>(std::realloc(data_.get(), capacity));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(grown);
    capacity_ = capacity;
  }
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : value_(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (value_ < 0) throw Error(path + ": cannot be opened: " + std::strerror(errno));
    if (::fstat(value_, &status_) != 0) throw Error(path + ": " + std::strerror(errno));
    if (S_ISDIR(status_.st_mode)) throw Error(path + ": is a folder; give the path of a file");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(value_); }
  int value() const { return value_; }
  bool regular() const { return S_ISREG(status_.st_mode); }
  std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }
  bool only_ours() const {
    return (status_.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           (status_.st_uid == ::geteuid() || status_.st_uid == 0);
  }

 private:
  int value_;
  struct stat status_ = {};
};

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && std::string_view(text).substr(text.size() - end.size()) == end;
}

void check_ratio(std::size_t in, std::size_t out, const std::string& name) {
  if (out > kFreeOutput && out / kMaxRatio > in) {
    throw Error(name + ": decompresses to more than " + std::to_string(kMaxRatio) +
                " times its size; decompress it yourself if that is intended");
  }
}

// Both libraries advance next_in and next_out of a stream struct. Step runs one call and returns
// whether the end is reached.
template <class Stream, class Step>
Bytes inflate_all(std::string_view in, const std::string& name, Stream& stream, Step&& step) {
  Buffer out(std::min(in.size() * 4, kFreeOutput) + 4096);
  // zlib counts in 32 bits.
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  std::size_t fed = 0;
  while (true) {
    if (stream.avail_in == 0 && fed < in.size()) {
      const std::size_t piece = std::min(kPiece, in.size() - fed);
      stream.next_in =
          reinterpret_cast<decltype(stream.next_in)>(const_cast<char*>(in.data()) + fed);
      stream.avail_in = static_cast<decltype(stream.avail_in)>(piece);
      fed += piece;
    }
    out.make_room();
    const std::size_t room = std::min(kPiece, out.free_size());
    stream.next_out = reinterpret_cast<decltype(stream.next_out)>(out.free_begin());
    stream.avail_out = static_cast<decltype(stream.avail_out)>(room);
    const bool done = step(fed == in.size());
    out.take(room - stream.avail_out);
    check_ratio(in.size(), out.size(), name);
    if (done) return out.release();
  }
}

Bytes unpack_gzip(std::string_view in, const std::string& name) {
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
  bool member_done = false;
  return inflate_all(in, name, stream, [&](bool last) {
    if (member_done) {  // gzip files may be concatenated
      inflateReset(&stream);
      member_done = false;
    }
    const std::size_t before = stream.avail_out;
    const int code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      throw Error(name + ": is damaged or not gzip: " +
                  (stream.msg != nullptr ? stream.msg : "unknown method"));
    }
    member_done = code == Z_STREAM_END;
    if (member_done) return last && stream.avail_in == 0;
    if (last && stream.avail_in == 0 && stream.avail_out == before) {
      throw Error(name + ": the gzip data is truncated");
    }
    return false;
  });
}

Bytes unpack_xz(std::string_view in, const std::string& name) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kXzMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> end(&stream, &lzma_end);
  return inflate_all(in, name, stream, [&](bool last) {
    switch (lzma_code(&stream, last ? LZMA_FINISH : LZMA_RUN)) {
      case LZMA_OK:
        return false;
      case LZMA_STREAM_END:
        return true;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw Error(name +
                    ": requires more than 256 MiB to decompress; compress it with xz -9 or less");
      case LZMA_BUF_ERROR:
        throw Error(name + ": the xz data is truncated");
      default:
        throw Error(name + ": is damaged or not xz");
    }
  });
}

}  // namespace

std::string without_compression(const std::string& name) {
  const bool packed = ends_with(name, ".gz") || ends_with(name, ".xz");
  return packed ? name.substr(0, name.size() - 3) : name;
}

bool file_exists(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

Bytes load_bytes(const std::string& path, const std::string& kind) {
  const Descriptor file(path);
  Buffer buffer(file.regular() ? file.size() + 1 : 65536);
  while (true) {
    buffer.make_room();
    const ssize_t count = ::read(file.value(), buffer.free_begin(), buffer.free_size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(path + ": reading failed: " + std::strerror(errno));
    if (count == 0) break;
    buffer.take(static_cast<std::size_t>(count));
  }
  return unpack(buffer.release(), kind, path == "-" ? "stdin" : path);
}

Bytes map_bytes(const std::string& path) {
  const Descriptor file(path);
  const bool packed = path != without_compression(path);
  if (packed || !file.regular() || file.size() == 0 || !file.only_ours()) return load_bytes(path);
  const std::size_t size = file.size();
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.value(), 0);
  if (at == MAP_FAILED) return load_bytes(path);  // some file systems do not support it
  return {std::string_view(static_cast<const char*>(at), size),
          std::shared_ptr<const void>(at, [size](void* begin) { ::munmap(begin, size); })};
}

Bytes copy_bytes(std::string_view text) {
  Buffer buffer(text.size());
  if (!text.empty()) std::memcpy(buffer.free_begin(), text.data(), text.size());
  buffer.take(text.size());
  return buffer.release();
}

Bytes unpack(Bytes packed, const std::string& kind, const std::string& name) {
  if (ends_with(kind, ".gz")) return unpack_gzip(packed.text(), name);
  if (ends_with(kind, ".xz")) return unpack_xz(packed.text(), name);
  return packed;
}

}  // namespace lodestar::formats
