// Adjoints that are zero but in one place of each row.
//
// Rule      rows = map f xs, each of which is zero but for v at place w; map (\.. row -> map g row ys) .. rows, where g adds to accumulators, and
//           nothing for a zero    gives    (ws, vs) = map f' xs; map (\.. w v -> if 0 <= w < k then g v ys[w]) .. ws vs
// Applies   the rows have no other use; accumulators are sums
// Cost      one application of g a row instead of k; rows are never stored
// Source    derived here. [AD] 5.1.2: the adjoint of a minimum is that of its winner
//
// Before:  let rows = map (\w -> replicate k 0 with [w] = 1) winners
//          in with_acc (\acc -> map (\acc row -> map (\acc v j -> update_acc acc [j] (v * c)) row (iota k)) rows)
// After:   with_acc (\acc -> map (\acc w -> if 0 <= w < k then update_acc acc [w] c) winners)
#include <algorithm>

#include "transform/facts/vanishing.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/fuse/row_updates.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

std::vector<Atom> as_atoms(const std::vector<Name>& names) { return {names.begin(), names.end()}; }

/// Where a row is not zero, and what it is there; -1 and 0 if it is zero.
struct OneHot {
  Atom place, value;
};

class Rows {
 public:
  explicit Rows(Names& names) : names_(names) {}

  /// Of a result of the body, if it is such a row; known in the body from now on.
  std::optional<OneHot> in(Body& body, const Atom& result) {
    const Name* name = name_in(result);
    for (std::size_t at = 0; name && at < body.stms.size(); ++at) {
      const auto& pattern = body.stms[at].pattern;
      for (std::size_t k = 0; k < pattern.size(); ++k)
        if (pattern[k].name == *name) return made_by(body, at, k);
    }
    return std::nullopt;
  }

 private:
  std::optional<OneHot> made_by(Body& body, std::size_t at, std::size_t k) {
    Stm& stm = body.stms[at];
    if (const auto* e = std::get_if<Replicate>(&stm.exp)) {
      if (!is_zero_row(*e)) return std::nullopt;
      return OneHot{int_atom(-1), e->value};
    }
    if (const auto* e = std::get_if<Update>(&stm.exp)) return written(body, *e);
    if (const auto* e = std::get_if<WithAcc>(&stm.exp)) return added(body, *e);
    if (auto* e = std::get_if<If>(&stm.exp)) return chosen(stm, *e, k);
    return std::nullopt;
  }

  static bool is_zero_row(const Replicate& e) { return e.shape.size() == 1 && facts::is_zero(e.value); }

  static bool is_zero_row(const Body& body, const Name& name) {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      const auto* e = std::get_if<Replicate>(&stm.exp);
      return e && stm.pattern[0].name == name && is_zero_row(*e);
    });
  }

  static std::optional<OneHot> written(const Body& body, const Update& e) {
    const Atom* place = e.indices.size() == 1 && !e.checked ? std::get_if<Atom>(&e.indices[0]) : nullptr;
    if (!place || !is_zero_row(body, e.array)) return std::nullopt;
    return OneHot{*place, e.value};
  }

  /// A single addition.
  static std::optional<OneHot> added(const Body& body, const WithAcc& e) {
    if (e.inputs.size() != 1 || !std::holds_alternative<AddUp>(e.inputs[0].kind) || !is_zero_row(body, e.inputs[0].destination)) return std::nullopt;
    const auto* update = e.fn.body.stms.empty() ? nullptr : std::get_if<UpdateAcc>(&e.fn.body.stms[0].exp);
    const bool only = update && e.fn.body.result.size() == 1 && update->accumulator == e.fn.params[0].name &&
                      e.fn.body.result[0] == Atom(e.fn.body.stms[0].pattern[0].name) && update->indices.size() == 1;
    return only ? std::optional(OneHot{update->indices[0], update->value}) : std::nullopt;
  }

  std::optional<OneHot> chosen(Stm& stm, If& e, std::size_t k) {
    If changed = e;
    const auto then = in(changed.then_body, e.then_body.result[k]), otherwise = in(changed.else_body, e.else_body.result[k]);
    if (!then || !otherwise) return std::nullopt;
    changed.then_body.result.insert(changed.then_body.result.end(), {then->place, then->value});
    changed.else_body.result.insert(changed.else_body.result.end(), {otherwise->place, otherwise->value});
    e = std::move(changed);
    stm.pattern.push_back(names_.fresh_param("place", scalar(PrimType::i64)));
    stm.pattern.push_back(names_.fresh_param("value", scalar(stm.pattern[k].type.elem)));
    return OneHot{stm.pattern[stm.pattern.size() - 2].name, stm.pattern.back().name};
  }

  Names& names_;
};

