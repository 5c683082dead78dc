// Reverse mode: reduce and scan with an operator that works element by element on rows.
//
// Rule      reduce (map2 op) (replicate m ne) xss  =  map (reduce op ne) (transpose xss), which other rules
//           differentiate; likewise scan, whose result is transposed back
// Applies   one scalar operator under any number of maps. Addition needs no interchange: reduce_add.cpp, scan_add.cpp
// Cost      a transposition, which is a view
// Source    [AD], 5.1.1 and 5.2, on vectorised operators
//
// Before:      def f [n] [m] (xss: [n][m]f64): [m]f64 = reduce (map2 (*)) (replicate m 1) xss
// After vjp:   as for \xss -> map (reduce (*) 1) (transpose xss)
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// The map in an operator `\xs ys -> map2 op xs ys`, if that is what the lambda is.
const Map* outer_map(const Lambda& op) {
  const auto vectorised = as_vectorised_binop(op);
  if (!vectorised || vectorised->depth == 0) return nullptr;
  for (const Stm& stm : op.body.stms)
    if (const auto* map = std::get_if<Map>(&stm.exp)) return map;
  return nullptr;
}

Name transposed(Builder& b, const Name& array) {
  std::vector<int> permutation;
  for (int i = 0; i < b.names.type_of(array).rank(); ++i) permutation.push_back(i);
  std::swap(permutation.at(0), permutation.at(1));
  return b.let(array.base, Rearrange{permutation, array});
}

/// map (\xs ne -> fold op ne xs) (transpose xss) nes, where `fold` makes a Reduce or a Scan.
template <typename Fold>
Name fold_columns(Builder& b, const Map& op, const Name& xss, const Atom& neutral, Fold&& fold) {
  const Name columns = transposed(b, xss);
  const Name neutrals = std::get<Name>(neutral);
  const Lambda fn = b.lambda({{xss.base, row_type(b.names.type_of(columns))},
                              {"neutral", row_type(b.names.type_of(neutrals))}},
                             [&](Builder& inner, const std::vector<Name>& p) {
                               return std::vector<Atom>{inner.let("r", fold(rename(op.fn, inner.names), p[1], p[0]))};
                             });
  return b.let("columns", Map{b.names.type_of(columns).shape.at(0), fn, {columns, neutrals}, {}});
}

}  // namespace

MaybeSweeps reverse_reduce_vectorised(Reverse& r, const Stm& stm, const Reduce& reduce) {
  const Map* op = outer_map(reduce.op);
  if (!op || reduce.arrays.size() != 1) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_reduce_vectorised");
  const Name result = fold_columns(b, *op, reduce.arrays[0], reduce.neutral[0],
                                   [&](Lambda fn, const Atom& neutral, const Name& xs) {
                                     return Reduce{reduce.width, std::move(fn), {neutral}, {xs}, reduce.commutative};
                                   });
  bind_as(b, stm.pattern.at(0), result);
  return reverse_replacement(r, b.stms);
}

MaybeSweeps reverse_scan_vectorised(Reverse& r, const Stm& stm, const Scan& scan) {
  const Map* op = outer_map(scan.op);
  if (!op || scan.arrays.size() != 1) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_scan_vectorised");
  const Name columns = fold_columns(b, *op, scan.arrays[0], scan.neutral[0],
                                    [&](Lambda fn, const Atom& neutral, const Name& xs) {
                                      return Scan{scan.width, std::move(fn), {neutral}, {xs}};
                                    });
  bind_as(b, stm.pattern.at(0), transposed(b, columns));
  return reverse_replacement(r, b.stms);
}

}  // namespace boustro::ad
