// Paths as Python gives them.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <string>

namespace lodestar::python {

// The path given as a string or as an object with __fspath__.
inline std::string text_of_path(const pybind11::object& path) {
  return pybind11::module_::import("os").attr("fspath")(path).cast<std::string>();
}

// Pickles name absolute paths, because workers may have another working directory.
inline std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).string();
}

}  // namespace lodestar::python
