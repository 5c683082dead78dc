#include "emit/plan/formula/stores.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula.hpp"
#include "emit/plan/formula/notation.hpp"
#include "emit/plan/formula/symbolic.hpp"
#include "emit/plan/polish/words.hpp"

namespace boustro::plan::formula {

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

namespace {

using Lines = std::vector<std::string>;

/// A comment has no room for more, of characters and lines.
constexpr std::size_t max_length = 520, max_lines = 9;

/// `a, b and c`
std::string listed(const Lines& names) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::size_t length(const Lines& lines) {
  std::size_t result = 0;
  for (const std::string& line : lines) result += line.size();
  return result;
}

/// What is stored to the parameters, and to scratch memory that is read again.
class Stores {
 public:
  Stores(const Behaviour& behaviour, const std::vector<Param>& params)
      : behaviour_(behaviour), params_(params) {
    for (const Store& store : behaviour.stores) {
      if (!is_output(store) && !can_be_said(store)) hidden_.insert(array_of(store));
    }
  }

  Lines lines() const {
    const Lines whole = formulas(true);
    const bool has_places = std::any_of(whole.begin(), whole.end(), [](const std::string& line) { return says(line, "thread") && says(line, "threads"); });
    if (!whole.empty() && !has_places && whole.size() <= max_lines && length(whole) <= max_length) return whole;
    return formulas(false);
  }

 private:
  static const std::string& array_of(const Store& store) {
    return std::get<Var>(store.target.args[0].head).name;
  }

  bool is_output(const Store& store) const {
    return std::any_of(params_.begin(), params_.end(), [&](const Param& param) {
      return param.name == array_of(store) && param.access != Access::scratch;
    });
  }

  bool is_known(const Expr& expr) const {
    if (is_unknown(expr, behaviour_.definitions)) return false;
    const auto names = variables_in(expr, behaviour_.definitions);
    return std::none_of(hidden_.begin(), hidden_.end(),
                        [&](const std::string& array) { return names.contains(array); });
  }

  /// The condition is that the index is what another expression is: `t >= u and t == u`.
  bool is_determined(const std::string& index, const Expr& condition) const {
    const Expr& expr = resolved(condition, behaviour_.definitions);
    const auto op = operator_of(expr);
    if (op == Op::logical_and)
      return std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& part) { return is_determined(index, part); });
    const auto is_index = [&](const Expr& side) {
      const auto* var = std::get_if<Var>(&resolved(side, behaviour_.definitions).head);
      return var && var->name == index;
    };
    return op == Op::eq && is_index(expr.args[0]) != is_index(expr.args[1]);
  }

  /// Not one that a later iteration of a loop around it overwrites; of scratch memory, whoever
  /// reads it again has made sure of that.
  bool can_be_said(const Store& store) const {
    if (!is_known(store.value) || !is_known(store.target)) return false;
    if (store.condition && !is_known(*store.condition)) return false;
    if (store.op || !is_output(store)) return true;
    const auto names = variables_in(store.target, behaviour_.definitions);
    return std::all_of(store.indices.begin(), store.indices.end(),
                       [&](const std::string& index) {
                         return names.contains(index) || (store.condition && is_determined(index, *store.condition));
                       });
  }

  /// Without `values`, only what is stored to.
  Lines formulas(bool values) const {
    std::vector<const Store*> said, unsaid, helpers;
    for (const Store& store : behaviour_.stores) {
      if (is_output(store)) {
        (values && can_be_said(store) ? said : unsaid).push_back(&store);
      } else if (values && behaviour_.read_again.contains(array_of(store)) && can_be_said(store)) {
        helpers.push_back(&store);
      }
    }
    // What is only the start value of something that cannot be said would be taken for the result.
    std::erase_if(said, [&](const Store* start) {
      return std::any_of(unsaid.begin(), unsaid.end(), [&](const Store* store) { return array_of(*store) == array_of(*start); });
    });
    std::vector<const Expr*> written;
    for (const auto* stores : {&said, &helpers, &unsaid}) {
      for (const Store* store : *stores) {
        written.push_back(&store->target);
        if (stores == &unsaid) continue;
        written.push_back(&store->value);
        if (store->condition) written.push_back(&*store->condition);
      }
    }
    std::vector<std::string> indices;
    for (const Store* store : said) indices.insert(indices.end(), store->indices.begin(), store->indices.end());
    Notation notation(behaviour_.definitions, written, indices);
    Lines lines;
    for (const Store* store : said) add_once(lines, formula(*store, notation));
    if (lines.empty()) helpers.clear();
    Lines where = notation.explanations();
    for (const Store* store : helpers) add_once(where, formula(*store, notation));
    for (const std::string& line : notation.explanations()) add_once(where, line);
    for (std::size_t i = 0; i < where.size(); ++i)
      lines.push_back((i == 0 ? "  where " : "        ") + where[i]);
    if (!unsaid.empty()) lines.push_back(unsaid_line(unsaid, notation));
    return values && notation.too_long() ? Lines{} : lines;
  }

  std::string unsaid_line(const std::vector<const Store*>& stores, Notation& notation) const {
    Lines targets;
    for (const Store* store : stores) {
      const auto same = std::count_if(stores.begin(), stores.end(), [&](const Store* other) { return array_of(*other) == array_of(*store); });
      add_once(targets, same == 1 && is_known(store->target) ? notation.text(store->target) : array_of(*store));
    }
    if (targets.size() > 4) targets = {targets[0], targets[1], targets[2], "others"};
    return listed(targets) + std::string(step_by_step);
  }

  std::string formula(const Store& store, Notation& notation) const {
    const std::string op = store.op ? std::string(symbol_of(*store.op)) : "";
    std::string line =
        fmt::format("{} {}= {}", notation.text(store.target), op, notation.text(store.value));
    line += if_there_is_none(resolved(store.value, behaviour_.definitions));
    return store.condition ? fmt::format("{}, if {}", line, notation.text(*store.condition)) : line;
  }

  const Behaviour& behaviour_;
  const std::vector<Param>& params_;
  std::set<std::string> hidden_;  // scratch memory of which nothing can be said
};

}  // namespace

std::vector<std::string> formulas_of(const Stms& body, const std::vector<Param>& params, const std::vector<std::string>& indices) {
  const Behaviour behaviour = behaviour_of(body, params, indices);
  return behaviour.incomplete ? Lines{} : Stores(behaviour, params).lines();
}

}  // namespace boustro::plan::formula
