// Collects violations; each names the function and the statement that is being looked at.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "transform/ir/ir.hpp"
#include "transform/ir/print.hpp"

namespace boustro::ir::verification {

class Report {
 public:
  void enter(const Function& function) { function_ = &function, stm_ = nullptr; }
  const Stm* enter(const Stm* stm) { return std::exchange(stm_, stm); }

  template <typename... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    violations.push_back(place() + fmt::format(text, std::forward<Args>(args)...));
  }

  std::vector<std::string> violations;

 private:
  std::string place() const {
    std::string text = "in " + function_->name.base;
    if (!stm_) return text + ": ";
    std::string names;
    for (const Param& param : stm_->pattern) names += (names.empty() ? "" : ", ") + to_string(param.name);
    text += names.empty() ? ", a statement without results" : ", the statement that binds " + names;
    if (!stm_->origin.rule.empty()) text += ", made by " + stm_->origin.rule;
    return text + ": ";
  }

  const Function* function_ = nullptr;
  const Stm* stm_ = nullptr;
};

/// Sets the statement that messages name, for as long as it lives.
class At {
 public:
  At(Report& report, const Stm& stm) : report_(report), before_(report.enter(&stm)) {}
  ~At() { report_.enter(before_); }
  At(const At&) = delete;
  At& operator=(const At&) = delete;

 private:
  Report& report_;
  const Stm* before_;
};

/// Names, scopes, types and sizes. The checks below assume that there is nothing to report here.
void verify_types(const Program& program, Report& report);
/// No use after consumption, through aliases too; only what may be consumed is.
void verify_consumption(const Program& program, Report& report);
/// For each function, which of its results lie in memory that is theirs alone: neither that of a parameter which the
/// caller keeps, nor that of another result. Empty for programs that are not well typed.
std::unordered_map<Name, std::vector<bool>> fresh_results(const Program& program);
/// Accumulators are used exactly once on every path.
void verify_accumulators(const Program& program, Report& report);

}  // namespace boustro::ir::verification
