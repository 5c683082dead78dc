// The special members of the types with many alternatives.

#include "emit/plan/plan.hpp"

namespace boustro::plan {

Head::Head(const Head& other) = default;
Head::Head(Head&& other) noexcept = default;
Head& Head::operator=(const Head& other) = default;
Head& Head::operator=(Head&& other) noexcept = default;
Head::~Head() = default;

bool Head::operator==(const Head& other) const {
  return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

Action::Action(const Action& other) = default;
Action::Action(Action&& other) noexcept = default;
Action& Action::operator=(const Action& other) = default;
Action& Action::operator=(Action&& other) noexcept = default;
Action::~Action() = default;

bool Action::operator==(const Action& other) const {
  return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

bool For::operator==(const For& other) const = default;
bool ForLanes::operator==(const ForLanes& other) const = default;
bool Closure::operator==(const Closure& other) const = default;
bool While::operator==(const While& other) const = default;
bool Ordered::operator==(const Ordered& other) const = default;
bool If::operator==(const If& other) const = default;

}  // namespace boustro::plan
