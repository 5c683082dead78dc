#include "transform/parallel/inwards/starts.hpp"

#include <algorithm>
#include <set>

#include "transform/facts/polynomial.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class Overwritten {
 public:
  Overwritten(const Loop& loop, facts::Sizes sizes) : sizes_(std::move(sizes)), form_(std::get<ForLoop>(loop.form)), body_(loop.body) {
    sizes_.declare_index(form_.index, form_.bound);
    for (const Stm& stm : loop.body.stms) sizes_.define(stm);
  }

  bool operator()(const std::vector<std::size_t>& places, const Shape& shape) const {
    std::vector<const Update*> updates;
    for (const std::size_t k : places) updates.push_back(&std::get<Update>(body_.stms[k].exp));
    const auto& first = updates[0]->indices;
    for (std::size_t d = 0; d < first.size(); ++d)
      if (runs_through(first[d], shape[d])) return cover_others(updates, shape, d);
    return false;
  }

 private:
  /// i or n - 1 - i, for all i < n.
  bool runs_through(const DimIndex& index, const Atom& size) const {
    const auto* atom = std::get_if<Atom>(&index);
    if (!atom || !sizes_.equal(size, form_.bound)) return false;
    const facts::Polynomial i = sizes_.value(form_.index), here = sizes_.value(*atom);
    return here == i || here == sizes_.value(form_.bound) - facts::Polynomial(1) - i;
  }

  bool cover_others(const std::vector<const Update*>& updates, const Shape& shape, std::size_t d) const {
    const std::size_t count = updates[0]->indices.size();
    std::set<std::vector<std::int64_t>> cells;
    for (const Update* update : updates) {
      std::vector<std::int64_t> cell;
      if (update->indices.size() != count || update->indices[d] != updates[0]->indices[d]) return false;
      for (std::size_t k = 0; k < count; ++k) {
        if (k == d) continue;
        const auto* atom = std::get_if<Atom>(&update->indices[k]);
        const PrimValue* number = atom ? literal_in(*atom) : nullptr;
        if (!number) return false;
        cell.push_back(number->as_int());
      }
      cells.insert(std::move(cell));
    }
    std::size_t all = 1;
    for (std::size_t k = 0; k < count; ++k) {
      if (k == d) continue;
      const PrimValue* size = literal_in(shape[k]);
      if (!size) return false;
      all *= static_cast<std::size_t>(size->as_int());
    }
    return cells.size() == all;
  }

  facts::Sizes sizes_;
  const ForLoop& form_;
  const Body& body_;
};

}  // namespace

std::optional<std::vector<std::size_t>> updates_alone(const Loop& loop, std::size_t param) {
  std::vector<std::size_t> updates;
  Name array = loop.params[param].param.name;
  for (std::size_t k = 0; k < loop.body.stms.size(); ++k) {
    const Stm& stm = loop.body.stms[k];
    if (!free_names(stm.exp).contains(array)) continue;
    const auto* update = std::get_if<Update>(&stm.exp);
    if (!update || update->array != array || update->value == Atom(array)) return std::nullopt;
    updates.push_back(k);
    array = stm.pattern[0].name;
  }
  const auto& result = loop.body.result;
  const bool is_next = result[param] == Atom(array) && std::count(result.begin(), result.end(), Atom(array)) == 1;
  return is_next && !updates.empty() ? std::optional(updates) : std::nullopt;
}

std::vector<Stm> start_undefined(Stm& stm, Names& names, const facts::Sizes& sizes, const facts::Sizes& numbers) {
  auto& loop = std::get<Loop>(stm.exp);
  const auto* form = std::get_if<ForLoop>(&loop.form);
  if (!form || form->type != PrimType::i64) return {};
  const Overwritten overwrites(loop, sizes);
  Builder before(names, stm.origin);
  for (std::size_t i = 0; i < loop.params.size(); ++i) {
    LoopParam& p = loop.params[i];
    if (!p.param.unique || p.param.type.accumulator || p.param.type.is_scalar()) continue;
    const auto updates = updates_alone(loop, i);
    if (!updates || !overwrites(*updates, p.param.type.shape)) continue;
    for (const Atom& size : p.param.type.shape) {
      if (numbers.not_negative(numbers.value(size))) continue;
      before.assert_that(before.cmp("is_size", CmpOpKind::le, int_atom(0), size), "negative array size {}", {size});  // as who made the array did
    }
    p.init = before.let(p.param.name.base, Scratch{p.param.type.elem, p.param.type.shape});
  }
  return std::move(before.stms);
}

}  // namespace boustro::parallel
