#include "transform/ad/reverse/scan.hpp"

#include "transform/ad/reverse/prefix.hpp"

namespace boustro::ad {

using namespace ir;

std::vector<std::size_t> active_components(const Reverse& r, const Stm& stm, const Scan& scan) {
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i)
    if (r.activity.active(stm.pattern[i].name) || r.activity.active(scan.op.params[i].name))
      active.push_back(i);
  return active;
}

void add_scan_contributions(Reverse& r, Builder& b, const Stm& stm, const Scan& scan,
                            const std::vector<std::size_t>& active,
                            const std::vector<Name>& r_adjs) {
  std::vector<Name> ys;
  for (const Param& y : stm.pattern) ys.push_back(y.name);
  std::vector<Name> inputs{b.let("positions", Iota{scan.width})};
  std::vector<std::pair<std::string, Type>> params{{"i", scalar(PrimType::i64)}};
  for (const auto& arrays : {shifted(b, scan.width, scan.neutral, ys), scan.arrays})
    for (const Name& array : arrays) {
      inputs.push_back(array);
      params.emplace_back(array.base, row_type(r.names.type_of(array)));
    }
  Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    const Atom is_first = inner.cmp("is_first", CmpOpKind::eq, p[0], int_atom(0));
    Builder inside(r.names, b.origin);
    auto products = inline_lambda(inside, scan.op, {p.begin() + 1, p.end()});
    const std::vector<Atom> first(p.begin() + 1 + static_cast<std::ptrdiff_t>(ys.size()), p.end());
    for (std::size_t i = 0; i < products.size(); ++i)
      products[i] = coerced(inside, products[i], r.names.type_of(first[i]));
    const auto y =
        inner.let_all({"y"}, If{is_first, {{}, first}, {std::move(inside.stms), products}});
    return std::vector<Atom>(y.begin(), y.end());
  });
  Stm steps{{}, Map{scan.width, fn, inputs, {}}, stm.origin, {}};
  for (const Type& type : fn.result_types)
    steps.pattern.push_back(r.names.fresh_param(stm.pattern[steps.pattern.size()].name.base,
                                                array_of(scan.width, type)));
  r.activity.analyse({steps});
  for (std::size_t a = 0; a < active.size(); ++a) {
    const Name& y = steps.pattern[active[a]].name;
    r.activity.add_result(y);
    r.adjoints.set(y, DenseAdjoint{r_adjs[a], false});
  }
  const Sweeps sweeps = reverse_stm(r, steps);
  b.add(sweeps.forward);
  b.add(sweeps.reverse);
}

}  // namespace boustro::ad
