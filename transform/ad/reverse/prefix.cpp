#include "transform/ad/reverse/prefix.hpp"

#include <algorithm>

namespace boustro::ad {

using namespace ir;

std::vector<Name> shifted(Builder& builder, const Atom& width, const std::vector<Atom>& first,
                          const std::vector<Name>& arrays) {
  const Name positions = builder.let("positions", Iota{width});
  const Lambda fn = builder.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
    const Atom is_first = b.cmp("is_first", CmpOpKind::eq, p[0], int_atom(0));
    Builder other(b.names, b.origin);
    const Atom previous = other.binop("previous", BinOpKind::sub, p[0], int_atom(1));
    std::vector<Atom> values;
    std::vector<std::string> bases;
    for (const Name& array : arrays) {
      values.push_back(other.index(array.base, array, {previous}));
      bases.push_back(array.base);
    }
    const auto result = b.let_all(bases, If{is_first, {{}, first}, {std::move(other.stms), values}});
    return std::vector<Atom>(result.begin(), result.end());
  });
  std::vector<std::string> bases;
  for (const Name& array : arrays) bases.push_back(array.base);
  return builder.let_all(bases, Map{width, fn, {positions}, {}});
}

std::vector<Name> products_before(Builder& builder, const Reduce& reduce) {
  const auto products = builder.let_all(
      {"before"}, Scan{reduce.width, rename(reduce.op, builder.names), reduce.neutral, reduce.arrays});
  return shifted(builder, reduce.width, reduce.neutral, products);
}

std::vector<Name> products_after(Builder& builder, const Reduce& reduce) {
  std::vector<Name> backwards;
  for (const Name& array : reduce.arrays) backwards.push_back(reversed(builder, array));
  Lambda flipped = rename(reduce.op, builder.names);
  std::rotate(flipped.params.begin(),
              flipped.params.begin() + static_cast<std::ptrdiff_t>(reduce.arrays.size()),
              flipped.params.end());
  const auto products =
      builder.let_all({"after"}, Scan{reduce.width, std::move(flipped), reduce.neutral, backwards});
  std::vector<Name> result;
  for (const Name& array : shifted(builder, reduce.width, reduce.neutral, products))
    result.push_back(reversed(builder, array));
  return result;
}

}  // namespace boustro::ad
