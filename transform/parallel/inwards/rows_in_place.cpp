#include "transform/parallel/inwards/rows_in_place.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/inwards/starts.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class RowsInPlace {
 public:
  RowsInPlace(Body& body, Names& names, const facts::Aliases& aliases) : body_(body), names_(names), aliases_(aliases) {}

  void run() {
    for (std::size_t at = 0; at < body_.stms.size(); ++at) {
      if (!std::holds_alternative<Loop>(body_.stms[at].exp)) continue;
      for (std::size_t i = 0; i < body_.stms[at].pattern.size(); ++i) fill(at, i);
    }
  }

 private:
  /// Parameter number `i` of the loop that is statement number `at`.
  void fill(std::size_t at, std::size_t i) {
    Stm& stm = body_.stms[at];
    auto& loop = std::get<Loop>(stm.exp);
    if (!starts_undefined(loop.params[i], at)) return;
    const auto updates = updates_alone(loop, i);
    const auto stored = only_use(stm.pattern[i].name, at);
    if (!updates || !stored) return;
    const Stm last = body_.stms[*stored];
    const auto& store = std::get<Update>(last.exp);
    if (store.checked || !is_known(store, at) || is_used(store.array, at, *stored)) return;
    const Type& type = last.pattern[0].type;
    for (const std::size_t k : *updates) {
      auto& indices = std::get<Update>(loop.body.stms[k].exp).indices;
      indices.insert(indices.begin(), store.indices.begin(), store.indices.end());
      retype(loop.body.stms[k].pattern[0], type);
    }
    retype(loop.params[i].param, type);
    loop.params[i].init = store.array;
    stm.pattern[i] = last.pattern[0];
    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(*stored));
  }

  bool starts_undefined(const LoopParam& p, std::size_t end) const {
    return p.param.unique && std::any_of(body_.stms.begin(), body_.stms.begin() + static_cast<std::ptrdiff_t>(end), [&](const Stm& stm) {
             return std::holds_alternative<Scratch>(stm.exp) && p.init == Atom(stm.pattern[0].name);
           });
  }

  /// The update of a part of another array that alone uses the row.
  std::optional<std::size_t> only_use(const Name& row, std::size_t from) const {
    std::optional<std::size_t> use;
    for (std::size_t k = from + 1; k < body_.stms.size(); ++k) {
      if (!free_names(body_.stms[k]).contains(row)) continue;
      const auto* update = std::get_if<Update>(&body_.stms[k].exp);
      if (use || !update || update->value != Atom(row) || update->array == row) return std::nullopt;
      use = k;
    }
    const bool is_result = std::find(body_.result.begin(), body_.result.end(), Atom(row)) != body_.result.end();
    return is_result ? std::nullopt : use;
  }

  bool is_used(const Name& array, std::size_t from, std::size_t to) const {
    for (std::size_t k = from; k < to; ++k)
      for (const Name& name : free_names(body_.stms[k].exp))
        if (!names_.type_of(name).is_scalar() && aliases_.may_alias(name, array)) return true;
    return false;
  }

  /// The array, and where the row is in it, before the loop.
  bool is_known(const Update& store, std::size_t at) const {
    NameSet later;
    for (std::size_t k = at; k < body_.stms.size(); ++k)
      for (const Param& param : body_.stms[k].pattern) later.insert(param.name);
    return !later.contains(store.array) && std::all_of(store.indices.begin(), store.indices.end(), [&](const DimIndex& index) {
      const auto* atom = std::get_if<Atom>(&index);
      const Name* name = atom ? name_in(*atom) : nullptr;
      return atom && (!name || !later.contains(*name));
    });
  }

  void retype(Param& param, const Type& type) {
    param.type = type;
    names_.bind(param.name, type);
  }

  Body& body_;
  Names& names_;
  const facts::Aliases& aliases_;
};

}  // namespace

void fill_rows_in_place(Body& body, Names& names, const facts::Aliases& aliases) {
  for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { fill_rows_in_place(inner, names, aliases); });
  RowsInPlace(body, names, aliases).run();
}

}  // namespace boustro::parallel
