#include "transform/ir/elementwise.hpp"

namespace boustro::ir {

Atom elementwise(Builder& builder, std::string_view base, const std::vector<Atom>& arrays,
                 const ScalarFunction& fn) {
  const Type type = builder.names.type_of(arrays.at(0));
  if (type.is_scalar()) return fn(builder, arrays);
  std::vector<std::pair<std::string, Type>> params;
  std::vector<Name> inputs;
  for (const Atom& array : arrays) {
    inputs.push_back(std::get<Name>(array));
    params.emplace_back(inputs.back().base, row_type(builder.names.type_of(array)));
  }
  const Lambda row = builder.lambda(params, [&](Builder& inner, const std::vector<Name>& elements) {
    return std::vector<Atom>{elementwise(inner, base, {elements.begin(), elements.end()}, fn)};
  });
  return builder.let(base, Map{type.shape.at(0), row, inputs, {}});
}

Lambda operator_on(Builder& builder, BinOpKind kind, const Type& type) {
  return builder.lambda({{"x", type}, {"y", type}}, [&](Builder& inner, const std::vector<Name>& xy) {
    return std::vector<Atom>{
        elementwise(inner, "r", {xy[0], xy[1]}, [&](Builder& b, const std::vector<Atom>& v) {
          return b.binop("r", kind, v[0], v[1]);
        })};
  });
}

Atom in_bounds(Builder& builder, const Atom& i, const Atom& n) {
  const Atom low = builder.cmp("in_bounds", CmpOpKind::le, int_atom(0), i);
  const Atom high = builder.cmp("in_bounds", CmpOpKind::lt, i, n);
  return builder.binop("in_bounds", BinOpKind::bit_and, low, high);
}

Atom all_in_bounds(Builder& builder, const std::vector<Atom>& indices, const Shape& shape) {
  Atom all = PrimValue::of_bool(true);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Atom one = in_bounds(builder, indices[i], shape.at(i));
    all = i == 0 ? one : builder.binop("in_bounds", BinOpKind::bit_and, all, one);
  }
  return all;
}

}  // namespace boustro::ir
