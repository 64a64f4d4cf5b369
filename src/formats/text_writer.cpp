#include "formats/text_writer.h"

#include <lzma.h>
#include <zlib.h>

#include <new>

namespace lodestar::formats {

class Packer {
 public:
  Packer() = default;
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  virtual ~Packer() = default;
  virtual void write(std::string_view bytes, bool last, AtomicFile& file) = 0;

 protected:
  // Passes `bytes` to a library. `code` advances the stream struct and returns true when all
  // pending output was returned.
  template <class Stream, class Code>
  static void pump(Stream& stream, std::string_view bytes, AtomicFile& file, Code&& code) {
    char out[65536];
    stream.next_in = reinterpret_cast<decltype(stream.next_in)>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<decltype(stream.avail_in)>(bytes.size());
    bool done = false;
    while (!done) {
      stream.next_out = reinterpret_cast<decltype(stream.next_out)>(out);
      stream.avail_out = sizeof out;
      done = code();
      file.write({out, sizeof out - stream.avail_out});
    }
  }
};

namespace {

class GzipPacker : public Packer {
 public:
  GzipPacker() {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipPacker() override { deflateEnd(&stream_); }
  void write(std::string_view bytes, bool last, AtomicFile& file) override {
    pump(stream_, bytes, file, [&] {
      const int code = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      return last ? code == Z_STREAM_END : stream_.avail_out != 0;
    });
  }

 private:
  z_stream stream_ = {};
};

class XzPacker : public Packer {
 public:
  XzPacker() {
    if (lzma_easy_encoder(&stream_, 6, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzPacker() override { lzma_end(&stream_); }
  void write(std::string_view bytes, bool last, AtomicFile& file) override {
    pump(stream_, bytes, file, [&] {
      const lzma_ret code = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
      if (code != LZMA_OK && code != LZMA_STREAM_END) throw std::bad_alloc();
      return last ? code == LZMA_STREAM_END : stream_.avail_out != 0;
    });
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

std::unique_ptr<Packer> packer_for(const std::string& path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipPacker>();
  if (path.ends_with(".xz")) return std::make_unique<XzPacker>();
  return nullptr;
}

}  // namespace

TextWriter::TextWriter(const std::string& path, const std::string& kind)
    : file_(path), packer_(packer_for(kind)) {
  buffer_.reserve(kBuffer);
}

TextWriter::~TextWriter() = default;

void TextWriter::flush() {
  write(buffer_);
  buffer_.clear();
}

void TextWriter::write(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 30;  // zlib counts in 32 bits
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    if (packer_) {
      packer_->write(piece, false, file_);
    } else {
      file_.write(piece);
    }
    bytes.remove_prefix(piece.size());
  }
}

void TextWriter::commit() {
  flush();
  if (packer_) packer_->write({}, true, file_);
  file_.commit();
}

}  // namespace lodestar::formats
