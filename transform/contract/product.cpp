#include "transform/contract/product.hpp"

#include <algorithm>
#include <memory>

#include "transform/ir/scalar.hpp"

namespace boustro::contract {

using namespace ir;

namespace {

/// What maps and reductions have in common.
struct Traversed {
  const Atom& width;
  const Lambda& fn;
  const std::vector<Name>& arrays;
  std::size_t accumulators;
};

std::optional<Traversed> traversed(const Exp& exp) {
  if (const auto* e = std::get_if<Map>(&exp)) return Traversed{e->width, e->fn, e->arrays, e->accumulators.size()};
  if (const auto* e = std::get_if<MapReduce>(&exp)) return Traversed{e->width, e->fn, e->arrays, e->accumulators.size()};
  return std::nullopt;
}

bool is_addition_of_floats(const Lambda& op) {
  return op.result_types.size() == 1 && op.result_types[0].is_scalar() && values::is_float(op.result_types[0].elem) &&
         as_binop(op) == BinOpKind::add;
}

bool is_zero(const Stm& stm) {
  const auto* e = std::get_if<Replicate>(&stm.exp);
  const PrimValue* value = e ? literal_in(e->value) : nullptr;
  return value && value->is_zero();
}

/// How many of the results of a reduction without accumulators are what its operators come to.
std::size_t operands(const MapReduce& e) {
  std::size_t count = 0;
  for (const Operator& op : e.operators) count += op.neutral.size();
  return count;
}

/// The only statement that adds to an accumulator, if there is just one.
const Stm* only_addition(const Body& body) {
  const Stm* found = nullptr;
  for (const Stm& stm : body.stms) {
    const bool adds = std::any_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& p) { return p.type.accumulator; });
    if (!adds) continue;
    if (found) return nullptr;
    found = &stm;
  }
  return found;
}

Product times(Product x, const Product& y) {
  x.coefficient = *apply(BinOpKind::mul, x.coefficient, y.coefficient);
  x.factors.insert(x.factors.end(), y.factors.begin(), y.factors.end());
  x.sums.insert(x.sums.end(), y.sums.begin(), y.sums.end());
  return x;
}

PrimValue one(PrimType type) { return PrimValue::of_float(type, 1.0); }

}  // namespace

bool Factor::mentions(const Name& index) const { return std::find(at.begin(), at.end(), Atom(index)) != at.end(); }

// ---- Where names come from -----------------------------------------------------------------------

void Scope::outside(const std::vector<Stm>& stms) {
  for (const Stm& stm : stms) {
    if (const auto* iota = std::get_if<Iota>(&stm.exp)) iotas_.emplace(stm.pattern[0].name, iota->width);
  }
}

void Scope::around(const Body& body) {
  outside(body.stms);
  bind(body.stms, 0);
}

void Scope::enter(const Lambda& fn, std::size_t first, const std::vector<Name>& arrays, const Dim& dim) {
  bind(fn, first, arrays, dim.index, levels_++);
}

void Scope::bind(const Lambda& fn, std::size_t first, const std::vector<Name>& arrays, const Atom& index, int level) {
  for (const Param& param : fn.params) bindings_[param.name] = {level, nullptr, 0, std::nullopt};
  for (std::size_t i = 0; i < arrays.size(); ++i) bindings_[fn.params[first + i].name].element = Element{arrays[i], {index}};
  outside(fn.body.stms);
  bind(fn.body.stms, level);
}

void Scope::bind(std::span<const Stm> stms, int level) {
  for (const Stm& stm : stms) {
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) bindings_[stm.pattern[i].name] = {level, &stm, i, std::nullopt};
  }
}

/// A copy, since another element of the same array may be looked at, too.
const Lambda& Scope::look_into(const Lambda& fn, std::size_t first, const std::vector<Name>& arrays, const Atom& index) {
  copies_.push_back(std::make_unique<Lambda>(rename(fn, names_)));
  bind(*copies_.back(), first, arrays, index, inside);
  return *copies_.back();
}

std::optional<Name> Scope::index_in(const Atom& atom) const {
  const Name* name = name_in(atom);
  const auto found = name ? bindings_.find(*name) : bindings_.end();
  if (found == bindings_.end()) return name ? std::optional(*name) : std::nullopt;
  const auto& element = found->second.element;
  if (!element || element->at.size() != 1 || !iotas_.contains(element->array)) return std::nullopt;
  const Name* index = name_in(element->at[0]);
  return index ? std::optional(*index) : std::nullopt;
}

std::optional<int> Scope::level_of(const Name& name) const {
  const auto found = bindings_.find(name);
  return found == bindings_.end() || found->second.level == before ? std::nullopt : std::optional(found->second.level);
}

// ---- Scalars -------------------------------------------------------------------------------------

std::optional<Product> Scope::product(const Atom& atom, const Name& varying) {
  varying_ = varying;
  return scalar(atom);
}

