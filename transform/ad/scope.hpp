// Scopes of the return sweep: what is run again in them, and how statements are taken over into
// them.
#pragma once

#include <memory>

#include "transform/ad/context.hpp"

namespace boustro::ad {

class Restorer;

/// Both sweeps of the statements of one scope, for what still needs arrays afterwards as they were
/// at its start.
class ScopeSweep {
 public:
  ScopeSweep(Reverse& reverse, const std::vector<ir::Stm>& stms,
             const ir::NameSet& live_after = {});
  ~ScopeSweep();

  std::vector<ir::Stm> forward() const;
  std::vector<ir::Stm> reverse;

  /// An array from outside of the scope as it was before; to be emitted behind `reverse`. What
  /// saves its elements comes into `forward`, which is to be asked for again.
  ir::Atom as_at_entry(ir::Builder& builder, const ir::Name& name);
  /// Arrays from outside that the return sweep has in their old state again, under other names.
  std::vector<std::pair<ir::Name, ir::Atom>> handed_back() const;

 private:
  const std::vector<ir::Stm> stms_;
  std::vector<std::vector<ir::Stm>> forward_;
  std::unique_ptr<Restorer> restorer_;
};

/// Names that the statements consume, through aliases made among them, and do not bind.
std::vector<ir::Name> consumed_from_outside(const Reverse& context,
                                            const std::vector<ir::Stm>& stms);

/// Both sweeps of the statements of one scope. Where the return sweep reads an array that the
/// forward sweep has updated in place, the overwritten elements are saved before and restored
/// after: restore.cpp. `live_after`: arrays that are still used after both sweeps, so that
/// restoring must not touch them.
Sweeps sweep(Reverse& reverse, const std::vector<ir::Stm>& stms,
             const ir::NameSet& live_after = {});

/// The statements on which the names depend; adds to `needed` what these use in turn.
std::vector<ir::Stm> needed_part(const std::vector<ir::Stm>& stms, ir::NameSet& needed);

/// The part of a forward sweep that is run again since `reverse` uses it: without accumulators, with
/// the assertions that back its claims (assertions.hpp). `needed` becomes all names that both use and do not bind.
std::vector<ir::Stm> reexecution(Reverse& context, const std::vector<ir::Stm>& forward,
                                 const std::vector<ir::Stm>& reverse, ir::NameSet& needed);

/// A return scope as a body that can stand beside its forward scope: all that it binds is renamed,
/// and what it consumes, but neither binds nor owns, is copied first.
ir::Body closed(Reverse& context, ir::Body body, const ir::NameSet& owned = {});
ir::Lambda closed(Reverse& context, ir::Lambda lambda, const ir::NameSet& owned = {});

/// Active names that the body uses but does not bind, in order of use.
std::vector<ir::Name> active_free_names(const Reverse& context, const ir::Body& body,
                                        const ir::NameSet& bound);

/// The type mentions no name that `bound` contains.
bool is_closed_type(const ir::Type& type, const ir::NameSet& bound);

/// let pattern = atom, with a coercion where only the spelling of sizes differs.
void bind_as(ir::Builder& builder, const ir::Param& param, const ir::Atom& atom);

}  // namespace boustro::ad
