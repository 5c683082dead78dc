// An entry point for a derivative that the source does not spell out.
#pragma once

#include <string>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ad {

/// Adds an entry `f_vjp` (reverse) or `f_jvp` beside the entry `f`, made of `Vjp` or `Jvp`, which
/// differentiation then removes; returns its name, which ends in a number if the program has an
/// entry of that name.
///
///   f_vjp   takes f's parameters, then an adjoint for each result of f; returns the adjoints of
///   `wrt` f_jvp   takes f's parameters, then a tangent for each parameter of `wrt`; returns the
///   tangents of f's results
///
/// `wrt` names parameters of f as in the source; empty: all that hold floats. Only floats take
/// part, of parameters as of results. Throws source::Refusal if there is no such entry or
/// parameter, if a parameter of `wrt` holds no float, or if there is nothing to differentiate.
std::string add_derivative_entry(ir::Program& program, const std::string& f,
                                 const std::vector<std::string>& wrt, bool reverse);

/// Positions in the function's parameters of those that `wrt` means, floats only.
std::vector<int> differentiable_params(const ir::Function& function,
                                       const std::vector<std::string>& wrt);
/// Positions in its results of those that are floats.
std::vector<int> differentiable_results(const ir::Function& function);

}  // namespace boustro::ad
