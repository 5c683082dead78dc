#include "transform/lower/known_numbers.hpp"

#include <algorithm>

#include "transform/ir/evaluate.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::lower {
namespace {

using ir::Body;
using ir::Function;
using ir::Name;
using ir::Stm;

/// Statements and elements: some milliseconds.
constexpr std::int64_t affordable = 1'000'000;

/// What the statements call, callees before callers, and whether derivatives are left in any of it.
class Called {
 public:
  Called(const std::vector<Stm>& stms, const std::vector<Function>& functions) : functions_(functions) { visit(stms); }
  std::vector<Function> program;
  bool differentiates = false;

 private:
  void visit(const std::vector<Stm>& stms) {
    for (const Stm& stm : stms) {
      differentiates = differentiates || std::holds_alternative<ir::Jvp>(stm.exp) || std::holds_alternative<ir::Vjp>(stm.exp);
      if (const auto* call = std::get_if<ir::Call>(&stm.exp)) add(call->function);
      ir::for_each_body(stm.exp, [&](const Body& body) { visit(body.stms); });
    }
  }
  void add(const Name& name) {
    const auto is_it = [&](const Function& f) { return f.name == name; };
    if (std::any_of(program.begin(), program.end(), is_it)) return;
    const auto found = std::find_if(functions_.begin(), functions_.end(), is_it);
    if (found == functions_.end()) return;
    visit(found->body.stms);
    program.push_back(*found);
  }

  const std::vector<Function>& functions_;
};

/// What binds `needed`, and what that needs; with `checks`, assertions, too.
std::vector<Stm> statements_for(ir::NameSet& needed, const std::vector<Stm>& stms, bool checks) {
  std::vector<Stm> kept;
  for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
    const auto is_needed = [&](const ir::Param& param) { return needed.contains(param.name); };
    const bool is_check = stm->pattern.empty() && checks;
    if (!is_check && std::none_of(stm->pattern.begin(), stm->pattern.end(), is_needed)) continue;
    for (const ir::Param& param : stm->pattern) needed.erase(param.name);
    needed.merge(ir::free_names(*stm));
    kept.insert(kept.begin(), *stm);
  }
  return kept;
}

std::vector<ir::Param> numbers_among(const std::vector<Stm>& stms, const std::vector<ir::Atom>& wanted) {
  std::vector<ir::Param> numbers;
  for (const Stm& stm : stms) {
    for (const ir::Param& param : stm.pattern) {
      const bool is_number = param.type.is_scalar() && !values::is_float(param.type.elem);
      if (is_number && std::find(wanted.begin(), wanted.end(), ir::Atom(param.name)) != wanted.end()) numbers.push_back(param);
    }
  }
  return numbers;
}

/// A function that yields them, if it needs nothing.
std::optional<Function> function_of(const std::vector<ir::Param>& numbers, const std::vector<Stm>& stms, bool checks) {
  Function function;
  function.name = {"numbers", -1};
  ir::NameSet needed;
  for (const ir::Param& number : numbers) {
    function.body.result.push_back(number.name);
    function.result_types.push_back(number.type);
    needed.insert(number.name);
  }
  function.body.stms = statements_for(needed, stms, checks);
  if (!needed.empty()) return {};
  return function;
}

}  // namespace

std::optional<ir::Substitution> known_numbers(const std::vector<Stm>& stms, const std::vector<ir::Atom>& wanted,
                               const std::vector<Function>& functions, bool checks) {
  const std::vector<ir::Param> numbers = numbers_among(stms, wanted);
  const std::optional<Function> function = function_of(numbers, stms, checks);
  if (!function) return std::nullopt;
  Called called(function->body.stms, functions);
  if (called.differentiates) return std::nullopt;
  called.program.push_back(*function);
  ir::Substitution known;
  try {
    const auto values = ir::evaluate({std::move(called.program)}, *function, {}, {.limit = affordable});
    for (std::size_t i = 0; i < numbers.size(); ++i) known.emplace(numbers[i].name, values[i].element(0));
    return known;
  } catch (const ir::RuntimeFailure&) {
  } catch (const ir::LimitReached&) {
  }
  return std::nullopt;
}

}  // namespace boustro::lower
