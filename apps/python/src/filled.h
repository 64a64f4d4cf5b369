// Objects that hold something. Class.__new__(Class) makes one that does not, and pybind11 would
// hand out memory that was never written to: a crash. Here it is a TypeError.
//
//   namespace pybind11::detail {
//   template <> struct type_caster<IndexHandle> : lodestar::python::FilledCaster<IndexHandle> {};
//   }
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

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
struct FilledCaster : pybind11::detail::type_caster_base<Handle> {
  bool load(pybind11::handle source, bool convert) {
    require_filled(source, this->typeinfo);
    return pybind11::detail::type_caster_base<Handle>::load(source, convert);
  }
};

// The same for arguments that are shared pointers.
template <class Handle>
struct FilledPointerCaster
    : pybind11::detail::copyable_holder_caster<Handle, std::shared_ptr<Handle>> {
  bool load(pybind11::handle source, bool convert) {
    require_filled(source, this->typeinfo);
    return pybind11::detail::copyable_holder_caster<Handle, std::shared_ptr<Handle>>::load(source,
                                                                                           convert);
  }
};

}  // namespace lodestar::python
