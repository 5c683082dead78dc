// Forward mode: operations that only move elements.
//
// Rule      ys = g xs    gives    ys_tan = g xs_tan,    for g an index, slice, update, rearrange, reshape, copy,
//           concatenation, replicate, array literal or coercion
// Applies   these, the seed dimensions staying innermost. iota n has the tangent replicate n n_tan
// Cost      that of g
// Source    derived here: g is linear
//
// Before:      def f [n] (xs: *[n]f64) (v: f64): *[n]f64 = xs with [0] = v
// After jvp:   def f_jvp [n] (_: [n]f64) (_: f64) (xs_tan: *[n]f64) (v_tan: f64): [n]f64 = xs_tan with [0] = v_tan
#include "frontend/source/diagnostics.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

Shape extended(Shape shape, const Shape& seeds) {
  shape.insert(shape.end(), seeds.begin(), seeds.end());
  return shape;
}

Rearrange extended(const Rearrange& e, const Name& array, std::size_t seeds) {
  Rearrange result{e.permutation, array};
  for (std::size_t i = 0; i < seeds; ++i) result.permutation.push_back(static_cast<int>(result.permutation.size()));
  return result;
}

}  // namespace

void forward_linear(Forward& f, Builder& builder, const Stm& stm) {
  builder.add(stm);
  Builder b = f.builder(stm, "forward_linear");
  const Shape& seeds = f.seed_shape;
  const auto tangent = [&](const Atom& atom) { return f.tangent(b, atom); };
  const auto array_tangent = [&](const Name& name) { return std::get<Name>(f.tangent(b, name)); };
  // An update consumes tangents as it consumes values, so they are computed after the value.
  const Exp exp = match(
      stm.exp,  //
      [&](const AtomExp& e) -> Exp { return AtomExp{tangent(e.atom)}; },
      [&](const ArrayLiteral& e) -> Exp {
        ArrayLiteral result{f.tangent_type(e.row), {}};
        for (const Atom& element : e.elements) result.elements.push_back(tangent(element));
        return result;
      },
      [&](const Iota& e) -> Exp { return Replicate{{e.width}, tangent(e.width)}; },
      [&](const Replicate& e) -> Exp { return Replicate{e.shape, tangent(e.value)}; },
      [&](const Copy& e) -> Exp { return Copy{array_tangent(e.array)}; },
      [&](const Concat& e) -> Exp {
        Concat result{e.width, {}};
        for (const Name& array : e.arrays) result.arrays.push_back(array_tangent(array));
        return result;
      },
      [&](const Rearrange& e) -> Exp { return extended(e, array_tangent(e.array), seeds.size()); },
      [&](const Reshape& e) -> Exp { return Reshape{extended(e.shape, seeds), array_tangent(e.array)}; },
      [&](const Coerce& e) -> Exp { return Coerce{extended(e.shape, seeds), array_tangent(e.array)}; },
      [&](const Index& e) -> Exp {
        const Index row{array_tangent(e.array), e.indices, e.checked};
        if (seeds.empty() || !f.names.type_of(stm.pattern.at(0).name).is_scalar()) return row;
        return Copy{b.let("seeds", row)};  // a scalar is no view of the array, which may be updated
      },
      [&](const Update& e) -> Exp {
        return Update{array_tangent(e.array), e.indices, tangent(e.value), e.checked};
      },
      [](const auto&) -> Exp { source::internal_error("ad: forward_linear on another expression"); });
  const Name& y = stm.pattern.at(0).name;
  f.set(y, b.let(tan_name(y), exp));
  builder.add(b.stms);
}

}  // namespace boustro::ad
