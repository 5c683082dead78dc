#include "transform/ad/tensor.hpp"

#include "transform/ad/scalar.hpp"
#include "transform/ir/unnamed.hpp"

namespace boustro::ad {

using namespace ir;

Type with_seeds(Type type, const Shape& seed_shape) {
  type.shape.insert(type.shape.end(), seed_shape.begin(), seed_shape.end());
  return type;
}

Atom zeros(Builder& builder, std::string_view base, const Type& type) {
  const Atom zero = PrimValue::zero(type.elem);
  return type.is_scalar() ? zero : builder.let(base, Replicate{type.shape, zero});
}

Atom sum(Builder& builder, std::string_view base, const Atom& x, const Atom& y) {
  const Atom same_type = coerced(builder, y, builder.names.type_of(x));
  return elementwise(builder, base, {x, same_type}, [&](Builder& b, const std::vector<Atom>& v) {
    return b.binop(base, addition_of(b.names.type_of(v[0]).elem), v[0], v[1]);
  });
}

Atom sum_of_rows(Builder& builder, std::string_view base, const Name& array) {
  const Type type = builder.names.type_of(array);
  const Type row = row_type(type);
  const Atom zero = zeros(builder, "zeros", row);
  return builder.let(base, Reduce{type.shape.at(0), operator_on(builder, addition_of(type.elem), row),
                                  {zero}, {array}, true});
}

Atom coerced(Builder& builder, const Atom& atom, const Type& type) {
  const Name* name = name_in(atom);
  if (!name || type.shape.empty() || builder.names.type_of(*name).shape == type.shape) return atom;
  return builder.let(name->base, Coerce{type.shape, *name});
}

Atom fresh_copy(Builder& builder, std::string_view base, const Atom& atom) {
  if (builder.names.type_of(atom).is_scalar()) return atom;
  return builder.let(base, Copy{std::get<Name>(atom)});
}

Atom value_or_zero(Builder& builder, std::string_view base, const Atom& condition, const Type& type,
                   const std::function<Atom(Builder&)>& fill) {
  Builder then_builder(builder.names, builder.origin), else_builder(builder.names, builder.origin);
  const Atom value = coerced(then_builder, fill(then_builder), type);
  const Atom zero = zeros(else_builder, "zeros", type);
  return builder.let(base, If{condition,
                              {std::move(then_builder.stms), {value}},
                              {std::move(else_builder.stms), {zero}}});
}

Atom called(Builder& builder, const std::string& base, const Atom& value) {
  const bool is_last = !builder.stms.empty() && builder.stms.back().pattern.size() == 1 && value == Atom(builder.stms.back().pattern[0].name);
  if (!is_last || base.find('_') <= 1 || names_an_operation(base)) return value;
  Param& result = builder.stms.back().pattern[0];
  if (!result.type.is_scalar() || result.name.base != "term") return value;
  result = builder.names.fresh_param(base, result.type);
  return result.name;
}

Name with_last_first(Builder& builder, const Name& array, bool inverse) {
  const int rank = builder.names.type_of(array).rank();
  std::vector<int> permutation;
  for (int i = 0; i < rank; ++i) permutation.push_back(inverse ? (i + 1) % rank : (i + rank - 1) % rank);
  return builder.let(array.base, Rearrange{permutation, array});
}

Name reversed(Builder& builder, const Name& array) {
  const Atom n = builder.names.type_of(array).shape.at(0);
  const Atom last = builder.binop("last", BinOpKind::sub, n, int_atom(1));
  return builder.let(array.base, Index{array, {Slice{last, n, int_atom(-1)}}, false});
}

}  // namespace boustro::ad
