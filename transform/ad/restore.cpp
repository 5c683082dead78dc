#include "transform/ad/restore.hpp"

#include <algorithm>

namespace boustro::ad {

using namespace ir;

Restorer::Restorer(Reverse& context, const std::vector<Stm>& stms,
                   std::vector<std::vector<Stm>>& forward, const NameSet& live_after)
    : context_(context), stms_(stms), forward_(forward), live_after_(live_after) {
  for (std::size_t i = 0; i < stms.size(); ++i) {
    for (const Param& param : stms[i].pattern) defined_at_.emplace(param.name, i + 1);
    consumed_.push_back(consumed_by(stms[i].exp, &context.derivation.program));
    std::erase_if(consumed_.back(), [&](const Name& name) {
      return context.names.type_of(name).accumulator;
    });
    find_aliases(stms[i], consumed_.back());
  }
}

std::vector<Stm> Restorer::bring_back(std::vector<Stm>& code) {
  if (code.empty()) return {};
  Builder builder(context_.names, code.front().origin);
  builder.origin.sweep = Sweep::reverse;
  for (const Name& name : free_names_in_order(Body{code, {}}))
    if (!restored_.contains(name) && consumer_of(name)) restored(builder, name);
  for (Stm& stm : code) substitute(stm, restored_);
  return std::move(builder.stms);
}

/// The first statement after the definition of an array that consumes it or an alias of it.
std::optional<std::size_t> Restorer::consumer_of(const Name& name) const {
  if (!context_.names.knows(name) || context_.names.type_of(name).shape.empty()) return std::nullopt;
  const auto defined = defined_at_.find(name);
  for (std::size_t i = defined == defined_at_.end() ? 0 : defined->second; i < stms_.size(); ++i)
    for (const Name& consumed : consumed_[i])
      if (root(consumed) == root(name)) return i;
  return std::nullopt;
}

Name Restorer::root(Name name) const {
  for (auto it = alias_of_.find(name); it != alias_of_.end(); it = alias_of_.find(name))
    name = it->second;
  return name;
}

void Restorer::join(const Name& a, const Name& b) {
  const Name x = root(a), y = root(b);
  if (x != y) alias_of_.emplace(x, y);
}

/// See ir.hpp on aliases. What a statement consumes lives on in its results, but as another version.
void Restorer::find_aliases(const Stm& stm, const std::vector<Name>& consumed) {
  const auto join_all = [&](const std::vector<Name>& operands) {
    for (const Param& result : stm.pattern)
      for (const Name& operand : operands) {
        const Type& type = context_.names.type_of(operand);
        const bool may_alias = type.elem == result.type.elem && !type.shape.empty() &&
                               !result.type.shape.empty() && !type.accumulator &&
                               std::find(consumed.begin(), consumed.end(), operand) == consumed.end();
        if (may_alias) join(result.name, operand);
      }
  };
  const auto all_free = [&] {
    std::vector<Name> names;
    for (const Name& name : free_names(stm.exp))
      if (context_.names.knows(name)) names.push_back(name);
    return names;
  };
  match(
      stm.exp,  //
      [&](const AtomExp& e) { if (const Name* name = name_in(e.atom)) join_all({*name}); },
      [&](const Rearrange& e) { join_all({e.array}); },
      [&](const Reshape& e) { join_all({e.array}); },
      [&](const Coerce& e) { join_all({e.array}); },
      [&](const Index& e) { join_all({e.array}); },
      [&](const If&) { join_all(all_free()); },
      [&](const Loop&) { join_all(all_free()); },
      [&](const Call&) { join_all(all_free()); },
      [&](const WithAcc&) { join_all(all_free()); },
      [&](const WithVjp&) { join_all(all_free()); },
      [](const auto&) {});
}

bool Restorer::lives_after(const Name& name) const {
  return std::any_of(live_after_.begin(), live_after_.end(),
                     [&](const Name& live) { return root(live) == root(name); });
}

/// The array as it was before its consumer; emits what restores it.
Atom Restorer::restored(Builder& builder, const Name& name) {
  if (const auto found = restored_.find(name); found != restored_.end()) return found->second;
  const std::size_t at = *consumer_of(name);
  Atom result = name;
  const auto* update = std::get_if<Update>(&stms_[at].exp);
  const auto* scatter = std::get_if<Scatter>(&stms_[at].exp);
  if (update && update->array == name) {
    result = undo_update(builder, at, *update);
  } else if (scatter && std::count(scatter->destinations.begin(), scatter->destinations.end(), name)) {
    const auto found = std::find(scatter->destinations.begin(), scatter->destinations.end(), name);
    result = undo_scatter(builder, at, *scatter,
                          static_cast<std::size_t>(found - scatter->destinations.begin()));
  } else {
    Builder saving(context_.names, stms_[at].origin);
    result = fresh_copy(saving, name.base + "_saved", name);
    insert_before(at, std::move(saving));
  }
  restored_.insert_or_assign(name, result);
  return result;
}

/// The array that a restoring update consumes: the later version, itself restored if it was consumed again.
Name Restorer::to_consume(Builder& builder, const Name& name) {
  if (consumer_of(name)) return std::get<Name>(restored(builder, name));
  if (lives_after(name)) return std::get<Name>(fresh_copy(builder, name.base, name));
  return name;
}

Atom Restorer::undo_update(Builder& builder, std::size_t at, const Update& update) {
  Builder saving(context_.names, stms_[at].origin);
  const Name old = saving.let(update.array.base + "_old",
                              Index{update.array, update.indices, update.checked});
  const Atom saved = fresh_copy(saving, update.array.base + "_old", old);
  insert_before(at, std::move(saving));
  const Name later = to_consume(builder, stms_[at].pattern.at(0).name);
  return builder.let(update.array.base, Update{later, update.indices, saved, false});
}

Atom Restorer::undo_scatter(Builder& builder, std::size_t at, const Scatter& scatter,
                            std::size_t which) {
  const Name& destination = scatter.destinations[which];
  const Type type = context_.names.type_of(destination);
  const std::size_t dimensions = scatter.indices.size();
  const Type row = row_type(type, static_cast<int>(dimensions));
  Builder saving(context_.names, stms_[at].origin);
  std::vector<std::pair<std::string, Type>> params(dimensions, {"i", scalar(PrimType::i64)});
  const Lambda read = saving.lambda(params, [&](Builder& b, const std::vector<Name>& i) {
    const std::vector<Atom> indices(i.begin(), i.end());
    return std::vector<Atom>{value_or_zero(
        b, "old", all_in_bounds(b, indices, type.shape), row,
        [&](Builder& inner) { return inner.index("old", destination, indices); })};
  });
  const Name old = saving.let(destination.base + "_old", Map{scatter.width, read, scatter.indices, {}});
  insert_before(at, std::move(saving));
  const Name later = to_consume(builder, stms_[at].pattern.at(which).name);
  return builder.let(destination.base, Scatter{scatter.width, scatter.indices, {later}, {old}});
}

void Restorer::insert_before(std::size_t at, Builder saving) {
  for (Stm& stm : saving.stms) {
    stm.origin.rule = "restore";
    stm.origin.sweep = Sweep::forward;
  }
  forward_[at].insert(forward_[at].begin(), saving.stms.begin(), saving.stms.end());
}

}  // namespace boustro::ad
