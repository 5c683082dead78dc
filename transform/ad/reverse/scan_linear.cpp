// Reverse mode: scan with an operator on scalars or tuples of scalars.
//
// Rule      ys[i] = ys[i-1] * xs[i]    gives    r[i] = ys_adj[i] + J[i+1]^T r[i+1],  J[i+1] = d(ys[i] * xs[i+1]) / d ys[i];
//             (xs_adj[i], w_adj) += adjoints of x = xs[i] and of w, free in the operator, in ys[i-1] * x, for r[i].
//           r is a scan, from the last element to the first, of the linear functions r -> d + C r under composition
// Applies   operators on scalars, up to sixteen of them active, where C has up to 64 entries to carry: those that are
//           neither always 0 nor, on the diagonal, always 1. So components that do not depend on each other cost one
//           entry each, and products of matrices one for each entry of a block. Components are left out if nothing that has an
//           adjoint depends on them: their r is 0
// Cost      p + c scalars per element, for p active components and c entries
// Source    [AD], 5.2; the entries that are constant: derived here
//
// Before:      def f [n] (xs: [n]f64): [n]f64 = scan (*) 1 xs
// After vjp:   def f_vjp [n] (xs: [n]f64) (ys_adj: [n]f64): [n]f64 =
//                let ys = scan (*) 1 xs
//                let cs = map (\i -> if i + 1 < n then xs[i + 1] else 1) (iota n)
//                let compose (d1, c1) (d2, c2) = (d2 + c2 * d1, c2 * c1)
//                let (rs, _) = unzip (reverse (scan compose (0, 1) (reverse (zip ys_adj cs))))
//                in map2 (\i r -> if i == 0 then r else ys[i - 1] * r) (iota n) rs
#include "transform/ad/reverse/products.hpp"
#include "transform/ad/reverse/scan.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

constexpr std::size_t max_components = 16, max_carried = 64;

/// What is known of an entry of C, for all i and all products of several C.
enum class Entry { zero, one, varying };

/// Which entries the linear functions carry.
struct Pattern {
  std::size_t p;
  std::vector<Entry> entries;  // row by row

  Entry at(std::size_t a, std::size_t k) const { return entries[a * p + k]; }
  std::vector<std::pair<std::size_t, std::size_t>> carried() const {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (std::size_t a = 0; a < p; ++a)
      for (std::size_t k = 0; k < p; ++k)
        if (at(a, k) == Entry::varying) result.emplace_back(a, k);
    return result;
  }
};

Entry joined(Entry x, Entry y) { return x == y ? x : Entry::varying; }

Entry product_entry(const Pattern& c, std::size_t a, std::size_t k) {
  Entry sum = Entry::zero;
  for (std::size_t l = 0; l < c.p; ++l) {
    const Entry x = c.at(a, l), y = c.at(l, k);
    if (x == Entry::zero || y == Entry::zero) continue;
    const Entry term = x == Entry::one ? y : Entry::varying;
    sum = sum == Entry::zero ? term : Entry::varying;
  }
  return sum;
}

/// The pattern of the identity, of C, and of all their products.
Pattern closure(Pattern c) {
  for (std::size_t a = 0; a < c.p; ++a)
    for (std::size_t k = 0; k < c.p; ++k)
      c.entries[a * c.p + k] = joined(c.at(a, k), a == k ? Entry::one : Entry::zero);
  for (bool changed = true; changed;) {
    Pattern next = c;
    for (std::size_t a = 0; a < c.p; ++a)
      for (std::size_t k = 0; k < c.p; ++k)
        next.entries[a * c.p + k] = joined(c.at(a, k), product_entry(c, a, k));
    changed = next.entries != c.entries;
    c = next;
  }
  return c;
}

/// The same of some rows and columns.
Pattern restricted(const Pattern& pattern, const std::vector<std::size_t>& to) {
  Pattern result{to.size(), {}};
  for (const std::size_t a : to)
    for (const std::size_t k : to) result.entries.push_back(pattern.at(a, k));
  return result;
}

/// A linear function r -> d + C r. Entries that are not carried have no atom.
struct LinearForm {
  std::vector<Atom> d;
  std::vector<std::optional<Atom>> c;  // row by row

