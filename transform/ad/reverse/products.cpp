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

std::vector<Atom> concatenated(std::vector<Atom> x, const std::vector<Atom>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

/// op (x, y), or `otherwise` where the condition, if there is one, is false.
std::vector<Atom> applied_if(Builder& b, const std::optional<Name>& condition, const Lambda& op,
                             const std::vector<Atom>& x, const std::vector<Atom>& y,
                             const std::vector<Atom>& otherwise) {
  Builder inside(b.names, b.origin);
  Builder& at = condition ? inside : b;
  std::vector<Atom> products = inline_lambda(at, op, concatenated(x, y));
  if (!condition) return products;
  for (std::size_t i = 0; i < products.size(); ++i)
    products[i] = coerced(inside, products[i], b.names.type_of(otherwise[i]));
  std::vector<std::string> bases;
  for (const Atom& atom : otherwise) bases.push_back(std::get<Name>(atom).base);
  const auto results =
      b.let_all(bases, If{*condition, {std::move(inside.stms), products}, {{}, otherwise}});
  return {results.begin(), results.end()};
}

}  // namespace

Stm products_of_parts(Reverse& r, Builder& b, const Stm& like, const Factors& factors,
                      const std::vector<Name>& before, const std::vector<Name>& after,
                      const std::optional<Neighbours>& neighbours) {
  const std::size_t width = factors.arrays.size();
  const Lambda constant_op = with_constants(r, b, factors.op);
  std::vector<std::pair<std::string, Type>> params;
  std::vector<Name> inputs;
  for (const auto& arrays : {before, factors.arrays, after})
    for (const Name& array : arrays) {
      params.emplace_back(array.base, row_type(r.names.type_of(array)));
      inputs.push_back(array);
    }
  if (neighbours) {
    inputs.insert(inputs.end(), {neighbours->before, neighbours->after});
    params.insert(params.end(), {{"has_before", scalar(PrimType::boolean)},
                                 {"has_after", scalar(PrimType::boolean)}});
  }
  Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    const auto part = [&](std::size_t i) {
      return std::vector<Atom>(p.begin() + static_cast<std::ptrdiff_t>(i * width),
                               p.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    };
    std::optional<Name> has_before, has_after;
    if (neighbours) has_before = p[3 * width], has_after = p[3 * width + 1];
    const auto left = applied_if(inner, has_before, factors.op, part(0), part(1), part(1));
    return applied_if(inner, has_after, constant_op, left, part(2), left);
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
