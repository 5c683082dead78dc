// Scopes in forward mode: parameters and results are followed by their tangents.
#pragma once

#include "transform/ad/rules.hpp"

namespace boustro::ad {

/// The body with tangents interleaved; its results are those of `body`, then the tangents of the results at which
/// `with_tangent` holds.
ir::Body forward_body(Forward& forward, const ir::Body& body, const std::vector<bool>& with_tangent);

/// Which names of the pattern are active.
std::vector<bool> active_results(const Forward& forward, const std::vector<ir::Param>& pattern);

/// Which components of an operator are: a component may matter to others though nobody wants its own result.
std::vector<bool> active_components(const Forward& forward, const ir::Lambda& op,
                                    const std::vector<ir::Param>& pattern);

/// Types for the results of forward_body.
std::vector<ir::Type> bundled_types(const Forward& forward, const std::vector<ir::Type>& types,
                                    const std::vector<bool>& with_tangent);
/// The pattern, then a tangent for each flagged name, recorded as its tangent.
std::vector<ir::Param> bundled_pattern(Forward& forward, const std::vector<ir::Param>& pattern,
                                       const std::vector<bool>& with_tangent);

/// An operator on values and tangents: `\xs x_tans ys y_tans -> ...`.
ir::Lambda bundled_operator(Forward& forward, const ir::Lambda& op, const std::vector<bool>& with_tangent);

}  // namespace boustro::ad
