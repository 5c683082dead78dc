// Forward mode: reduce and scan.
//
// Rule      y = reduce op ne xs    gives    (y, y_tan) = reduce op_bundled (ne, ne_tan) (xs, xs_tan); likewise scan.
//           Addition is linear: y_tan = reduce (+) 0 xs_tan
// Applies   every operator
// Cost      that of the operation
// Source    [AD], 3
//
// Before:      def f [n] (xs: [n]f64): (f64, [n]f64) = (reduce (*) 1 xs, scan (+) 0 xs)
// After jvp:   def f_jvp [n] (xs: [n]f64) (xs_tan: [n]f64): (f64, [n]f64) =
//                let op (a, a_tan) (b, b_tan) = (a * b, a_tan * b + a * b_tan)
//                in ((reduce op (1, 0) (zip xs xs_tan)).1, scan (+) 0 xs_tan)
#include "transform/ad/forward/bundle.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// True if the operator adds, and the neutral element is no variable of the derivative.
bool is_sum(const Forward& f, const Lambda& op, const std::vector<Atom>& neutral) {
  const auto vectorised = as_vectorised_binop(op);
  return vectorised && vectorised->kind == BinOpKind::add && !f.has_tangent(neutral.at(0));
}

/// The same Reduce or Scan on tangents, for addition.
template <typename Fold>
void forward_sum(Forward& f, Builder& builder, const Stm& stm, const Fold& e) {
  builder.add(stm);
  Builder b = f.builder(stm, "forward_sum");
  const Name& y = stm.pattern.at(0).name;
  if (!f.has_tangent(e.arrays.at(0))) return;
  const Type type = f.tangent_type(e.op.result_types.at(0));
  Fold tangent = e;
  tangent.op = operator_on(b, addition_of(type.elem), type);
  tangent.neutral = {zeros(b, "zeros", type)};
  tangent.arrays = {std::get<Name>(f.tangent(b, e.arrays[0]))};
  f.set(y, b.let(tan_name(y), std::move(tangent)));
  builder.add(b.stms);
}

template <typename Fold>
void forward_fold(Forward& f, Builder& builder, const Stm& stm, const Fold& e) {
  if (is_sum(f, e.op, e.neutral)) return forward_sum(f, builder, stm, e);
  Builder before = f.builder(stm, "forward_fold");
  const std::vector<bool> active = active_components(f, e.op, stm.pattern);
  Fold fold = e;
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!active[i]) continue;
    fold.neutral.push_back(f.tangent(before, e.neutral[i]));
    fold.arrays.push_back(std::get<Name>(f.tangent(before, e.arrays[i])));
  }
  fold.op = bundled_operator(f, e.op, active);
  Stm result = stm;
  result.pattern = bundled_pattern(f, stm.pattern, active);
  result.exp = std::move(fold);
  result.origin = before.origin;
  builder.add(before.stms);
  builder.add(std::move(result));
}

}  // namespace

void forward_reduce(Forward& f, Builder& b, const Stm& stm, const Reduce& e) { forward_fold(f, b, stm, e); }
void forward_scan(Forward& f, Builder& b, const Stm& stm, const Scan& e) { forward_fold(f, b, stm, e); }

}  // namespace boustro::ad
