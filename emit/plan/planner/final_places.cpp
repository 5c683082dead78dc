#include "emit/plan/planner/final_places.hpp"

#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/repeated_rows.hpp"
#include "transform/facts/access.hpp"
#include "transform/facts/history.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/operands.hpp"

namespace boustro::plan::planner {
namespace {

/// It computes an array, in memory that is chosen for it: one of equal elements as soon as something is added to it.
bool makes(const ir::Stm& stm, std::size_t place) {
  return ir::match(
      stm.exp, [](const ir::Copy&) { return true; }, [](const ir::Scratch&) { return true; },
      [](const ir::Replicate&) { return true; },
      [](const ir::Concat&) { return true; }, [](const ir::If&) { return true; },
      [&](const ir::Loop& e) { return facts::updates_in_place(e, place); },
      [&](const ir::Nest& e) {
        return place >= e.accumulators.size() && !ir::destination_of(e, place);
      },
      [](const auto&) { return false; });
}

/// Only says where elements are.
bool is_view(const ir::Stm& stm) {
  return !stm.pattern.empty() && !stm.pattern[0].type.is_scalar() && ir::viewed_operand(stm.exp);
}

}  // namespace

FinalPlaces::FinalPlaces(const std::vector<ir::Stm>& stms, const Uses& uses,
                           const facts::Callees& callees)
    : stms_(stms), uses_(uses), aliases_(planned_aliases(stms, callees)) {
  for (std::size_t i = 0; i < stms.size(); ++i) {
    for (std::size_t k = 0; k < stms[i].pattern.size(); ++k)
      definitions_.emplace(stms[i].pattern[k].name, Definition{i, k});
    for (const ir::Name& name : ir::free_names(stms[i].exp)) last_use_.insert_or_assign(name, i);
    sizes_.define(stms[i]);
  }
}

std::optional<FinalPlaces::Stored> FinalPlaces::of(std::size_t at, const ir::Name& made) const {
  if (!makes(stms_[at], definitions_.at(made).place)) return std::nullopt;
  ir::NameSet versions{made};
  bool is_seen_otherwise = false;
  std::optional<std::size_t> end = only_use(made);
  for (ir::Name array = made; end;) {
    const auto* update = std::get_if<ir::Update>(&stms_[*end].exp);
    if (update && update->value == ir::Atom(array)) break;
    auto next = updated(stms_[*end], array);
    if (!next && array == made && std::holds_alternative<ir::Rearrange>(stms_[*end].exp)) {
      next = stms_[*end].pattern[0].name;
      is_seen_otherwise = true;
    }
    if (!next) return std::nullopt;
    array = *next;
    versions.insert(array);
    end = only_use(array);
  }
  if (!end) end = stored_beside(at, made);
  if (!end) return std::nullopt;
  const auto& update = std::get<ir::Update>(stms_[*end].exp);
  const auto into = version_before(at, update.array);
  if (!into) return std::nullopt;
  Stored stored{definitions_.at(made).place, &update, *into, is_seen_otherwise, {}};
  for (std::size_t i = at; i < *end; ++i) {
    if (is_view(stms_[i])) continue;
    for (const ir::Name& name : ir::free_names(stms_[i].exp)) {
      if (versions.contains(name)) continue;
      if (touches(i, name, stored, at)) return std::nullopt;
      if (!definitions_.contains(name)) stored.used.push_back(name);
    }
  }
  return stored;
}

std::optional<std::size_t> FinalPlaces::only_use(const ir::Name& name) const {
  const auto found = last_use_.find(name);
  if (found == last_use_.end() || uses_.of(name).count != 1) return std::nullopt;
  return found->second;
}

std::optional<std::size_t> FinalPlaces::stored_beside(std::size_t at, const ir::Name& made) const {
  Uses here;
  here.add(ir::Body{stms_, {}});
  const bool is_result = here.of(made).count != uses_.of(made).count;
  if (is_result || aliases_.is_consumed(made)) return std::nullopt;
  for (std::size_t k = at + 1; k < stms_.size(); ++k) {
    const auto* update = std::get_if<ir::Update>(&stms_[k].exp);
    if (update && update->value == ir::Atom(made)) return aliases_.is_consumed(stms_[k].pattern[0].name) ? std::nullopt : std::optional(k);
  }
  return std::nullopt;
}

std::optional<ir::Name> FinalPlaces::updated(const ir::Stm& stm, const ir::Name& array) const {
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    if (updated_in_place(stm.exp, i) == array) return stm.pattern[i].name;
  }
  const auto* loop = std::get_if<ir::Loop>(&stm.exp);
  if (!loop) return std::nullopt;
  for (std::size_t i = 0; i < loop->params.size(); ++i) {
    const ir::LoopParam& p = loop->params[i];
    if (p.init == ir::Atom(array) && p.param.unique && facts::updates_in_place(*loop, i))
      return stm.pattern[i].name;
  }
  return std::nullopt;
}

std::optional<ir::Name> FinalPlaces::version_before(std::size_t at, ir::Name name) const {
  for (;;) {
    const auto found = definitions_.find(name);
    if (found == definitions_.end() || found->second.at < at) return name;
    const auto before = updated_in_place(stms_[found->second.at].exp, found->second.place);
    if (!before) return std::nullopt;
    name = *before;
  }
}

ir::Name FinalPlaces::first_version(ir::Name name) const {
  for (;;) {
    const auto found = definitions_.find(name);
    const auto before = found == definitions_.end() ? std::nullopt : updated_in_place(stms_[found->second.at].exp, found->second.place);
    if (!before) return name;
    name = *before;
  }
}

