#include "emit/plan/lanes/unique.hpp"

#include <functional>
#include <map>
#include <set>
#include <span>

#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

using NewNames = std::map<std::string, std::string>;

void rename(Expr& expr, const std::function<std::string(const std::string&)>& change) {
  if (auto* variable = std::get_if<Var>(&expr.head)) variable->name = change(variable->name);
  for (Expr& arg : expr.args) rename(arg, change);
}

/// The name that the statement declares, if it does.
std::string* declared_by(Stm& stm) {
  if (auto* let = std::get_if<Let>(&stm.what)) return &let->name;
  if (auto* array = std::get_if<LocalArray>(&stm.what)) return &array->name;
  if (auto* loop = std::get_if<For>(&stm.what)) return &loop->name;
  return nullptr;
}

void make_unique(Stms& stms, NewNames names, std::set<std::string>& taken) {
  for (Stm& stm : stms) {
    for_each_expr(stm, [&](Expr& expr) {
      rename(expr, [&](const std::string& name) {
        const auto found = names.find(name);
        return found != names.end() ? found->second : name;
      });
    });
    if (std::string* name = declared_by(stm)) {
      std::string other = *name;
      for (int number = 2; !taken.insert(other).second; ++number) other = *name + "#" + std::to_string(number);
      names[*name] = other;
      *name = other;
    }
    for_each_body(stm, [&](Stms& body) { make_unique(body, names, taken); });
  }
}

/// `visible`: names that were restored around here. Declarations may have moved up, before a block with one of the same name.
void restore(Stms& stms, NewNames& names, std::set<std::string> visible, std::set<std::string>& taken) {
  for (Stm& stm : stms) {
    for_each_expr(stm, [&](Expr& expr) {
      rename(expr, [&](const std::string& name) {
        const auto found = names.find(name);
        return found != names.end() ? found->second : restored(name);
      });
    });
    std::set<std::string> inside = visible;
    if (std::string* name = declared_by(stm)) {
      std::string other = restored(*name);
      if (visible.contains(other)) other = fresh(other, taken);
      names[*name] = other;
      *name = other;
      inside.insert(other);
    }
    for_each_body(stm, [&](Stms& body) { restore(body, names, inside, taken); });
    if (!std::holds_alternative<For>(stm.what)) visible = std::move(inside);
  }
}

}  // namespace

std::string fresh(const std::string& name, std::set<std::string>& taken) {
  std::string result = name;
  for (int number = 2; !taken.insert(result).second; ++number) result = name + "_" + std::to_string(number);
  return result;
}

void make_unique(Stms& stms) {
  std::set<std::string> taken;
  make_unique(stms, {}, taken);
}

std::string restored(const std::string& name) {
  const std::size_t mark = name.find('#');
  if (mark == name.npos) return name;
  const std::size_t end = name.find_first_not_of("0123456789", mark + 1);
  return name.substr(0, mark) + (end == name.npos ? "" : name.substr(end));
}

void restore_names(Stms& stms, std::set<std::string>& taken) {
  NewNames names;
  restore(stms, names, {}, taken);
}

}  // namespace boustro::plan::lanes
