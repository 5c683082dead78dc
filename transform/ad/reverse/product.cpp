#include "transform/ad/reverse/product.hpp"

namespace boustro::ad {

using namespace ir;

std::pair<Name, Name> split_zeros(Builder& builder, const Name& array) {
  const Type type = builder.names.type_of(array);
  const PrimType elem = type.elem;
  const Lambda fn = builder.lambda({{"x", row_type(type)}}, [&](Builder& b, const std::vector<Name>& p) {
    const Atom is_zero = b.cmp("is_zero", CmpOpKind::eq, p[0], PrimValue::zero(elem));
    const auto parts = b.let_all({"nonzero", "zero_count"},
                                 If{is_zero, {{}, {PrimValue::one(elem), int_atom(1)}}, {{}, {p[0], int_atom(0)}}});
    return std::vector<Atom>{parts[0], parts[1]};
  });
  const auto parts = builder.let_all({"nonzeros", "zero_counts"}, Map{type.shape.at(0), fn, {array}, {}});
  return {parts[0], parts[1]};
}

Atom product_of_parts(Builder& b, const Atom& product, const Atom& zero_count) {
  const Atom none = b.cmp("none_zero", CmpOpKind::eq, zero_count, int_atom(0));
  return value_or_zero(b, "product", none, b.names.type_of(product), [&](Builder&) { return product; });
}

Atom product_of_others(Builder& b, const Atom& product, const Atom& zero_count, const Atom& x) {
  const Type type = b.names.type_of(product);
  const Atom is_zero = b.cmp("is_zero", CmpOpKind::eq, x, PrimValue::zero(type.elem));
  Builder zero_case(b.names, b.origin), other_case(b.names, b.origin);
  const Atom only = zero_case.cmp("only_zero", CmpOpKind::eq, zero_count, int_atom(1));
  const Atom without_zero = value_or_zero(zero_case, "others", only, type, [&](Builder&) { return product; });
  const Atom none = other_case.cmp("none_zero", CmpOpKind::eq, zero_count, int_atom(0));
  const Atom without_x = value_or_zero(other_case, "others", none, type, [&](Builder& inner) {
    return inner.binop("others", BinOpKind::div, product, x);
  });
  return b.let("others", If{is_zero,
                            {std::move(zero_case.stms), {without_zero}},
                            {std::move(other_case.stms), {without_x}}});
}

}  // namespace boustro::ad
