#include "frontend/check/first_order.hpp"

#include "frontend/check/match.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/check/types.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

using source::Message;

bool has_array_of_functions(const Type& type) {
  return match(
      type.node, [](const ArrayType& array) { return mentions_function(*array.row); },
      [](const RecordType& record) {
        for (const Field& field : record.fields)
          if (has_array_of_functions(field.type)) return true;
        return false;
      },
      [](const FunctionType& function) {
        return has_array_of_functions(*function.from) || has_array_of_functions(*function.to);
      },
      [](const auto&) { return false; });
}

bool has_array_of_accumulators(const Type& type) {
  return match(
      type.node, [](const ArrayType& array) { return mentions_accumulator(*array.row); },
      [](const RecordType& record) {
        for (const Field& field : record.fields)
          if (has_array_of_accumulators(field.type)) return true;
        return false;
      },
      [](const FunctionType& function) {
        return has_array_of_accumulators(*function.from) || has_array_of_accumulators(*function.to);
      },
      [](const SumType& sum) { return mentions_accumulator({sum}); },
      [](const AccumulatorType& accumulator) { return mentions_accumulator(*accumulator.array); },
      [](const auto&) { return false; });
}

/// What is wrong with an expression of that type; empty if nothing is.
std::string_view place_of(const Exp& exp) {
  const bool branch =
      std::holds_alternative<If>(exp.node) || std::holds_alternative<Match>(exp.node);
  if (branch && mentions_function(exp.type)) return "the result of a branch";
  const auto* loop = std::get_if<Loop>(&exp.node);
  if (loop && mentions_function(loop->pattern.type)) return "a loop variable";
  if (has_array_of_functions(exp.type)) return "an element of an array";
  return "";
}

/// The outermost places only.
void visit(const Exp& exp, source::Diagnostics& diagnostics) {
  const Exp* at = &exp;
  while (const auto* let = std::get_if<Let>(&at->node)) {  // rows of lets are long
    visit(*let->bound, diagnostics);
    at = &*let->body;
  }
  const std::string_view place = place_of(*at);
  if (!place.empty()) {
    diagnostics.report(Message::function_as_value, at->at, place);
    return;
  }
  if (has_array_of_accumulators(at->type)) {
    diagnostics.report(Message::accumulator_as_value, at->at, "part of an array or a sum");
    return;
  }
  for_each_child(*at, [&](const Exp& child) { visit(child, diagnostics); });
}

}  // namespace

void check_first_order(const Definition& definition, source::Diagnostics& diagnostics) {
  visit(definition.body, diagnostics);
  if (definition.is_entry) check_entry(definition, diagnostics);
}

void check_entry(const Definition& definition, source::Diagnostics& diagnostics) {
  for (const Pattern& param : definition.params)
    if (mentions_function(param.type))
      diagnostics.report(Message::function_as_value, param.at, "an argument of an entry point");
  if (mentions_function(definition.result))
    diagnostics.report(Message::function_as_value, definition.name_at,
                       "the result of an entry point");
  for (const Pattern& param : definition.params)
    if (mentions_accumulator(param.type))
      diagnostics.report(Message::accumulator_as_value, param.at, "an argument of an entry point");
  if (mentions_accumulator(definition.result))
    diagnostics.report(Message::accumulator_as_value, definition.name_at,
                       "the result of an entry point");
  for (const TypeParam& param : definition.type_params)
    if (param.kind != TypeParam::Kind::size)
      diagnostics.report(Message::polymorphic_entry, param.at, param.name.text);
}

}  // namespace boustro::check
