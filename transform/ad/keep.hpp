// Keep or recompute: decided here alone.
//
// A return scope recomputes what it needs of its forward scope. Kept is, as one more result of the
// forward scope, what takes more operations than it has elements: work and storage are weighed as
// powers of the sizes, a map, reduction or loop counting one. So results of inner reductions are
// kept, and a perfect nest of maps keeps nothing.
//
// What saves only one power is kept as long as the array that leaves the outermost map has at most
// two dimensions: a scalar below two maps, a row below one. Beyond that, storage outgrows the
// inputs, and one more short reduction costs less than a trip to memory. Moving out of a map adds
// one to both rank and work and takes one from the depth, so all maps of a nest decide alike: no
// value is kept halfway.
//
// #[keep] and #[recompute] on a statement override this. What is kept since it was asked for is
// kept all the way out, through maps and loops. Of the values of loops nothing else is kept but
// their states.
#pragma once

#include "transform/ad/scope.hpp"

namespace boustro::ad {

/// What a forward scope keeps for its return scope.
struct Kept {
  std::vector<ir::Name> names;
  /// What the names' types mention: to be computed before the scope, not in it.
  std::vector<ir::Stm> sizes;
  bool asked = false;  // some of them by #[keep], which then holds for what yields them
};

/// The names bound by `forward` that are to be kept for `reverse`. `bound`: names bound in the
/// scope, parameters included; a value whose size is one of these cannot be kept.
Kept choose_kept(const Reverse& context, const std::vector<ir::Stm>& forward,
                 const ir::Body& reverse, const ir::NameSet& bound);
/// Of a step of a loop: what #[keep] asks for and, if `loops`, what inner loops yield.
Kept kept_of_step(const Reverse& context, const std::vector<ir::Stm>& forward,
                  const ir::Body& reverse, const ir::NameSet& bound, bool loops);
/// Whether to keep the latter, too, where otherwise arrays of the types `states` are kept of the
/// step. `statements` say how large all these are.
bool loops_pay(const Reverse& context, const std::vector<ir::Stm>& forward, const ir::Body& reverse,
               const ir::NameSet& bound, const std::vector<ir::Type>& states,
               const std::vector<ir::Stm>& statements);

/// Removes the statement that binds the name.
void erase_definition(std::vector<ir::Stm>& stms, const ir::Name& name);

/// Removes the statements that bind kept names, and the assertions about whatever else they bind: the first execution,
/// which keeps the names, has checked them.
void erase_kept(std::vector<ir::Stm>& stms, const std::vector<ir::Name>& kept);

/// Depth of the nest of parallel operators and loops that the expression runs through.
int work_rank(const FunctionTable& functions, const ir::Exp& exp);

}  // namespace boustro::ad
