// Arrays that the forward sweep has updated in place, as the return sweep needs them: with their old elements.
//
// Rule      ys = xs with [i] = v          before it, old = xs[i];
//                                         where the return sweep first reads xs, xs = ys with [i] = old
// Cost      of the update, twice; a scatter likewise. Other consumers (a loop, a branch, a call) cost a copy of
//           what the return sweep reads
// Source    Futhark issue "Reverse AD: more nuanced handling of consumed arrays"; AD, 5.3
//
// The return sweep visits statements last to first, and so takes updates back in the right order.
#pragma once

#include "transform/ad/context.hpp"

namespace boustro::ad {

class Restorer {
 public:
  /// `forward[i]` is the forward sweep of `stms[i]`; what saves elements is inserted there.
  Restorer(Reverse& context, const std::vector<ir::Stm>& stms,
           std::vector<std::vector<ir::Stm>>& forward, const ir::NameSet& live_after);

  /// Makes code of the return sweep read restored arrays. Yields the statements to run before it.
  std::vector<ir::Stm> bring_back(std::vector<ir::Stm>& code);

 private:
  std::optional<std::size_t> consumer_of(const ir::Name& name) const;
  ir::Name root(ir::Name name) const;
  void join(const ir::Name& a, const ir::Name& b);
  void find_aliases(const ir::Stm& stm, const std::vector<ir::Name>& consumed);
  bool lives_after(const ir::Name& name) const;
  ir::Atom restored(ir::Builder& builder, const ir::Name& name);
  ir::Name to_consume(ir::Builder& builder, const ir::Name& name);
  ir::Atom undo_update(ir::Builder& builder, std::size_t at, const ir::Update& update);
  ir::Atom undo_scatter(ir::Builder& builder, std::size_t at, const ir::Scatter& scatter,
                        std::size_t which);
  void insert_before(std::size_t at, ir::Builder saving);

  Reverse& context_;
  const std::vector<ir::Stm>& stms_;
  std::vector<std::vector<ir::Stm>>& forward_;
  std::unordered_map<ir::Name, std::size_t> defined_at_;       // 1 + index; absent: outside
  std::vector<std::vector<ir::Name>> consumed_;                // by each statement
  std::unordered_map<ir::Name, ir::Name> alias_of_;            // towards the root of the group
  ir::NameSet live_after_;
  ir::Substitution restored_;
};

}  // namespace boustro::ad
