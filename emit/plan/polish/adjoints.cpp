#include "emit/plan/polish/adjoints.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/elements.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

constexpr std::string_view ending = "_adj", row_ending = "_row";

/// What a variable is read from.
struct Source {
  std::string variable, array;
  std::vector<Expr> place;
};

using Kind = bool (*)(const Let&);  // is_row, is_element

std::vector<Source> sources_in(const Stms& stms, Kind is_wanted) {
  std::vector<Source> sources;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    if (let && is_wanted(*let)) sources.push_back({let->name, name_of_array(let->value->args[0]), {let->value->args.begin() + 1, let->value->args.end()}});
  });
  return sources;
}

/// The last word, or words, of the name: `bias`, of `change_bias`.
bool ends_in_word(std::string_view name, std::string_view word) { return name == word || name.ends_with("_" + std::string(word)); }

/// `weights_adj`, of `weights`; `weights_adj_row`, of `weights_row`.
std::string adjoint_of(const std::string& name) {
  const bool is_row = name.ends_with(row_ending);
  return name.substr(0, name.size() - (is_row ? row_ending.size() : 0)) + std::string(ending) + std::string(is_row ? row_ending : "");
}

/// Comments speak of fields by their names, too: `fields` keep these there.
void rename_all(Stms& stms, const Renamed& names, const std::set<std::string>& fields) {
  Renamed said = names;
  std::erase_if(said, [&](const auto& renamed) { return fields.contains(renamed.first); });
  for_each_stm(std::span(stms), [&](Stm& stm) {
    for_each_expr(stm, [&](Expr& expr) { rename_variables(expr, names); });
    for (std::string* name : declared(stm)) rename(names, *name);
    for (std::string* name : named(stm)) rename(names, *name);
    for (std::string* text : {&stm.above, &stm.beside}) *text = with_words(*text, said);
  });
}

std::map<std::string, int> declarations_in(Stms& stms) {
  std::map<std::string, int> counts;
  for_each_stm(std::span(stms), [&](Stm& stm) {
    for (const std::string* name : declared(stm)) ++counts[*name];
    if (const auto* closure = std::get_if<Closure>(&stm.what))
      for (const Param& param : closure->params) ++counts[param.name];
  });
  return counts;
}

using Functions = std::map<std::string, const Function*>;

class NamesOfAdjoints {
 public:
  NamesOfAdjoints(Stms& stms, const std::vector<Param>& params, const Functions& functions)
      : stms_(stms), functions_(functions), declarations_(declarations_in(stms)), taken_(names_in(stms)) {
    taken_.merge(called_in(stms));
    for (const Param& param : params) taken_.insert(param.name), params_.insert(param.name);
    for (const auto& [name, count] : declarations_) taken_.insert(name);
    for_each_stm(stms, [&](const Stm& stm) { for_each_expr(stm, [&](const Expr& expr) { add_fields(expr); }); });
  }

  void run() {
    call_rows_after_arrays();
    std::set<std::string> rows;  // of adjoints that belong to some
    for (const auto& [adjoint, value] : pairs_in(is_row)) {
      const std::string name = adjoint_of(value), other = value.ends_with(row_ending) ? "" : name + std::string(row_ending);
      if (give(adjoint, name)) rows.insert(name);
      else if (!other.empty() && give(adjoint, other)) rows.insert(other);
    }
    finish();
    for (const auto& [adjoint, value] : pairs_in(is_element)) give(adjoint, value + std::string(ending));
    call_summands_after_elements();
    call_results_after_arguments();
    for (const Source& element : sources_in(stms_, is_element))
      if (rows.contains(element.array) && is_one(element.variable)) give(element.variable, element_name(element.array));
    finish();
  }

 private:
  /// Not after another parameter.
  void call_rows_after_arrays() {
    for (const Source& row : sources_in(stms_, is_row)) {
      const bool is_called_so = row.variable.ends_with(row_ending) && is_one(row.variable);
      const std::string after = is_called_so ? row.variable.substr(0, row.variable.size() - row_ending.size()) : "";
      if (after != row.array && params_.contains(after) && !row.array.empty()) give(row.variable, row.array + std::string(row_ending));
    }
    finish();
  }

