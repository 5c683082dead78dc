// Names for what lambdas and branches result in, where the source has none: those of what they make.
#pragma once

#include <string>

#include "transform/ir/ir.hpp"

namespace boustro::lower {

/// What the result of the operator is called if the source does not name it: `product`.
std::string base_of(ir::BinOpKind kind);
/// `n_real`, of an integer `n`.
std::string base_of(const ir::Convert& convert);
/// Of a reduction by this operator: `total`, `product`, `minimum`.
std::string base_of_fold(const ir::Lambda& op);
/// What lowering calls the result of an expression that the source does not name: `product`, `exp`, `xs`; empty for expressions that
/// it always finds another name for.
std::string unnamed_base(const ir::Exp& exp);

/// An element of an array is called as the array, a value of a branch as what the branch is for:
///
/// Before:   let gates = map2 (\x y -> let product = x * y in product) xs ys
/// After:    let gates = map2 (\x y -> let gate = x * y in gate) xs ys
///
/// A call has the name of what it is for, too, and what a function yields is its `result`.
void name_results(ir::Program& program);

}  // namespace boustro::lower
