// What element types are called where Python meets arrays.
#pragma once

#include <string>
#include <string_view>

#include "frontend/values/primitive.hpp"

namespace boustro::bindings {

/// NumPy's: "float64".
std::string numpy_name(values::PrimType type);

/// PyTorch's, of C++: "at::kDouble"; empty for the unsigned types that it has no arithmetic of.
std::string_view torch_name(values::PrimType type);

/// XLA's, of its interface for foreign functions: "F64".
std::string_view xla_name(values::PrimType type);

}  // namespace boustro::bindings
