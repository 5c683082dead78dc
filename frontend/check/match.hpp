// Dispatch over variants: match(exp.node, [](const Var& v) {..}, [](const Apply& a) {..}, ...).
#pragma once

#include <utility>
#include <variant>

namespace boustro::check {

template <typename... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <typename Variant, typename... Cases>
decltype(auto) match(Variant&& variant, Cases&&... cases) {
  return std::visit(Overload<std::decay_t<Cases>...>{std::forward<Cases>(cases)...},
                    std::forward<Variant>(variant));
}

}  // namespace boustro::check
