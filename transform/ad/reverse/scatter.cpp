// Reverse mode: scatter.
//
// Rule      ys = scatter xs is vs    gives    vs_adj[k] += ys_adj[is[k]]  if write k stays, 0 otherwise;
//                                             xs_adj = ys_adj with zeros at is
// Applies   every scatter. Of several writes to one cell, which must write the same value, one receives the adjoint:
//           the one that wins when k itself is scattered in the same way
// Cost      a gather and two scatters; overwritten elements are saved only if needed: ad/restore.hpp
// Source    [AD], 5.3; duplicates as Futhark's tests/ad/scatter4.fut
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): *[m]f64 = scatter xs is vs
// After vjp:   def f_vjp [n] [m] (_: [m]f64) (is: [n]i64) (_: [n]f64) (ys_adj: [m]f64): ([m]f64, [n]f64) =
//                (scatter (copy ys_adj) is (replicate n 0),
//                 map (\i -> if i < 0 || i >= m then 0 else ys_adj[i]) is)    -- distinct places
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// For each cell that is written, which write stays.
Name staying_writes(Builder& b, const Scatter& e, const Type& destination) {
  Shape cells(destination.shape.begin(),
              destination.shape.begin() + static_cast<std::ptrdiff_t>(e.indices.size()));
  const Name none = b.let("writers", Scratch{PrimType::i64, cells});
  const Name numbers = b.let("numbers", Iota{e.width});
  return b.let("writers", Scatter{e.width, e.indices, {none}, {numbers}});
}

/// map (\k is -> if write k stays then ys_adj[is] else 0)
Name gathered(Builder& b, const Scatter& e, const Name& ys_adj, const Name& writers) {
  const Type type = b.names.type_of(ys_adj);
  const Type row = row_type(type, static_cast<int>(e.indices.size()));
  std::vector<std::pair<std::string, Type>> params{{"k", scalar(PrimType::i64)}};
  for (std::size_t i = 0; i < e.indices.size(); ++i)
    params.emplace_back("i", scalar(PrimType::i64));
  const Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    const std::vector<Atom> indices(p.begin() + 1, p.end());
    const Atom inside = all_in_bounds(inner, indices, type.shape);
    return std::vector<Atom>{value_or_zero(inner, "v_adj", inside, row, [&](Builder& cell) {
      const Name writer = cell.index("writer", writers, indices);
      const Atom stays = cell.cmp("stays", CmpOpKind::eq, writer, p[0]);
      return value_or_zero(cell, "v_adj", stays, row, [&](Builder& read) {
        return Atom(read.index("v_adj", ys_adj, indices));
      });
    })};
  });
  std::vector<Name> inputs{b.let("numbers", Iota{e.width})};
  inputs.insert(inputs.end(), e.indices.begin(), e.indices.end());
  return b.let("vs_adj", Map{e.width, fn, inputs, {}});
}

Name with_zeros(Builder& b, const Scatter& e, const Name& ys_adj) {
  Type zeros_type = row_type(b.names.type_of(ys_adj), static_cast<int>(e.indices.size()));
  zeros_type = array_of(e.width, zeros_type);
  const Name zero_rows = std::get<Name>(zeros(b, "zeros", zeros_type));
  return b.let("xs_adj", Scatter{e.width, e.indices, {ys_adj}, {zero_rows}});
}

}  // namespace

Sweeps reverse_scatter(Reverse& r, const Stm& stm, const Scatter& e) {
  Builder b = r.builder(stm, "reverse_scatter");
  std::optional<Name> writers;
  for (std::size_t i = 0; i < e.destinations.size(); ++i) {
    const Name& ys = stm.pattern[i].name;
    if (r.adjoints.is_zero(ys)) continue;
    const bool destination_active = r.activity.active(e.destinations[i]);
    const Name ys_adj =
        std::get<Name>(destination_active ? r.adjoints.take_owned(b, ys) : r.adjoints.take(b, ys));
    if (r.activity.active(e.values[i])) {
      if (!writers) writers = staying_writes(b, e, r.names.type_of(e.destinations[i]));
      r.adjoints.add(b, e.values[i], gathered(b, e, ys_adj, *writers));
    }
    if (destination_active) r.adjoints.add(b, e.destinations[i], with_zeros(b, e, ys_adj));
  }
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
