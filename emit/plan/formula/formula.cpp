#include "emit/plan/formula.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/libraries.hpp"
#include "emit/plan/formula/notation.hpp"
#include "emit/plan/formula/stores.hpp"
#include "emit/plan/formula/symbolic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

using namespace formula;

using Lines = std::vector<std::string>;

/// The function that a kernel calls for its effect.
const Function* called(const Kernel& kernel, const Entry& entry) {
  const Function* result = nullptr;
  for_each_stm(kernel.body, [&](const Stm& stm) {
    const Do* effect = std::get_if<Do>(&stm.what);
    const Call* call = effect ? std::get_if<Call>(&effect->call.head) : nullptr;
    for (const Definition& definition : entry.definitions) {
      const auto* function = std::get_if<plan::Function>(&definition);
      if (call && function && function->name == call->function) result = function;
    }
  });
  return result;
}

void add(Comment& comment, const Lines& lines) {
  if (comment.formula.empty()) comment.formula = lines;
}

using Definitions = std::vector<plan::Definition>;

/// What the functor yields, if that is a record.
Struct* record_of(const Functor& functor, const std::vector<Definitions*>& all) {
  for (Definitions* definitions : all) {
    for (plan::Definition& definition : *definitions) {
      auto* record = std::get_if<Struct>(&definition);
      if (record && record->name == functor.result->name) return record;
    }
  }
  return nullptr;
}

void add_to_operator(Functor& functor, const std::vector<Definitions*>& all) {
  Struct* const record = record_of(functor, all);
  if (composes_linear(functor)) {
    functor.comment.formula = {
        fmt::format("Apply `{}`, then `{}`.", functor.params[0].name, functor.params[1].name)};
    if (record)
      record->comment.formula = {fmt::format("The function r -> {} + {} * r.", record->fields[0].name, record->fields[1].name)};
  } else if (const auto choice = record ? choice_formula(functor, *record) : std::nullopt) {
    functor.comment.formula = {*choice};
  } else if (const auto text = input_formula(functor)) {
    functor.comment.formula = {*text};
  }
}

/// "Input of the scan: one element." says which.
void say_input(Lines& comment, const std::string& formula) {
  const std::string_view any = "one element.";
  const bool is_open = !comment.empty() && comment[0].ends_with(any);
  if (is_open) comment[0].replace(comment[0].size() - any.size(), any.size(), formula);
  if (!is_open) add_once(comment, formula);
}

/// "Output of the reduction: takes total, and stores what is computed from it." says what is stored instead, if that is one line.
void say_output(Functor& functor) {
  Lines& comment = functor.comment.formula;
  const Lines stores = formulas_of(functor.body, functor.fields, {functor.params[0].name});
  if (comment.size() == 1 && comment[0].ends_with("computed from it.") && stores.size() == 1)
    comment[0].replace(comment[0].find(": ") + 2, std::string::npos, stores[0]);
}

/// "Adds this thread's share to centres_adj." says below what that is.
void say_contribution(plan::Function& function) {
  if (function.verb.empty()) return;
  for (const std::string& line : formulas_of(function.body, function.params)) function.comment.formula.push_back("  " + line);
}

void add_to_functor(Functor& functor, const std::vector<Definitions*>& all) {
  auto& formula = functor.comment.formula;
  if (functor.associative) {
    if (formula.empty()) add_to_operator(functor, all);
  } else if (functor.result) {  // an input, a function of the index
    if (const auto text = input_formula(functor)) say_input(formula, *text);
  } else {
    say_output(functor);
  }
}

}  // namespace

void add_formulas(Entry& entry, std::vector<plan::Definition>& shared) {
  const std::vector<Definitions*> all = {&shared, &entry.definitions};
  for (Definitions* definitions : all) {
    for (plan::Definition& definition : *definitions) {
      if (auto* functor = std::get_if<Functor>(&definition)) add_to_functor(*functor, all);
    }
  }
  for (plan::Definition& definition : entry.definitions)
    if (auto* function = std::get_if<plan::Function>(&definition)) say_contribution(*function);
  for (std::size_t i = 0; i < entry.kernels.size(); ++i) {
    std::size_t plain = i;
    while (entry.kernels[plain].of_tiles) ++plain;
    const Kernel& kernel = entry.kernels[plain];
    const Function* function = called(kernel, entry);
    add(entry.kernels[i].comment, function ? formulas_of(function->body, function->params)
                                           : formulas_of(kernel.body, kernel.params, kernel.indices));
  }
  std::erase_if(entry.kernels, [](const Kernel& kernel) { return kernel.only_meant; });
  Functions functions = shared;
  functions.insert(functions.end(), entry.definitions.begin(), entry.definitions.end());
  for (Library& library : entry.libraries)
    add(library.comment, library_formula(library, functions));
}

}  // namespace boustro::plan
