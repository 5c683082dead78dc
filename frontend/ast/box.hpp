// An owning pointer with value semantics, for the recursive nodes of syntax trees.
#pragma once

#include <memory>
#include <utility>

namespace boustro::ast {

/// Copying a Box copies what it holds. Never empty, unless moved from.
template <typename T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<T>(*other.value_)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(Box other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  bool operator==(const Box& other) const { return *value_ == *other.value_; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace boustro::ast
