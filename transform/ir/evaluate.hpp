// The reference interpreter: the meaning of a core program, and the oracle for all other targets. Simple, but of
// the right complexity: an in-place update takes time proportional to what it writes.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "frontend/values/value.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// A run-time error of the user's program: index out of bounds, failed assertion, division by zero, ...
struct RuntimeFailure : std::runtime_error {
  RuntimeFailure(std::string text, Provenance origin)
      : std::runtime_error(std::move(text)), origin(std::move(origin)) {}
  Provenance origin;
};

/// Runs a function on its parameters, size parameters included. Arguments must have the parameters' types
/// and shapes (internal error otherwise; `bind_arguments` checks what comes from outside).
std::vector<values::Value> evaluate(const Program& program, const Function& function,
                                    std::vector<values::Value> args);

/// Completes the values of an entry's source-level parameters by its size parameters. Throws
/// std::invalid_argument, in words for the user, if count, type, rank or a size do not fit.
std::vector<values::Value> bind_arguments(const Function& entry, std::vector<values::Value> args);

/// Runs an entry point: bind_arguments, evaluate, and drops size results.
std::vector<values::Value> run_entry(const Program& program, std::string_view entry,
                                     std::vector<values::Value> args);

}  // namespace boustro::ir
