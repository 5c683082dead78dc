#include "emit/plan/lower/made_sizes.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// Of arrays that nobody stores.
ir::Shape sizes_made_by(const ir::Exp& exp) {
  if (const auto* numbers = std::get_if<ir::Iota>(&exp)) return {numbers->width};
  if (const auto* equal = std::get_if<ir::Replicate>(&exp)) return equal->shape;
  return {};
}

}  // namespace

bool MadeSizes::knows(const ir::Shape& sizes) const {
  return std::all_of(sizes.begin(), sizes.end(), [&](const ir::Atom& size) {
    const ir::Name* name = ir::name_in(size);
    return !name || (host_.knows(*name) && std::holds_alternative<Scalar>(host_.value_of(*name)));
  });
}

bool MadeSizes::can_be_checked(const ir::Body& body, bool always) const {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const ir::Stm& stm) {
    const ir::Shape sizes = sizes_made_by(stm.exp);
    const auto may_be_negative = [&](const ir::Atom& size) { return knows({size}) && !not_negative(host_.scalar(size).range); };
    if (!always && std::any_of(sizes.begin(), sizes.end(), may_be_negative)) return false;
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    const bool always_inside = always && nest && knows(nest->space);
    bool inside = true;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { inside = inside && can_be_checked(inner, always_inside); });
    return inside;
  });
}

void MadeSizes::check(const ir::Body& body, const std::optional<Expr>& reached) {
  for (const ir::Stm& stm : body.stms) {
    for (const ir::Atom& size : sizes_made_by(stm.exp))
      if (knows({size})) host_.check_space(stm, {size}, reached);
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    if (!nest || !knows(nest->space)) continue;
    host_.check_space(stm, nest->space, reached);
    check(nest->point.body, inside(nest->space, reached));
  }
}

std::optional<Expr> MadeSizes::inside(const ir::Shape& space, std::optional<Expr> reached) {
  for (const ir::Atom& extent : space) reached = host_.reached_inside(reached, extent);
  return reached;
}

}  // namespace boustro::plan::planner
