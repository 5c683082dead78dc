// Runs the code of one thread on symbols: what it stores, as expressions of its parameters.
//
// In the expressions that result
//   Var "$3"          is the definition number 3;
//   Var "@total"      the value of `total` at the beginning of an iteration, which no formula can
//                     say, as little as Call "%unknown";
//   Call "%sum"       is a sum over an index: its arguments are the index, its bound and the term.
//                     Likewise %product, %min, %max; %argmin and %argmax are the index of the first
//                     least or largest term, -1 if none is less or larger than all others can be. As a bound, Call "%in" stands for the
//                     slab of elements that is its argument;
//   Element           has an array and one index, or one for each dimension; none if it is a number
//                     behind a pointer.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan::formula {

/// The operator that the expression applies, if it does.
inline std::optional<Op> operator_of(const Expr& expr) {
  const Op* op = std::get_if<Op>(&expr.head);
  return op ? std::optional(*op) : std::nullopt;
}

/// A value that has a name in the text.
struct Named {
  std::string name;
  Expr value;
  bool unknown = false;  // depends on what no formula can say
};

/// What a thread stores, for all values of the indices of the loops around it.
struct Store {
  Expr target;
  std::optional<Op> op = {};  // add: +=
  Expr value = {};
  std::optional<Expr> condition = {};
  std::vector<std::string> indices = {};  // of the loops around it
};

struct Behaviour {
  std::vector<Named> definitions = {};
  std::vector<Store> stores = {};
  std::optional<Expr> returned = {};
  /// Arrays that the code reads again after it has stored them.
  std::set<std::string> read_again = {};
  /// It does something that stores do not tell.
  bool incomplete = false;
};

/// `arrays`: the parameters or fields that are arrays, whose shapes tell dimensions apart. `indices`: those of a kernel whose threads
/// compute sums jointly, see Kernel; it is as if one thread did it.
Behaviour behaviour_of(const Stms& body, const std::vector<Param>& arrays, const std::vector<std::string>& indices = {});

/// Follows definitions until something else stands at the root.
const Expr& resolved(const Expr& expr, const std::vector<Named>& definitions);
/// The definition that the expression refers to, if it is nothing else.
std::optional<std::size_t> reference(const Expr& expr);
/// Whether the value depends on one that no formula can say.
bool is_unknown(const Expr& expr, const std::vector<Named>& definitions);
/// The variables that it depends on.
std::set<std::string> variables_in(const Expr& expr, const std::vector<Named>& definitions);

}  // namespace boustro::plan::formula
