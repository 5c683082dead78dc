// Arrays that the forward sweep has updated in place, as the return sweep needs them: with their
// old elements.
//
// Where the return sweep of a scope first reads an array that a statement of this scope has
// consumed, what that statement did is taken back, by elements that it saved (undo.hpp). The return
// sweep visits statements last to first, and so takes updates back in the right order. A return
// loop or branch that takes an array back itself hands it on: `note`. Views of such an array are
// made again of the restored one, and arrays of equal elements are made anew, unless it was one update that changed them. A consumer that cannot be taken back (a call, a while loop that
// nothing differentiates, a nest whose inner trip count changes), or that writes more than the array
// has (a with_acc), costs a copy of what the return sweep reads.
#pragma once

#include "transform/ad/context.hpp"

namespace boustro::ad {

class Restorer {
 public:
  /// `forward[i]` is the forward sweep of `stms[i]`; what saves elements is inserted there.
  Restorer(Reverse& context, const std::vector<ir::Stm>& stms,
           std::vector<std::vector<ir::Stm>>& forward, const ir::NameSet& live_after);

  /// Makes code of the return sweep of statement number `at` read restored arrays. Yields the statements to run before it.
  /// To be called from the last statement to the first.
  std::vector<ir::Stm> bring_back(std::size_t at, std::vector<ir::Stm>& code);
  /// The array as the statements of the scope found it.
  ir::Atom as_at_entry(ir::Builder& builder, const ir::Name& name);
  /// The return sweep has the array in this state again, under that name.
  void note(const ir::Name& name, const ir::Atom& restored) {
    restored_.insert_or_assign(name, restored);
  }
  const ir::Substitution& all_restored() const { return restored_; }

 private:
  std::optional<std::size_t> consumer_of(const ir::Name& name) const;
  bool lives_after(const ir::Name& name) const;
  ir::Atom restored(ir::Builder& builder, const ir::Name& name);
  bool is_constant(const ir::Stm& stm) const;
  ir::Atom again(ir::Builder& builder, const ir::Stm& stm);
  std::optional<ir::Atom> view_again(ir::Builder& builder, const ir::Stm& view);
  std::optional<ir::Atom> taken_back(ir::Builder& builder, std::size_t at, const ir::Name& name);
  ir::Name to_consume(ir::Builder& builder, const ir::Name& name);
  void insert_before(std::size_t at, ir::Builder saving);

  Reverse& context_;
  const std::vector<ir::Stm>& stms_;
  std::vector<std::vector<ir::Stm>>& forward_;
  std::unordered_map<ir::Name, std::size_t> defined_at_;  // 1 + index; absent: outside
  std::vector<std::vector<ir::Name>> consumed_;           // by each statement
  facts::Aliases aliases_;
  ir::NameSet live_after_;
  std::size_t now_;  // the statement whose return sweep comes next: what those before it did is not to be taken back
  ir::Substitution restored_;
};

}  // namespace boustro::ad
