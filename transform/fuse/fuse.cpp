#include "transform/fuse/fuse.hpp"

#include <algorithm>
#include <utility>

#include "transform/facts/aliases.hpp"
#include "transform/fuse/concats.hpp"
#include "transform/fuse/slices.hpp"
#include "transform/fuse/traversal_form.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// A statement with what is asked of it over and over.
struct Item {
  explicit Item(Stm statement) : stm(std::move(statement)), uses(free_names(stm)) {
    traverses = is_traversal(stm.exp);
  }
  Stm stm;
  NameSet uses;
  bool traverses = false;
};

Atom width_of(const Exp& exp) {
  return match(
      exp, [](const Map& e) { return e.width; }, [](const Reduce& e) { return e.width; },
      [](const Scan& e) { return e.width; }, [](const MapReduce& e) { return e.width; },
      [](const MapScan& e) { return e.width; }, [](const ReduceByIndex& e) { return e.width; },
      [](const auto&) { return Atom(PrimValue::zero(PrimType::boolean)); });
}

bool binds(const Item& item, const Name& name) {
  return std::any_of(item.stm.pattern.begin(), item.stm.pattern.end(),
                     [&](const Param& param) { return param.name == name; });
}

bool uses_result_of(const Item& user, const Item& producer) {
  return std::any_of(producer.stm.pattern.begin(), producer.stm.pattern.end(),
                     [&](const Param& param) { return user.uses.contains(param.name); });
}

/// In the body, or inside of further accumulations there, a traversal of the producer's width takes what it yields.
bool feeds_traversal(const Item& producer, const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    const auto* with = std::get_if<WithAcc>(&stm.exp);
    if (with) return feeds_traversal(producer, with->fn.body);
    const Item item(stm);
    return item.traverses && width_of(stm.exp) == width_of(producer.stm.exp) && uses_result_of(item, producer);
  });
}

class Fuser {
 public:
  Fuser(const Program& program, Names& names, bool whole_points)
      : callees_(program), names_(names), aliases_(program), whole_points_(whole_points) {}

  void body(Body& body);

 private:
  bool merge_some(std::vector<Item>& items, const std::vector<Atom>& results);
  bool try_pair(std::vector<Item>& items, std::size_t i, std::size_t j);
  bool try_histogram(std::vector<Item>& items, std::size_t i, std::size_t j,
                     const std::vector<Atom>& results);

  bool can_merge(const Item& earlier, const Item& later);
  bool is_flat(const Exp& exp) const;
  bool consumes(const Item& item) const { return !facts::consumed_by(item.stm.exp, callees_).empty(); }
  bool reads_settled(const Item& item) const;
  bool can_move_down(const std::vector<Item>& items, std::size_t i, std::size_t j) const;
  bool can_move_up(const std::vector<Item>& items, std::size_t i, std::size_t j) const;
  bool move_into_accumulations(std::vector<Item>& items, const std::vector<Atom>& results);
  bool can_move_into(const std::vector<Item>& items, std::size_t i, std::size_t j) const;

  facts::Callees callees_;
  Names& names_;
  facts::Aliases aliases_;
  bool whole_points_;
  bool inside_ = false;  // of a traversal
};

void Fuser::body(Body& body) {
  map_concats(body, names_);
  push_slices(body, names_, callees_, aliases_);
  std::vector<Item> items;
  for (Stm& stm : body.stms) items.emplace_back(std::move(stm));
  while (merge_some(items, body.result) || (whole_points_ && !inside_ && move_into_accumulations(items, body.result))) {
  }
  body.stms.clear();
  // Outside first: merged lambdas bring together what can be merged inside.
  for (Item& item : items) {
    const bool outer = std::exchange(inside_, inside_ || item.traverses);
    map_bodies(item.stm.exp, [&](Body& inner) { this->body(inner); });
    inside_ = outer;
    body.stms.push_back(std::move(item.stm));
  }
}

