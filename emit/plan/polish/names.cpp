#include "emit/plan/polish/names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emit/plan/planner/names.hpp"
#include "emit/plan/planner/reserved_names.hpp"
#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/elements.hpp"
#include "emit/plan/polish/words.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

using Set = std::set<std::string>;

bool is_loop(const Stm& stm) { return std::holds_alternative<For>(stm.what) || std::holds_alternative<ForLanes>(stm.what); }

class Polish {
 public:
  /// `planned`: what variables of the function are called so far.
  Polish(Set taken, Set planned, const planner::Others& others) : levels_{std::move(taken)}, planned_(std::move(planned)), others_(others) {}

  /// The body of a function, or of a scope in it.
  void body(Stms& stms) {
    levels_.emplace_back();
    told_apart_.push_back(told_apart_in(stms));
    kept_.push_back(names_kept(stms));
    const std::map<std::string, std::string> outside = now_;
    for (Stm& stm : stms) statement(stm);
    now_ = outside;
    kept_.pop_back();
    told_apart_.pop_back();
    levels_.pop_back();
  }

  const std::map<std::string, std::string>& given() const { return given_; }

 private:
  void statement(Stm& stm) {
    for_each_expr(stm, [&](Expr& expr) { use(expr); });
    for (std::string* name : named(stm)) rename(*name);
    if (is_loop(stm)) {
      // Its variable lives in its body alone.
      levels_.emplace_back();
      const std::map<std::string, std::string> outside = now_;
      for_each_body(stm, [&](Stms& inside) { kept_.push_back(names_kept(inside)); });
      declare(stm);
      kept_.pop_back();
      for_each_body(stm, [&](Stms& inside) { body(inside); });
      words(stm);
      now_ = outside;
      levels_.pop_back();
      return;
    }
    declare(stm);
    words(stm);
    levels_.push_back(parameters(stm));
    for_each_body(stm, [&](Stms& inside) { body(inside); });
    levels_.pop_back();
  }

  /// Which keep their names.
  static Set parameters(const Stm& stm) {
    Set names;
    if (const auto* closure = std::get_if<Closure>(&stm.what))
      for (const Param& param : closure->params) names.insert(param.name);
    return names;
  }

  void declare(Stm& stm) {
    for (std::string* name : declared(stm)) {
      const std::string old = *name;
      if (!is_of_file(stm)) *name = name_of(stm, old);
      levels_.back().insert(*name);
      now_[old] = *name;
      given_[old] = *name;
    }
  }

  /// Shared memory whose size the launch says is one array for all kernels, which calls it by different names.
  static bool is_of_file(const Stm& stm) {
    const auto* shared = std::get_if<SharedArray>(&stm.what);
    return shared && !shared->size;
  }

  std::string name_of(const Stm& stm, const std::string& name) const {
    if (!reads_memory(stm)) return shortest(name);
    const auto of_row = name_of_row(stm, name);
    return of_row ? *of_row : is_own(name) ? beside_others(stm, name) : shortest(name);
  }

  /// An element of `outgate_weights_row` is an `outgate_weight`, if it would be a `weight`; one of `qs_adj` is a `q_adj` rather than another `qs_adj`.
  std::optional<std::string> name_of_row(const Stm& stm, const std::string& name) const {
    const auto other = others_.find(name);
    const Let& let = std::get<Let>(stm.what);
    if (other == others_.end() || other->second.rather.empty() || !is_element(let)) return std::nullopt;
    const std::string array = name_of_array(let.value->args[0]), word = element_name(array), &base = other->second.rather.front();
    const auto starts = [&](std::string_view vague) { return word.starts_with(vague); };
    if (starts("other_") || starts("another_")) return std::nullopt;
    const bool tells = other->second.says_whose ? word.ends_with("_" + base) : array == base && word != base;
    return tells && is_free(word) && !(planned_.contains(word) && is_own(word)) ? std::optional(word) : std::nullopt;
  }

  /// The best that is free; else with the lowest number that it can have.
  std::string shortest(const std::string& name) const {
    if (is_own(name)) return name;
    const std::vector<std::string>& rather = others_.at(name).rather;
    for (const std::string& word : rather)
      if (is_free(word)) return word;
    if (is_free(name) && !ends_in_digit(name)) return name;
    std::string result;
    for (int number = 2; result.empty() || !is_free(result); ++number) result = planner::with_number(rather[0], number);
    return result;
  }

  /// Where one says whose it is, all do: `forget_bias` beside `ingate_bias`.
  std::string beside_others(const Stm& stm, const std::string& name) const {
    if (stm.origin.part_of.empty() || told_apart_.empty() || !told_apart_.back().contains(name)) return name;
    const auto word = planner::part_of(planner::identifier(stm.origin.part_of), name);
    return word && !planner::is_reserved(*word) && is_free(*word) && !planned_.contains(*word) ? *word : name;
  }

  /// An element, or a pointer to a row.
  static bool reads_memory(const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    return let && (is_element(*let) || is_row(*let));
  }

