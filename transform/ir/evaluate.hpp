// The reference interpreter: the meaning of a core program, and the oracle for all other targets.
// Simple, but of the right complexity: an in-place update takes time proportional to what it
// writes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/values/value.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// A run-time error of the user's program: index out of bounds, failed assertion, division by zero,
/// ...
struct RuntimeFailure : std::runtime_error {
  RuntimeFailure(std::string text, Provenance origin)
      : std::runtime_error(std::move(text)), origin(std::move(origin)) {}
  Provenance origin;
};

/// An evaluation took more than it may: EvaluateOptions::limit.
struct LimitReached {};

/// How often the statements of one scope were executed: the body of a function, or of a part of a
/// statement, whose origin this is.
struct ScopeCount {
  Provenance origin;
  std::uint64_t executions = 0;
};

/// What an evaluation cost, in a measure that does not depend on the machine.
struct Counts {
  std::uint64_t operations = 0;  // arithmetic, functions, comparisons and selections of floats
  std::uint64_t integer_operations = 0;  // the same of integers and booleans, conversions, indices
  std::uint64_t elements_read = 0,
                elements_written = 0;  // of arrays; a copy does both, a view neither
  std::uint64_t peak_elements = 0;     // that were alive at once, arguments included
  std::vector<ScopeCount> scopes;      // in the order of the program
};

/// The values of a program at some moment of an evaluation.
class Scene {
 public:
  virtual ~Scene() = default;
  virtual bool is_consumed(const Name& array) const = 0;
  /// The other arrays that have memory in common with this one and were not consumed, perhaps some that are out of scope.
  virtual std::vector<Name> sharing(const Name& array) const = 0;
  /// The value of an i64.
  virtual std::int64_t integer(const Name& scalar) const = 0;
};

/// Tells all names that an array of a loop has in an iteration: `facts::versions_of`.
using Versions = std::optional<std::unordered_set<Name>> (*)(const Loop& loop, std::size_t param);

struct EvaluateOptions {
  Counts* counts = nullptr;  // filled if given, also if the program fails
  /// Reductions and scans combine so many elements by themselves before what precedes them joins in, as
  /// parallel targets do. 0: all elements one after the other. An operator that is not associative, or
  /// an element that is not neutral, shows as different results.
  std::int64_t chunk = 0;
  /// If given, it is called after each statement, so that tests can compare what happens with what is claimed of the program.
  std::function<void(const Stm&, const Scene&)> observe = {};
  /// If given, what the program leaves open turns out otherwise than usual: points of nests and elements of maps run in another
  /// order, from the last to the first for 0 and shuffled by any other number, and memory that nothing was written to holds
  /// what shows. Operators still combine in order, except those that commute.
  std::optional<unsigned> adversary = {};
  /// So many statements and elements of arrays, together, before LimitReached is thrown. 0: no limit.
  std::int64_t limit = 0;
  /// If given, what #[true_dep] promises of a loop's array is verified: a broken promise is a run-time error.
  Versions versions = nullptr;
};

/// Runs a function on its parameters, size parameters included. Arguments must have the parameters'
/// types and shapes (internal error otherwise; `bind_arguments` checks what comes from outside).
std::vector<values::Value> evaluate(const Program& program, const Function& function,
                                    std::vector<values::Value> args,
                                    const EvaluateOptions& options = {});

/// Completes the values of an entry's source-level parameters by its size parameters. Throws
/// std::invalid_argument, in words for the user, if count, type, rank or a size do not fit.
std::vector<values::Value> bind_arguments(const Function& entry, std::vector<values::Value> args);

/// Runs an entry point: bind_arguments, evaluate, and drops size results.
std::vector<values::Value> run_entry(const Program& program, std::string_view entry,
                                     std::vector<values::Value> args,
                                     const EvaluateOptions& options = {});

}  // namespace boustro::ir
