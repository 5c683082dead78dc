#include "transform/parallel/inwards/columns.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/polynomial.hpp"
#include "transform/ir/words.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool has_named_size(const Shape& shape) {
  return std::any_of(shape.begin(), shape.end(), [](const Atom& size) { return name_in(size) != nullptr; });
}

/// A new array that nobody else has.
bool is_own(const Body& point, const Atom& result) {
  if (std::count(point.result.begin(), point.result.end(), result) != 1) return false;
  for (const Stm& stm : point.stms)
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      if (Atom(stm.pattern[i].name) != result) continue;
      const auto* loop = std::get_if<Loop>(&stm.exp);
      return std::holds_alternative<Copy>(stm.exp) || std::holds_alternative<Scratch>(stm.exp) || (loop && loop->params[i].param.unique);
    }
  return false;
}

void note_bounds(const Body& body, std::vector<Atom>& bounds) {
  for (const Stm& stm : body.stms) {
    const auto* loop = std::get_if<Loop>(&stm.exp);
    if (const auto* form = loop ? std::get_if<ForLoop>(&loop->form) : nullptr) bounds.push_back(form->bound);
    for_each_body(stm.exp, [&](const Body& inner) { note_bounds(inner, bounds); });
  }
}

/// The permutation of the other dimensions, if dimension `from` becomes dimension `to`.
std::vector<int> without_dimension(const std::vector<int>& permutation, std::size_t to) {
  std::vector<int> result;
  for (std::size_t d = 0; d < permutation.size(); ++d)
    if (d != to) result.push_back(permutation[d] - (permutation[d] > permutation[to]));
  return result;
}

/// Extents of maps, and of rows that are stored, in a body and its loops.
void note_widths(const Body& body, std::vector<Atom>& widths) {
  const auto note = [&](const Atom& width) {
    if (std::find(widths.begin(), widths.end(), width) == widths.end()) widths.push_back(width);
  };
  for (const Stm& stm : body.stms) {
    if (const auto* map = std::get_if<Map>(&stm.exp)) note(map->width);
    else if (std::holds_alternative<Update>(stm.exp) && !stm.pattern[0].type.shape.empty()) note(stm.pattern[0].type.shape.back());
    else if (std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<If>(stm.exp))
      for_each_body(stm.exp, [&](const Body& inner) { note_widths(inner, widths); });
  }
}

/// What one element of the rows does.
class Columns {
 public:
  Columns(Atom width, Names& names, const Surroundings& around)
      : width_(std::move(width)), names_(names), sizes_(around.sizes), undefined_(around.undefined) {}

  std::optional<std::vector<Stm>> run(const Stm& stm, const NameSet& needed) {
    const auto& loop = std::get<Loop>(stm.exp);
    for (const Param& result : stm.pattern)
      if (!is_row(result.type) && needed.contains(result.name)) return std::nullopt;
    std::vector<Stm> converted;
    if (!this->stm(stm, converted) || !is_of_known_sizes_ || !carries_short_columns(loop)) return std::nullopt;
    return around(stm, std::move(converted.back()));
  }

