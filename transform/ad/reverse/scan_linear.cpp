// Reverse mode: scan with an operator on scalars or tuples of scalars.
//
// Rule      ys[i] = ys[i-1] * xs[i]    gives    r[i] = ys_adj[i] + J[i+1]^T r[i+1],  J[i+1] = d(ys[i] * xs[i+1]) / d ys[i];
//             (xs_adj[i], w_adj) += adjoints of x = xs[i] and of w, free in the operator, in ys[i-1] * x, for r[i].
//           r is a scan, from the last element to the first, of the linear functions r -> d + C r under composition
// Applies   operators on scalars, up to four of them active and these of one type
// Cost      p + p^2 scalars per element for p active scalars
// Source    [AD], 5.2
//
// Before:      def f [n] (xs: [n]f64): [n]f64 = scan (*) 1 xs
// After vjp:   see exemplar `recurrence`
#include "frontend/source/diagnostics.hpp"
#include "transform/ad/reverse/prefix.hpp"
#include "transform/ad/rules.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

constexpr std::size_t max_width = 4;

/// A linear function r -> d + C r: p components of d, then the rows of C.
struct LinearForm {
  std::vector<Atom> d;
  std::vector<std::vector<Atom>> c;

  static LinearForm of(const std::vector<Name>& atoms, std::size_t begin, std::size_t p) {
    LinearForm form;
    for (std::size_t a = 0; a < p; ++a) form.d.push_back(atoms[begin + a]);
    for (std::size_t a = 0; a < p; ++a) {
      auto& row = form.c.emplace_back();
      for (std::size_t k = 0; k < p; ++k) row.push_back(atoms[begin + p + a * p + k]);
    }
    return form;
  }
  std::vector<Atom> components() const {
    std::vector<Atom> all = d;
    for (const auto& row : c) all.insert(all.end(), row.begin(), row.end());
    return all;
  }
};

/// x * factor for an adjoint x, which has the seeds' shape.
Atom scaled(Builder& b, const Atom& x, const Atom& factor) {
  return elementwise(b, "d", {x}, [&](Builder& s, const std::vector<Atom>& v) {
    return s.binop("d", product_of(s.names.type_of(v[0]).elem), v[0], factor);
  });
}

/// First `first`, then `second`: d2 + C2 d1, C2 C1.
LinearForm composed(Builder& b, const LinearForm& first, const LinearForm& second) {
  const std::size_t p = first.d.size();
  LinearForm result;
  for (std::size_t a = 0; a < p; ++a) {
    Atom d = second.d[a];
    for (std::size_t k = 0; k < p; ++k) d = sum(b, "d", d, scaled(b, first.d[k], second.c[a][k]));
    result.d.push_back(d);
  }
  for (std::size_t a = 0; a < p; ++a) {
    auto& row = result.c.emplace_back();
    for (std::size_t k = 0; k < p; ++k) {
      Atom c = scaled(b, first.c[0][k], second.c[a][0]);
      for (std::size_t l = 1; l < p; ++l) c = sum(b, "c", c, scaled(b, first.c[l][k], second.c[a][l]));
      row.push_back(c);
    }
  }
  return result;
}

/// A component may matter to others though nobody wants its own result.
std::vector<std::size_t> active_components(const Reverse& r, const Stm& stm, const Scan& scan) {
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i)
    if (r.activity.active(stm.pattern[i].name) || r.activity.active(scan.op.params[i].name)) active.push_back(i);
  return active;
}

class LinearScan {
 public:
  LinearScan(Reverse& r, const Stm& stm, const Scan& scan)
      : r_(r), stm_(stm), scan_(scan), active_(active_components(r, stm, scan)), p_(active_.size()),
        elem_(stm.pattern.at(active_.at(0)).type.elem), b_(r.builder(stm, "reverse_scan_linear")) {}

  Sweeps run() {
    for (const Param& y : stm_.pattern) ys_.push_back(y.name);
    for (const std::size_t k : active_)
      y_adjs_.push_back(std::get<Name>(r_.adjoints.take(b_, ys_[k])));
    const std::vector<Name> r_adjs = solve(transposed_jacobians());
    add_contributions(r_adjs);
    return {{stm_}, std::move(b_.stms)};
  }

