// Sizes of a function's arrays, as bindings find them in the arrays that they are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// A parameter of a function, for messages: `cost: points must ...`.
struct Argument {
  const char* function;
  const char* name;

  std::string must(const std::string& what) const { return std::string(function) + ": " + name + " must " + what; }
  std::string dimension_must(std::size_t dimension, const std::string& what) const {
    return std::string(function) + ": dimension " + std::to_string(dimension) + " of " + name + " must " + what;
  }
};

/// A size of the function: what the first array that has it says, and what all others must agree
/// with.
class Extent {
 public:
  explicit Extent(const char* name) : name_(name) {}
  int64_t value() const { return value_; }
  operator int64_t() const { return value_; }

  void meet(Argument array, std::size_t dimension, int64_t value) {
    if (source_.empty()) {
      value_ = value;
      source_ = "dimension " + std::to_string(dimension) + " of " + array.name;
    } else if (value != value_) {
      throw std::invalid_argument(array.dimension_must(
          dimension, "be " + std::to_string(value_) + ", which is " + name_ + " by " + source_ + ", not " + std::to_string(value)));
    }
  }

 private:
  const char* name_;
  int64_t value_ = 0;
  std::string source_;  // where the value comes from
};

/// What an array's dimension must be: a size of the function, or a number.
class Dimension {
 public:
  Dimension(Extent& extent) : extent_(&extent) {}
  Dimension(int64_t value) : value_(value) {}

  void meet(Argument array, std::size_t dimension, int64_t value) const {
    if (extent_ != nullptr) {
      extent_->meet(array, dimension, value);
    } else if (value != value_) {
      throw std::invalid_argument(array.dimension_must(dimension, "be " + std::to_string(value_) + ", not " + std::to_string(value)));
    }
  }

 private:
  Extent* extent_ = nullptr;
  int64_t value_ = 0;
};

/// Compares the shape of an array with what it must be, and so finds sizes.
inline void meet_shape(Argument array, const std::vector<int64_t>& shape, const std::vector<Dimension>& dimensions) {
  if (shape.size() != dimensions.size()) {
    throw std::invalid_argument(array.must("have " + std::to_string(dimensions.size()) + " dimension" +
                                           (dimensions.size() == 1 ? "" : "s") + ", not " + std::to_string(shape.size())));
  }
  for (std::size_t i = 0; i < shape.size(); ++i) dimensions[i].meet(array, i, shape[i]);
}
