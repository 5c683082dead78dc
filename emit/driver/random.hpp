// Random values for gradient checks and for `random input` of test blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/values/value.hpp"

namespace boustro::driver {

/// The generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", as
/// Haskell's System.Random has it.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed);
  std::uint64_t next();

 private:
  std::uint64_t state_, gamma_;
};

/// The same numbers for the same seed, on every machine.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : generator_(seed) {}

  /// Integers from the full range of their type, floats from [0, 1], bools. A fresh generator makes
  /// the values that `futhark dataset` makes of the same type and seed, with System.Random of
  /// version 1.2.
  values::Value uniform(values::PrimType type, std::vector<std::int64_t> shape);
  /// Floats from [low, high); integers likewise, bools both.
  values::Value between(values::PrimType type, std::vector<std::int64_t> shape, double low,
                        double high);

 private:
  values::PrimValue element(values::PrimType type);
  SplitMix generator_;
};

/// An item of `random input`: a type with constant sizes, such as `[10][2]f32`, or a value. Throws
/// values::ReadError.
values::Value random_item(RandomValues& random, const std::string& item);

}  // namespace boustro::driver