/// The traversals of arrays of such rows, which are the only ones to read them.
class Readers {
 public:
  Readers(const Name& rows, Names& names) : rows_(rows), names_(names) {}

  /// Whether each only adds what comes of a row.
  bool all_add(const std::vector<Stm>& stms, std::size_t from, bool sums) const {
    return std::all_of(stms.begin() + static_cast<std::ptrdiff_t>(from), stms.end(), [&](const Stm& stm) { return adds(stm, sums); });
  }

  void replace(std::vector<Stm>& stms, std::size_t from, const Name& places, const Name& values) {
    for (std::size_t at = from; at < stms.size(); ++at) {
      Map* map = std::get_if<Map>(&stms[at].exp);
      if (map && reads(*map)) read_places(*map, places, values);
      else map_bodies(stms[at].exp, [&](Body& body) { replace(body.stms, 0, places, values); });
    }
  }

 private:
  bool reads(const Map& map) const { return std::find(map.arrays.begin(), map.arrays.end(), rows_) != map.arrays.end(); }

  /// `sums`: accumulators around it are sums.
  bool adds(const Stm& stm, bool sums) const {
    if (!free_names(stm).contains(rows_)) return true;
    if (const auto* with = std::get_if<WithAcc>(&stm.exp)) {
      const auto takes_rows = [&](const AccumulatorInput& input) { return input.destination == rows_; };
      return adds_up(*with) && std::none_of(with->inputs.begin(), with->inputs.end(), takes_rows) && in_body(with->fn.body, sums);
    }
    if (const auto* branch = std::get_if<If>(&stm.exp)) return in_body(branch->then_body, sums) && in_body(branch->else_body, sums);
    const Map* map = std::get_if<Map>(&stm.exp);
    return map && sums && std::count(map->arrays.begin(), map->arrays.end(), rows_) == 1 && !free_names(map->fn).contains(rows_) &&
           adds_row(map->fn.body, row_of(*map));
  }

  bool in_body(const Body& body, bool sums) const {
    return all_add(body.stms, 0, sums) && std::find(body.result.begin(), body.result.end(), Atom(rows_)) == body.result.end();
  }

  std::size_t position(const Map& map) const {
    return map.accumulators.size() + static_cast<std::size_t>(std::find(map.arrays.begin(), map.arrays.end(), rows_) - map.arrays.begin());
  }
  const Name& row_of(const Map& map) const { return map.fn.params[position(map)].name; }

  /// Maps that do nothing but add are all that reads the row, and there is one.
  static bool adds_row(const Body& body, const Name& row) {
    if (std::find(body.result.begin(), body.result.end(), Atom(row)) != body.result.end()) return false;
    bool any = false;
    for (const Stm& stm : body.stms) {
      if (!free_names(stm).contains(row)) continue;
      const Map* map = std::get_if<Map>(&stm.exp);
      if (!map || !adds_elements(stm, *map, row)) return false;
      any = true;
    }
    return any;
  }

  static bool adds_elements(const Stm& stm, const Map& map, const Name& row) {
    if (stm.pattern.size() != map.accumulators.size() || free_names(map.fn).contains(row)) return false;
    NameSet elements;
    for (std::size_t k = 0; k < map.arrays.size(); ++k)
      if (map.arrays[k] == row) elements.insert(map.fn.params[map.accumulators.size() + k].name);
    return facts::adds_nothing_at_zero(map.fn, elements);
  }

  void read_places(Map& map, const Name& places, const Name& values) {
    const std::size_t at = position(map);
    const Name row = map.fn.params[at].name;
    const Param place = names_.fresh_param("place", scalar(PrimType::i64)), value = names_.fresh_param("value", scalar(map.fn.params[at].type.elem));
    Builder builder(names_);
    for (Stm& stm : map.fn.body.stms) {
      const Map* inner = std::get_if<Map>(&stm.exp);
      builder.origin = stm.origin;
      if (inner && free_names(stm).contains(row)) at_place(builder, stm, *inner, row, place.name, value.name);
      else builder.stms.push_back(std::move(stm));
    }
    map.fn.body.stms = std::move(builder.stms);
    map.fn.params[at] = place;
    map.fn.params.insert(map.fn.params.begin() + static_cast<std::ptrdiff_t>(at) + 1, value);
    const auto array = map.arrays.begin() + static_cast<std::ptrdiff_t>(at - map.accumulators.size());
    *array = places;
    map.arrays.insert(array + 1, values);
  }

