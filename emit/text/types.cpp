#include "emit/text/types.hpp"

#include <fmt/format.h>

#include "frontend/source/diagnostics.hpp"

namespace boustro::text {

using plan::PrimType;

std::string type_text(PrimType type, const Place& place) {
  switch (type) {
    case PrimType::i8:
      return "int8_t";
    case PrimType::i16:
      return "int16_t";
    case PrimType::i32:
      return "int";
    case PrimType::i64:
      return "int64_t";
    case PrimType::u8:
      return "uint8_t";
    case PrimType::u16:
      return "uint16_t";
    case PrimType::u32:
      return "unsigned";
    case PrimType::u64:
      return "uint64_t";
    case PrimType::f16:
      if (place.dialect.language != templates::Language::cuda)
        source::refuse(source::Message::plan_cannot_translate, {}, "f16: C++17 has no type for it");
      place.need_header("cuda_fp16.h");
      return "__half";
    case PrimType::f32:
      return "float";
    case PrimType::f64:
      return "double";
    case PrimType::boolean:
      return "bool";
  }
  source::internal_error("printer: no such primitive type");
}

std::string type_text(const plan::Type& type, const Place& place) {
  return fmt::format("{}{}{}{}{}", type.read_only ? "const " : "",
                     type.name.empty() ? type_text(type.prim, place) : type.name,
                     type.pointer ? "*" : "", type.reference ? "&" : "",
                     type.restricted ? " __restrict__" : "");
}

std::string variable_text(const plan::Type& type, const std::string& name, const Place& place) {
  return fmt::format("{} {}", type_text(type, place), name);
}

std::string constant_text(const plan::Type& type, const std::string& name, const Place& place) {
  return fmt::format(fmt::runtime(type.pointer ? "{} const {}" : "const {} {}"),
                     type_text(type, place), name);
}

}  // namespace boustro::text
