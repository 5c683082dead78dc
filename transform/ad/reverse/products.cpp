#include "transform/ad/reverse/products.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// The operator with copies, which are inactive, in place of its active free names.
Lambda with_constants(Reverse& r, Builder& b, const Lambda& op) {
  NameSet params;
  for (const Param& p : op.params) params.insert(p.name);
  Substitution substitution;
  for (const Name& name : active_free_names(r, op.body, params))
    substitution.emplace(name, b.let(name.base, AtomExp{name}));
  return rename(op, r.names, substitution);
}

std::vector<Atom> concatenated(const std::vector<Name>& x, const std::vector<Name>& y) {
  std::vector<Atom> result(x.begin(), x.end());
  result.insert(result.end(), y.begin(), y.end());
  return result;
}

}  // namespace

Stm products_of_parts(Reverse& r, Builder& b, const Stm& like, const Factors& factors,
                      const std::vector<Name>& before, const std::vector<Name>& after) {
  const std::size_t width = factors.arrays.size();
  const Lambda constant_op = with_constants(r, b, factors.op);
  std::vector<std::pair<std::string, Type>> params;
  std::vector<Name> inputs;
  for (const auto& arrays : {before, factors.arrays, after})
    for (const Name& array : arrays) {
      params.emplace_back(array.base, row_type(r.names.type_of(array)));
      inputs.push_back(array);
    }
  Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    const auto part = [&](std::size_t i) {
      return std::vector<Name>(p.begin() + static_cast<std::ptrdiff_t>(i * width),
                               p.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    };
    std::vector<Atom> args = inline_lambda(inner, factors.op, concatenated(part(0), part(1)));
    for (const Name& name : part(2)) args.emplace_back(name);
    return inline_lambda(inner, constant_op, args);
  });
  fn.result_types = factors.op.result_types;

  Stm products{{}, Map{factors.width, fn, inputs, {}}, like.origin, {}};
  for (std::size_t i = 0; i < width; ++i)
    products.pattern.push_back(r.names.fresh_param(
        like.pattern[i].name.base, array_of(factors.width, factors.op.result_types[i])));
  return products;
}

void refuse_active_neutral(const Reverse& r, const Stm& stm, const std::vector<Atom>& neutral,
                           const char* what) {
  for (const Atom& atom : neutral)
    if (r.activity.active(atom)) refuse_derivative(r.derivation, stm, what, "its neutral element");
}

}  // namespace boustro::ad
