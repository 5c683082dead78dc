// #[bound(n)], #[checkpoint(c)], #[checkpoint_bytes(b)], #[checkpoint_online(c)], #[fixed_point] and #[true_dep], which say of loops what reverse mode makes use of: where they may stand, and with what.
#include <algorithm>
#include <cctype>

#include "frontend/check/checker.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

/// The loop that attributes before an expression are for.
Loop* loop_in(Exp& exp) {
  if (auto* attributed = std::get_if<Attributed>(&exp.node)) return loop_in(*attributed->exp);
  return std::get_if<Loop>(&exp.node);
}

bool is_for_while_loops(const ast::Attribute& attribute) { return attribute.name == "bound" || attribute.name == "fixed_point"; }

bool is_checkpoint(const ast::Attribute& attribute) { return attribute.name == "checkpoint" || attribute.name == "checkpoint_bytes" || attribute.name == "checkpoint_online"; }

/// Digits, perhaps with underscores and an integer type behind them.
bool is_integer(const std::string& text) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0 || c == '_'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string type(end, text.end());
  return end != text.begin() && (type.empty() || type == "i8" || type == "i16" || type == "i32" || type == "i64" ||
                                 type == "u8" || type == "u16" || type == "u32" || type == "u64");
}

}  // namespace

void Checker::check_loop_attribute(const ast::Attribute& attribute, Exp& exp) {
  Loop* loop = loop_in(exp);
  if (attribute.name == "true_dep") {
    if (loop)
      loop->pattern.true_dep = true;
    else
      report(Message::attribute_misplaced, attribute.at, attribute.name, "loops and their parameters");
  }
  if (is_for_while_loops(attribute) && (!loop || !std::holds_alternative<WhileLoop>(loop->form)))
    report(Message::attribute_misplaced, attribute.at, attribute.name, "`while` loops");
  if (attribute.name == "bound") check_integer_argument(attribute, Message::bound_argument);
  if (attribute.name == "fixed_point") {
    ast::Attribute numbers = attribute;
    std::erase_if(numbers.args, [](const ast::Attribute& arg) { return arg.name == "warm" && arg.args.empty(); });
    if (!numbers.args.empty()) check_integer_argument(numbers, Message::fixed_point_argument);
  }
  if (is_checkpoint(attribute)) {
    if (!loop && (attribute.name != "checkpoint" || !attribute.args.empty())) report(Message::attribute_misplaced, attribute.at, attribute.name, "loops");
    const bool may_have_none = attribute.name != "checkpoint_bytes";
    if (!may_have_none || !attribute.args.empty()) check_integer_argument(attribute, Message::checkpoint_argument);
  }
}

void Checker::check_definition_attribute(const ast::Attribute& attribute) {
  if (is_checkpoint(attribute) && (attribute.name != "checkpoint" || !attribute.args.empty()))
    report(Message::attribute_misplaced, attribute.at, attribute.name, "loops; functions take `#[checkpoint]`");
}

void Checker::check_integer_argument(const ast::Attribute& attribute, Message otherwise) {
  const auto is_name = [](const ast::Attribute& arg) { return arg.args.empty() && !is_integer(arg.name); };
  if (attribute.args.size() != 1 || !attribute.args[0].args.empty()) {
    report(otherwise, attribute.at);
    return;
  }
  const ast::Attribute& limit = attribute.args[0];
  if (!is_name(limit)) return;
  const auto value = find_value(limit.name, limit.at);
  if (!value)
    report(otherwise, limit.at);
  else
    expect(fresh(limit.at, TypeClass::integral), *value, "`#[" + attribute.name + "]` takes an integer");
}

void Checker::check_pattern_attribute(const ast::Attribute& attribute, Pattern& pattern) {
  if (attribute.name == "true_dep" && in_loop_pattern_)
    pattern.true_dep = true;
  else if (attribute.name == "true_dep")
    report(Message::attribute_misplaced, attribute.at, attribute.name, "loops and their parameters");
  else if (is_for_while_loops(attribute))
    report(Message::attribute_misplaced, attribute.at, attribute.name, "`while` loops");
  else if (is_checkpoint(attribute))
    report(Message::attribute_misplaced, attribute.at, attribute.name, "loops");
}

}  // namespace boustro::check