  /// What the map does, for the element at the place, if there is one.
  static void at_place(Builder& builder, const Stm& stm, const Map& map, const Name& row, const Name& place, const Name& value) {
    const Atom from_first = builder.cmp("from_first", CmpOpKind::le, int_atom(0), place), to_last = builder.cmp("to_last", CmpOpKind::lt, place, map.width);
    const Atom inside = builder.binop("inside", BinOpKind::bit_and, from_first, to_last);
    Builder then(builder.names, stm.origin);
    std::vector<Atom> args = as_atoms(map.accumulators);
    for (std::size_t k = 0; k < map.arrays.size(); ++k) {
      const std::string& base = map.fn.params[map.accumulators.size() + k].name.base;
      args.push_back(map.arrays[k] == row ? value : then.index(base, map.arrays[k], {place}));
    }
    If there;
    there.condition = inside;
    there.then_body.result = inline_lambda(then, rename(map.fn, builder.names), args);
    there.then_body.stms = std::move(then.stms);
    there.else_body.result = as_atoms(map.accumulators);
    builder.let(stm.pattern, std::move(there), stm.attributes);
  }

  const Name& rows_;
  Names& names_;
};

class OneHotRows {
 public:
  explicit OneHotRows(Names& names) : names_(names) {}

  bool changed() const { return changed_; }

  /// `sums`: accumulators around it are sums.
  void body(Body& body, bool sums) {
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      while (replace_one(body, at, sums)) changed_ = true;
      const auto* with = std::get_if<WithAcc>(&body.stms[at].exp);
      const bool inside = sums && (!with || adds_up(*with));
      map_bodies(body.stms[at].exp, [&](Body& inner) { this->body(inner, inside); });
    }
  }

 private:
  /// The first result of the statement whose rows can be replaced.
  bool replace_one(Body& body, std::size_t at, bool sums) {
    Stm& stm = body.stms[at];
    for (std::size_t k = 0; k < stm.pattern.size(); ++k) {
      const Param rows = stm.pattern[k];
      if (rows.type.accumulator || rows.type.shape.size() != 2 || is_used(body.result, rows.name)) continue;
      Readers readers(rows.name, names_);
      if (!readers.all_add(body.stms, at + 1, sums)) continue;
      const auto names = made_as_places(stm, k);
      if (!names) continue;
      readers.replace(body.stms, at + 1, names->first, names->second);
      return true;
    }
    return false;
  }

  static bool is_used(const std::vector<Atom>& atoms, const Name& name) { return std::find(atoms.begin(), atoms.end(), Atom(name)) != atoms.end(); }

  using Both = std::pair<Name, Name>;  // the places and the values

  /// Result number k, by a map or by one inside of a with_acc.
  std::optional<Both> made_as_places(Stm& stm, std::size_t k) {
    if (std::holds_alternative<Map>(stm.exp)) return made_by_map(stm, k);
    auto* with = std::get_if<WithAcc>(&stm.exp);
    const Name* inner = with && k >= with->inputs.size() ? name_in(with->fn.body.result[k]) : nullptr;
    if (!inner) return std::nullopt;
    for (Stm& made : with->fn.body.stms) {
      for (std::size_t i = 0; i < made.pattern.size(); ++i) {
        if (made.pattern[i].name != *inner) continue;
        if (uses(with->fn.body, *inner) != 1) return std::nullopt;
        const auto names = made_as_places(made, i);
        if (!names) return std::nullopt;
        split(with->fn.body.result, k, Atom(names->first), Atom(names->second));
        split(with->fn.result_types, k, names_.type_of(names->first), names_.type_of(names->second));
        return split_result(stm, k);
      }
    }
    return std::nullopt;
  }

  std::optional<Both> made_by_map(Stm& stm, std::size_t k) {
    Map map = std::get<Map>(stm.exp);
    const auto one = k < map.accumulators.size() ? std::nullopt : Rows(names_).in(map.fn.body, map.fn.body.result[k]);
    if (!one) return std::nullopt;
    split(map.fn.body.result, k, one->place, one->value);
    split(map.fn.result_types, k, scalar(PrimType::i64), scalar(stm.pattern[k].type.elem));
    stm.exp = std::move(map);
    return split_result(stm, k);
  }

  /// Two results of as many rows.
  Both split_result(Stm& stm, std::size_t k) {
    const Param rows = stm.pattern[k];
    const Shape width{rows.type.shape[0]};
    split(stm.pattern, k, names_.fresh_param("places", array_of(width, scalar(PrimType::i64))),
          names_.fresh_param(rows.name.base, array_of(width, scalar(rows.type.elem))));
    return {stm.pattern[k].name, stm.pattern[k + 1].name};
  }

  template <typename T>
  static void split(std::vector<T>& all, std::size_t k, T first, T second) {
    all[k] = std::move(first);
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(k) + 1, std::move(second));
  }

  Names& names_;
  bool changed_ = false;
};

}  // namespace

bool replace_one_hot_rows(Program& program) {
  Names names(program);
  OneHotRows rows(names);
  for (Function& function : program.functions) rows.body(function.body, !takes_accumulators(function));
  return rows.changed();
}

}  // namespace boustro::fuse
