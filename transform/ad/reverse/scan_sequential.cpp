// Reverse mode: scan with an operator that no other rule fits.
//
// Rule      as scan_linear.cpp; the recurrence r[i] = ys_adj[i] + J[i+1]^T r[i+1] is a loop from the last element to the
//           first, whose step is the return sweep of the operator
// Applies   every associative operator, on rows too
// Cost      one application of the operator's return sweep an element, one after the other: parallel is what the
//           operator is
// Source    derived here: the recurrence of [AD], 5.2, taken as it is
//
// Before:      def mul (a: [2][2]f64) (b: [2][2]f64) = map (\x -> map (\y -> f64.sum (map2 (*) x y)) (transpose b)) a
//              def f [n] (xs: [n][2][2]f64): [n][2][2]f64 = scan mul [[1, 0], [0, 1]] xs
// After vjp:   def f_vjp [n] (xs: [n][2][2]f64) (ys_adj: [n][2][2]f64): [n][2][2]f64 =
//                let ys = scan mul [[1, 0], [0, 1]] xs
//                let step i r = if i + 1 == n then ys_adj[i]
//                               else map2 (map2 (+)) ys_adj[i] (vjp (\y -> mul y xs[i + 1]) ys[i] r)
//                let back i r = if i == 0 then r else vjp (\x -> mul ys[i - 1] x) xs[i] r
//                let (_, xs_adj) = loop (r, xs_adj) = ([[0, 0], [0, 0]], copy xs) for j < n do
//                                    let r = step (n - 1 - j) r in (r, xs_adj with [n - 1 - j] = back (n - 1 - j) r)
//                in xs_adj
#include "transform/ad/reverse/products.hpp"
#include "transform/ad/reverse/scan.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class SequentialScan {
 public:
  SequentialScan(Reverse& r, const Stm& stm, const Scan& scan)
      : r_(r),
        stm_(stm),
        scan_(scan),
        active_(active_components(r, stm, scan)),
        b_(r.builder(stm, "reverse_scan_sequential")) {}

  Sweeps run() {
    for (const std::size_t k : active_) {
      y_adjs_.push_back(std::get<Name>(r_.adjoints.take(b_, stm_.pattern[k].name)));
      rows_.push_back(row_type(r_.names.type_of(y_adjs_.back())));
    }
    add_scan_contributions(r_, b_, stm_, scan_, active_, solve());
    return {{stm_}, std::move(b_.stms)};
  }

 private:
  /// loop (r, rs) = (zeros, scratch) for step < n do .. at i = n - 1 - step
  std::vector<Name> solve() {
    const std::size_t p = active_.size();
    const Name step = r_.names.bind_fresh("step", scalar(PrimType::i64));
    Loop loop{{}, ForLoop{step, PrimType::i64, scan_.width}, {}};
    std::vector<Name> r, rs;
    for (std::size_t a = 0; a < p; ++a) {
      r.push_back(r_.names.bind_fresh("r", rows_[a]));
      loop.params.push_back({{r.back(), rows_[a], false}, zeros(b_, "zeros", rows_[a])});
    }
    for (std::size_t a = 0; a < p; ++a) {
      const Type type = array_of(scan_.width, rows_[a]);
      rs.push_back(r_.names.bind_fresh("rs", type));
      loop.params.push_back(
          {{rs.back(), type, true}, b_.let("rs", Scratch{type.elem, type.shape})});
    }
    Builder body(r_.names, b_.origin);
    const Atom last = body.binop("last", BinOpKind::sub, scan_.width, int_atom(1));
    const Atom i = body.binop("i", BinOpKind::sub, last, step);
    const std::vector<Name> next = adjoints_at(body, i, r);
    for (const Name& value : next) loop.body.result.emplace_back(value);
    for (std::size_t a = 0; a < p; ++a)
      loop.body.result.emplace_back(body.let("rs", Update{rs[a], {i}, next[a], false}));
    loop.body.stms = std::move(body.stms);
    const std::vector<Name> results = b_.let_all({"rs"}, std::move(loop));
    return {results.begin() + static_cast<std::ptrdiff_t>(p), results.end()};
  }

  /// ys_adj[i] + J[i+1]^T r; without the second part for the last i.
  std::vector<Name> adjoints_at(Builder& b, const Atom& i, const std::vector<Name>& r) {
    const Atom next = b.binop("next", BinOpKind::add, i, int_atom(1));
    const Atom has_next = b.cmp("has_next", CmpOpKind::lt, next, scan_.width);
    Builder inside(r_.names, b.origin);
    std::vector<Atom> args, adjoints;
    for (const Param& y : stm_.pattern) args.emplace_back(inside.index(y.name.base, y.name, {i}));
    for (const Name& xs : scan_.arrays) args.emplace_back(inside.index(xs.base, xs, {next}));
    std::vector<bool> wrt(args.size(), false);
    for (const Param& y : stm_.pattern)
      adjoints.push_back(zeros(inside, "zeros", row_type(r_.adjoints.type_of(y.name))));
    for (std::size_t a = 0; a < active_.size(); ++a) {
      wrt[active_[a]] = true;
      adjoints[active_[a]] = r[a];
    }
    const auto before =
        inline_vjp(r_.derivation, inside, scan_.op, args, adjoints, wrt, r_.seed_shape);
    std::vector<Atom> sums, alone;
    std::vector<std::string> bases;
    for (std::size_t a = 0; a < active_.size(); ++a) {
      const Name own = b.index("y_adj", y_adjs_[a], {i});
      alone.emplace_back(own);
      const auto& more = before[active_[a]];
      sums.push_back(more ? sum(inside, "r", own, *more) : Atom(own));
      bases.emplace_back("r");
    }
    return b.let_all(bases, If{has_next, {std::move(inside.stms), sums}, {{}, alone}});
  }

  Reverse& r_;
  const Stm& stm_;
  const Scan& scan_;
  std::vector<std::size_t> active_;
  Builder b_;
  std::vector<Name> y_adjs_;
  std::vector<Type> rows_;
};

}  // namespace

MaybeSweeps reverse_scan_sequential(Reverse& r, const Stm& stm, const Scan& scan) {
  refuse_active_neutral(r, stm, scan.neutral, "scan");
  return SequentialScan(r, stm, scan).run();
}

}  // namespace boustro::ad
