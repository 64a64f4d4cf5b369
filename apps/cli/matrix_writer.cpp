#include "matrix_writer.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "lodestar/atomic_file.h"

namespace lodestar::cli {
namespace {

// As RFC 4180 has it: a field with a comma, a quote or a line's end is quoted.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

class CsvMatrix : public MatrixWriter {
 public:
  CsvMatrix(const std::string& path, const NodeNames& names, const std::vector<NodeId>& sources,
            const std::vector<NodeId>& targets, MatrixBy by)
      : file_(path),
        names_(names),
        roots_(by == MatrixBy::kSource ? sources : targets),
        by_source_(by == MatrixBy::kSource) {
    for (const NodeId v : by_source_ ? targets : sources)
      others_.push_back(csv_field(names.name(v)));
    file_.write("source,target,cost\n");
  }
  void line(std::size_t index, std::span<const Cost> costs) override {
    const std::string root = csv_field(names_.name(roots_[index]));
    text_.clear();
    for (std::size_t i = 0; i < costs.size(); ++i) {
      fmt::format_to(std::back_inserter(text_), "{},{},{}\n", by_source_ ? root : others_[i],
                     by_source_ ? others_[i] : root, costs[i]);
    }
    file_.write({text_.data(), text_.size()});
  }
  void close() override { file_.commit(); }

 private:
  AtomicFile file_;
  const NodeNames& names_;
  const std::vector<NodeId>& roots_;
  bool by_source_;
  std::vector<std::string> others_;
  fmt::memory_buffer text_;
};

class NpyMatrix : public MatrixWriter {
 public:
  NpyMatrix(const std::string& path, std::size_t sources, std::size_t targets, MatrixBy by)
      : file_(path) {
    static_assert(std::endian::native == std::endian::little);
    std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': {}, 'shape': ({}, {}), }}",
                                     by == MatrixBy::kSource ? "False" : "True", sources, targets);
    // Magic, version 1.0, two bytes of length: the data begins at a multiple of 64.
    constexpr std::size_t kPrefix = 10;
    header.resize((header.size() + kPrefix + 1 + 63) / 64 * 64 - kPrefix - 1, ' ');
    header += '\n';
    std::string prefix("\x93NUMPY\x01\0", 8);
    prefix += static_cast<char>(header.size() & 0xff);
    prefix += static_cast<char>(header.size() >> 8);
    file_.write(prefix + header);
  }
  void line(std::size_t, std::span<const Cost> costs) override {
    file_.write({reinterpret_cast<const char*>(costs.data()), costs.size_bytes()});
  }
  void close() override { file_.commit(); }

 private:
  AtomicFile file_;
};

}  // namespace

std::unique_ptr<MatrixWriter> open_matrix(const std::string& path, const std::string& format,
                                          const NodeNames& names,
                                          const std::vector<NodeId>& sources,
                                          const std::vector<NodeId>& targets, MatrixBy by) {
  if (format == "npy") {
    return std::make_unique<NpyMatrix>(path, sources.size(), targets.size(), by);
  }
  if (format != "csv") throw Error("a matrix is written as csv or npy, not as '" + format + "'");
  return std::make_unique<CsvMatrix>(path, names, sources, targets, by);
}

}  // namespace lodestar::cli
