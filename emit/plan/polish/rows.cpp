#include "emit/plan/polish/rows.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/plan/build.hpp"
#include "emit/plan/polish/elements.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

struct Row {
  Expr pointer, array, first;
};

class Rows {
 public:
  explicit Rows(const Stms& stms) : changing_(changing_in(stms)) {}

  void body(Stms& stms) {
    const auto outside = static_cast<std::ptrdiff_t>(rows_.size());
    for (Stm& stm : stms) {
      for_each_expr(stm, [&](Expr& expr) { use(expr); });
      for_each_body(stm, [&](Stms& inside) { body(inside); });
      if (const auto* let = std::get_if<Let>(&stm.what))
        if (auto row = row_of(*let)) rows_.push_back(std::move(*row));
    }
    rows_.erase(rows_.begin() + outside, rows_.end());
  }

 private:
  std::optional<Row> row_of(const Let& let) const {
    if (!is_row(let) || restricted(let.value->args[0].type) != restricted(let.type) || changing_.contains(let.name) || !is_index_arithmetic(let.value->args[1]))
      return std::nullopt;
    std::set<std::string> names;
    add_names(*let.value, names);
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return changing_.contains(name); })) return std::nullopt;
    return Row{var(let.name, let.type), let.value->args[0], let.value->args[1]};
  }

  void use(Expr& expr) const {
    for (Expr& arg : expr.args) use(arg);
    if (!std::holds_alternative<Element>(expr.head) || expr.args.size() != 2 || !is_op(expr.args[1], Op::add)) return;
    const auto holds = [&](const Row& row) { return row.array == expr.args[0] && row.first == expr.args[1].args[0]; };
    const auto row = std::find_if(rows_.rbegin(), rows_.rend(), holds);
    if (row == rows_.rend()) return;
    const Expr place = expr.args[1].args[1];
    expr.args = {row->pointer, place};
  }

  const std::set<std::string> changing_;
  std::vector<Row> rows_;  // in sight
};

}  // namespace

std::set<std::string> changing_in(const Stms& stms) {
  std::set<std::string> names;
  for_each_stm(stms, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.what); let && let->changes) names.insert(let->name);
    if (const auto* swap = std::get_if<Swap>(&stm.what)) names.insert({swap->x, swap->y});
    if (const auto* assign = std::get_if<Assign>(&stm.what))
      if (const auto* variable = std::get_if<Var>(&assign->target.head)) names.insert(variable->name);
  });
  return names;
}

void use_rows(Stms& stms) { Rows(stms).body(stms); }

void use_rows(Entry& entry, Target target) {
  for_each_code(entry, target == Target::cpu, [](Stms& stms) { use_rows(stms); });
}

}  // namespace boustro::plan
