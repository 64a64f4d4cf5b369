// A matrix of costs on its way to a file, line by line: nothing of it is kept in memory.
//
//   const auto writer = open_matrix("m.npy", "npy", names, sources, targets, MatrixBy::kSource);
//   for (…) writer->line(index, costs);                // in order
//   writer->close();
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/router.h"

namespace lodestar::cli {

class MatrixWriter {
 public:
  virtual ~MatrixWriter() = default;
  virtual void line(std::size_t index, std::span<const Cost> costs) = 0;
  virtual void close() = 0;  // without it no file appears
};

// Formats: "csv" (source,target,cost; one line per pair; "inf" where there is no path) and "npy"
// (numpy's, [sources × targets]; lines by target make it one in Fortran's order, which numpy.load
// reads alike). Types of npy: "float64", "float32" and "uint32", which has 2^32 - 1 where there is
// no path; a cost that is not exact in its type throws Error. The vectors must outlive the writer.
// Throws Error on another format.
std::unique_ptr<MatrixWriter> open_matrix(const std::string& path, const std::string& format,
                                          const std::string& type, const NodeNames& names,
                                          const std::vector<NodeId>& sources,
                                          const std::vector<NodeId>& targets, MatrixBy by);
// The format that the ending of a file's name says; csv for -. Throws Error if it says none.
std::string matrix_format(const std::string& path);
// As RFC 4180 has it: a field with a comma, a quote or a line's end is quoted, or one with what
// else is special.
std::string csv_field(const std::string& text, const char* special = ",\"\r\n");

}  // namespace lodestar::cli
