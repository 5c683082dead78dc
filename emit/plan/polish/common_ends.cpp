#include "emit/plan/polish/common_ends.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/libraries.hpp"
#include "emit/plan/planner/reserved_names.hpp"
#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/shared.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// Fewer are as quick to read twice as a call.
constexpr std::size_t enough_statements = 5;

/// Parameters and variables that a statement of the kernel sees.
using Known = std::map<std::string, Param>;

/// Computes variables of its own, and nothing else.
bool only_computes(const Stms& stms) {
  bool result = true;
  std::set<std::string> own;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    const bool plain = std::holds_alternative<Let>(stm.what) || std::holds_alternative<For>(stm.what) || std::holds_alternative<While>(stm.what) ||
                       std::holds_alternative<If>(stm.what) || (assign && std::holds_alternative<Var>(assign->target.head));
    if (const auto* let = std::get_if<Let>(&stm.what)) own.insert(let->name);
    result = result && plain && (!assign || own.contains(std::get<Var>(assign->target.head).name));
  });
  return result;
}

std::size_t count(const Stms& stms) {
  std::size_t result = 0;
  for_each_stm(stms, [&](const Stm&) { ++result; });
  return result;
}

std::set<std::string> declared_in(Stms stms) {
  std::set<std::string> names;
  for_each_stm(std::span(stms), [&](Stm& stm) {
    for (const std::string* name : declared(stm)) names.insert(*name);
  });
  return names;
}

void add_in_order(const Expr& expr, std::vector<std::string>& names) {
  const auto* variable = std::get_if<Var>(&expr.head);
  if (variable && std::find(names.begin(), names.end(), variable->name) == names.end()) names.push_back(variable->name);
  for (const Expr& arg : expr.args) add_in_order(arg, names);
}

/// How many statements at the end of both are equal.
std::size_t equal_at_end(const Stms& x, const Stms& y) {
  const auto differ = std::mismatch(x.rbegin(), x.rend(), y.rbegin(), y.rend());
  return static_cast<std::size_t>(differ.first - x.rbegin());
}

/// What the last statements compute, and where they store it.
struct End {
  Stms stms;
  Assign store;
};

std::optional<End> end_of(const Stms& body, std::size_t size) {
  const auto* store = body.empty() ? nullptr : std::get_if<Assign>(&body.back().what);
  if (!store || size == 0 || !std::holds_alternative<Element>(store->target.head)) return std::nullopt;
  End end{Stms(body.end() - static_cast<std::ptrdiff_t>(size), body.end() - 1), *store};
  const std::set<std::string> own = declared_in(end.stms);
  std::set<std::string> placed;
  add_names(store->target, placed);
  const bool placed_before = std::none_of(placed.begin(), placed.end(), [&](const std::string& name) { return own.contains(name); });
  return placed_before && only_computes(end.stms) && count(end.stms) >= enough_statements ? std::optional(std::move(end)) : std::nullopt;
}

/// Those of the kernel, and what stands before its last statements.
Known known_before_end(const Kernel& kernel, std::size_t size) {
  Known known;
  for (const Param& param : kernel.params) known.emplace(param.name, param);
  for (auto stm = kernel.body.begin(); stm != kernel.body.end() - static_cast<std::ptrdiff_t>(size); ++stm)
    if (const auto* let = std::get_if<Let>(&stm->what)) known.insert_or_assign(let->name, Param{.name = let->name, .type = let->type});
  return known;
}

/// The row, arrays, sizes.
int rank_of(const Param& param) { return param.type.pointer ? param.access != Access::value : 2; }