/// The nearest producer of each consumer first.
bool Fuser::merge_some(std::vector<Item>& items, const std::vector<Atom>& results) {
  for (std::size_t j = 0; j < items.size(); ++j) {
    const bool is_histogram = std::holds_alternative<ReduceByIndex>(items[j].stm.exp);
    if (!items[j].traverses && !is_histogram) continue;
    for (std::size_t i = j; i-- > 0;) {
      if (!items[i].traverses) continue;
      if (width_of(items[i].stm.exp) != width_of(items[j].stm.exp)) continue;
      if (is_histogram ? try_histogram(items, i, j, results) : try_pair(items, i, j)) return true;
    }
  }
  return false;
}

bool Fuser::try_pair(std::vector<Item>& items, std::size_t i, std::size_t j) {
  if (!can_merge(items[i], items[j])) return false;
  const bool down = can_move_down(items, i, j);
  if (!down && !can_move_up(items, i, j)) return false;
  Item merged(merge(items[i].stm, items[j].stm, names_));
  items[down ? j : i] = std::move(merged);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(down ? i : j));
  return true;
}

// ---- Into a with_acc

/// What one with_acc alone reads, in a traversal of the same width, moves to where it does: there the two are merged. Not at
/// one point of a traversal, whose arrays are small: updates spread further (spread_updates.cpp) if their operands are arrays.
bool Fuser::move_into_accumulations(std::vector<Item>& items, const std::vector<Atom>& results) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].traverses) continue;
    const bool is_result = std::any_of(results.begin(), results.end(), [&](const Atom& atom) {
      const Name* name = name_in(atom);
      return name && binds(items[i], *name);
    });
    std::vector<std::size_t> users;
    for (std::size_t j = i + 1; j < items.size(); ++j)
      if (uses_result_of(items[j], items[i])) users.push_back(j);
    if (is_result || users.size() != 1 || !can_move_into(items, i, users[0])) continue;
    Item& user = items[users[0]];
    auto& stms = std::get<WithAcc>(user.stm.exp).fn.body.stms;
    stms.insert(stms.begin(), std::move(items[i].stm));
    user = Item(std::move(user.stm));
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

/// Arrays that nothing updates: they may be read later, and while others are updated.
bool Fuser::reads_settled(const Item& item) const {
  return std::all_of(item.uses.begin(), item.uses.end(),
                     [&](const Name& name) { return names_.type_of(name).is_scalar() || aliases_.settled(name); });
}

/// Also past the arrays that are added to, which it may not read any more.
bool Fuser::can_move_into(const std::vector<Item>& items, std::size_t i, std::size_t j) const {
  const auto* with = std::get_if<WithAcc>(&items[j].stm.exp);
  if (!with || consumes(items[i]) || !can_move_down(items, i, j)) return false;
  WithAcc without_body = *with;
  without_body.fn.body = {};
  const NameSet outside = free_names(Exp(std::move(without_body)));
  const bool inside = std::none_of(items[i].stm.pattern.begin(), items[i].stm.pattern.end(),
                                   [&](const Param& param) { return outside.contains(param.name); });
  return reads_settled(items[i]) && inside && feeds_traversal(items[i], with->fn.body);
}


/// Dependent ones always: the array in between is not read, and not written unless someone else
/// wants it. Independent ones if both are flat: nests of their own are better off with threads of
/// their own.
bool Fuser::can_merge(const Item& earlier, const Item& later) {
  const auto a = as_traversal(earlier.stm.exp, names_);
  const auto b = as_traversal(later.stm.exp, names_);
  if (!a->operators.empty() && !b->operators.empty() && a->scans != b->scans) return false;
  const bool has_accumulators = !a->accumulators.empty() || !b->accumulators.empty();
  if (has_accumulators &&
      ((a->scans && !a->operators.empty()) || (b->scans && !b->operators.empty()))) {
    return false;
  }
  if (consumes(earlier) || consumes(later)) return false;
  if (!uses_result_of(later, earlier)) {
    return !a->scans && !b->scans && is_flat(earlier.stm.exp) && is_flat(later.stm.exp);
  }

  // Only elements may flow: not what is known at the end, nor other elements' results.
  const TraversalForm& consumer = *b;
  TraversalForm without_arrays = consumer;
  without_arrays.arrays.clear();
  const NameSet otherwise_used = free_names(to_exp(std::move(without_arrays)));
  for (std::size_t k = 0; k < earlier.stm.pattern.size(); ++k) {
    const Name& name = earlier.stm.pattern[k].name;
    if (otherwise_used.contains(name)) return false;
    const bool is_mapped = k >= a->first_mapped();
    if (!is_mapped && later.uses.contains(name)) return false;
  }
  return true;
}

