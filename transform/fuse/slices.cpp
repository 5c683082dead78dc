#include "transform/fuse/slices.hpp"

#include <algorithm>
#include <optional>

#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

using Position = std::size_t;

/// The statement as a slice of whole rows: xs[a:b:c].
const Index* as_slice(const Stm& stm) {
  const auto* index = std::get_if<Index>(&stm.exp);
  const bool outermost =
      index && index->indices.size() == 1 && std::holds_alternative<Slice>(index->indices[0]);
  return outermost ? index : nullptr;
}

/// The map to this array and nothing else, if the statement at `user` alone wants the array.
std::optional<Position> map_only_for(const Body& body, const Name& array, Position user) {
  std::optional<Position> found;
  for (Position i = 0; i < body.stms.size(); ++i) {
    const Stm& stm = body.stms[i];
    if (stm.pattern.size() == 1 && stm.pattern[0].name == array) {
      const auto* map = std::get_if<Map>(&stm.exp);
      if (!map || !map->accumulators.empty()) return std::nullopt;
      found = i;
    } else if (i != user && free_names(stm).contains(array)) {
      return std::nullopt;
    }
  }
  const bool is_result = std::any_of(body.result.begin(), body.result.end(),
                                     [&](const Atom& atom) { return atom == Atom(array); });
  return is_result ? std::nullopt : found;
}

/// An element outside of the slice may fail, and the map with it: only what reads each element can take its place.
bool can_leave_out_elements(const Map& map, const Slice& slice) {
  return slice.count == map.width || !may_fail(map);
}

/// Nothing is consumed on the way, or nothing that the map reads.
bool can_move_down(const Body& body, Position from, Position to, const Names& names,
                   const facts::Callees& callees, const facts::Aliases& aliases) {
  const auto consumes = [&](const Stm& stm) { return !facts::consumed_by(stm.exp, callees).empty(); };
  const auto begin = body.stms.begin();
  const auto at = [&](Position i) { return begin + static_cast<std::ptrdiff_t>(i); };
  if (consumes(*at(from))) return false;
  if (std::none_of(at(from + 1), at(to), consumes)) return true;
  const NameSet uses = free_names(*at(from));
  return std::all_of(uses.begin(), uses.end(), [&](const Name& name) {
    return names.type_of(name).is_scalar() || aliases.settled(name);
  });
}

/// ys = map f xs; zs = ys[s]   becomes   xs' = xs[s]; zs = map f xs'
void push(Body& body, Position from, Position to, Names& names) {
  const Stm slice = body.stms[to];
  const Index& index = *as_slice(slice);
  Map map = std::get<Map>(std::move(body.stms[from].exp));
  Builder builder(names, body.stms[from].origin);
  for (Name& array : map.arrays) {
    array = builder.let(array.base, Index{array, index.indices, index.checked});
  }
  map.width = std::get<Slice>(index.indices[0]).count;
  std::vector<Stm> stms = std::move(builder.stms);
  stms.push_back(
      {slice.pattern, std::move(map), body.stms[from].origin, body.stms[from].attributes});
  const auto at = [&](Position i) { return body.stms.begin() + static_cast<std::ptrdiff_t>(i); };
  body.stms.insert(body.stms.erase(at(to)), stms.begin(), stms.end());
  body.stms.erase(at(from));
}

}  // namespace

void push_slices(Body& body, Names& names, const facts::Callees& callees,
                 const facts::Aliases& aliases) {
  // From the last statement to the first: a slice passes all maps above it.
  for (Position j = body.stms.size(); j-- > 0;) {
    const Index* slice = as_slice(body.stms[j]);
    const auto i = slice ? map_only_for(body, slice->array, j) : std::nullopt;
    if (!i || !can_leave_out_elements(std::get<Map>(body.stms[*i].exp), std::get<Slice>(slice->indices[0])) ||
        !can_move_down(body, *i, j, names, callees, aliases)) {
      continue;
    }
    push(body, *i, j, names);
    j = body.stms.size();
  }
}

}  // namespace boustro::fuse