  /// `weights_adj[i] += w_adj`, where `weight = weights[i]` has been read, is to be `weight_adj`: says more of whose adjoint it is, not less.
  void call_summands_after_elements() {
    const std::vector<Source> sources = sources_in(stms_, is_element);
    for_each_stm(stms_, [&](const Stm& stm) {
      const auto* sum = std::get_if<Assign>(&stm.what);
      const bool adds = sum && sum->op == Op::add && std::holds_alternative<Element>(sum->target.head);
      const auto* summand = adds ? std::get_if<Var>(&sum->value.head) : nullptr;
      if (!summand || !is_own(summand->name)) return;
      const std::string array = name_of_array(sum->target.args[0]);
      for (const Source& element : sources) {
        const bool belongs = adjoint_of(element.array) == array && std::equal(element.place.begin(), element.place.end(), sum->target.args.begin() + 1, sum->target.args.end());
        if (belongs && ends_in_word(element.variable + std::string(ending), summand->name)) give(summand->name, element.variable + std::string(ending));
      }
    });
  }

  /// `x_adj = sigmoid_vjp(outgate_x, ..)`, of a function whose parameter is `x`, is to be `outgate_x_adj`.
  void call_results_after_arguments() {
    for_each_stm(stms_, [&](const Stm& stm) {
      const auto* let = std::get_if<Let>(&stm.what);
      const auto* call = let && let->value ? std::get_if<Call>(&let->value->head) : nullptr;
      const auto function = call ? functions_.find(call->function) : functions_.end();
      if (function == functions_.end() || !is_own(let->name) || stm.origin.sweep != ir::Sweep::reverse) return;
      const std::vector<Param>& params = function->second->params;
      for (std::size_t i = 0; i < std::min(params.size(), let->value->args.size()); ++i) {
        const auto* argument = std::get_if<Var>(&let->value->args[i].head);
        const bool belongs = argument && ends_in_word(let->name, params[i].name + std::string(ending)) && ends_in_word(argument->name, params[i].name);
        if (belongs) give(let->name, argument->name + std::string(ending));
      }
    });
  }

  /// Declared here, once.
  bool is_own(const std::string& variable) const { return declarations_.contains(variable) && is_one(variable); }
  void add_fields(const Expr& expr) {
    if (const auto* field = std::get_if<Field>(&expr.head)) fields_.insert(field->name);
    for (const Expr& arg : expr.args) add_fields(arg);
  }

  bool is_one(const std::string& variable) const { return declarations_.at(variable) == 1; }

  /// Elements, or rows, of adjoints, and those that they belong to.
  std::vector<std::pair<std::string, std::string>> pairs_in(Kind is_wanted) const {
    const std::vector<Source> sources = sources_in(stms_, is_wanted);
    std::vector<std::pair<std::string, std::string>> result;
    for (auto adjoint = sources.begin(); adjoint != sources.end(); ++adjoint) {
      if (!is_one(adjoint->variable)) continue;
      const auto belongs = [&](const Source& value) { return adjoint_of(value.array) == adjoint->array && value.place == adjoint->place; };
      // The last one before it: loops have variables of one name.
      const auto before = std::find_if(std::reverse_iterator(adjoint), sources.rend(), belongs);
      const auto value = before != sources.rend() ? before.base() - 1 : std::find_if(adjoint, sources.end(), belongs);
      if (value != sources.end()) result.emplace_back(adjoint->variable, value->variable);
    }
    return result;
  }

  /// False if the name is taken, or it has one already.
  bool give(const std::string& variable, const std::string& name) {
    return !names_.contains(variable) && taken_.insert(name).second && names_.emplace(variable, name).second;
  }

  void finish() {
    if (names_.empty()) return;
    rename_all(stms_, names_, fields_);
    for (const auto& [variable, name] : names_) declarations_[name] = 1;
    names_.clear();
  }

  Stms& stms_;
  const Functions& functions_;
  std::map<std::string, int> declarations_;
  std::set<std::string> taken_, params_, fields_;
  Renamed names_;
};

}  // namespace

void name_adjoints(Entry& entry, const std::vector<Definition>& shared) {
  Functions functions;
  for (const Definition& definition : shared)
    if (const auto* function = std::get_if<Function>(&definition)) functions.emplace(function->name, function);
  const auto name_in = [&](Stms& stms, const std::vector<Param>& params) { NamesOfAdjoints(stms, params, functions).run(); };
  for (Definition& definition : entry.definitions) {
    if (auto* function = std::get_if<Function>(&definition)) name_in(function->body, function->params);
    if (auto* functor = std::get_if<Functor>(&definition)) name_in(functor->body, functor->params);
  }
  for (Kernel& kernel : entry.kernels) name_in(kernel.body, kernel.params);
  name_in(entry.body, entry.params);
}

}  // namespace boustro::plan