bool Fuser::is_flat(const Exp& exp) const {
  bool flat = true;
  for_each_body(exp, [&](const Body& body) {
    for (const Stm& stm : body.stms) {
      for_each_body(stm.exp, [&](const Body&) { flat = false; });
    }
  });
  return flat;
}

/// Item i to just before j: nothing in between needs it, or consumes what it reads.
bool Fuser::can_move_down(const std::vector<Item>& items, std::size_t i, std::size_t j) const {
  bool any_consumes = false;
  for (std::size_t k = i + 1; k < j; ++k) {
    if (uses_result_of(items[k], items[i])) return false;
    any_consumes = any_consumes || consumes(items[k]);
  }
  return !any_consumes || reads_settled(items[i]);
}

/// Item j to just after i: it needs nothing from in between.
bool Fuser::can_move_up(const std::vector<Item>& items, std::size_t i, std::size_t j) const {
  for (std::size_t k = i + 1; k < j; ++k) {
    if (uses_result_of(items[j], items[k])) return false;
  }
  return true;
}

// ---- Histograms

/// A map into a reduce-by-index, which yields no mapped arrays: nobody else may want them. Nor may it read what that updates, cells of
/// other points.
bool Fuser::try_histogram(std::vector<Item>& items, std::size_t i, std::size_t j,
                          const std::vector<Atom>& results) {
  const auto* map = std::get_if<Map>(&items[i].stm.exp);
  if (!map || !map->accumulators.empty() || consumes(items[i])) return false;
  if (!uses_result_of(items[j], items[i]) || !can_move_down(items, i, j) || !reads_settled(items[i])) return false;
  for (std::size_t k = j + 1; k < items.size(); ++k) {
    if (uses_result_of(items[k], items[i])) return false;
  }
  for (const Atom& atom : results) {
    if (const Name* name = name_in(atom); name && binds(items[i], *name)) return false;
  }
  auto& e = std::get<ReduceByIndex>(items[j].stm.exp);
  for (const Param& param : items[i].stm.pattern) {
    if (free_names(e.fn).contains(param.name)) return false;
    for (const Histogram& histogram : e.histograms) {
      const auto& destinations = histogram.destinations;
      const bool is_destination =
          std::find(destinations.begin(), destinations.end(), param.name) != destinations.end();
      const bool is_neutral = std::find(histogram.neutral.begin(), histogram.neutral.end(), Atom(param.name)) != histogram.neutral.end();
      if (is_destination || is_neutral || free_names(histogram.op).contains(param.name)) return false;
    }
  }
  // As a map of its own, the function merges like any other.
  std::vector<Param> pattern;
  for (const Type& type : e.fn.result_types) {
    pattern.push_back(names_.fresh_param("operand", array_of(e.width, type)));
  }
  const Stm reader{std::move(pattern),
                   Map{e.width, std::move(e.fn), std::move(e.arrays), {}},
                   items[j].stm.origin,
                   {}};
  Stm both = merge(items[i].stm, reader, names_);
  auto& merged = std::get<Map>(both.exp);
  const auto own = static_cast<std::ptrdiff_t>(items[i].stm.pattern.size());
  merged.fn.body.result.erase(merged.fn.body.result.begin(), merged.fn.body.result.begin() + own);
  merged.fn.result_types.erase(merged.fn.result_types.begin(),
                               merged.fn.result_types.begin() + own);
  e.fn = std::move(merged.fn);
  e.arrays = std::move(merged.arrays);
  items[j] = Item(std::move(items[j].stm));
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

}  // namespace

Program fuse(Program program, bool whole_points) {
  Names names(program);
  for (Function& function : program.functions)
    if (!whole_points) map_updates(function.body, names);
  const Program before = program;
  Fuser fuser(before, names, whole_points);
  for (Function& function : program.functions) fuser.body(function.body);
  return program;
}

}  // namespace boustro::fuse
