// Both sweeps of a list of statements, which are differentiated last to first.
#include "transform/ad/restore.hpp"
#include "transform/ad/scope.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

void add_all(std::vector<Stm>& to, const std::vector<Stm>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

ScopeSweep::ScopeSweep(Reverse& context, const std::vector<Stm>& stms, const NameSet& live_after)
    : stms_(stms),
      forward_(stms.size()),
      restorer_(std::make_unique<Restorer>(context, stms_, forward_, live_after)) {
  context.logistics.note(stms_);
  for (std::size_t i = stms_.size(); i-- > 0;) {
    Sweeps sweeps = reverse_stm(context, stms_[i]);
    forward_[i] = std::move(sweeps.forward);
    add_all(reverse, restorer_->bring_back(i, sweeps.reverse));
    add_all(reverse, sweeps.reverse);
    for (const auto& [name, restored] : context.handed_back) restorer_->note(name, restored);
    context.handed_back.clear();
  }
}

ScopeSweep::~ScopeSweep() = default;

std::vector<Stm> ScopeSweep::forward() const {
  std::vector<Stm> all;
  for (const auto& part : forward_) add_all(all, part);
  return all;
}

Atom ScopeSweep::as_at_entry(Builder& builder, const Name& name) {
  return restorer_->as_at_entry(builder, name);
}

std::vector<std::pair<Name, Atom>> ScopeSweep::handed_back() const {
  const NameSet bound = bound_names(stms_);
  std::vector<std::pair<Name, Atom>> result;
  for (const auto& [name, restored] : restorer_->all_restored())
    if (!bound.contains(name)) result.emplace_back(name, restored);
  return result;
}

Sweeps sweep(Reverse& context, const std::vector<Stm>& stms, const NameSet& live_after) {
  ScopeSweep scope(context, stms, live_after);
  return {scope.forward(), std::move(scope.reverse)};
}

}  // namespace boustro::ad
