// Runs entry points on values, on any target.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emit/driver/load.hpp"
#include "frontend/values/value.hpp"
#include "transform/ir/evaluate.hpp"

namespace boustro::driver {

/// Calls an entry by its name. Throws RunError for failures at run time, std::invalid_argument for
/// arguments that do not fit the entry's parameters, and std::bad_alloc if memory runs out.
using RunEntry = std::function<std::vector<values::Value>(const std::string& entry,
                                                          const std::vector<values::Value>& args)>;

/// A run-time error of the user's program, ready to be shown.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes ready a program that was lowered: passes, and for targets other than `evaluate` planning,
/// printing and compilation. Nothing if it was refused; the session has the reason and must outlive
/// the result. `options` are for the target `evaluate` alone; to its counts each call adds.
std::optional<RunEntry> make_runner(Session& session, ir::Program core, const std::string& target,
                                    const std::string& mode, const LookInside& look = {},
                                    const ir::EvaluateOptions& options = {});

}  // namespace boustro::driver