/// The indices in terms of dims and names from outside; nothing if one of them is none of these.
std::optional<std::vector<Atom>> Scope::known(std::vector<Atom> at) const {
  for (Atom& index : at) {
    if (const auto dim = index_in(index)) index = *dim;
    const Name* name = name_in(index);
    if (name && level_of(*name)) return std::nullopt;
  }
  return at;
}

Scope::Maybe Scope::leaf(const Name& array, const std::vector<Atom>& at) const {
  const PrimType type = names_.type_of(array).elem;
  if (level_of(array) == inside || !values::is_float(type)) return std::nullopt;
  auto indices = known(at);
  return indices ? Maybe(Product{one(type), {{array, std::move(*indices)}}, {}}) : std::nullopt;
}

Scope::Maybe Scope::leaf_or(const Name& array, const std::vector<Atom>& at, Maybe other) const {
  auto itself = leaf(array, at);
  return itself ? itself : other;
}

/// A product that holds factors which do not vary, the element of an array that an outer level knows, or a multiple of one factor, whose
/// coefficient can wait until the sum is known; others are at hand as they are.
bool Scope::is_better_than_its_name(const Binding& binding, const Maybe& product) const {
  if (!product) return false;
  const bool is_multiple = product->factors.size() == 1 && product->sums.empty() && product->coefficient != one(product->coefficient.type);
  return is_multiple || (binding.element && binding.level > 0) ||
         std::any_of(product->factors.begin(), product->factors.end(), [&](const Factor& factor) {
           return !level_of(factor.array) && !factor.mentions(*varying_) && !factor.at.empty();
         });
}

Scope::Maybe Scope::scalar(const Atom& atom) {
  if (const PrimValue* literal = literal_in(atom)) {
    return values::is_float(literal->type) ? Maybe({*literal, {}, {}}) : std::nullopt;
  }
  const Name name = *name_in(atom);
  const auto found = bindings_.find(name);
  if (found == bindings_.end()) return leaf(name, {});
  const Binding binding = found->second;
  auto result = binding.element ? element(binding.element->array, binding.element->at) : defined(binding);
  return is_better_than_its_name(binding, result) ? result : leaf_or(name, {}, std::move(result));
}

Scope::Maybe Scope::defined(const Binding& binding) {
  if (!binding.stm) return std::nullopt;
  const auto operand_of_sum = [&](const MapReduce& e) -> Maybe {
    const std::size_t operand = binding.result - e.accumulators.size();
    const bool each_has_one = std::all_of(e.operators.begin(), e.operators.end(), [](const Operator& op) { return op.neutral.size() == 1; });
    if (!e.accumulators.empty() || !each_has_one || operand >= e.operators.size()) return std::nullopt;
    return sum_of(e.width, e.operators[operand].op, e.operators[operand].neutral[0], &e.fn, operand, e.arrays);
  };
  return match(
      binding.stm->exp,  //
      [&](const AtomExp& e) { return scalar(e.atom); },
      [&](const UnOp& e) -> Maybe {
        auto x = e.kind == UnOpKind::neg ? scalar(e.operand) : std::nullopt;
        if (x) x->coefficient = *apply(UnOpKind::neg, x->coefficient);
        return x;
      },
      [&](const BinOp& e) -> Maybe {
        if (!values::is_float(e.type)) return std::nullopt;
        const bool doubled = e.kind == BinOpKind::add && e.lhs == e.rhs;
        if (e.kind != BinOpKind::mul && !doubled) return std::nullopt;
        const auto x = scalar(e.lhs);
        const auto y = doubled ? Maybe({PrimValue::of_float(e.type, 2.0), {}, {}}) : scalar(e.rhs);
        return x && y ? Maybe(times(*x, *y)) : std::nullopt;
      },
      [&](const Index& e) -> Maybe {
        std::vector<Atom> at;
        for (const DimIndex& index : e.indices) {
          if (!std::holds_alternative<Atom>(index)) return std::nullopt;
          at.push_back(std::get<Atom>(index));
        }
        return e.checked ? std::nullopt : element(e.array, at);
      },
      [&](const Reduce& e) -> Maybe {
        return e.arrays.size() == 1 ? sum_of(e.width, e.op, e.neutral[0], nullptr, 0, e.arrays) : std::nullopt;
      },
      operand_of_sum, [&](const auto&) { return Maybe(); });
}

/// The sum of the arrays' elements, or of what `fn` makes of them.
Scope::Maybe Scope::sum_of(const Atom& width, const Lambda& op, const Atom& neutral, const Lambda* fn, std::size_t operand,
                           const std::vector<Name>& arrays) {
  const PrimValue* start = literal_in(neutral);
  if (!is_addition_of_floats(op) || !start || !start->is_zero()) return std::nullopt;
  const Dim dim{names_.fresh("e"), width};
  auto result = fn ? scalar(look_into(*fn, 0, arrays, dim.index).body.result[operand]) : element(arrays[0], {dim.index});
  if (result) result->sums.push_back(dim);
  return result;
}

