// Elements that lie at one distance from each other are reached by one pointer.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// What the places of three or more elements of an array have in common, a row at least, is added to the array once, where all of them are
/// in sight:
///
/// Before:   xs[s * (2 * b) + j] = y; ys[s * (2 * b) + j] = xs[s * (2 * b) + b + j] + xs[s * (2 * b) + j];
/// After:    double* const own_xs = xs + s * (2 * b) + j; own_xs[0] = y; ys[s * (2 * b) + j] = own_xs[b] + own_xs[0];
///
/// The place is computed there, also if no element is then touched: it is arithmetic on variables that do not change, and reads nothing.
/// Where all are at the same place it stays one in a row: `xs_row[j]`. Of kernels, in which indices are polished (indices.hpp) and sums still
/// stand as these write them.
void point_at_common_places(Program& plan);

}  // namespace boustro::plan
