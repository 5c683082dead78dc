// Random values for gradient checks and for `random input` of test blocks.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "frontend/values/value.hpp"

namespace boustro::driver {

/// The same numbers for the same seed, on every machine.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

  /// Integers from the full range of their type, floats from [0, 1), bools.
  values::Value uniform(values::PrimType type, std::vector<std::int64_t> shape);
  /// Floats from [low, high); integers likewise, bools both.
  values::Value between(values::PrimType type, std::vector<std::int64_t> shape, double low,
                        double high);

 private:
  double unit();  // in [0, 1)
  std::mt19937_64 engine_;
};

/// An item of `random input`: a type with constant sizes, such as `[10][2]f32`, or a value. Throws
/// values::ReadError.
values::Value random_item(RandomValues& random, const std::string& item);

}  // namespace boustro::driver