 private:
  /// Which dimension of an array is that of the map, if one is.
  std::optional<std::size_t> place(const Type& type) const {
    const auto found = std::find(type.shape.begin(), type.shape.end(), width_);
    if (type.accumulator || std::count(found, type.shape.end(), width_) != 1) return std::nullopt;
    return static_cast<std::size_t>(found - type.shape.begin());
  }
  bool is_row(const Type& type) const { return place(type).has_value(); }
  bool is_row(const Atom& atom) const { return name_in(atom) && is_row(names_.type_of(atom)); }
  bool comes_first(const Type& type) const { return place(type) == std::optional<std::size_t>(0); }
  /// They leave all elements of rows, and rows of all elements.
  bool picks_of_each(const Name& array, const std::vector<DimIndex>& indices) const {
    const auto at = place(names_.type_of(array));
    return at && indices.size() <= *at;
  }
  /// What they pick of the column, where they pick the same of all elements.
  std::optional<std::vector<DimIndex>> picked_of_column(const Name& array, std::vector<DimIndex> indices) const {
    const auto at = place(names_.type_of(array));
    if (!at || indices.size() <= *at) return at ? std::optional(indices) : std::nullopt;
    if (!simplify::is_whole(indices[*at], width_)) return std::nullopt;
    indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(*at));
    return indices;
  }

  Type column(Type type) const {
    type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(*place(type)));
    return type;
  }
  Type column_if_row(const Type& type) const { return is_row(type) ? column(type) : type; }

  /// The element, or column, of a row. Of one from outside the map will take it.
  Name operand(const Name& row) {
    if (const auto other = same_.find(row); other != same_.end()) return other->second;
    if (inside_.contains(row)) return row;
    const auto [found, is_new] = outside_.try_emplace(row);
    if (is_new) {
      found->second = names_.bind_fresh(row.base, column(names_.type_of(row)));
      order_.push_back(row);
    }
    return found->second;
  }
  Atom operand(const Atom& atom) { return is_row(atom) ? Atom(operand(std::get<Name>(atom))) : atom; }

  std::vector<Param> pattern(const std::vector<Param>& params) {
    std::vector<Param> result;
    for (const Param& param : params) {
      note_size(param);
      if (is_row(param.type)) inside_.insert(param.name);
      const Type type = column_if_row(param.type);
      result.push_back({param.name, type, param.unique && !type.is_scalar()});
    }
    return result;
  }

  /// Only the thread would know the sizes that the loop computes.
  void note_size(const Param& param) {
    if (param.type.is_scalar()) numbers_.insert(param.name);
    for (const Atom& size : param.type.shape)
      if (const Name* name = name_in(size)) is_of_known_sizes_ = is_of_known_sizes_ && !numbers_.contains(*name);
  }
  void note_sizes(const Body& body) {
    for (const Stm& stm : body.stms) {
      for (const Param& param : stm.pattern) note_size(param);
      for_each_body(stm.exp, [&](const Body& inner) { note_sizes(inner); });
    }
  }

  // ---- Statements; false if one of them is more than elements

  bool stm(const Stm& stm, std::vector<Stm>& to) {
    sizes_.define(stm);
    if (const auto* map = std::get_if<Map>(&stm.exp)) return this->map(stm, *map, to);
    if (is_other_order(stm)) return true;
    auto exp = match(
        stm.exp,  //
        [&](const Index& e) { return index(stm, e); }, [&](const Update& e) { return update(e); },
        [&](const Copy& e) { return copy(stm, e); }, [&](const Replicate& e) { return replicate(stm, e); },
        [&](const Scratch& e) { return scratch(stm, e); },
        [&](const Iota& e) { return iota(e); },
        [&](const Rearrange& e) { return rearrange(stm, e); }, [&](const If& e) { return branch(e); },
        [&](const Loop& e) { return loop(e); },
        [&](const auto&) { return scalar_operation(stm); });
    if (!exp) return false;
    to.push_back({pattern(stm.pattern), std::move(*exp), stm.origin, stm.attributes});
    return true;
  }

  std::optional<Body> body(const Body& body) {
    Body result;
    for (const Stm& stm : body.stms)
      if (!this->stm(stm, result.stms)) return std::nullopt;
    for (const Atom& atom : body.result) result.result.push_back(operand(atom));
    return result;
  }

  using Found = std::optional<Exp>;

  Found scalar_operation(const Stm& stm) {
    if (!is_scalar_operation(stm.exp) || may_fail(stm.exp)) return std::nullopt;
    const auto* other_name = std::get_if<AtomExp>(&stm.exp);
    return other_name ? Found(AtomExp{operand(other_name->atom)}) : Found(stm.exp);
  }

  /// Nothing is left to check.
  bool are_in_bounds(const std::vector<DimIndex>& indices, const Shape& shape) const {
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const auto* index = std::get_if<Atom>(&indices[d]);
      if (!index || !sizes_.in_bounds(*index, shape[d])) return false;
    }
    return true;
  }

  Found index(const Stm& stm, const Index& e) {
    const Shape& shape = names_.type_of(e.array).shape;
    if (e.checked && !are_in_bounds(e.indices, shape)) return std::nullopt;
    if (auto picked = picked_of_column(e.array, e.indices)) return Found(Index{operand(e.array), std::move(*picked), false});
    if (inside_.contains(e.array) || is_row(stm.pattern[0].type)) return std::nullopt;
    return Found(Index{e.array, e.indices, false});
  }

  Found update(const Update& e) {
    const Shape& shape = names_.type_of(e.array).shape;
    if (!inside_.contains(e.array) || !picks_of_each(e.array, e.indices) || !is_row(e.value)) return std::nullopt;
    if (e.checked && !are_in_bounds(e.indices, shape)) return std::nullopt;
    return Found(Update{e.array, e.indices, operand(e.value), false});
  }

  /// What takes time for each element of a column is left to as many threads.
  bool is_long(const Stm& stm) const { return has_named_size(column(stm.pattern[0].type).shape); }

  Found copy(const Stm& stm, const Copy& e) {
    if (!is_row(stm.pattern[0].type) || is_long(stm)) return std::nullopt;
    const Name element = operand(e.array);
    return stm.pattern[0].type.shape.size() == 1 ? Found(AtomExp{element}) : Found(Copy{element});
  }

  Found replicate(const Stm& stm, const Replicate& e) {
    if (!is_row(stm.pattern[0].type) || is_long(stm)) return std::nullopt;
    if (is_row(e.value)) return Found(Replicate{e.shape, operand(e.value)});
    if (!names_.type_of(e.value).is_scalar()) return std::nullopt;
    const Shape shape = column(stm.pattern[0].type).shape;
    return shape.empty() ? Found(AtomExp{e.value}) : Found(Replicate{shape, e.value});
  }

  Found scratch(const Stm& stm, const Scratch& e) {
    if (!is_row(stm.pattern[0].type)) return std::nullopt;
    const Shape shape = column(stm.pattern[0].type).shape;
    return shape.empty() ? Found(AtomExp{PrimValue::zero(e.elem)}) : Found(Scratch{e.elem, shape});
  }

  /// The map has an index then.
  Found iota(const Iota& e) {
    if (e.width != width_) return std::nullopt;
    if (!index_) index_ = names_.bind_fresh("i", scalar(PrimType::i64));
    return Found(AtomExp{*index_});
  }

  Found rearrange(const Stm& stm, const Rearrange& e) {
    const auto to = place(stm.pattern[0].type);
    if (!to || !is_row(Atom(e.array))) return std::nullopt;
    return Found(Rearrange{without_dimension(e.permutation, *to), operand(e.array)});
  }

  /// Rows that only see the dimension of the map elsewhere: the columns are the same.
  bool is_other_order(const Stm& stm) {
    const auto* e = std::get_if<Rearrange>(&stm.exp);
    const auto to = e ? place(stm.pattern[0].type) : std::nullopt;
    if (!to || !is_row(Atom(e->array))) return false;
    const std::vector<int> others = without_dimension(e->permutation, *to);
    if (!std::is_sorted(others.begin(), others.end())) return false;
    same_.emplace(stm.pattern[0].name, operand(e->array));
    inside_.insert(stm.pattern[0].name);
    return true;
  }

  Found branch(const If& e) {
    auto yes = body(e.then_body), no = body(e.else_body);
    if (!yes || !no) return std::nullopt;
    return Found(If{e.condition, std::move(*yes), std::move(*no)});
  }

  Found loop(const Loop& e) {
    const auto* form = std::get_if<ForLoop>(&e.form);
    if (!form) return std::nullopt;
    Loop result{{}, e.form, {}};
    std::vector<Param> params;
    for (const LoopParam& p : e.params) {
      if (!is_row(p.param.type) && !p.param.type.is_scalar()) return std::nullopt;
      result.params.push_back({p.param, operand(p.init), p.true_dep});
      params.push_back(p.param);
    }
    params = pattern(params);
    for (std::size_t i = 0; i < params.size(); ++i) result.params[i].param = params[i];
    numbers_.insert(form->index);
    if (form->type == PrimType::i64) sizes_.declare_index(form->index, form->bound);
    bounds_.push_back(form->bound);
    auto inside = body(e.body);
    if (!inside) return std::nullopt;
    result.body = std::move(*inside);
    for (const Param& param : params) update_itself(param, result.body);
    return Found(std::move(result));
  }

  /// A copy of what the loop carries, for a map that was to make another array of it: nobody needs the first one any more.
  static void update_itself(const Param& param, Body& body) {
    const auto uses = [&](const Stm& stm) { return free_names(stm.exp).contains(param.name); };
    const auto user = std::find_if(body.stms.begin(), body.stms.end(), uses);
    if (!param.unique || user == body.stms.end() || !std::holds_alternative<Copy>(user->exp)) return;
    const bool is_result = std::find(body.result.begin(), body.result.end(), Atom(param.name)) != body.result.end();
    if (is_result || std::any_of(user + 1, body.stms.end(), uses)) return;
    user->exp = AtomExp{param.name};
  }

  /// The body of the map with the elements in the place of its parameters.
  bool map(const Stm& stm, const Map& e, std::vector<Stm>& to) {
    if (e.width != width_ || !e.accumulators.empty() || !is_in_order(e.fn.body)) return false;
    if (std::any_of(e.fn.params.begin(), e.fn.params.end(), [](const Param& param) { return param.unique; })) return false;
    Substitution elements;
    for (std::size_t i = 0; i < e.arrays.size(); ++i) {
      if (!comes_first(names_.type_of(e.arrays[i]))) return false;
      elements.emplace(e.fn.params[i].name, operand(e.arrays[i]));
    }
    for (const Name& name : free_names(e.fn))
      if (inside_.contains(name)) return false;
    if (!std::all_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return comes_first(param.type); })) return false;
    Body point = e.fn.body;
    substitute(point, elements);
    note_bounds(point, bounds_);
    note_sizes(point);
    to.insert(to.end(), point.stms.begin(), point.stms.end());
    const std::vector<Param> results = pattern(stm.pattern);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Atom& value = point.result[i];
      const bool copies = !results[i].type.is_scalar() && !is_own(point, value);
      to.push_back({{results[i]}, copies ? Exp(Copy{std::get<Name>(value)}) : Exp(AtomExp{value}), stm.origin, {}});
    }
    return true;
  }

  // ---- The map

  /// Each size of a column is the bound of a loop of its own, or a number.
  bool carries_short_columns(const Loop& loop) const {
    return std::all_of(loop.params.begin(), loop.params.end(), [&](const LoopParam& p) {
      if (p.param.type.is_scalar()) return true;
      std::vector<Atom> left = bounds_;
      const Shape shape = column(p.param.type).shape;
      return std::all_of(shape.begin(), shape.end(), [&](const Atom& size) {
        if (!name_in(size)) return true;
        const auto bound = std::find_if(left.begin(), left.end(), [&](const Atom& atom) {
          return sizes_.at_most(sizes_.value(size), sizes_.value(atom) + facts::Polynomial(1));
        });
        if (bound == left.end()) return false;
        left.erase(bound);
        return true;
      });
    });
  }

  std::vector<Stm> around(const Stm& original, Stm loop) {
    Builder before(names_, original.origin), inside(names_, original.origin);
    Map map{width_, {}, {}, {}};
    own_columns(std::get<Loop>(original.exp), std::get<Loop>(loop.exp), inside);
    for (const Name& row : order_) {
      const Param element{outside_.at(row), names_.type_of(outside_.at(row))};
      const Type& type = names_.type_of(row);
      map.arrays.push_back(comes_first(type) ? row : before.let(row.base, Rearrange{brought_first(type), row}));
      map.fn.params.push_back(element);
    }
    if (index_) {
      map.arrays.push_back(before.let("indices", Iota{width_}));
      map.fn.params.push_back({*index_, scalar(PrimType::i64)});
    }
    map.fn.body.stms = std::move(inside.stms);
    map.fn.body.stms.push_back(loop);
    std::vector<Param> results;
    std::vector<Stm> behind;
    for (std::size_t i = 0; i < loop.pattern.size(); ++i) {
      const Param& column = loop.pattern[i];
      const Param& row = original.pattern[i];
      if (!is_row(row.type)) continue;
      map.fn.body.result.push_back(column.name);
      map.fn.result_types.push_back(column.type);
      results.push_back(row);
      if (comes_first(row.type)) continue;
      results.back() = names_.fresh_param(row.name.base, array_of(width_, column.type));
      behind.push_back({{row}, Rearrange{brought_back(row.type), results.back().name}, original.origin, {}});
    }
    call_elements(map.fn);
    map.fn = rename(map.fn, names_);
    before.let(results, std::move(map), original.attributes);
    before.add(behind);
    return std::move(before.stms);
  }

  /// A number of a row is no row: `weight`, of `weights`.
  void call_elements(Lambda& fn) {
    Function whole;
    whole.params = fn.params;
    whole.body = std::move(fn.body);
    const auto is_element = [&](const Name& name) {
      const bool of_others = std::any_of(outside_.begin(), outside_.end(), [&](const auto& row) { return row.second == name; });
      return (of_others || inside_.contains(name)) && names_.knows(name);
    };
    change_names(whole, [&](const Name& name) { return is_element(name) ? Name{singular(name.base), name.tag} : name; });
    fn.params = std::move(whole.params);
    fn.body = std::move(whole.body);
  }

  /// What the loop updates is the element's own.
  void own_columns(const Loop& original, Loop& loop, Builder& inside) {
    for (std::size_t i = 0; i < loop.params.size(); ++i) {
      LoopParam& p = loop.params[i];
      if (!p.param.unique) continue;
      const Name& row = std::get<Name>(original.params[i].init);
      if (undefined_.contains(row)) {
        std::erase(order_, row);
        p.init = inside.let(p.param.name.base, Scratch{p.param.type.elem, p.param.type.shape});
      } else {
        p.init = inside.let(p.param.name.base, Copy{std::get<Name>(p.init)});
      }
    }
  }

  /// The dimension of the map before the others, and back.
  std::vector<int> brought_first(const Type& type) const {
    const int first = static_cast<int>(*place(type));
    std::vector<int> permutation{first};
    for (int d = 0; d < type.rank(); ++d)
      if (d != first) permutation.push_back(d);
    return permutation;
  }
  std::vector<int> brought_back(const Type& type) const {
    const std::vector<int> there = brought_first(type);
    std::vector<int> back(there.size());
    for (std::size_t d = 0; d < there.size(); ++d) back[static_cast<std::size_t>(there[d])] = static_cast<int>(d);
    return back;
  }

  Atom width_;
  Names& names_;
  facts::Sizes sizes_;
  const NameSet& undefined_;
  NameSet inside_;                          // rows that the loop binds
  NameSet numbers_;                         // that it binds
  bool is_of_known_sizes_ = true;
  std::unordered_map<Name, Name> outside_;  // elements of others
  std::vector<Name> order_;
  std::optional<Name> index_;
  std::unordered_map<Name, Name> same_;  // columns under another name
  std::vector<Atom> bounds_;
};

}  // namespace

bool is_in_order(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    const bool is_simple = match(
        stm.exp, [](const If&) { return true; }, [](const Loop&) { return true; }, [](const Assert&) { return true; },
        [](const Index&) { return true; }, [](const Update&) { return true; }, [](const Copy&) { return true; },
        [](const Scratch&) { return true; }, [](const Replicate&) { return true; }, [](const Rearrange&) { return true; },
        [&](const Call&) { return all_scalar(stm.pattern); }, [&](const auto&) { return is_scalar_operation(stm.exp); });
    bool inside = is_simple;
    for_each_body(stm.exp, [&](const Body& inner) { inside = inside && is_in_order(inner); });
    return inside;
  });
}

std::optional<std::vector<Stm>> loop_inwards(const Stm& loop, const NameSet& needed, Names& names,
                                             const Surroundings& around) {
  std::vector<Atom> widths;
  note_widths(std::get<Loop>(loop.exp).body, widths);
  for (const Atom& width : widths)
    if (auto stms = Columns(width, names, around).run(loop, needed)) return stms;
  return std::nullopt;
}

}  // namespace boustro::parallel
