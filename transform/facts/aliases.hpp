// Which arrays may share memory, and what statements consume: the one answer for passes and AD.
//
// An array lies in memory of its own, or is a view of others: "Aliases" in ir.hpp says which results are. Memory goes by
// the name that was bound to it first, its *root*; two arrays may share memory if they have a root in common. What an
// update yields is a root of its own, since nothing may be done with the older version any more. Branches and loops are
// looked into, and calls followed by what their functions do with their parameters.
//
// `ir/verify` has a walk of its own, since it checks what is concluded from this one.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::facts {

/// A function as its callers see it.
struct Callee {
  struct Result {
    std::vector<std::size_t> params;   // whose memory it may be
    std::vector<std::size_t> results;  // earlier ones that may share memory made by the function
  };
  std::vector<ir::Param> params;
  std::vector<ir::Atom> returned;
  std::vector<Result> results;  // of each that is returned
};

/// The functions that statements may call; each is looked into when it is first asked for.
class Callees {
 public:
  using Lookup = std::function<const ir::Function*(const ir::Name&)>;  // null: unknown
  explicit Callees(Lookup lookup) : lookup_(std::move(lookup)) {}
  /// Those of a program, which may grow.
  Callees(const ir::Program& program);

  const Callee& at(const ir::Name& function) const;  // internal error if unknown
  const ir::Function& function(const ir::Name& name) const;  // not to be kept, as programs grow
  std::vector<ir::Name> consumed_operands(const ir::Exp& exp) const;

 private:
  Lookup lookup_;
  mutable std::map<ir::Name, Callee> known_;
};

/// Arrays that the expression consumes, those included that its branches, or the body of its with_acc,
/// consume under names of their own. Accumulators are not listed.
std::vector<ir::Name> consumed_by(const ir::Exp& exp, const Callees& callees);
/// Arrays from outside that statements which run once consume.
std::vector<ir::Name> consumed_by(const std::vector<ir::Stm>& stms, const Callees& callees);

class Aliases {
 public:
  /// Of statements; an array that they do not bind is a root.
  Aliases(const std::vector<ir::Stm>& stms, const Callees& callees);
  /// Of a whole program: parameters may be what any call gives them.
  explicit Aliases(const ir::Program& program);

  /// The memory that an array may lie in.
  ir::NameSet roots(const ir::Name& array) const;
  bool may_alias(const ir::Name& a, const ir::Name& b) const;
  /// Whether the array, or one that it may share memory with, is consumed anywhere.
  bool is_consumed(const ir::Name& array) const;
  /// Of an array of the program: it is not consumed, and no loop hands it on as the next value of a parameter that it
  /// updates, which must be nobody else's. Reads of settled arrays can be moved and repeated, and settled results of
  /// equal expressions merged; about all others only their own statement may decide.
  bool settled(const ir::Name& array) const;
  /// Whether `later`, if it were `array` itself, would outlive a step of a loop that hands on, to be updated, what `array` is a view of.
  bool would_outlive_step(const ir::Name& later, const ir::Name& array) const;
  /// From now on `array` is a view of `other`.
  void unite(const ir::Name& array, const ir::Name& other);

 private:
  class Walk;
  using Id = std::size_t;
  using Ids = std::vector<Id>;

  /// A name that is bound to memory, or passed an accumulator. It is a root if it is no view, or may be none.
  struct Node {
    ir::Name name;
    Ids sources = {};  // what it may be a view of, or the same as
    bool may_be_fresh = false;
    bool is_consumed = false, is_handed_on = false, outlives_step = false;
    bool is_root() const { return may_be_fresh || sources.empty(); }
  };

  Id id_of(const ir::Name& name);
  const Id* find(const ir::Name& name) const;
  /// These, and what they may be views of at any number of steps; also what functions that yield them return.
  Ids reachable(Ids from, bool into_functions = false) const;
  const Ids& roots_of(Id id) const;
  void mark_consumed();
  void mark_handed_on();

  std::vector<Node> nodes_;
  std::unordered_map<ir::Name, Id> ids_;
  Ids consumed_, next_values_;            // next values: of parameters that loops update
  Ids other_next_values_;
  std::unordered_map<Id, Ids> returned_;  // of a call's result: what the function returns
  mutable std::unordered_map<Id, Ids> roots_;  // sorted; of those that were asked for
};

}  // namespace boustro::facts