 private:
  /// C[i] = J[i+1]^T for each i, component by component; zeros for the last i.
  std::vector<Name> transposed_jacobians() {
    const Name positions = b_.let("positions", Iota{scan_.width});
    const Lambda fn = b_.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& i) {
      const Atom next = b.binop("next", BinOpKind::add, i[0], int_atom(1));
      const Atom has_next = b.cmp("has_next", CmpOpKind::lt, next, scan_.width);
      Builder inside(b.names, b.origin);
      std::vector<Atom> args;
      for (const Name& ys : ys_) args.push_back(inside.index(ys.base, ys, {i[0]}));
      for (const Name& xs : scan_.arrays) args.push_back(inside.index(xs.base, xs, {next}));
      std::vector<Atom> entries(p_ * p_), blanks(p_ * p_);
      for (std::size_t column = 0; column < p_; ++column) jacobian_column(inside, args, column, entries);
      for (Atom& blank : blanks) blank = PrimValue::zero(elem_);
      const auto c = b.let_all({"c"}, If{has_next, {std::move(inside.stms), entries}, {{}, blanks}});
      return std::vector<Atom>(c.begin(), c.end());
    });
    return b_.let_all({"c"}, Map{scan_.width, fn, {positions}, {}});
  }

  /// Column `a` of J^T is row `a` of J: the adjoints of the left operand for result number `a`.
  void jacobian_column(Builder& b, const std::vector<Atom>& args, std::size_t a, std::vector<Atom>& entries) {
    std::vector<Atom> seeds;
    for (const Param& y : stm_.pattern) seeds.emplace_back(PrimValue::zero(y.type.elem));
    seeds[active_[a]] = PrimValue::one(elem_);
    std::vector<bool> wrt(args.size(), false);
    for (const std::size_t k : active_) wrt[k] = true;
    const auto adjoints = inline_vjp(r_.derivation, b, scan_.op, args, seeds, wrt, {});
    for (std::size_t k = 0; k < p_; ++k)
      entries[k * p_ + a] = adjoints[active_[k]].value_or(PrimValue::zero(elem_));
  }

  /// The recurrence r[i] = ys_adj[i] + C[i] r[i+1] as a scan from the end.
  std::vector<Name> solve(const std::vector<Name>& c) {
    std::vector<Name> inputs;
    for (const auto& arrays : {y_adjs_, c})
      for (const Name& array : arrays) inputs.push_back(reversed(b_, array));
    std::vector<std::pair<std::string, Type>> params;
    std::vector<Atom> neutral;
    for (int side = 0; side < 2; ++side)
      for (std::size_t i = 0; i < inputs.size(); ++i)
        params.emplace_back(i < p_ ? "d" : "c", row_type(r_.names.type_of(inputs[i])));
    for (std::size_t a = 0; a < p_; ++a)
      neutral.push_back(zeros(b_, "zeros", row_type(r_.names.type_of(y_adjs_[a]))));
    for (std::size_t e = 0; e < p_ * p_; ++e)
      neutral.emplace_back(e / p_ == e % p_ ? PrimValue::one(elem_) : PrimValue::zero(elem_));
    const Lambda compose = b_.lambda(params, [&](Builder& b, const std::vector<Name>& forms) {
      return composed(b, LinearForm::of(forms, 0, p_), LinearForm::of(forms, p_ + p_ * p_, p_)).components();
    });
    const auto results = b_.let_all({"r"}, Scan{scan_.width, compose, neutral, inputs});
    std::vector<Name> r_adjs;
    for (std::size_t a = 0; a < p_; ++a) r_adjs.push_back(reversed(b_, results[a]));
    return r_adjs;
  }

  /// Differentiates map (\i y x -> if i == 0 then x else y * x) of the values before, with adjoints r.
  void add_contributions(const std::vector<Name>& r_adjs) {
    std::vector<Name> inputs{b_.let("positions", Iota{scan_.width})};
    std::vector<std::pair<std::string, Type>> params{{"i", scalar(PrimType::i64)}};
    for (const auto& arrays : {shifted(b_, scan_.width, scan_.neutral, ys_), scan_.arrays})
      for (const Name& array : arrays) {
        inputs.push_back(array);
        params.emplace_back(array.base, row_type(r_.names.type_of(array)));
      }
    Lambda fn = b_.lambda(params, [&](Builder& b, const std::vector<Name>& p) {
      const Atom is_first = b.cmp("is_first", CmpOpKind::eq, p[0], int_atom(0));
      Builder inside(b.names, b.origin);
      const auto products = inline_lambda(inside, scan_.op, {p.begin() + 1, p.end()});
      const std::vector<Atom> first(p.begin() + 1 + static_cast<std::ptrdiff_t>(ys_.size()), p.end());
      const auto y = b.let_all({"y"}, If{is_first, {{}, first}, {std::move(inside.stms), products}});
      return std::vector<Atom>(y.begin(), y.end());
    });
    Stm steps{{}, Map{scan_.width, fn, inputs, {}}, stm_.origin, {}};
    for (const Param& y : stm_.pattern) steps.pattern.push_back(r_.names.fresh_param(y.name.base, y.type));
    r_.activity.analyse({steps});
    for (std::size_t a = 0; a < p_; ++a) {
      const Name& y = steps.pattern[active_[a]].name;
      r_.activity.add_result(y);
      r_.adjoints.set(y, DenseAdjoint{r_adjs[a], false});
    }
    const Sweeps sweeps = reverse_stm(r_, steps);
    b_.add(sweeps.forward);
    b_.add(sweeps.reverse);
  }

  Reverse& r_;
  const Stm& stm_;
  const Scan& scan_;
  std::vector<std::size_t> active_;  // the components that the linear functions are about
  std::size_t p_;                    // how many
  PrimType elem_;                    // their type
  Builder b_;
  std::vector<Name> ys_, y_adjs_;
};

}  // namespace

MaybeSweeps reverse_scan_linear(Reverse& r, const Stm& stm, const Scan& scan) {
  const auto active = active_components(r, stm, scan);
  if (active.size() > max_width) return std::nullopt;
  for (const Type& type : scan.op.result_types)
    if (!type.is_scalar()) return std::nullopt;
  for (const std::size_t i : active)
    if (stm.pattern[i].type.elem != stm.pattern[active[0]].type.elem) return std::nullopt;
  for (const Atom& neutral : scan.neutral)
    if (r.activity.active(neutral)) refuse_derivative(r.derivation, stm, "scan", "its neutral element");
  return LinearScan(r, stm, scan).run();
}

}  // namespace boustro::ad
