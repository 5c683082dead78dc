// Additions of rows to additions of elements.
//
// Rule      row = map f xs; acc[c] += row    gives    map over j: acc[c, j] += f xs[j]
// Applies   the row has no other use, and nothing between the two updates an array in place. An
//           accumulator of any kind: rows and elements are the same cells
// Cost      the same operations; the row is never stored, and its cells can be shared out among
// threads Source    derived here: a row's addition is by definition that of its elements
//
// Before:  \acc -> let row = map f xs in update_acc acc [c] row
// After:   \acc -> map (\acc x j -> update_acc acc [c, j] (f x)) xs (iota n)
#include <algorithm>

#include "transform/fuse/fuse.hpp"
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

/// The map that computes a row and does nothing else.
const Map* row_map(const Stm& stm) {
  const Map* const map = std::get_if<Map>(&stm.exp);
  return map && map->accumulators.empty() && stm.pattern.size() == 1 ? map : nullptr;
}

/// Whether the statements from `first` up to `last` leave all arrays as they are.
bool nothing_consumed(const std::vector<Stm>& stms, std::size_t first, std::size_t last) {
  return std::all_of(stms.begin() + static_cast<std::ptrdiff_t>(first),
                     stms.begin() + static_cast<std::ptrdiff_t>(last), [](const Stm& stm) {
                       return std::holds_alternative<UpdateAcc>(stm.exp) ||
                              consumed_by(stm.exp).empty();
                     });
}

class Spreader {
 public:
  explicit Spreader(Names& names) : names_(names) {}

  void body(Body& body) {
    while (spread_one(body)) {
    }
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
  }

 private:
  /// Rewrites the first addition of a row that can be spread; false if there is none.
  bool spread_one(Body& body) {
    const Uses uses = count_uses(body);
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      const UpdateAcc* const update = std::get_if<UpdateAcc>(&body.stms[at].exp);
      const Name* const row = update ? name_in(update->value) : nullptr;
      if (!row || uses.at(*row) != 1) continue;
      for (std::size_t from = 0; from < at; ++from) {
        const Stm& stm = body.stms[from];
        if (!row_map(stm) || stm.pattern[0].name != *row) continue;
        if (!nothing_consumed(body.stms, from + 1, at)) break;
        replace(body, from, at);
        return true;
      }
    }
    return false;
  }

  void replace(Body& body, std::size_t from, std::size_t at) {
    const Map map = std::get<Map>(body.stms[from].exp);
    const Stm update = body.stms[at];
    Builder builder(names_, update.origin);
    Map spread = over_elements(builder, map, std::get<UpdateAcc>(update.exp));
    spread.accumulators = {std::get<UpdateAcc>(update.exp).accumulator};
    builder.let(update.pattern, std::move(spread), update.attributes);

    const auto begin = body.stms.begin();
    body.stms.erase(begin + static_cast<std::ptrdiff_t>(at));
    body.stms.insert(begin + static_cast<std::ptrdiff_t>(at), builder.stms.begin(),
                     builder.stms.end());
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(from));
  }

  /// The map, with each element's position, adding its result there.
  Map over_elements(Builder& builder, const Map& map, const UpdateAcc& update) {
    Map result = map;
    result.arrays.push_back(builder.let("positions", Iota{map.width}));

    const Param acc =
        names_.fresh_param(update.accumulator.base, names_.type_of(update.accumulator), true);
    const Param j = names_.fresh_param("j", scalar(PrimType::i64));
    Lambda& fn = result.fn;
    fn.params.insert(fn.params.begin(), acc);
    fn.params.push_back(j);

    UpdateAcc element{acc.name, update.indices, fn.body.result.at(0), update.in_bounds};
    element.indices.push_back(j.name);
    Builder inner(names_, builder.origin);
    const Name added = inner.let(acc.name.base, std::move(element));
    fn.body.stms.insert(fn.body.stms.end(), inner.stms.begin(), inner.stms.end());
    fn.body.result = {added};
    fn.result_types = {acc.type};
    return result;
  }

  Names& names_;
};

}  // namespace

Program spread_updates(Program program) {
  Names names(program);
  Spreader spreader(names);
  for (Function& function : program.functions) spreader.body(function.body);
  return program;
}

}  // namespace boustro::fuse
