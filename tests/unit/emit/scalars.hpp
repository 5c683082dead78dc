// A program that uses every operator and function of the language on every type that has it, with
// variables and with literals, and every conversion. Its text must compile without a warning.
#pragma once

#include "shorthand.hpp"

namespace exemplars {

inline std::vector<PrimType> scalar_types() {
  using enum PrimType;
  return {i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, boolean};
}

inline std::string array_name(PrimType prim) {
  return "xs_" + std::string(boustro::values::name_of(prim));
}
inline Expr arg(PrimType prim, int index) {
  return var(array_name(prim), pointer_to(prim))[lit(index)];
}

inline Expr math(boustro::ir::MathFn fn, PrimType prim) {
  using enum boustro::ir::MathFn;
  const std::vector<Expr> all{arg(prim, 1), arg(prim, 2), arg(prim, 3)};
  const auto unsigned_bits = boustro::values::byte_size(prim) == 2 ? PrimType::u16
                             : prim == f32                         ? PrimType::u32
                                                                   : PrimType::u64;
  switch (fn) {
    case isnan:
    case isinf:
      return intrinsic(fn, prim, type(PrimType::boolean), {all[0]});
    case popc:
    case clz:
    case ctz:
      return intrinsic(fn, prim, type(i32), {all[0]});
    case to_bits:
      return intrinsic(fn, prim, type(unsigned_bits), {all[0]});
    case from_bits:
      return intrinsic(fn, prim, type(prim), {arg(unsigned_bits, 1)});
    case ldexp:
      return intrinsic(fn, prim, type(prim), {all[0], arg(i32, 1)});
    default:
      return intrinsic(fn, prim, type(prim),
                       {all.begin(), all.begin() + boustro::ir::arity_of(fn)});
  }
}

inline bool applies(boustro::ir::MathFn fn, PrimType prim) {
  using enum boustro::ir::MathFn;
  const bool of_integers = fn == popc || fn == clz || fn == ctz || fn == mul_hi || fn == mad_hi;
  return of_integers ? boustro::values::is_integer(prim) : boustro::values::is_float(prim);
}
inline bool applies(boustro::ir::BinOpKind kind, PrimType prim) {
  using enum boustro::ir::BinOpKind;
  const bool on_bool =
      kind == bit_and || kind == bit_or || kind == bit_xor || kind == min || kind == max;
  const bool on_float = kind == add || kind == sub || kind == mul || kind == div || kind == mod ||
                        kind == pow || kind == min || kind == max;
  return prim == PrimType::boolean ? on_bool : !boustro::values::is_float(prim) || on_float;
}
inline bool applies(boustro::ir::UnOpKind kind, PrimType prim) {
  const bool complement = kind == boustro::ir::UnOpKind::complement;
  if (prim == PrimType::boolean) return complement;
  return !(complement && boustro::values::is_float(prim));
}

/// Stores each result in element 0 of the array of its type.
inline Stms scalar_statements() {
  namespace ir = boustro::ir;
  Stms stms;
  const auto store = [&](Expr value) {
    const PrimType prim = value.type.prim;
    stms.push_back(Assign{arg(prim, 0), std::move(value)});
  };
  for (const PrimType prim : scalar_types()) {
    for (int k = 0; k <= static_cast<int>(ir::UnOpKind::sgn); ++k) {
      if (const auto kind = static_cast<ir::UnOpKind>(k); applies(kind, prim))
        store(intrinsic(kind, arg(prim, 1)));
    }
    for (int k = 0; k <= static_cast<int>(ir::BinOpKind::ushr); ++k) {
      const auto kind = static_cast<ir::BinOpKind>(k);
      if (!applies(kind, prim)) continue;
      const Expr literal = prim == PrimType::boolean ? true_lit() : lit(3, prim);
      store(intrinsic(kind, arg(prim, 1), arg(prim, 2)));
      store(intrinsic(kind, arg(prim, 1), literal));
      store(intrinsic(kind, literal, arg(prim, 1)));
    }
    for (int k = 0; k <= static_cast<int>(ir::MathFn::mad_hi); ++k) {
      if (const auto fn = static_cast<ir::MathFn>(k); applies(fn, prim)) store(math(fn, prim));
    }
    for (const PrimType to : scalar_types()) {
      if (to != prim) store(convert(to, arg(prim, 1)));
    }
  }
  return stms;
}

inline std::vector<Param> scalar_params(bool in_kernel) {
  std::vector<Param> params;
  for (const PrimType prim : scalar_types()) {
    const Type pointer = pointer_to(prim);
    params.push_back(
        {array_name(prim), in_kernel ? restricted(pointer) : pointer, {"4"}, Access::updated});
  }
  return params;
}

inline Program scalars(Target target) {
  Entry entry{.name = "scalars", .params = scalar_params(false), .body = {}};
  if (target == Target::gpu) {
    std::vector<Expr> args;
    for (const Param& param : entry.params) args.push_back(var(param));
    entry.kernels.push_back({.name = "scalars_kernel",
                             .comment = {.formula = {"every function of every type"}},
                             .params = scalar_params(true),
                             .body = scalar_statements()});
    entry.body = {Launch{"scalars_kernel", {lit(1, i32)}, {runtime::block_size()}, {}, args}};
  } else {
    entry.body = scalar_statements();
  }
  return {.target = target,
          .name = "scalars",
          .name_space = "scalars",
          .source = "scalars.fut",
          .entries = {entry}};
}

}  // namespace exemplars
