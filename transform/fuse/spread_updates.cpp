// Additions of rows to additions of elements.
//
// Rule      rows = map f xs; acc[c] += rows    gives    map over j: acc[c, j] += f xs[j]
// Applies   the map's results have no other use than to be added, to different accumulators, and nothing between
//           these updates an array in place. An accumulator of any kind: rows and elements are the same
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
      const auto additions = additions_of(body, from, uses);
      if (!additions || !can_join(body, from, *additions)) continue;
      replace(body, from, *additions);
      return true;
    }
    return false;
  }

  /// An addition of a row.
  struct Addition {
    std::size_t row;  // among the results of the map that are none of its accumulators
    Position at;
  };

  /// For each result of the map: where it is added, these being its only uses.
  std::optional<std::vector<Addition>> additions_of(const Body& body, Position from, const Uses& uses) const {
    std::vector<Addition> additions;
    const std::vector<Param> rows = rows_of(body.stms[from]);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      int found = 0;
      for (Position at = from + 1; at < body.stms.size(); ++at) {
        const auto* update = std::get_if<UpdateAcc>(&body.stms[at].exp);
        if (!update || update->value != Atom(rows[row].name)) continue;
        additions.push_back({row, at});
        ++found;
      }
      if (found == 0 || uses.at(rows[row].name) != found) return std::nullopt;
    }
    return additions;
  }

  /// All additions can be where the last one is.
  bool can_join(const Body& body, Position from, const std::vector<Addition>& additions) const {
    const Position last = last_of(additions);
    if (!nothing_consumed(body.stms, from + 1, last, callees_)) return false;
    const std::vector<Param> added_to = accumulators_of(body.stms[from]);
    for (Position i = from + 1; i <= last; ++i) {
      if (uses_any(body.stms[i], added_to)) return false;
    }
    return std::all_of(additions.begin(), additions.end(), [&](const Addition& addition) {
      for (Position i = addition.at + 1; i <= last; ++i) {
        if (uses_any(body.stms[i], body.stms[addition.at].pattern)) return false;
      }
      return true;
    });
  }

  static Position last_of(const std::vector<Addition>& additions) {
    Position last = 0;
    for (const Addition& addition : additions) last = std::max(last, addition.at);
    return last;
  }

  void replace(Body& body, Position from, const std::vector<Addition>& additions) {
    Map map = std::get<Map>(body.stms[from].exp);
    const auto count = static_cast<std::ptrdiff_t>(map.accumulators.size());
    const std::vector<Atom> rows(map.fn.body.result.begin() + count, map.fn.body.result.end());
    map.fn.body.result.resize(map.accumulators.size());
    map.fn.result_types.resize(map.accumulators.size());
    const Position last = last_of(additions);
    Builder builder(names_, body.stms[last].origin);
    const Name j = add_positions(builder, map);
    std::vector<Param> pattern = accumulators_of(body.stms[from]);
    for (const auto& [row, at] : additions) {
      add_element(map, std::get<UpdateAcc>(body.stms[at].exp), rows[row], j, names_);
      pattern.push_back(body.stms[at].pattern[0]);
    }
    builder.let(std::move(pattern), std::move(map), body.stms[last].attributes);

    std::vector<Stm> stms;
    for (Position i = 0; i < body.stms.size(); ++i) {
      if (i == last) stms.insert(stms.end(), builder.stms.begin(), builder.stms.end());
      const bool gone = i == from || std::any_of(additions.begin(), additions.end(), [&](const Addition& addition) { return addition.at == i; });
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
