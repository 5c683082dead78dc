// Loops with #[fixed_point]: what both modes share. reverse/loop_fixed_point.cpp and forward/loop_fixed_point.cpp state the rules.
//
// Such a loop computes z = phi z x until z changes no more. Its derivative is a fixed point, too, of a linear function, and is
// iterated until it changes no more by the measure of the loop itself: the condition's statements, with the derivative before and after a
// step in the place of z. Since the derivative is linear in what it starts from, it is measured in units of that: a small seed
// does not pass for a small change.
#pragma once

#include "transform/ad/context.hpp"

namespace boustro::ad {

bool is_fixed_point(const ir::Stm& stm);

/// What is known of such a loop, whose parameters at `state` have derivatives.
struct FixedPoint {
  std::vector<std::size_t> state;
  /// Says whether the state has changed too much, of its parameters (before a step) and the body's results (after it).
  std::vector<ir::Stm> measure;
  ir::Atom changes;
  ir::Atom limit;  // of the steps of the derivative
};

/// Finds the measure in the loop's condition. Of conditions that are joined by `&&` those that read no state, such as limits of the
/// number of steps, are left out, since the derivative has a limit of its own; as long as one of the others holds, it goes on. Refuses conditions that do not compare every part of the state.
FixedPoint fixed_point_of(Derivation& derivation, const ir::Stm& stm, const std::function<bool(const ir::Name&)>& is_active);

/// phi: the loop's body without its condition, of all parameters; yields the next state.
ir::Lambda step_of(ir::Names& names, const ir::Loop& loop, const FixedPoint& fixed_point);
/// The parameters of a step, each bound to what the loop `stm` ends with.
void bind_converged(ir::Builder& builder, const ir::Stm& stm, const ir::Lambda& step);

/// The largest absolute value of all elements, 1 if that is 0 or there are none, of the type `elem`.
ir::Atom magnitude(ir::Builder& builder, ir::PrimType elem, const std::vector<ir::Atom>& values);

/// A fixed point of a linear function of derivatives of the state.
struct LinearFixedPoint {
  std::vector<std::string> bases;  // of what the derivatives are called
  std::vector<ir::Atom> start;     // with the seed shape innermost; consumed
  ir::Atom scale;                  // what a change is measured in
  std::function<ir::Body(const std::vector<ir::Name>& derivatives)> next;
};

/// Iterates until the measure is content, at least once, and fails if that takes more steps than the limit. The loop has the attribute
/// itself, for derivatives of higher order.
std::vector<ir::Name> solve(ir::Builder& builder, const ir::Stm& stm, const FixedPoint& fixed_point, const ir::Shape& seed_shape,
                            const LinearFixedPoint& linear);

}  // namespace boustro::ad