  static LinearForm of(const Pattern& pattern, const std::vector<Name>& atoms, std::size_t begin) {
    LinearForm form;
    form.d.assign(atoms.begin() + static_cast<std::ptrdiff_t>(begin),
                  atoms.begin() + static_cast<std::ptrdiff_t>(begin + pattern.p));
    form.c.resize(pattern.p * pattern.p);
    std::size_t next = begin + pattern.p;
    for (const auto& [a, k] : pattern.carried()) form.c[a * pattern.p + k] = atoms[next++];
    return form;
  }
  std::vector<Atom> components() const {
    std::vector<Atom> all = d;
    for (const auto& entry : c)
      if (entry) all.push_back(*entry);
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
LinearForm composed(Builder& b, const Pattern& pattern, const LinearForm& first,
                    const LinearForm& second) {
  const std::size_t p = pattern.p;
  LinearForm result;
  for (std::size_t a = 0; a < p; ++a) {
    Atom d = second.d[a];
    for (std::size_t k = 0; k < p; ++k) {
      if (pattern.at(a, k) == Entry::zero) continue;
      const auto& c = second.c[a * p + k];
      d = sum(b, "d", d, c ? scaled(b, first.d[k], *c) : first.d[k]);
    }
    result.d.push_back(d);
  }
  result.c.resize(p * p);
  for (const auto& [a, k] : pattern.carried()) {
    auto& entry = result.c[a * p + k];
    for (std::size_t l = 0; l < p; ++l) {
      if (pattern.at(a, l) == Entry::zero || pattern.at(l, k) == Entry::zero) continue;
      const auto &c2 = second.c[a * p + l], &c1 = first.c[l * p + k];
      const Atom term = c1 && c2 ? scaled(b, *c1, *c2) : c1 ? *c1 : *c2;
      entry = entry ? sum(b, "c", *entry, term) : term;
    }
  }
  return result;
}

class LinearScan {
 public:
  LinearScan(Reverse& r, const Stm& stm, const Scan& scan)
      : r_(r),
        stm_(stm),
        scan_(scan),
        active_(active_components(r, stm, scan)),
        p_(active_.size()),
        b_(r.builder(stm, "reverse_scan_linear")) {
    for (const Param& y : stm.pattern) ys_.push_back(y.name);
  }

  /// Nothing if there is too much to carry, or if components of different types depend on each
  /// other.
  MaybeSweeps run() {
    pattern_ = closure(pattern_of_operator());
    leave_out_zeros();
    if (active_.empty()) return Sweeps{{stm_}, {}};
    carried_ = pattern_.carried();
    if (carried_.size() > max_carried) return std::nullopt;
    for (const auto& [a, k] : carried_)
      if (elem(a) != elem(k)) return std::nullopt;
    for (const std::size_t k : active_)
      y_adjs_.push_back(std::get<Name>(r_.adjoints.take(b_, ys_[k])));
    add_scan_contributions(r_, b_, stm_, scan_, active_, solve(transposed_jacobians()));
    return Sweeps{{stm_}, std::move(b_.stms)};
  }

 private:
  PrimType elem(std::size_t component) const { return stm_.pattern[active_[component]].type.elem; }

  /// Components whose r is 0: neither they nor what depends on them has an adjoint.
  void leave_out_zeros() {
    const auto has_adjoint = [&](std::size_t k) { return !r_.adjoints.is_zero(ys_[active_[k]]); };
    std::vector<std::size_t> reached, components;
    for (std::size_t a = 0; a < p_; ++a) {
      bool any = false;
      for (std::size_t k = 0; k < p_; ++k) any = any || (has_adjoint(k) && (a == k || pattern_.at(a, k) != Entry::zero));
      if (!any) continue;
      reached.push_back(a);
      components.push_back(active_[a]);
    }
    pattern_ = restricted(pattern_, reached);
    active_ = std::move(components);
    p_ = active_.size();
  }

  /// Row `a` of J, that is column `a` of C: the adjoints of the left operand for result number `a`.
  std::vector<std::optional<Atom>> jacobian_row(Builder& b, const std::vector<Atom>& args,
                                                std::size_t a) const {
    std::vector<Atom> seeds;
    for (const Param& y : stm_.pattern) seeds.emplace_back(PrimValue::zero(y.type.elem));
    seeds[active_[a]] = PrimValue::one(elem(a));
    std::vector<bool> wrt(args.size(), false);
    for (const std::size_t k : active_) wrt[k] = true;
    const auto adjoints = inline_vjp(r_.derivation, b, scan_.op, args, seeds, wrt, {});
    std::vector<std::optional<Atom>> row;
    for (const std::size_t k : active_) row.push_back(adjoints[k]);
    return row;
  }

  /// Found by differentiating the operator once for nothing.
  Pattern pattern_of_operator() const {
    Builder trial(r_.names, b_.origin);
    std::vector<Atom> args;
    for (const Param& p : scan_.op.params)
      args.emplace_back(r_.names.bind_fresh(p.name.base, p.type));
    Pattern pattern{p_, std::vector<Entry>(p_ * p_, Entry::zero)};
    for (std::size_t a = 0; a < p_; ++a) {
      const auto row = jacobian_row(trial, args, a);
      for (std::size_t k = 0; k < p_; ++k) {
        if (!row[k]) continue;
        const PrimValue* literal = literal_in(*row[k]);
        const bool is_one = literal && *literal == PrimValue::one(elem(a)) && elem(a) == elem(k);
        pattern.entries[k * p_ + a] = is_one ? Entry::one : Entry::varying;
      }
    }
    return pattern;
  }

  /// The entries of C[i] = J[i+1]^T that are carried, for each i. For the last i, for which nothing
  /// reads them, those of the identity.
  std::vector<Name> transposed_jacobians() {
    if (carried_.empty()) return {};
    const Name positions = b_.let("positions", Iota{scan_.width});
    const Lambda fn =
        b_.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& i) {
          const Atom next = b.binop("next", BinOpKind::add, i[0], int_atom(1));
          const Atom has_next = b.cmp("has_next", CmpOpKind::lt, next, scan_.width);
          Builder inside(b.names, b.origin);
          std::vector<Atom> args;
          for (const Name& ys : ys_) args.push_back(inside.index(ys.base, ys, {i[0]}));
          for (const Name& xs : scan_.arrays) args.push_back(inside.index(xs.base, xs, {next}));
          std::vector<std::vector<std::optional<Atom>>> rows;
          for (std::size_t a = 0; a < p_; ++a) rows.push_back(jacobian_row(inside, args, a));
          std::vector<Atom> entries;
          for (const auto& [a, k] : carried_)
            entries.push_back(rows[k][a].value_or(PrimValue::zero(elem(a))));
          const auto c =
              b.let_all({"c"}, If{has_next, {std::move(inside.stms), entries}, {{}, identity()}});
          return std::vector<Atom>(c.begin(), c.end());
        });
    return b_.let_all({"c"}, Map{scan_.width, fn, {positions}, {}});
  }

