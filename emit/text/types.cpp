#include "emit/text/types.hpp"

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {

using plan::PrimType;

std::string type_text(PrimType type, const Place& place) {
  if (type != PrimType::f16) return std::string(plan::cpp_name(type));
  // Of GCC from version 12 on and of Clang; ISO C++17 has none.
  if (place.dialect.language != templates::Language::cuda) return "_Float16";
  place.need_header("cuda_fp16.h");
  return "__half";
}

std::string type_text(const plan::Type& type, const Place& place) {
  if (type.lanes) {
    place.need_template("lanes");
    return fmt::format("Lanes<{}, lanes>", type_text(type.prim, place));
  }
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
