// Reverse mode: scan with addition.
//
// Rule      ys[i] = xs[0] + ... + xs[i]    gives    xs_adj[i] += ys_adj[i] + ... + ys_adj[n-1]
// Applies   scan (+) over one array of numbers, or of rows that are added element by element
// Cost      one scan, from the last element to the first
// Source    [AD], 5.2
//
// Before:      def f [n] (xs: [n]f64): [n]f64 = scan (+) 0 xs
// After vjp:   def f_vjp [n] (xs: [n]f64) (ys_adj: [n]f64): [n]f64 = reverse (scan (+) 0 (reverse ys_adj))
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_scan_add(Reverse& r, const Stm& stm, const Scan& scan) {
  const auto op = as_vectorised_binop(scan.op);
  if (!op || op->kind != BinOpKind::add) return std::nullopt;

  Builder b = r.builder(stm, "reverse_scan_add");
  const Name& xs = scan.arrays.at(0);
  const Name ys_adj = std::get<Name>(r.adjoints.take(b, stm.pattern.at(0).name));
  if (r.activity.active(scan.neutral.at(0)))
    r.adjoints.add(b, scan.neutral.at(0), sum_of_rows(b, "neutral_adj", ys_adj));
  if (r.activity.active(xs)) {
    const Type row = row_type(r.names.type_of(ys_adj));
    const Name sums = b.let(adj_name(xs), Scan{scan.width, operator_on(b, BinOpKind::add, row),
                                               {zeros(b, "zeros", row)}, {reversed(b, ys_adj)}});
    r.adjoints.add(b, xs, reversed(b, sums));
  }
  return Sweeps{{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
