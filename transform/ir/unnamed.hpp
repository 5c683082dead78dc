// What values are called that the source does not name.
#pragma once

#include <string>
#include <string_view>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// What the result of the operator is called if the source does not name it: `product`.
std::string base_of(BinOpKind kind);
/// `n_real`, of an integer `n`.
std::string base_of(const Convert& convert);
/// Of a reduction by this operator: `total`, `product`, `minimum`.
std::string base_of_fold(const Lambda& op);
/// What lowering calls the result of an expression that the source does not name: `product`, `exp`, `xs`; empty for expressions that
/// it always finds another name for.
std::string unnamed_base(const Exp& exp);
/// The name of an operator's result, or of its derivative's terms: `product`, `product_adj`, `neg`, `term`; also `result`.
bool names_an_operation(std::string_view base);
/// A scalar that is called after how it is computed, not what it is for: `product`, or `product_adj`, `term` of its derivative, `result`; also
/// an element `x` of an array.
bool is_unnamed(const Exp& exp, std::string_view base);

}  // namespace boustro::ir
