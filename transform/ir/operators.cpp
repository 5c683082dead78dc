#include "transform/ir/operators.hpp"

#include <array>

#include "frontend/source/diagnostics.hpp"

namespace boustro::ir {
namespace {

struct Spelling {
  std::string_view name;
  std::string_view symbol = "";
};
struct MathSpelling {
  std::string_view name;
  int arity = 1;
};

// In the order of the enumerations.
constexpr std::array<std::string_view, 4> unops = {"neg", "complement", "abs", "sgn"};

constexpr std::array<Spelling, 16> binops = {{{"add", "+"},
                                              {"sub", "-"},
                                              {"mul", "*"},
                                              {"div", "/"},
                                              {"mod", "%"},
                                              {"quot", "//"},
                                              {"rem", "%%"},
                                              {"pow", "**"},
                                              {"min"},
                                              {"max"},
                                              {"bit_and", "&"},
                                              {"bit_or", "|"},
                                              {"bit_xor", "^"},
                                              {"shl", "<<"},
                                              {"shr", ">>"},
                                              {"ushr", ">>>"}}};

constexpr std::array<Spelling, 4> cmpops = {{{"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}}};

constexpr auto math_fns = std::to_array<MathSpelling>({
    {"sqrt"},        {"cbrt"},         {"rsqrt"},    {"exp"},    {"exp2"},  {"exp10"},
    {"expm1"},       {"log"},          {"log2"},     {"log10"},  {"log1p"}, {"sin"},
    {"cos"},         {"tan"},          {"asin"},     {"acos"},   {"atan"},  {"sinh"},
    {"cosh"},        {"tanh"},         {"asinh"},    {"acosh"},  {"atanh"}, {"sinpi"},
    {"cospi"},       {"tanpi"},        {"asinpi"},   {"acospi"}, {"atanpi"}, {"atan2", 2},
    {"atan2pi", 2},  {"hypot", 2},     {"floor"},    {"ceil"},   {"trunc"}, {"round"},
    {"copysign", 2}, {"nextafter", 2}, {"ldexp", 2}, {"fma", 3}, {"mad", 3}, {"lerp", 3},
    {"gamma"},       {"lgamma"},       {"erf"},      {"erfc"},   {"isnan"}, {"isinf"},
    {"to_bits"},     {"from_bits"},    {"popc"},     {"clz"},    {"ctz"},   {"mul_hi", 2},
    {"mad_hi", 3},
});
static_assert(math_fns.size() == static_cast<std::size_t>(MathFn::mad_hi) + 1);

}  // namespace

std::string_view name_of(UnOpKind kind) { return unops.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(BinOpKind kind) { return binops.at(static_cast<std::size_t>(kind)).name; }
std::string_view name_of(CmpOpKind kind) { return cmpops.at(static_cast<std::size_t>(kind)).name; }
std::string_view name_of(MathFn fn) { return math_fns.at(static_cast<std::size_t>(fn)).name; }
std::string_view symbol_of(BinOpKind kind) {
  return binops.at(static_cast<std::size_t>(kind)).symbol;
}
std::string_view symbol_of(CmpOpKind kind) {
  return cmpops.at(static_cast<std::size_t>(kind)).symbol;
}
int arity_of(MathFn fn) { return math_fns.at(static_cast<std::size_t>(fn)).arity; }

std::optional<MathFn> math_fn_named(std::string_view name) {
  for (std::size_t i = 0; i < math_fns.size(); ++i) {
    if (math_fns[i].name == name) return static_cast<MathFn>(i);
  }
  return std::nullopt;
}

values::PrimType result_type_of(MathFn fn, values::PrimType type) {
  switch (fn) {
    case MathFn::isnan:
    case MathFn::isinf: return values::PrimType::boolean;
    case MathFn::popc:
    case MathFn::clz:
    case MathFn::ctz: return values::PrimType::i32;
    case MathFn::to_bits: return unsigned_type_like(type);
    default: return type;
  }
}

values::PrimType argument_type_of(MathFn fn, values::PrimType type, int argument) {
  if (fn == MathFn::from_bits) return unsigned_type_like(type);
  if (fn == MathFn::ldexp && argument == 1) return values::PrimType::i32;
  return type;
}

bool commutes(BinOpKind kind) {
  switch (kind) {
    case BinOpKind::add:
    case BinOpKind::mul:
    case BinOpKind::min:
    case BinOpKind::max:
    case BinOpKind::bit_and:
    case BinOpKind::bit_or:
    case BinOpKind::bit_xor: return true;
    default: return false;
  }
}

values::PrimType unsigned_type_like(values::PrimType type) {
  switch (values::byte_size(type)) {
    case 1: return values::PrimType::u8;
    case 2: return values::PrimType::u16;
    case 4: return values::PrimType::u32;
    case 8: return values::PrimType::u64;
  }
  source::internal_error("unsigned_type_like: unknown width");
}

}  // namespace boustro::ir