/// Of the function; nothing if it takes anything that a function cannot be given.
std::optional<std::vector<Param>> params_of(const End& end, const Known& known) {
  const std::set<std::string> own = declared_in(end.stms);
  std::vector<std::string> names;
  for_each_stm(end.stms, [&](const Stm& stm) {
    for_each_expr(stm, [&](const Expr& expr) { add_in_order(expr, names); });
  });
  add_in_order(end.store.value, names);
  std::vector<Param> params;
  for (const std::string& name : names) {
    if (own.contains(name)) continue;
    const auto found = known.find(name);
    if (found == known.end() || found->second.type.reference || (found->second.type.pointer && !found->second.type.read_only)) return std::nullopt;
    Param param = found->second;
    param.type.restricted = false;
    params.push_back(std::move(param));
  }
  std::stable_sort(params.begin(), params.end(), [](const Param& x, const Param& y) { return rank_of(x) < rank_of(y); });
  return params;
}

bool is_numbered(const std::string& name) { return std::isdigit(static_cast<unsigned char>(name.back())) != 0; }

class Ends {
 public:
  Ends(Program& plan, const std::set<std::string>& variables) : taken_(variables) {
    add_all(plan.definitions);
    for (const Entry& entry : plan.entries) {
      taken_.insert(entry.name);
      add_all(entry.definitions);
      for (const Kernel& kernel : entry.kernels) taken_.insert(kernel.name), taken_.merge(declared_in(kernel.body));
      for (const Library& library : entry.libraries) taken_.insert(library.name);
    }
    for (Entry& entry : plan.entries)
      for (std::size_t i = 0; i + 1 < entry.kernels.size(); ++i)
        if (entry.kernels[i].of_tiles) share(entry, entry.kernels[i], entry.kernels[i + 1]);
  }

 private:
  void add_all(const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions)
      std::visit([&](const auto& x) { taken_.insert(x.name); }, definition);
  }

  void share(Entry& entry, Kernel& staged, Kernel& plain) {
    const std::size_t size = equal_at_end(staged.body, plain.body);
    const auto end = end_of(plain.body, size);
    const auto params = end ? params_of(*end, known_before_end(plain, size)) : std::nullopt;
    const auto other_params = end ? params_of(*end, known_before_end(staged, size)) : std::nullopt;
    if (!params || !other_params) return;
    const auto alike = [](const Param& x, const Param& y) { return x.name == y.name && x.type == y.type; };
    const std::string name = name_of(*end);
    if (name.empty() || !std::equal(params->begin(), params->end(), other_params->begin(), other_params->end(), alike)) return;
    Function function{.name = name, .result = end->store.value.type, .params = *params, .body = end->stms};
    function.body.front().gap = false;
    function.body.emplace_back(Return{end->store.value});
    if (const auto formula = formula::input_formula({.name = name, .fields = function.params, .body = function.body})) function.comment.formula = {*formula};
    function.comment.source = place_of(plain.comment);
    for (Kernel* kernel : {&staged, &plain}) call(*kernel, size, function);
    taken_.insert(name);
    entry.definitions.emplace_back(std::move(function));
  }

  static void call(Kernel& kernel, std::size_t size, const Function& function) {
    std::vector<Expr> args;
    for (const Param& param : function.params) args.push_back(var(param));
    kernel.body.erase(kernel.body.end() - static_cast<std::ptrdiff_t>(size), kernel.body.end() - 1);
    std::get<Assign>(kernel.body.back().what).value = plan::call(function.name, *function.result, std::move(args));
  }

  /// After what it returns, or what that is stored to, rather without a number; empty if both are taken.
  std::string name_of(const End& end) const {
    const auto* value = std::get_if<Var>(&end.store.value.head);
    const auto* array = std::get_if<Var>(&end.store.target.args[0].head);
    std::string result;
    for (const Var* of : {array, value}) {
      const std::string name = of ? of->name + "_of" : "";
      const bool is_free = of && !taken_.contains(name) && !planner::is_reserved(name);
      if (is_free && (result.empty() || !is_numbered(of->name))) result = name;
    }
    return result;
  }

  std::set<std::string> taken_;
};

}  // namespace

void share_ends(Program& plan, const std::set<std::string>& variables) { Ends(plan, variables); }

}  // namespace boustro::plan
