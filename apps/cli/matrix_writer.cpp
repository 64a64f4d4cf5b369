#include "matrix_writer.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "lodestar/atomic_file.h"

namespace lodestar::cli {
namespace {

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
  NpyMatrix(const std::string& path, const std::string& type, std::size_t sources,
            std::size_t targets, MatrixBy by)
      : file_(path), type_(type) {
    static_assert(std::endian::native == std::endian::little);
    std::string header = fmt::format("{{'descr': '<{}', 'fortran_order': {}, 'shape': ({}, {}), }}",
                                     type == "float64"   ? "f8"
                                     : type == "float32" ? "f4"
                                                         : "u4",
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
    if (type_ == "float64") {
      file_.write({reinterpret_cast<const char*>(costs.data()), costs.size_bytes()});
    } else if (type_ == "float32") {
      write_as<float>(costs, [](Cost cost) { return static_cast<float>(cost); });
    } else {
      write_as<std::uint32_t>(costs, [](Cost cost) {
        return cost < kNoCell ? static_cast<std::uint32_t>(cost) : kNoCell;
      });
    }
  }
  void close() override { file_.commit(); }

 private:
  template <class T, class Cast>
  void write_as(std::span<const Cost> costs, const Cast& cast) {
    std::vector<T> cells(costs.size());
    bool exact = true;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      cells[i] = cast(costs[i]);
      exact &= costs[i] == kInfinity || static_cast<Cost>(cells[i]) == costs[i];
    }
    if (!exact) {
      throw Error("a cost is not exact as " + type_ + "; write the matrix as float64");
    }
    file_.write({reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof(T)});
  }

  AtomicFile file_;
  std::string type_;
};

}  // namespace

std::string matrix_format(const std::string& path) {
  if (path.ends_with(".npy")) return "npy";
  if (path == "-" || path.ends_with(".csv")) return "csv";
  throw Error(path + ": end the name in .csv or .npy, or give --output-format");
}

std::string csv_field(const std::string& text, const char* special) {
  if (text.find_first_of(special) == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::unique_ptr<MatrixWriter> open_matrix(const std::string& path, const std::string& format,
                                          const std::string& type, const NodeNames& names,
                                          const std::vector<NodeId>& sources,
                                          const std::vector<NodeId>& targets, MatrixBy by) {
  if (format == "npy") {
    return std::make_unique<NpyMatrix>(path, type, sources.size(), targets.size(), by);
  }
  if (type != "float64") throw Error("--type is for npy; csv has all digits");
  if (format != "csv") throw Error("a matrix is written as csv or npy, not as '" + format + "'");
  return std::make_unique<CsvMatrix>(path, names, sources, targets, by);
}

}  // namespace lodestar::cli
