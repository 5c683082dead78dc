#include "transform/lower/known_numbers.hpp"

#include <algorithm>

#include "transform/ir/evaluate.hpp"
#include "transform/ir/needed.hpp"

namespace boustro::lower {
namespace {

using ir::Body;
using ir::Function;
using ir::Stm;

/// Statements and elements: some milliseconds.
constexpr std::int64_t affordable = 1'000'000;

/// The functions that statements call, callees before callers as in `functions`, and whether derivatives are left in any of it.
class Called {
 public:
  Called(const std::vector<Stm>& stms, const std::vector<Function>& functions) {
    visit(stms);
    for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
      if (!names_.contains(function->name)) continue;
      visit(function->body.stms);
      program.insert(program.begin(), *function);
    }
  }
  std::vector<Function> program;
  bool differentiates = false;

 private:
  void visit(const std::vector<Stm>& stms) {
    for (const Stm& stm : stms) {
      differentiates = differentiates || std::holds_alternative<ir::Jvp>(stm.exp) || std::holds_alternative<ir::Vjp>(stm.exp);
      if (const auto* call = std::get_if<ir::Call>(&stm.exp)) names_.insert(call->function);
      ir::for_each_body(stm.exp, [&](const Body& body) { visit(body.stms); });
    }
  }

  ir::NameSet names_;
};

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
  for (const ir::Param& number : numbers) {
    function.body.result.push_back(number.name);
    function.result_types.push_back(number.type);
  }
  ir::NameSet needed = ir::names_among(function.body.result);
  function.body.stms = ir::statements_for(needed, stms, checks);
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
