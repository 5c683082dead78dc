// Numbers that are known when a file is written: literals, and what is said to be typical.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

struct Known {
  std::int64_t value = 0;  // of a bool: 0 or 1
  bool exact = true;       // made of literals alone; else typical
};

/// Values of integers and conditions of the host, as its code would compute them: by the functions of templates/ which it calls, too.
class KnownValues {
 public:
  void set(const std::string& variable, const Known& known) { variables_[variable] = known; }
  void forget(const std::string& variable) { variables_.erase(variable); }

  /// Nothing if it depends on what is not known, or overflows.
  std::optional<Known> of(const Expr& expr) const;

 private:
  std::optional<Known> of_operator(Op op, const Expr& expr) const;
  std::optional<Known> of_function(const std::string& function, const Expr& expr) const;
  std::optional<Known> all_of(bool conjunction, const Expr& expr) const;

  std::map<std::string, Known> variables_;
};

}  // namespace boustro::plan::planner
