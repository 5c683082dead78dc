#include "emit/bindings/element_types.hpp"

namespace boustro::bindings {
namespace {

struct Names {
  std::string_view numpy, torch, xla;
};

Names names_of(values::PrimType type) {
  using enum values::PrimType;
  switch (type) {
    case i8: return {"int8", "at::kChar", "S8"};
    case i16: return {"int16", "at::kShort", "S16"};
    case i32: return {"int32", "at::kInt", "S32"};
    case i64: return {"int64", "at::kLong", "S64"};
    case u8: return {"uint8", "at::kByte", "U8"};
    case u16: return {"uint16", "", "U16"};
    case u32: return {"uint32", "", "U32"};
    case u64: return {"uint64", "", "U64"};
    case f16: return {"float16", "at::kHalf", "F16"};
    case f32: return {"float32", "at::kFloat", "F32"};
    case f64: return {"float64", "at::kDouble", "F64"};
    case boolean: return {"bool", "at::kBool", "PRED"};
  }
  return {};
}

}  // namespace

std::string numpy_name(values::PrimType type) { return std::string(names_of(type).numpy); }
std::string_view torch_name(values::PrimType type) { return names_of(type).torch; }
std::string_view xla_name(values::PrimType type) { return names_of(type).xla; }

}  // namespace boustro::bindings
