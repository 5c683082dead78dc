#include "transform/ad/restore.hpp"

#include <algorithm>

#include "transform/ad/undo.hpp"
#include "transform/ir/operands.hpp"

namespace boustro::ad {

using namespace ir;

Restorer::Restorer(Reverse& context, const std::vector<Stm>& stms,
                   std::vector<std::vector<Stm>>& forward, const NameSet& live_after)
    : context_(context), stms_(stms), forward_(forward), aliases_(stms, context.derivation.callees), live_after_(live_after), now_(stms.size()), restored_(context.finals) {
  for (std::size_t i = 0; i < stms.size(); ++i) {
    for (const Param& param : stms[i].pattern) defined_at_.emplace(param.name, i + 1);
    consumed_.push_back(facts::consumed_by(stms[i].exp, context.derivation.callees));
    std::erase_if(consumed_.back(),
                  [&](const Name& name) { return context.names.type_of(name).accumulator; });
  }
}

std::vector<Stm> Restorer::bring_back(std::size_t at, std::vector<Stm>& code) {
  now_ = at;
  if (code.empty()) return {};
  Builder builder(context_.names, code.front().origin);
  builder.origin.sweep = Sweep::reverse;
  for (const Name& name : free_names_in_order(Body{code, {}}))
    if (!restored_.contains(name) && consumer_of(name)) restored(builder, name);
  Substitution substitution = restored_;
  const NameSet bound = bound_names(code);
  for (const Stm& stm : code)
    for (const Name& name : facts::consumed_by(stm.exp, context_.derivation.callees))
      if (!bound.contains(name) && defined_at_.contains(name) && !substitution.contains(name) &&
          lives_after(name))
        substitution.emplace(name, fresh_copy(builder, name.base, name));
  for (Stm& stm : code) substitute(stm, substitution);
  return std::move(builder.stms);
}

Atom Restorer::as_at_entry(Builder& builder, const Name& name) {
  if (const auto found = restored_.find(name); found != restored_.end()) return found->second;
  return consumer_of(name) ? restored(builder, name) : Atom(name);
}

/// The first statement after the definition of an array, and not before the one at hand, that consumes it or an alias of it.
std::optional<std::size_t> Restorer::consumer_of(const Name& name) const {
  if (!context_.names.knows(name) || context_.names.type_of(name).shape.empty())
    return std::nullopt;
  const auto defined = defined_at_.find(name);
  const std::size_t first = std::max(now_, defined == defined_at_.end() ? 0 : defined->second);
  for (std::size_t i = first; i < stms_.size(); ++i)
    for (const Name& consumed : consumed_[i])
      if (aliases_.may_alias(consumed, name)) return i;
  return std::nullopt;
}

bool Restorer::lives_after(const Name& name) const {
  return std::any_of(live_after_.begin(), live_after_.end(),
                     [&](const Name& live) { return aliases_.may_alias(live, name); });
}

/// The array as it was before its consumer; emits what restores it.
Atom Restorer::restored(Builder& builder, const Name& name) {
  if (const auto found = restored_.find(name); found != restored_.end()) return found->second;
  const std::size_t at = *consumer_of(name);
  const bool is_consumed_itself = std::count(consumed_[at].begin(), consumed_[at].end(), name) > 0;
  const auto defined = defined_at_.find(name);
  std::optional<Atom> result;
  const bool is_made_again = is_consumed_itself && defined != defined_at_.end() && is_constant(stms_[defined->second - 1]) &&
                             !std::holds_alternative<Update>(stms_[at].exp);
  if (is_made_again)
    result = again(builder, stms_[defined->second - 1]);
  else if (is_consumed_itself)
    result = taken_back(builder, at, name);
  else if (defined != defined_at_.end())
    result = view_again(builder, stms_[defined->second - 1]);
  context_.derivation.trace(!result ? "restore_copy" : is_made_again ? "restore_constant" : is_consumed_itself ? "restore" : "restore_view", stms_[at]);
  if (!result) {
    Builder saving(context_.names, stms_[at].origin);
    result = fresh_copy(saving, name.base + "_saved", name);
    insert_before(at, std::move(saving));
  }
  restored_.insert_or_assign(name, *result);
  return *result;
}

/// Makes an array whose elements are one scalar.
bool Restorer::is_constant(const Stm& stm) const {
  const auto* replicate = std::get_if<Replicate>(&stm.exp);
  return replicate && context_.names.type_of(replicate->value).is_scalar();
}

/// Such an array once more.
Atom Restorer::again(Builder& builder, const Stm& stm) {
  return builder.let(stm.pattern.at(0).name.base, stm.exp);
}

/// A view of a restored array; nullopt if the statement is something else.
std::optional<Atom> Restorer::view_again(Builder& builder, const Stm& view) {
  const Name* base = viewed_operand(view.exp);
  if (!base) return std::nullopt;
  Exp again = view.exp;
  substitute(again, {{*base, as_at_entry(builder, *base)}});
  if (auto* index = std::get_if<Index>(&again)) index->checked = false;
  const Param& whole = view.pattern.at(0);
  const Param param{builder.names.bind_fresh(whole.name.base, whole.type), whole.type, false};
  builder.let({param}, std::move(again));
  return param.name;
}

/// Takes back what statement number `at` has done to an array that it consumes; nullopt if it
/// cannot be.
std::optional<Atom> Restorer::taken_back(Builder& builder, std::size_t at, const Name& name) {
  auto& forward = forward_[at];
  const auto consumer = std::find_if(forward.begin(), forward.end(), [&](const Stm& stm) {
    const auto consumed = facts::consumed_by(stm.exp, context_.derivation.callees);
    return std::count(consumed.begin(), consumed.end(), name) > 0;
  });
  if (consumer == forward.end()) return std::nullopt;
  const auto undo = UndoMaker(context_).of_stm(*consumer, {name}, name);
  if (!undo || !defined_at_.contains(undo->later)) return std::nullopt;
  std::vector<Stm> saving = undo->before;
  saving.insert(saving.end(), undo->forward.begin(), undo->forward.end());
  forward.insert(forward.erase(consumer), saving.begin(), saving.end());
  return coerced(builder, undo->take_back(builder, to_consume(builder, undo->later), {}),
                 context_.names.type_of(name));
}

/// The array that is taken back: the later version, itself restored if it was consumed again.
Name Restorer::to_consume(Builder& builder, const Name& name) {
  if (restored_.contains(name) || consumer_of(name)) return std::get<Name>(restored(builder, name));
  if (lives_after(name)) return std::get<Name>(fresh_copy(builder, name.base, name));
  return name;
}

void Restorer::insert_before(std::size_t at, Builder saving) {
  for (Stm& stm : saving.stms) {
    stm.origin.rule = "restore";
    stm.origin.sweep = Sweep::forward;
  }
  forward_[at].insert(forward_[at].begin(), saving.stms.begin(), saving.stms.end());
}

}  // namespace boustro::ad