ir::NameSet FinalPlaces::memory(const ir::Name& array) const {
  ir::NameSet result;
  for (const ir::Name& root : aliases_.roots(array)) result.insert(first_version(root));
  return result;
}

const ir::Index* FinalPlaces::index_of(const ir::Name& name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : std::get_if<ir::Index>(&stms_[found->second.at].exp);
}

/// Rows whose numbers differ, as i and i + 1 do.
bool FinalPlaces::are_apart(const std::vector<ir::DimIndex>& x, const std::vector<ir::DimIndex>& y) const {
  if (facts::are_disjoint(x, y)) return true;
  for (std::size_t d = 0; d < std::min(x.size(), y.size()); ++d) {
    const auto *a = std::get_if<ir::Atom>(&x[d]), *b = std::get_if<ir::Atom>(&y[d]);
    if (!a || !b) continue;
    const auto difference = (sizes_.value(*a) - sizes_.value(*b)).constant();
    if (difference && *difference != 0) return true;
  }
  return false;
}

bool FinalPlaces::reads_apart(const ir::Exp& exp, const ir::Name& array, const std::vector<ir::DimIndex>& indices) const {
  bool apart = true;
  ir::for_each_body(exp, [&](const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) {
      if (!apart || !ir::free_names(stm).contains(array)) continue;
      const auto* index = std::get_if<ir::Index>(&stm.exp);
      apart = index ? index->array == array && are_apart(index->indices, indices) : reads_apart(stm.exp, array, indices);
    }
    for (const ir::Atom& result : body.result) apart = apart && result != ir::Atom(array);
  });
  ir::Exp outside = exp;
  ir::map_bodies(outside, [](ir::Body& body) { body = {}; });
  return apart && !ir::free_names(outside).contains(array);
}

bool FinalPlaces::touches(std::size_t at, const ir::Name& array, const Stored& stored,
                           std::size_t maker) const {
  const ir::NameSet here = memory(array), there = memory(stored.into);
  if (std::none_of(here.begin(), here.end(), [&](const ir::Name& name) { return there.contains(name); }))
    return false;
  const auto& indices = stored.update->indices;
  const ir::Index* part = index_of(array);
  // A view with other rows tells nothing about these.
  if (first_version(part ? part->array : array) != first_version(stored.into)) return true;
  // Another part is written, or was picked out before.
  const auto* update = std::get_if<ir::Update>(&stms_[at].exp);
  if (update && update->array == array && !(update->value == ir::Atom(array)))
    return !are_apart(update->indices, indices);
  if (!part) return !reads_apart(stms_[at].exp, array, indices);
  if (are_apart(part->indices, indices)) return false;
  const auto* nest = at == maker ? std::get_if<ir::Nest>(&stms_[at].exp) : nullptr;
  return !nest || part->indices != indices || !ir::can_take_place(*nest, stored.result, array);
}

// ---- States of loops

namespace {

/// The array and what the statements before number `end` update it to, the last one last.
std::vector<ir::Name> versions_before(std::size_t end, const std::vector<ir::Stm>& stms, const ir::Name& array) {
  std::vector<ir::Name> versions{array};
  for (std::size_t at = 0; at < end; ++at)
    for (std::size_t i = 0; i < stms[at].pattern.size(); ++i)
      if (updated_in_place(stms[at].exp, i) == versions.back()) versions.push_back(stms[at].pattern[i].name);
  return versions;
}

}  // namespace

bool is_remade_in_place(const ir::Loop& loop, std::size_t i, const facts::Callees& callees) {
  const std::vector<ir::Stm>& stms = loop.body.stms;
  const ir::Atom& next = loop.body.result[i];
  if (std::count(loop.body.result.begin(), loop.body.result.end(), next) != 1) return false;
  std::size_t at = 0, result = 0;
  for (; at < stms.size(); ++at) {
    const auto& pattern = stms[at].pattern;
    const auto made = std::find_if(pattern.begin(), pattern.end(), [&](const ir::Param& param) { return next == ir::Atom(param.name); });
    if (made == pattern.end()) continue;
    result = static_cast<std::size_t>(made - pattern.begin());
    break;
  }
  const auto* nest = at < stms.size() ? std::get_if<ir::Nest>(&stms[at].exp) : nullptr;
  const std::vector<ir::Name> versions = versions_before(at, stms, loop.params[i].param.name);
  const ir::Name& array = versions.back();
  if (!nest || !ir::can_take_place(*nest, result, array)) return false;
  const facts::Aliases aliases = planned_aliases(stms, callees);
  if (aliases.is_consumed(array)) return false;  // by a loop or a branch, whose result may lie in its memory
  const auto shares_memory = [&](const ir::Name& name) {
    const ir::NameSet roots = aliases.roots(name);
    return std::any_of(versions.begin(), versions.end(), [&](const ir::Name& version) { return roots.contains(version); });
  };
  const auto nobody_reads = [&](const ir::NameSet& names, bool maker) {
    return std::none_of(names.begin(), names.end(), [&](const ir::Name& name) { return !(maker && name == array) && shares_memory(name); });
  };
  for (std::size_t later = at; later < stms.size(); ++later)
    if (!nobody_reads(ir::free_names(stms[later].exp), later == at)) return false;
  return std::none_of(loop.body.result.begin(), loop.body.result.end(), [&](const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    return name && shares_memory(*name);
  });
}

}  // namespace boustro::plan::planner
