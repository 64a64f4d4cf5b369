// Text signatures, so that inspect.signature, help() and notebooks know the parameters.
//
// CPython takes them from a docstring that begins with "name(parameters)\n--\n\n"; pybind11 writes
// "name(parameters) -> type\n\n" instead.
#include <pybind11/pybind11.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "bindings.h"

namespace py = pybind11;

namespace lodestar::python {
namespace {

// "(a, *, b=1)" of "name(a: object, *, b: int = 1) -> None\n\n…"; none for overloads.
std::optional<std::string> parameters_of(const std::string& doc, const std::string& name) {
  if (!doc.starts_with(name + "(")) return {};
  const std::size_t line = doc.find('\n'), arrow = doc.rfind(") -> ", line);
  if (arrow == std::string::npos) return {};
  const std::string inner = doc.substr(name.size() + 1, arrow - name.size() - 1);
  std::string out = "(";
  int depth = 0;
  bool skipping = false, quoted = false;  // skipping: an annotation
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const char c = inner[i];
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c == '[' || c == '(')) ++depth;
    if (!quoted && (c == ']' || c == ')')) --depth;
    if (!quoted && depth == 0 && c == ':') {
      skipping = true;
    } else if (!quoted && depth == 0 && (c == ',' || c == '=')) {
      skipping = false;
    }
    if (!skipping) out += c;
  }
  // Taken only to tell what older names are called now.
  constexpr std::string_view kUnknown = ", **kwargs";
  if (out.ends_with(kUnknown)) out.resize(out.size() - kUnknown.size());
  return out + ")";
}

// Both live as long as the module, that is until the process ends.
const char* kept(const std::string& text) {
  return strdup(text.c_str());
}

std::optional<std::string> give_signature(const py::handle& function, std::string name) {
  PyObject* object = function.ptr();
  if (PyInstanceMethod_Check(object)) object = PyInstanceMethod_Function(object);
  if (!PyCFunction_Check(object)) return {};
  PyMethodDef* method = reinterpret_cast<PyCFunctionObject*>(object)->m_ml;
  if (method->ml_doc == nullptr) return {};
  const std::string doc = method->ml_doc;
  const auto parameters = parameters_of(doc, name);
  if (!parameters) return {};
  const std::size_t body = doc.find("\n\n");
  method->ml_doc = kept(name + *parameters + "\n--\n\n" +
                        (body == std::string::npos ? "" : doc.substr(body + 2)));
  return parameters;
}

void give_signatures(const py::type& type) {
  const auto name = type.attr("__name__").cast<std::string>();
  for (const py::handle item : py::list(type.attr("__dict__").attr("items")())) {
    const auto key = item[py::int_(0)].cast<std::string>();
    py::object function = item[py::int_(1)];
    if (Py_TYPE(function.ptr()) == &PyStaticMethod_Type) function = function.attr("__func__");
    const auto parameters = give_signature(function, key);
    if (!parameters || key != "__init__") continue;
    auto* made = reinterpret_cast<PyTypeObject*>(type.ptr());
    const std::string text = made->tp_doc == nullptr ? "" : made->tp_doc;
    const std::size_t comma = parameters->find(", ");  // the class is called without self
    const std::string own = comma == std::string::npos ? "()" : "(" + parameters->substr(comma + 2);
    made->tp_doc = kept(name + own + "\n--\n\n" + text);
  }
}

}  // namespace

void give_signatures(py::module_& module) {
  for (const auto& [key, value] : py::dict(module.attr("__dict__"))) {
    if (PyType_Check(value.ptr())) {
      give_signatures(py::reinterpret_borrow<py::type>(value));
    } else {
      give_signature(value, key.cast<std::string>());
    }
  }
}

}  // namespace lodestar::python
