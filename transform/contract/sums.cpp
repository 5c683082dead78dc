#include "transform/contract/sums.hpp"

#include <algorithm>

#include "transform/ir/scalar.hpp"
#include "transform/ir/words.hpp"

namespace boustro::contract {

using namespace ir;

namespace {

/// Which names stand for the indices of dims at the place that is being built.
using Indices = std::unordered_map<Name, Atom>;

/// map (\i -> map (\j -> fill) (iota m)) (iota n)
template <typename Fill>
Atom over(Builder& builder, std::string_view base, const std::vector<Dim>& cells, std::size_t from, Indices& indices, Fill&& fill) {
  if (from == cells.size()) return fill(builder, indices);
  const Name iota = builder.let("is", Iota{cells[from].extent});
  const Lambda fn = builder.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& p) {
    indices[cells[from].index] = p[0];
    return std::vector<Atom>{over(inner, base, cells, from + 1, indices, fill)};
  });
  return builder.let(base, Map{cells[from].extent, fn, {iota}, {}});
}

Atom product_of(Builder& builder, const std::vector<Factor>& factors, const Indices& indices, PrimType type) {
  std::optional<Atom> product;
  for (const Factor& factor : factors) {
    std::vector<Atom> at = factor.at;
    for (Atom& index : at) {
      const Name* name = name_in(index);
      if (const auto found = name ? indices.find(*name) : indices.end(); found != indices.end()) index = found->second;
    }
    const Atom value = at.empty() ? Atom(factor.array) : Atom(builder.index(element_of(factor.array.base), factor.array, at));
    product = product ? builder.binop("product", BinOpKind::mul, *product, value) : value;
  }
  return product ? *product : Atom(PrimValue::of_float(type, 1.0));
}

/// The sum over the dim of what the factors come to.
Atom sum_over(Builder& builder, const Dim& dim, const std::vector<Factor>& factors, Indices indices, PrimType type) {
  const Name iota = builder.let("is", Iota{dim.extent});
  const Lambda fn = builder.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& p) {
    indices[dim.index] = p[0];
    return std::vector<Atom>{product_of(inner, factors, indices, type)};
  });
  const Lambda add = builder.lambda({{"x", scalar(type)}, {"y", scalar(type)}}, [](Builder& inner, const std::vector<Name>& p) {
    return std::vector<Atom>{inner.binop("sum", BinOpKind::add, p[0], p[1])};
  });
  return builder.let("total", MapReduce{dim.extent, {{add, {PrimValue::zero(type)}, true}}, fn, {iota}, {}});
}

/// The factors that vary with the dim, and the others.
std::pair<std::vector<Factor>, std::vector<Factor>> divide(const std::vector<Factor>& factors, const Dim& dim) {
  std::pair<std::vector<Factor>, std::vector<Factor>> result;
  for (const Factor& factor : factors) (factor.mentions(dim.index) ? result.first : result.second).push_back(factor);
  return result;
}

}  // namespace

std::vector<Dim> dims_of(const std::vector<Factor>& factors, const std::vector<Dim>& dims) {
  std::vector<Dim> result;
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(result), [&](const Dim& dim) {
    return std::any_of(factors.begin(), factors.end(), [&](const Factor& factor) { return factor.mentions(dim.index); });
  });
  return result;
}

Name add_products(Builder& builder, std::string_view base, const std::optional<Name>& addend, Product product,
                  const std::vector<Dim>& cells) {
  const PrimType type = product.coefficient.type;
  std::vector<Dim> all = product.sums;
  all.insert(all.begin(), cells.begin(), cells.end());
  const auto work = [&](const Dim& dim) { return dims_of(divide(product.factors, dim).first, all).size(); };
  Indices indices;
  while (product.sums.size() > 1) {
    const auto next = std::min_element(product.sums.begin(), product.sums.end(),
                                       [&](const Dim& x, const Dim& y) { return work(x) < work(y); });
    const Dim dim = *next;
    auto [with, without] = divide(product.factors, dim);
    std::vector<Dim> kept = dims_of(with, all);
    std::erase_if(kept, [&](const Dim& d) { return d.index == dim.index; });
    const Atom partial = over(builder, base, kept, 0, indices,
                              [&](Builder& b, Indices& at) { return sum_over(b, dim, with, at, type); });
    Factor factor{*name_in(partial), {}};
    for (const Dim& d : kept) factor.at.push_back(d.index);
    without.push_back(factor);
    product.factors = std::move(without);
    product.sums.erase(next);
  }
  const Atom result = over(builder, base, cells, 0, indices, [&](Builder& b, Indices& at) -> Atom {
    const auto [with, without] = product.sums.empty() ? std::pair(std::vector<Factor>(), product.factors)
                                                      : divide(product.factors, product.sums[0]);
    std::vector<Atom> cell;
    for (const Dim& dim : cells) cell.push_back(at.at(dim.index));
    Atom value = product_of(b, without, at, type);
    if (!product.sums.empty()) value = b.binop("product", BinOpKind::mul, value, sum_over(b, product.sums[0], with, at, type));
    // c + -2 * x is c - 2 * x, and 0 - 2 * x has no negative zero.
    const bool subtracts = product.coefficient.as_float() < 0;
    const PrimValue factor = subtracts ? *apply(UnOpKind::neg, product.coefficient) : product.coefficient;
    value = b.binop("term", BinOpKind::mul, factor, value);
    if (!addend && !subtracts) return value;
    const Atom old = addend ? Atom(b.index("old", *addend, cell)) : Atom(PrimValue::zero(type));
    return b.binop("sum", subtracts ? BinOpKind::sub : BinOpKind::add, old, value);
  });
  return *name_in(result);
}

}  // namespace boustro::contract
