// Paths as Python gives them.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <string>
#include <utility>

namespace lodestar::python {

// The path given as a string or as an object with __fspath__.
inline std::string text_of_path(const pybind11::object& path) {
  return pybind11::module_::import("os").attr("fspath")(path).cast<std::string>();
}

// Pickles name absolute paths, because workers may have another working directory.
inline std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).string();
}

// What pickle stores of an object: (path, None) if this file holds it, otherwise (None, the bytes
// of such a file).
inline std::pair<pybind11::object, pybind11::object> pickled(const pybind11::object& self,
                                                             const std::string& file) {
  if (!file.empty() && std::filesystem::exists(file))
    return {pybind11::str(file), pybind11::none()};
  return {pybind11::none(), pybind11::module_::import("lodestar._pickle").attr("bytes_of")(self)};
}

}  // namespace lodestar::python