// ---- Elements of arrays --------------------------------------------------------------------------

Scope::Maybe Scope::element(const Name& array, const std::vector<Atom>& at) {
  const auto found = bindings_.find(array);
  if (found == bindings_.end()) return leaf(array, at);
  const Binding binding = found->second;
  Maybe result;
  if (binding.element) {
    std::vector<Atom> all = binding.element->at;
    all.insert(all.end(), at.begin(), at.end());
    result = element(binding.element->array, all);
  } else if (binding.stm) {
    result = element_of(binding.stm->exp, binding.result, at);
  }
  return is_better_than_its_name(binding, result) ? result : leaf_or(array, at, std::move(result));
}

Scope::Maybe Scope::element_of(const Exp& exp, std::size_t result, const std::vector<Atom>& at) {
  return match(
      exp,  //
      [&](const Map& e) -> Maybe {
        return e.accumulators.empty() ? mapped(e.fn, result, e.arrays, at) : std::nullopt;
      },
      [&](const MapReduce& e) -> Maybe {
        return e.accumulators.empty() && result >= operands(e) ? mapped(e.fn, result, e.arrays, at) : std::nullopt;
      },
      [&](const Replicate& e) -> Maybe {
        if (e.shape.size() == at.size()) return scalar(e.value);
        const Name* row = name_in(e.value);
        return row && e.shape.size() < at.size()
                   ? element(*row, {at.begin() + static_cast<std::ptrdiff_t>(e.shape.size()), at.end()})
                   : std::nullopt;
      },
      [&](const Rearrange& e) -> Maybe {
        if (e.permutation.size() != at.size()) return std::nullopt;
        std::vector<Atom> before(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) before[static_cast<std::size_t>(e.permutation[i])] = at[i];
        return element(e.array, before);
      },
      [&](const Index& e) -> Maybe {
        std::vector<Atom> all;
        for (const DimIndex& index : e.indices) {
          if (!std::holds_alternative<Atom>(index)) return std::nullopt;
          all.push_back(std::get<Atom>(index));
        }
        all.insert(all.end(), at.begin(), at.end());
        return e.checked ? std::nullopt : element(e.array, all);
      },
      [&](const WithAcc& e) { return accumulated(e, result, at); }, [&](const auto&) { return Maybe(); });
}

Scope::Maybe Scope::mapped(const Lambda& fn, std::size_t result, const std::vector<Name>& arrays, const std::vector<Atom>& at) {
  const Atom value = look_into(fn, 0, arrays, at[0]).body.result[result];
  const Name* row = name_in(value);
  if (at.size() == 1) return scalar(value);
  return row ? element(*row, {at.begin() + 1, at.end()}) : std::nullopt;
}

/// with_acc zeros (\acc -> map over t: map over s: acc[s] += v): the cell s is the sum over t of v.
Scope::Maybe Scope::accumulated(const WithAcc& e, std::size_t result, const std::vector<Atom>& at) {
  if (e.inputs.size() != 1 || result != 0 || !std::holds_alternative<AddUp>(e.inputs[0].kind)) return std::nullopt;
  const auto start = bindings_.find(e.inputs[0].destination);
  if (start == bindings_.end() || !start->second.stm || !is_zero(*start->second.stm)) return std::nullopt;

  std::vector<Dim> dims;
  const Stm* added = only_addition(look_into(e.fn, 0, {}, Atom()).body);
  while (added && !std::holds_alternative<UpdateAcc>(added->exp)) {
    const auto map = traversed(added->exp);
    if (!map || map->accumulators != 1) return std::nullopt;
    dims.push_back({names_.fresh("e"), map->width});
    bind(map->fn, 1, map->arrays, dims.back().index, inside);
    added = only_addition(map->fn.body);
  }
  const auto* update = added ? std::get_if<UpdateAcc>(&added->exp) : nullptr;
  if (!update || !update->in_bounds || update->indices.size() != at.size()) return std::nullopt;
  auto cell = scalar(update->value);
  const auto wanted = known(at);
  if (!cell || !wanted) return std::nullopt;

  const Shape& shape = names_.type_of(e.inputs[0].destination).shape;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto index = index_in(update->indices[i]);
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const Dim& d) { return d.index == index; });
    if (dim == dims.end() || dim->extent != shape[i]) return std::nullopt;
    for (Factor& factor : cell->factors) std::replace(factor.at.begin(), factor.at.end(), Atom(dim->index), (*wanted)[i]);
    dims.erase(dim);
  }
  cell->sums.insert(cell->sums.end(), dims.begin(), dims.end());
  return cell;
}

}  // namespace boustro::contract
