#include "transform/parallel/flatten/views_behind.hpp"

#include <algorithm>

#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

void note_sizes(const Shape& shape, NameSet& sizes) {
  for (const Atom& size : shape)
    if (const Name* name = name_in(size)) sizes.insert(*name);
}

bool all_in(const Shape& shape, const NameSet& sizes) {
  return std::all_of(shape.begin(), shape.end(), [&](const Atom& size) {
    const Name* name = name_in(size);
    return !name || sizes.contains(*name);
  });
}

/// The view of all rows at once.
Exp of_rows(const Exp& view, const Atom& width, const Name& rows) {
  if (const auto* reshape = std::get_if<Reshape>(&view)) {
    Shape shape = reshape->shape;
    shape.insert(shape.begin(), width);
    return Reshape{shape, rows};
  }
  std::vector<int> permutation{0};
  for (const int dimension : std::get<Rearrange>(view).permutation) permutation.push_back(dimension + 1);
  return Rearrange{permutation, rows};
}

class ViewsBehind {
 public:
  ViewsBehind(Stm stm, Names& names) : stm_(std::move(stm)), map_(std::get<Map>(stm_.exp)), names_(names) {
    for (const Param& param : map_.fn.params) note_sizes(param.type.shape, mapped_);
  }

  std::vector<Stm> run() {
    for (std::size_t i = map_.accumulators.size(); i < map_.fn.body.result.size(); ++i)
      if (is_made_by_a_map(map_.fn.body.result[i])) move_views_of(i);
    views_.insert(views_.begin(), std::move(stm_));
    return std::move(views_);
  }

 private:
  Stm* definition(const Atom& atom) {
    const Name* name = name_in(atom);
    const auto found = std::find_if(map_.fn.body.stms.begin(), map_.fn.body.stms.end(), [&](const Stm& stm) {
      return name && stm.pattern.size() == 1 && stm.pattern[0].name == *name;
    });
    return found == map_.fn.body.stms.end() ? nullptr : &*found;
  }

  /// Behind views that can be moved.
  bool is_made_by_a_map(const Atom& result) {
    const Stm* stm = definition(result);
    if (!stm) return false;
    if (const auto* map = std::get_if<Map>(&stm->exp)) return map->accumulators.empty() && knows_outside(stm->pattern[0].type.shape);
    return can_be_moved(*stm) && is_made_by_a_map(*viewed_operand(stm->exp));
  }

  bool can_be_moved(const Stm& view) const {
    if (uses_of(view.pattern[0].name) != 1 || !knows_outside(view.pattern[0].type.shape)) return false;
    if (std::holds_alternative<Rearrange>(view.exp)) return true;
    return std::holds_alternative<Reshape>(view.exp) && all_in(view.pattern[0].type.shape, mapped_);
  }

  bool knows_outside(const Shape& shape) const {
    const NameSet inside = bound_names(map_.fn.body.stms);
    return std::none_of(shape.begin(), shape.end(), [&](const Atom& size) {
      const Name* name = name_in(size);
      return name && inside.contains(*name);
    });
  }

  /// By statements, each counted once, and as results.
  std::ptrdiff_t uses_of(const Name& name) const {
    const Body& body = map_.fn.body;
    return std::count(body.result.begin(), body.result.end(), Atom(name)) +
           std::count_if(body.stms.begin(), body.stms.end(), [&](const Stm& stm) { return free_names(stm.exp).contains(name); });
  }

  void move_views_of(std::size_t result) {
    for (;;) {
      const Atom last = map_.fn.body.result[result];
      const Stm view = *definition(last);
      if (std::holds_alternative<Map>(view.exp)) return;
      const Name row = *viewed_operand(view.exp);
      Type type = definition(row)->pattern[0].type;
      map_.fn.body.result[result] = row;
      map_.fn.result_types[result] = type;
      std::erase_if(map_.fn.body.stms, [&](const Stm& stm) { return stm.pattern.size() == 1 && Atom(stm.pattern[0].name) == last; });
      type.shape.insert(type.shape.begin(), map_.width);
      Param& rows = stm_.pattern[result];
      const Param viewed = rows;
      rows = names_.fresh_param(rows.name.base, type);
      views_.insert(views_.begin(), {{viewed}, of_rows(view.exp, map_.width, rows.name), stm_.origin, {}});
    }
  }

  Stm stm_;
  Map& map_;
  Names& names_;
  NameSet mapped_;  // sizes of what is mapped
  std::vector<Stm> views_;
};

}  // namespace

std::vector<Stm> views_behind(Stm map, Names& names) { return ViewsBehind(std::move(map), names).run(); }

}  // namespace boustro::parallel
