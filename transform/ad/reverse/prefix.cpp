#include "transform/ad/reverse/prefix.hpp"

#include <algorithm>

namespace boustro::ad {

using namespace ir;

std::vector<Name> shifted(Builder& builder, const Atom& width, const std::vector<Atom>& first,
                          const std::vector<Name>& arrays) {
  const Name positions = builder.let("positions", Iota{width});
  const Lambda fn =
      builder.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
        const Atom is_first = b.cmp("is_first", CmpOpKind::eq, p[0], int_atom(0));
        Builder other(b.names, b.origin);
        const Atom previous = other.binop("previous", BinOpKind::sub, p[0], int_atom(1));
        std::vector<Atom> values;
        std::vector<std::string> bases;
        for (const Name& array : arrays) {
          values.push_back(other.index(array.base, array, {previous}));
          bases.push_back(array.base);
        }
        const auto result =
            b.let_all(bases, If{is_first, {{}, first}, {std::move(other.stms), values}});
        return std::vector<Atom>(result.begin(), result.end());
      });
  std::vector<std::string> bases;
  for (const Name& array : arrays) bases.push_back(array.base);
  return builder.let_all(bases, Map{width, fn, {positions}, {}});
}

namespace {

/// The elements and the operator from the other end.
Factors backwards(Builder& b, const Factors& factors) {
  Factors result = factors;
  for (Name& array : result.arrays) array = reversed(b, array);
  result.op = rename(factors.op, b.names);
  std::rotate(result.op.params.begin(),
              result.op.params.begin() + static_cast<std::ptrdiff_t>(factors.arrays.size()),
              result.op.params.end());
  return result;
}

std::vector<Name> reversed_each(Builder& b, std::vector<Name> arrays) {
  for (Name& array : arrays) array = reversed(b, array);
  return arrays;
}

/// For each i, whether its key differs from the one before.
Name segment_starts(Builder& b, const Atom& width, const Keys& key_at) {
  const Lambda fn =
      b.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& p) {
        const Atom is_first = inner.cmp("is_first", CmpOpKind::eq, p[0], int_atom(0));
        Builder other(b.names, b.origin);
        const Atom previous = other.binop("previous", BinOpKind::sub, p[0], int_atom(1));
        const Atom differs = other.cmp("differs", CmpOpKind::ne, key_at(other, p[0]), key_at(other, previous));
        return std::vector<Atom>{inner.let(
            "starts",
            If{is_first, {{}, {PrimValue::of_bool(true)}}, {std::move(other.stms), {differs}}})};
      });
  return b.let("starts", Map{width, fn, {b.let("positions", Iota{width})}, {}});
}

/// `\f1 x f2 y -> (f1 || f2, if f2 then y else x * y)`
Lambda segmented(Builder& b, const Factors& factors) {
  const std::size_t width = factors.arrays.size();
  std::vector<std::pair<std::string, Type>> params;
  for (int side = 0; side < 2; ++side) {
    params.emplace_back("starts", scalar(PrimType::boolean));
    for (const Name& array : factors.arrays)
      params.emplace_back(array.base, row_type(b.names.type_of(array)));
  }
  Lambda op = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    const std::vector<Name> x(p.begin() + 1, p.begin() + 1 + static_cast<std::ptrdiff_t>(width));
    const std::vector<Atom> y(p.begin() + 2 + static_cast<std::ptrdiff_t>(width), p.end());
    std::vector<Atom> operands(x.begin(), x.end());
    operands.insert(operands.end(), y.begin(), y.end());
    const Name& second_starts = p[1 + width];
    std::vector<Atom> results{inner.binop("starts", BinOpKind::bit_or, p[0], second_starts)};
    Builder inside(b.names, b.origin);
    std::vector<Atom> products = inline_lambda(inside, factors.op, operands);
    std::vector<std::string> bases;
    for (std::size_t i = 0; i < width; ++i) {
      products[i] = coerced(inside, products[i], params[1 + i].second);
      bases.push_back(x[i].base);
    }
    for (const Name& value :
         inner.let_all(bases, If{second_starts, {{}, y}, {std::move(inside.stms), products}}))
      results.emplace_back(value);
    return results;
  });
  for (std::size_t i = 0; i < width; ++i) op.result_types[1 + i] = params[1 + i].second;
  return op;
}

std::vector<Name> products_named(const std::string& base, Builder& b, const Factors& factors) {
  const auto products = b.let_all({base}, Scan{factors.width, rename(factors.op, b.names), factors.neutral, factors.arrays});
  return shifted(b, factors.width, factors.neutral, products);
}

std::vector<Name> products_named(const std::string& base, Builder& b, const Factors& factors, const Keys& key_at) {
  std::vector<Atom> neutral{PrimValue::of_bool(false)};
  neutral.insert(neutral.end(), factors.neutral.begin(), factors.neutral.end());
  std::vector<Name> inputs{segment_starts(b, factors.width, key_at)};
  inputs.insert(inputs.end(), factors.arrays.begin(), factors.arrays.end());
  const auto products = b.let_all({base}, Scan{factors.width, segmented(b, factors), neutral, inputs});
  return shifted(b, factors.width, factors.neutral, {products.begin() + 1, products.end()});
}

}  // namespace

std::vector<Name> products_before(Builder& b, const Factors& factors) { return products_named("before", b, factors); }

std::vector<Name> products_after(Builder& b, const Factors& factors) {
  return reversed_each(b, products_named("behind", b, backwards(b, factors)));
}

std::vector<Name> products_before(Builder& b, const Factors& factors, const Keys& key_at) { return products_named("before", b, factors, key_at); }

std::vector<Name> products_after(Builder& b, const Factors& factors, const Keys& key_at) {
  const Atom last = b.binop("last", BinOpKind::sub, factors.width, int_atom(1));
  const Keys backwards_at = [&](Builder& inner, const Atom& place) { return key_at(inner, inner.binop("from_end", BinOpKind::sub, last, place)); };
  return reversed_each(b, products_named("behind", b, backwards(b, factors), backwards_at));
}

}  // namespace boustro::ad
