// Additions of rows beside a map that adds.
//
// Rule      acc[c] += rows; map over j: ...    gives    map over j: acc[c, j] += rows[j]; ...
// Applies   inside of a map, to rows of the width of a neighbouring map that adds to other
//           accumulators and does nothing else; it may pass what is between the two
// Cost      the same operations in one traversal, whose elements threads can share
// Source    derived here: a row's addition is by definition that of its elements
//
// Before:  \acc other -> (update_acc acc [c] row,
//                         map (\other y j -> update_acc other [j] (f y)) ys)
// After:   \acc other -> map (\other acc y j x -> (update_acc other [j] (f y), update_acc acc [c, j] x))
//                            ys (iota n) row
#include <algorithm>

#include "transform/fuse/fuse.hpp"
#include "transform/fuse/row_updates.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// The map that adds and does nothing else.
Map* adding_map(Stm& stm) {
  Map* const map = std::get_if<Map>(&stm.exp);
  const bool adds =
      map && !map->accumulators.empty() && map->accumulators.size() == map->fn.result_types.size();
  return adds ? map : nullptr;
}

class Absorber {
 public:
  Absorber(const Program& program, Names& names) : callees_(program), names_(names) {}

  void body(Body& body, bool inside_map) {
    while (inside_map && absorb_one(body)) {
    }
    for (Stm& stm : body.stms) {
      const bool inside = inside_map || std::holds_alternative<Map>(stm.exp);
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner, inside); });
    }
  }

 private:
  /// Lets a map that adds take over one addition of a row beside it; false if there is none.
  bool absorb_one(Body& body) {
    for (Position at = 0; at < body.stms.size(); ++at) {
      const auto* update = std::get_if<UpdateAcc>(&body.stms[at].exp);
      const Name* row = update ? name_in(update->value) : nullptr;
      if (!row || names_.type_of(*row).shape.empty()) continue;
      for (Position to = 0; to < body.stms.size(); ++to) {
        const Map* map = adding_map(body.stms[to]);
        if (!map || map->width != names_.type_of(*row).shape[0]) continue;
        if (!can_absorb(body, at, to)) continue;
        absorb(body, at, to);
        return true;
      }
    }
    return false;
  }

  /// The addition moves to the map: up if it needs nothing in between, down if nothing needs it.
  bool can_absorb(const Body& body, Position at, Position to) const {
    if (!nothing_consumed(body.stms, std::min(at, to), std::max(at, to), callees_)) return false;
    for (Position i = std::min(at, to); i <= std::max(at, to); ++i) {
      if (i == at) continue;
      const bool blocks = at < to ? uses_any(body.stms[i], body.stms[at].pattern)
                                  : uses_any(body.stms[at], body.stms[i].pattern);
      if (blocks) return false;
    }
    return true;
  }

  void absorb(Body& body, Position at, Position to) {
    const Stm update = body.stms[at];
    const auto& added = std::get<UpdateAcc>(update.exp);
    Map map = std::get<Map>(body.stms[to].exp);
    Builder builder(names_, body.stms[to].origin);
    const Name row = std::get<Name>(added.value);
    Type element = names_.type_of(row);
    element.shape.erase(element.shape.begin());
    map.arrays.push_back(row);
    map.fn.params.push_back(names_.fresh_param(row.base, element));
    const Name value = map.fn.params.back().name;
    add_element(map, added, value, add_positions(builder, map), names_);
    body.stms[to].pattern.push_back(update.pattern[0]);
    body.stms[to].exp = std::move(map);
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(to), builder.stms.begin(),
                     builder.stms.end());
    const Position shifted = at < to ? at : at + builder.stms.size();
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(shifted));
  }

  facts::Callees callees_;
  Names& names_;
};

}  // namespace

Program absorb_updates(Program program) {
  Names names(program);
  Absorber absorber(program, names);
  for (Function& function : program.functions) absorber.body(function.body, false);
  return program;
}

}  // namespace boustro::fuse
