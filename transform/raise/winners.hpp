// The place of the smallest or largest element: a reduction of pairs that the rule for minima makes.
#pragma once

#include "transform/raise/raiser.hpp"

namespace boustro::raise {

/// `argmin xs` for such a reduction, which becomes a function of the program. It yields the element as well, if that is used.
std::optional<Binding> winner(Raiser& raiser, const ir::Stm& stm);

}  // namespace boustro::raise
