// C++ identifiers for the names of a program.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

/// The name as a C++ identifier that is no keyword, no macro and no name of CUDA or of ours: `x'`
/// becomes `x_prime`, `min` `min_`, `EOF` `eof`.
std::string identifier(std::string_view name);
/// cost_gradient as CostGradient.
std::string type_name(std::string_view identifier);

/// `weight` in `change` as `change_weight`, `cell` in `new_cell` as `new_cell`, `Add` in `log_sum` as `LogSumAdd`; nothing if it says so
/// already.
std::optional<std::string> part_of(const std::string& word, const std::string& base);

/// Why a name is as it is: shorter ones were taken, the best first. None: it is what something is called by itself.
struct Other {
  std::vector<std::string> rather;
  bool says_whose = false;  // `change_x`, unlike `other_x` and `x_2`
};

/// Names that were given out. One that can be none of those that it would rather be gets the lowest number of the best.
using Others = std::map<std::string, Other>;
std::string with_number(const std::string& base, int number);

/// Gives out identifiers, distinct within a scope and the scopes around it. The second one of a name says what it is part of, as far as
/// that tells it apart: `change_weight` beside `weight`; else it is another one of a return sweep, `weight_again`, or simply the
/// `other_weight`, and then `another_weight`; the next ones have numbers.
class Identifiers {
 public:
  Identifiers() : levels_(1) {}

  /// From now on names are given to what comes from there, which may change; others are noted. Both outlive this object.
  void follow(const ir::Provenance* origin, Others* others) { origin_ = origin, others_ = others; }

  std::string fresh(std::string_view name);
  /// For the outermost scope, from inside of any other: also distinct from all names of scopes that
  /// have ended.
  std::string fresh_outside(std::string_view name);
  /// Gives a name of the innermost scope back, which turned out not to be needed.
  void release(const std::string& identifier) {
    levels_.back().erase(identifier);
    forget(identifier);
  }
  /// Gives a name of the outermost scope back.
  void release_outside(const std::string& identifier) {
    levels_.front().erase(identifier);
    forget(identifier);
  }
  bool taken(const std::string& identifier) const;
  /// For an index: the base, or instead of one letter that is taken, by a name or as one of `others`, another letter.
  std::string letter_for(std::string_view base, const std::set<std::string>& others = {}) const;
  void reserve(const std::string& identifier) { levels_.back().insert(identifier); }
  /// Known from now on at the outermost level.
  void reserve_everywhere(const std::string& identifier) { levels_.front().insert(identifier); }

  void open() { levels_.emplace_back(); }
  void close() {
    if (keep_) levels_[levels_.size() - 2].merge(levels_.back());
    levels_.pop_back();
  }
  /// From now on names stay taken when their scope ends.
  void keep() { keep_ = true; }
  /// From now on names of the outermost scope are given out by `fresh_outside`: what they stand for may move to the front,
  /// and must hide nothing there.
  void outermost_moves() { outermost_moves_ = true; }

 private:
  std::vector<std::set<std::string>> levels_;
  std::multiset<std::string> all_;  // also of scopes that have ended
  bool keep_ = false;
  bool outermost_moves_ = false;
  const ir::Provenance* origin_ = nullptr;
  Others* others_ = nullptr;

  void forget(const std::string& identifier) {
    const auto found = all_.find(identifier);
    if (found != all_.end()) all_.erase(found);
  }

  template <typename Taken>
  std::string distinct(std::string_view name, const Taken& taken) const;
  template <typename Taken>
  std::optional<std::string> by_origin(const std::string& base, const Taken& taken) const;
  template <typename Taken>
  std::string another(const std::string& base, const Taken& taken) const;
};

}  // namespace boustro::plan::planner
