// What `boustro bench` and `boustro bundle` call: functions of a program, their derivatives, and the data that they are called on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emit/bench/measurement.hpp"
#include "emit/driver/load.hpp"
#include "emit/driver/options.hpp"
#include "emit/driver/random_arguments.hpp"
#include "emit/driver/test_data.hpp"

namespace boustro::driver {

/// The user's mistake, in words, where no place of the program is at fault.
struct WorkloadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A data set of a function: a case of a test block, or random arguments.
struct DataSet {
  std::string name;
  const test_blocks::Case* test = nullptr;  // none: random
};

/// A function that is measured or checked with its derivatives.
struct Subject {
  ir::Function function;                              // as lowered
  std::vector<bench::Variant> variants;               // the function itself first
  std::vector<std::optional<Derivative>> derivatives;  // of each variant: what --vjp or --jvp asked for; nothing for the program's own entries
  std::vector<DataSet> data_sets;
};

/// Where the arguments of a variant come from, and what its results are compared with.
struct Call {
  std::vector<values::Value> arguments;
  const test_blocks::Case* test = nullptr;  // that says what is expected; may be none
};

/// A program whose entries are the variants of its subjects.
struct Workload {
  std::filesystem::path path;
  WorkloadOptions options;
  test_blocks::Specification specification;
  ir::Program core;
  std::vector<Subject> subjects;

  /// Throws what read_input throws.
  Call call(const Subject& subject, const DataSet& data_set) const;
  /// Of a derivative: it is called on the function's arguments, of which `primal_results` are the results. What --vjp and
  /// --jvp made takes adjoints or tangents besides: 1 everywhere. Another entry takes its own data set of that name, if it has one.
  Call derivative_call(const Subject& subject, std::size_t variant, const DataSet& data_set,
                       std::vector<values::Value> arguments,
                       const std::vector<values::Value>& primal_results) const;
};

/// Loads a program; nothing if it was refused, and the session has the reason. Without names of functions the subjects are all
/// entries that have data sets, which may be none. Throws WorkloadError.
std::optional<Workload> load_workload(Session& session, const std::string& path, const WorkloadOptions& options);

}  // namespace boustro::driver
