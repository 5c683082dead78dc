// Reverse mode: while loops that end at a fixed point.
//
// Rule      #[fixed_point] loop z = z0 while z changes do phi z x    gives    forward: the same loop, of which only the last z is kept;
//             return: w = z_adj, then w = z_adj + w dphi/dz until w changes no more by the loop's own measure, in units of z_adj;
//             x_adj += w dphi/dx; both at the last z. z0_adj is 0
// Applies   while loops with the attribute whose condition compares the state after a step with the one before it. A limit of steps that
//           it joins to that by && does not end the iteration of w: that fails after as many steps as the attribute says. With
//           #[fixed_point(warm)], in the step of a loop, w starts from what it was in the step behind (0 in the last one) instead of z_adj
// Cost      phi's forward sweep twice, its return sweep once for each step of w; no memory for states
// Source    [Hascoët], 4: the two-phase adjoint of Christianson, "Reverse accumulation and attractive fixed points", 1994
//
// Before:      def f (a: f64) (x: f64): f64 =
//                (#[fixed_point] loop (y, old) = (x, x + 1) while f64.abs (y - old) > 1e-12 do (a + 0.5 * f64.cos y, y)).0
// After vjp:   def f_vjp (a: f64) (x: f64) (y_adj: f64): (f64, f64) =
//                let (y, _) = loop (y, old) = (x, x + 1) while f64.abs (y - old) > 1e-12 do (a + 0.5 * f64.cos y, y)
//                in (y_adj / (1 + 0.5 * f64.sin y), 0)
#include <algorithm>

#include "transform/ad/fixed_point.hpp"
#include "transform/ad/reverse/loop.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class FixedPointReversal {
 public:
  FixedPointReversal(Reverse& r, const Stm& stm)
      : r_(r),
        stm_(stm),
        loop_(std::get<Loop>(stm.exp)),
        fixed_point_(fixed_point_of(r.derivation, stm, [&](const Name& name) { return r.activity.active(name); })),
        forward_(r.forward_builder(stm, "reverse_loop_fixed_point")),
        b_(r.builder(stm, "reverse_loop_fixed_point")) {}

  Sweeps run() {
    Stm loop = stm_;
    loop.attributes.push_back({"keep", {}});
    forward_.add(std::move(loop));
    contribute(solved());
    return {std::move(forward_.stms), std::move(b_.stms)};
  }

 private:
  /// w, a derivative for each part of the state.
  std::vector<Name> solved() {
    LinearFixedPoint linear;
    for (const std::size_t i : fixed_point_.state) {
      const Name& z = stm_.pattern[i].name;
      seeds_.push_back(r_.adjoints.take(b_, z));
      linear.bases.push_back(adj_name(z));
    }
    linear.scale = magnitude(b_, r_.names.type_of(seeds_[0]).elem, seeds_);
    const bool is_warm = starts_warm();
    for (std::size_t k = 0; k < seeds_.size(); ++k) linear.start.push_back(is_warm ? before(linear.bases[k], seeds_[k]) : fresh_copy(b_, linear.bases[k], seeds_[k]));

    const Lambda step = step_of(r_.names, loop_, fixed_point_);
    bind_converged(forward_, stm_, step);
    Reverse of_state(r_.derivation, r_.seed_shape);
    of_state.map_depth = r_.map_depth;
    of_state.activity.analyse(step.body.stms);
    for (const std::size_t i : fixed_point_.state) of_state.activity.add_input(step.params[i].name);
    for (const Atom& next : step.body.result) of_state.activity.add_result(next);
    linear.next = [&](const std::vector<Name>& w) { return next_of(of_state, step, w); };
    std::vector<Name> w = solve(b_, stm_, fixed_point_, r_.seed_shape, linear);
    if (is_warm) r_.warm_starts->solved.insert(r_.warm_starts->solved.end(), w.begin(), w.end());
    return w;
  }

  /// The step of a loop around it has this loop at its own level, and w's sizes from outside.
  bool starts_warm() const {
    const auto& attributes = stm_.attributes;
    if (std::none_of(attributes.begin(), attributes.end(), [](const Attribute& a) { return a.name == "warm"; })) return false;
    if (!r_.warm_starts || !r_.warm_starts->bound.contains(stm_.pattern[0].name)) return false;
    return std::all_of(seeds_.begin(), seeds_.end(), [&](const Atom& seed) {
      const Shape shape = r_.names.type_of(seed).shape;
      return std::none_of(shape.begin(), shape.end(), [&](const Atom& size) { return name_in(size) && r_.warm_starts->bound.contains(*name_in(size)); });
    });
  }

  /// What w was in the step behind this one, for which the return loop has come here.
  Name before(const std::string& base, const Atom& seed) {
    const Type type = r_.names.type_of(seed);
    r_.warm_starts->before.push_back(r_.names.fresh_param(base + "_before", type, !type.is_scalar()));
    return r_.warm_starts->before.back().name;
  }

  /// z_adj + w dphi/dz.
  Body next_of(Reverse& of_state, const Lambda& step, const std::vector<Name>& w) {
    Builder inner(r_.names, b_.origin);
    for (std::size_t k = 0; k < w.size(); ++k) of_state.adjoints.add(inner, step.body.result[k], w[k], false);
    const ScopeSweep sweep(of_state, step.body.stms);
    inner.add(sweep.reverse);
    Body body;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const Name& z = step.params[fixed_point_.state[k]].name;
      body.result.push_back(sum(inner, w[k].base, seeds_[k], of_state.adjoints.take(inner, z)));
    }
    body.stms = std::move(inner.stms);
    forward_.add(sweep.forward());
    return closed(of_state, std::move(body));
  }

  /// x_adj += w dphi/dx. The state is a constant here, since what binds it was not analysed.
  void contribute(const std::vector<Name>& w) {
    const Lambda step = step_of(r_.names, loop_, fixed_point_);
    bind_converged(forward_, stm_, step);
    r_.activity.analyse(step.body.stms);
    for (const Atom& next : step.body.result) r_.activity.add_result(next);
    for (std::size_t k = 0; k < w.size(); ++k) r_.adjoints.add(b_, step.body.result[k], w[k], false);
    ScopeSweep sweep(r_, step.body.stms);
    forward_.add(sweep.forward());
    b_.add(sweep.reverse);
    r_.handed_back = sweep.handed_back();
  }

  Reverse& r_;
  const Stm& stm_;
  const Loop& loop_;
  const FixedPoint fixed_point_;
  Builder forward_, b_;
  std::vector<Atom> seeds_;  // z_adj
};

}  // namespace

Sweeps reverse_fixed_point(Reverse& r, const Stm& stm) { return FixedPointReversal(r, stm).run(); }

}  // namespace boustro::ad