  std::vector<Atom> identity() const {
    std::vector<Atom> entries;
    for (const auto& [a, k] : carried_)
      entries.emplace_back(a == k ? PrimValue::one(elem(a)) : PrimValue::zero(elem(a)));
    return entries;
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
    for (const Atom& entry : identity()) neutral.push_back(entry);
    const Lambda compose = b_.lambda(params, [&](Builder& b, const std::vector<Name>& forms) {
      return composed(b, pattern_, LinearForm::of(pattern_, forms, 0),
                      LinearForm::of(pattern_, forms, inputs.size()))
          .components();
    });
    const auto results = b_.let_all({"linear"}, Scan{scan_.width, compose, neutral, inputs});
    std::vector<Name> r_adjs;
    for (std::size_t a = 0; a < p_; ++a) r_adjs.push_back(reversed(b_, results[a]));
    return r_adjs;
  }

  Reverse& r_;
  const Stm& stm_;
  const Scan& scan_;
  std::vector<std::size_t> active_;  // the components that the linear functions are about
  std::size_t p_;                    // how many
  Builder b_;
  Pattern pattern_;
  std::vector<std::pair<std::size_t, std::size_t>> carried_;
  std::vector<Name> ys_, y_adjs_;
};

}  // namespace

MaybeSweeps reverse_scan_linear(Reverse& r, const Stm& stm, const Scan& scan) {
  if (active_components(r, stm, scan).size() > max_components) return std::nullopt;
  for (const Type& type : scan.op.result_types)
    if (!type.is_scalar()) return std::nullopt;
  refuse_active_neutral(r, stm, scan.neutral, "scan");
  return LinearScan(r, stm, scan).run();
}

}  // namespace boustro::ad
