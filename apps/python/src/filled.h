// Objects that hold something. Class.__new__(Class) makes one that does not, and pybind11 would
// hand out memory that was never written to: a crash. Here it is a TypeError, for every type that
// names itself Filled.
//
//   struct IndexHandle {
//     using Filled = IndexHandle;
//     …
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

namespace lodestar::python {

inline void require_filled(const pybind11::handle& object,
                           const pybind11::detail::type_info* type) {
  if (!object || type == nullptr || !PyType_IsSubtype(Py_TYPE(object.ptr()), type->type)) return;
  auto* instance = reinterpret_cast<pybind11::detail::instance*>(object.ptr());
  if (instance->get_value_and_holder(type).value_ptr() != nullptr) return;
  throw pybind11::type_error(std::string("this ") + type->type->tp_name +
                             " was made by __new__ alone and holds nothing");
}

template <class Handle>
concept NeedsFilling = requires {
  typename Handle::Filled;
};

}  // namespace lodestar::python

namespace pybind11::detail {

template <class Handle>
requires lodestar::python::NeedsFilling<Handle>
struct type_caster<Handle> : type_caster_base<Handle> {
  bool load(handle source, bool convert) {
    lodestar::python::require_filled(source, this->typeinfo);
    return type_caster_base<Handle>::load(source, convert);
  }
};

// The same for arguments that are shared pointers.
template <class Handle>
requires lodestar::python::NeedsFilling<Handle>
struct type_caster<std::shared_ptr<Handle>>
    : copyable_holder_caster<Handle, std::shared_ptr<Handle>> {
  bool load(handle source, bool convert) {
    lodestar::python::require_filled(source, this->typeinfo);
    return copyable_holder_caster<Handle, std::shared_ptr<Handle>>::load(source, convert);
  }
};

}  // namespace pybind11::detail
