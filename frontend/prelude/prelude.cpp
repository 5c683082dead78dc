#include "frontend/prelude/prelude.hpp"

#include <fmt/format.h>

namespace boustro::prelude {
namespace {

using values::PrimType;

std::string_view text_of(std::string_view name) {
  for (const File& file : files())
    if (file.name == name) return file.text;
  return {};
}

/// From a signed integer to an unsigned type: the bits are taken as an unsigned number first, so
/// that `u32.i8 (-1)` is 255.
std::string conversions_from_signed(PrimType to) {
  std::string text;
  for (const PrimType from : {PrimType::i8, PrimType::i16, PrimType::i32, PrimType::i64}) {
    const std::string_view name = values::name_of(from);
    const int bytes = values::byte_size(from);
    text += values::is_unsigned(to) && bytes < values::byte_size(to)
                ? fmt::format(
                      "def {0} (x: {0}) : t = intrinsics.convert (intrinsics.convert x : u{1})\n",
                      name, 8 * bytes)
                : fmt::format("def {0} : {0} -> t = intrinsics.convert\n", name);
  }
  return text;
}

std::string integer_constants(PrimType type) {
  const std::string bounds = values::is_signed(type)
                                 ? "def highest : t = {0}\ndef lowest : t = -{0} - 1\n"
                                 : "def highest : t = {0}\ndef lowest : t = 0\n";
  const int bits = 8 * values::byte_size(type) - (values::is_signed(type) ? 1 : 0);
  const std::uint64_t highest = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return fmt::format(fmt::runtime(bounds), highest);
}

std::string float_constants(PrimType type) {
  const std::string_view epsilon = type == PrimType::f16   ? "0x1.0p-10"
                                   : type == PrimType::f32 ? "0x1.0p-23"
                                                           : "0x1.0p-52";
  return fmt::format(
      "type int_t = u{}\ndef epsilon : t = {}\n"
      "def inf : t = 1 / 0\ndef nan : t = 0 / 0\n"
      "def highest : t = inf\ndef lowest : t = -inf\n",
      8 * values::byte_size(type), epsilon);
}

}  // namespace

std::vector<File> top_level_files() {
  std::vector<File> result;
  for (std::string_view name :
       {"functional", "zip", "soacs", "array", "ad", "conversions", "module_types"})
    result.push_back({name, text_of(name)});
  return result;
}

std::optional<std::string> accumulator_module_text(std::string_view name) {
  if (name != "core" && name != "intrinsics") return std::nullopt;
  return std::string(text_of(name));
}

std::string module_text(PrimType type) {
  std::string text = fmt::format("type t = {}\ndef num_bits : i32 = {}\n", values::name_of(type),
                                 8 * values::byte_size(type));
  text += conversions_from_signed(type);
  text += text_of("primitive");
  if (type == PrimType::boolean) return text;
  text += values::is_float(type) ? float_constants(type) : integer_constants(type);
  text += text_of("numeric");
  text += text_of(values::is_float(type) ? "floating" : "integral");
  return text;
}

}  // namespace boustro::prelude
