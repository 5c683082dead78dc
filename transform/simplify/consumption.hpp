// Which arrays are updated in place somewhere, under whatever name.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

/// A name is *settled* if neither it nor a value that may share its memory at the same time is ever
/// consumed. Reads of settled arrays can be moved and repeated, and settled results of equal
/// expressions merged; about all others only their own statement may decide. The result of an
/// update is a new value: that its operand was consumed says nothing about it. Nor is a name settled that a loop hands on as the
/// next value of a parameter which it updates: that must be nobody else's.
class Consumption {
 public:
  explicit Consumption(const ir::Program& program);

  /// False for names that the program does not bind.
  bool settled(const ir::Name& name) const;
  /// Whether the two may share memory at some time.
  bool may_alias(const ir::Name& a, const ir::Name& b) const;
  /// From now on they do.
  void unite(const ir::Name& a, const ir::Name& b) { alias(a, b); }

 private:
  void body(const ir::Body& body);
  void statement(const ir::Stm& stm);
  void loop(const ir::Stm& stm, const ir::Loop& loop);
  void call(const ir::Stm& stm, const ir::Call& call);

  void bind(const ir::Name& name) { id_of(name); }
  void alias(const ir::Name& a, const ir::Atom& b);
  void alias_params(const std::vector<ir::Param>& params, std::size_t first,
                    const std::vector<ir::Name>& arrays);
  void consume(const ir::Name& name);
  void hand_on(const ir::Name& name);
  int id_of(const ir::Name& name);
  int root(int id) const;

  const ir::Program& program_;
  std::unordered_map<ir::Name, int> ids_;
  mutable std::vector<int> parents_;
  std::vector<bool> consumed_;
  std::unordered_map<ir::Name, std::vector<ir::Name>> sources_;  // what a name may be another one for
  std::vector<ir::Name> next_values_;                            // of unique parameters
  ir::NameSet handed_on_;
};

}  // namespace boustro::simplify
