// What the translator itself provides: one function for each family of intrinsics.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// A complete application of an intrinsic.
struct Use {
  check::Intrinsic intrinsic;
  const Closure& closure;

  const Type& type(std::size_t i) const { return closure.type_args.at(i); }
  /// The first type argument, which is primitive.
  PrimType prim() const;
  Atom size(std::size_t i) const;
  const Value& arg(std::size_t i) const { return closure.args.at(i); }
  /// Size number `i`, which is that of the array: a printed program says it there alone.
  Atom width(const Context& context, std::size_t i, const Value& array) const;
};

Value lower_intrinsic(Context& context, check::Intrinsic intrinsic, const Closure& instance);

// scalar.cpp
Value lower_unary(Context& context, const Use& use);
Value lower_binary(Context& context, const Use& use);
Value lower_comparison(Context& context, const Use& use);
Value lower_convert(Context& context, const Use& use);
Value lower_math(Context& context, const Use& use);
// equality.cpp
Value lower_equality(Context& context, const Use& use);
// shape.cpp
Value lower_iota(Context& context, const Use& use);
Value lower_replicate(Context& context, const Use& use);
Value lower_copy(Context& context, const Use& use);
Value lower_concat(Context& context, const Use& use);
Value lower_transpose(Context& context, const Use& use);
Value lower_flatten(Context& context, const Use& use);
Value lower_unflatten(Context& context, const Use& use);
Value lower_length(Context& context, const Use& use);
Value lower_zip(Context& context, const Use& use);
Value lower_identity(Context& context, const Use& use);
// parallel.cpp
Value lower_map(Context& context, const Use& use);
Value lower_reduce(Context& context, const Use& use);
Value lower_scan(Context& context, const Use& use);
// scattering.cpp
Value lower_scatter(Context& context, const Use& use);
Value lower_reduce_by_index(Context& context, const Use& use);
// accumulators.cpp
Value lower_scratch(Context& context, const Use& use);
Value lower_with_accumulator(Context& context, const Use& use);
Value lower_update_accumulator(Context& context, const Use& use);
Value lower_map_with_accumulators(Context& context, const Use& use);
// core_forms.cpp
Value lower_check(Context& context, const Use& use);
Value lower_core_slice(Context& context, const Use& use);
Value lower_core_update(Context& context, const Use& use);
Value lower_core_concat(Context& context, const Use& use);
Value lower_core_replicate(Context& context, const Use& use);
Value lower_core_reshape(Context& context, const Use& use);
Value lower_core_rearrange(Context& context, const Use& use);
Value lower_core_sort(Context& context, const Use& use);
// fused.cpp
Value lower_fused(Context& context, const Use& use);
// nests.cpp
Value lower_nest(Context& context, const Use& use);
Value lower_out(Context& context, const Use& use);
// derivatives.cpp
Value lower_jvp(Context& context, const Use& use);
Value lower_vjp(Context& context, const Use& use);
Value lower_with_vjp(Context& context, const Use& use);

/// The value, dynamic and of that type, as leaves.
std::vector<Atom> leaves_as(Context& context, const Value& value, const Type& type);
std::vector<ir::Name> arrays_as(Context& context, const Value& value, const Type& type);

}  // namespace boustro::lower
