// Values as formulas: `sum_{t < d} (points[i, t] - centres[j, t])^2`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emit/plan/formula/symbolic.hpp"

namespace boustro::plan::formula {

/// `; -1 if none is below infinity`, of the index of a least element; empty for values that always are what they are.
std::string_view if_there_is_none(const Expr& value);

/// Writes down expressions that share definitions. What occurs once, or is short, stands where it
/// is used; the rest has its name there, and is explained after `where`. So has a sum over an index that stands for something else around it.
class Notation {
 public:
  /// `shown` are all expressions that will be written, `indices` those of what they are stored to.
  Notation(const std::vector<Named>& definitions, const std::vector<const Expr*>& shown, const std::vector<std::string>& indices = {});

  std::string text(const Expr& expr);
  /// Explanations of the names that have been used and have not been explained yet; of those that
  /// these use in turn as well.
  std::vector<std::string> explanations();
  /// Whether something has been left out, because it is too long to be read.
  bool too_long() const { return too_long_; }

 private:
  enum class Level { primary, power, product, sum, relation, logic, conditional };
  struct Bound {
    std::string text;
    Level level = Level::primary;
  };

  void count(const Expr& expr);
  Bound bound(const Expr& expr);
  Bound definition(std::size_t number);
  Bound named(std::size_t number, const Bound& written);
  std::string range(const Expr& bound);
  Bound product(const Expr& x, const Expr& y);
  Bound quotient(const Expr& x, const Expr& y);
  Bound operation(Op op, const std::vector<Expr>& args);
  Bound binary(const Expr& x, const char* symbol, const Expr& y, Level level);
  Bound intrinsic(const Expr& expr);
  Bound call(const Call& call, const std::vector<Expr>& args);
  std::string enclosed(const Expr& expr, Level limit);
  std::string list(const std::vector<Expr>& args, std::size_t from);

  const std::vector<Named>& definitions_;
  std::map<std::size_t, int> uses_;
  std::map<std::size_t, Bound> written_;
  std::map<std::string, std::size_t> named_;  // names that stand for definitions
  std::vector<std::size_t> to_explain_;
  std::multiset<std::string> indices_;  // of what is stored to, and of the sums around what is written
  bool too_long_ = false;
};

}  // namespace boustro::plan::formula
