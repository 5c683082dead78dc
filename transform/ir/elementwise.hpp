// Statements that every layer above writes: operations element by element, and checks of indices.
#pragma once

#include <functional>

#include "transform/ir/builder.hpp"

namespace boustro::ir {

/// fn on corresponding scalars of arrays that have the same shape.
using ScalarFunction = std::function<Atom(Builder&, const std::vector<Atom>&)>;
Atom elementwise(Builder& builder, std::string_view base, const std::vector<Atom>& arrays,
                 const ScalarFunction& fn);

/// `\x y -> x op y` on values of that type, element by element.
Lambda operator_on(Builder& builder, BinOpKind kind, const Type& type);

/// 0 <= i && i < n, of i64.
Atom in_bounds(Builder& builder, const Atom& i, const Atom& n);
/// All of them in bounds of the outer dimensions of `shape`.
Atom all_in_bounds(Builder& builder, const std::vector<Atom>& indices, const Shape& shape);

}  // namespace boustro::ir
