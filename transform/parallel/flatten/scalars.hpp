// What operators on rows are made of.
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// The scalar that the value is, or that all of its elements are, if that is known.
std::optional<ir::Atom> scalar_of(const ir::Atom& value, const Definitions& definitions,
                                  const ir::Names& names);

/// \x y -> x op y
ir::Lambda scalar_operator(ir::Builder& builder, ir::BinOpKind kind, ir::PrimType elem);

}  // namespace boustro::parallel
