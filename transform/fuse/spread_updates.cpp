// Additions of rows to additions of elements.
//
// Rule      rows = map f xs; acc[c] += rows    gives    map over j: acc[c, j] += f xs[j]
// Applies   the map's results have no other use, each being added once, and nothing between the two
//           updates an array in place. An accumulator of any kind: rows and elements are the same
//           cells. The map may add to other accumulators, too, that nobody needs between the two
// Cost      the same operations; the rows are never stored, and their cells can be shared out among
//           threads
// Source    derived here: a row's addition is by definition that of its elements
//
// Before:  \acc -> let row = map f xs in update_acc acc [c] row
// After:   \acc -> map (\acc x j -> update_acc acc [c, j] (f x)) xs (iota n)
#include <algorithm>
#include <optional>
#include <utility>

#include "transform/fuse/fuse.hpp"
#include "transform/fuse/row_updates.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

using Uses = std::unordered_map<Name, int>;

/// How many statements of the body, and of its result, use each name.
Uses count_uses(const Body& body) {
  Uses uses;
  for (const Stm& stm : body.stms) {
    for (const Name& name : free_names(stm)) ++uses[name];
  }
  for (const Atom& atom : body.result) {
    if (const Name* name = name_in(atom)) ++uses[*name];
  }
  return uses;
}

/// The map that computes rows.
const Map* row_map(const Stm& stm) {
  const Map* const map = std::get_if<Map>(&stm.exp);
  return map && stm.pattern.size() > map->accumulators.size() ? map : nullptr;
}

/// The first results, which are accumulators, or the others.
std::vector<Param> accumulators_of(const Stm& stm) {
  const auto count = static_cast<std::ptrdiff_t>(std::get<Map>(stm.exp).accumulators.size());
  return {stm.pattern.begin(), stm.pattern.begin() + count};
}
std::vector<Param> rows_of(const Stm& stm) {
  const auto count = static_cast<std::ptrdiff_t>(std::get<Map>(stm.exp).accumulators.size());
  return {stm.pattern.begin() + count, stm.pattern.end()};
}

class Spreader {
 public:
  Spreader(const Program& program, Names& names) : callees_(program), names_(names) {}

  void body(Body& body) {
    while (spread_one(body)) {
    }
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
  }

 private:
  /// Rewrites the first map whose rows can be added by element; false if there is none.
  bool spread_one(Body& body) {
    const Uses uses = count_uses(body);
    for (Position from = 0; from < body.stms.size(); ++from) {
      if (!row_map(body.stms[from])) continue;
      const auto updates = updates_of(body, from, uses);
      if (!updates || !can_join(body, from, *updates)) continue;
      replace(body, from, *updates);
      return true;
    }
    return false;
  }

  /// For each result of the map: where it is added, that being its only use.
  std::optional<std::vector<Position>> updates_of(const Body& body, Position from,
                                                  const Uses& uses) const {
    std::vector<Position> updates;
    const std::vector<Param> rows = rows_of(body.stms[from]);
    for (const Param& row : rows) {
      if (!uses.contains(row.name) || uses.at(row.name) != 1) return std::nullopt;
      for (Position at = from + 1; at < body.stms.size(); ++at) {
        const auto* update = std::get_if<UpdateAcc>(&body.stms[at].exp);
        if (update && update->value == Atom(row.name)) updates.push_back(at);
      }
    }
    return updates.size() == rows.size() ? std::optional(updates) : std::nullopt;
  }

  /// All additions can be where the last one is.
  bool can_join(const Body& body, Position from, const std::vector<Position>& updates) const {
    const Position last = *std::max_element(updates.begin(), updates.end());
    if (!nothing_consumed(body.stms, from + 1, last, callees_)) return false;
    const std::vector<Param> added_to = accumulators_of(body.stms[from]);
    for (Position i = from + 1; i <= last; ++i) {
      if (uses_any(body.stms[i], added_to)) return false;
    }
    return std::all_of(updates.begin(), updates.end(), [&](Position at) {
      for (Position i = at + 1; i <= last; ++i) {
        if (uses_any(body.stms[i], body.stms[at].pattern)) return false;
      }
      return true;
    });
  }

  void replace(Body& body, Position from, const std::vector<Position>& updates) {
    Map map = std::get<Map>(body.stms[from].exp);
    const auto count = static_cast<std::ptrdiff_t>(map.accumulators.size());
    const std::vector<Atom> rows(map.fn.body.result.begin() + count, map.fn.body.result.end());
    map.fn.body.result.resize(map.accumulators.size());
    map.fn.result_types.resize(map.accumulators.size());
    const Position last = *std::max_element(updates.begin(), updates.end());
    Builder builder(names_, body.stms[last].origin);
    const Name j = add_positions(builder, map);
    std::vector<Param> pattern = accumulators_of(body.stms[from]);
    for (std::size_t i = 0; i < updates.size(); ++i) {
      add_element(map, std::get<UpdateAcc>(body.stms[updates[i]].exp), rows[i], j, names_);
      pattern.push_back(body.stms[updates[i]].pattern[0]);
    }
    builder.let(std::move(pattern), std::move(map), body.stms[last].attributes);

    std::vector<Stm> stms;
    for (Position i = 0; i < body.stms.size(); ++i) {
      if (i == last) stms.insert(stms.end(), builder.stms.begin(), builder.stms.end());
      const bool gone = i == from || std::find(updates.begin(), updates.end(), i) != updates.end();
      if (!gone) stms.push_back(std::move(body.stms[i]));
    }
    body.stms = std::move(stms);
  }

  facts::Callees callees_;
  Names& names_;
};

}  // namespace

Program spread_updates(Program program) {
  Names names(program);
  Spreader spreader(program, names);
  for (Function& function : program.functions) spreader.body(function.body);
  return program;
}

}  // namespace boustro::fuse
