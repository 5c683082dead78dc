// The functions that the translator itself provides, listed with their types in intrinsics.def.
//
// A use of one is a Var whose name has an id below -1. Partial and full applications are Apply, as for any
// other function; `&&` and `||` are If, and an operator as in `map (+) xs` is the bare Var.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/check/typed.hpp"

namespace boustro::check {

enum class Intrinsic {
#define INTRINSIC(name, type_class, type) name,
#include "frontend/check/intrinsics.def"
#undef INTRINSIC
};

/// What the first type parameter of an intrinsic ranges over; see intrinsics.def.
enum class TypeClass { any, equality, ordered, numeric, integral, floating, logical };

std::string_view name_of(Intrinsic intrinsic);
TypeClass class_of(Intrinsic intrinsic);
/// As after `val name`: type parameters, a colon, the type.
std::string_view type_text_of(Intrinsic intrinsic);

std::optional<Intrinsic> intrinsic_named(std::string_view name);
/// The intrinsic of a binary operator such as `+` or `<=`; none for `&&` and `||`.
std::optional<Intrinsic> intrinsic_of_operator(std::string_view symbol);

Name intrinsic_name(Intrinsic intrinsic);
/// The intrinsic that a name with `is_intrinsic(name)` stands for.
Intrinsic intrinsic_of(const Name& name);

/// core.with_add and its like: they apply their last argument exactly once.
inline bool opens_accumulator(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::with_add || intrinsic == Intrinsic::with_overwrite ||
         intrinsic == Intrinsic::with_combine;
}

/// How many arguments make an application complete.
int arity_of(Intrinsic intrinsic);

}  // namespace boustro::check