  /// Names that at least two elements or rows read in the scope would have rather, but that say whose they are.
  Set told_apart_in(const Stms& stms) const {
    std::map<std::string, int> counts;
    for (const Stm& stm : stms) {
      const auto other = reads_memory(stm) ? others_.find(std::get<Let>(stm.what).name) : others_.end();
      if (other != others_.end() && other->second.says_whose) ++counts[other->second.rather.at(0)];
    }
    Set names;
    for (const auto& [name, count] : counts)
      if (count >= 2) names.insert(name);
    return names;
  }

  /// Whether it is called by itself, and not otherwise because that was taken.
  bool is_own(const std::string& name) const {
    const auto other = others_.find(name);
    return other == others_.end() || other->second.rather.empty();
  }

  static bool ends_in_digit(const std::string& name) { return std::isdigit(static_cast<unsigned char>(name.back())); }

  bool is_free(const std::string& name) const {
    const auto has = [&](const Set& names) { return names.contains(name); };
    return std::none_of(levels_.begin(), levels_.end(), has) && !has(kept_.back());
  }

  /// Names that are declared in the scope and those inside of it, parameters of closures among them, and stay.
  Set names_kept(Stms& stms) const {
    Set names;
    for_each_stm(std::span(stms), [&](Stm& stm) {
      for (const std::string* name : declared(stm))
        if (is_own(*name)) names.insert(*name);
      names.merge(parameters(stm));
    });
    return names;
  }

  void rename(std::string& name) const {
    if (const auto found = now_.find(name); found != now_.end()) name = found->second;
  }

  void use(Expr& expr) const {
    if (auto* variable = std::get_if<Var>(&expr.head)) rename(variable->name);
    for (Expr& arg : expr.args) use(arg);
  }

  /// Comments speak of variables, too.
  void words(Stm& stm) const {
    for (std::string* text : {&stm.above, &stm.beside}) *text = with_words(*text, now_);
    if (auto* barrier = std::get_if<Barrier>(&stm.what)) barrier->why = with_words(barrier->why, now_);
  }

  std::vector<Set> levels_;  // names in sight, as they are now
  Set planned_;
  std::vector<Set> told_apart_;  // of each scope
  std::vector<Set> kept_;    // of each scope: names that are declared in it or inside of it, with no number to lose
  std::map<std::string, std::string> now_, given_;
  const planner::Others& others_;
};

Set names_of(const std::vector<Param>& params) {
  Set names;
  for (const Param& param : params) names.insert(param.name);
  return names;
}

/// Of a function with these parameters, whose body they are in sight of.
std::map<std::string, std::string> polish(Stms& body, Set taken, const planner::Others& others) {
  taken.merge(called_in(body));
  // What the body does not declare: constants of the runtime, tables.
  Set declared_names;
  for_each_stm(std::span(body), [&](Stm& stm) {
    for (const std::string* name : declared(stm)) declared_names.insert(*name);
  });
  for (const std::string& name : names_in(body))
    if (!declared_names.contains(name)) taken.insert(name);
  Polish polish(std::move(taken), std::move(declared_names), others);
  polish.body(body);
  return polish.given();
}

using Given = std::map<std::string, std::string>;

Given polish(Function& function, const planner::Others& others) {
  Given given = polish(function.body, names_of(function.params), others);
  function.comment.grid = with_quoted_words(function.comment.grid, given);
  return given;
}

/// `of_functions`: names that their variables have got. A kernel that refers to one speaks of these.
void polish(Kernel& kernel, const std::map<std::string, Given>& of_functions, const planner::Others& others) {
  Given given = polish(kernel.body, names_of(kernel.params), others);
  std::string& grid = kernel.comment.grid;
  const auto function = std::find_if(of_functions.begin(), of_functions.end(), [&](const auto& of) { return grid.ends_with("see " + of.first); });
  grid = with_quoted_words(grid, function == of_functions.end() ? given : function->second);
  for (std::string& index : kernel.indices)
    if (const auto found = given.find(index); found != given.end()) index = found->second;
}

void polish(Functor& functor, const planner::Others& others) {
  Set taken = names_of(functor.fields);
  taken.merge(names_of(functor.params));
  polish(functor.body, std::move(taken), others);
}

/// What the start of the entry and its scratch memory are computed from keeps its name.
void polish_body(Entry& entry, const planner::Others& others) {
  Set taken = names_of(entry.params);
  taken.merge(names_of(entry.scratch.params));
  for (Stm& stm : entry.prologue)
    for (const std::string* name : declared(stm)) taken.insert(*name);
  for (const Let& size : entry.scratch.sizes) taken.insert(size.name);
  polish(entry.body, std::move(taken), others);
}

}  // namespace

void polish_names(Entry& entry, const planner::Others& others) {
  std::map<std::string, Given> of_functions;
  for (Definition& definition : entry.definitions) {
    if (auto* function = std::get_if<Function>(&definition)) of_functions.emplace(function->name, polish(*function, others));
    if (auto* functor = std::get_if<Functor>(&definition)) polish(*functor, others);
  }
  for (Kernel& kernel : entry.kernels) polish(kernel, of_functions, others);
  polish_body(entry, others);
}

}  // namespace boustro::plan
