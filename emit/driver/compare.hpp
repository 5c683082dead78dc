// Compares results with expected values.
#pragma once

#include <string>
#include <vector>

#include "frontend/values/read.hpp"

namespace boustro::driver {

/// How far a float may be from what is expected. NaN equals NaN, and infinities of one sign are
/// equal; integers and bools are equal or not.
enum class Tolerance {
  /// Futhark's: one bound for a whole array, 0.002 times its largest element, at least 0.002.
  futhark,
  /// For each element: 1e-10 (f32: 1e-5, f16: 1e-2) times the larger of its magnitude and a
  /// thousandth of the largest magnitude in the array.
  strict,
};

/// What differs first, in words; empty if nothing does. Element type, shape and number of values
/// must agree.
std::string difference(const std::vector<values::Value>& got,
                       const std::vector<values::Value>& expected, Tolerance tolerance);

/// The same where what is expected was written by somebody, who may have rounded it or cut it off: floats may also be
/// a unit of the last digit away.
std::string difference(const std::vector<values::Value>& got,
                       const values::WrittenValues& expected, Tolerance tolerance);

}  // namespace boustro::driver
