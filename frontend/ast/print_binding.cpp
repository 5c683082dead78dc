// Expressions that bind names: let, loop, lambdas.
#include "frontend/ast/printer.hpp"

namespace boustro::ast {

void Printer::binder(const std::string& name) {
  put(is_operator(name) ? "(" + name + ")" : name);
}

void Printer::params(const std::vector<TypeParam>& type_params, const std::vector<Pattern>& params) {
  for (const TypeParam& param : type_params) {
    put(" ");
    print(param);
  }
  for (const Pattern& param : params) {
    put(" ");
    print(param, PatternPlace::param);
  }
}

void Printer::result(const std::optional<Type>& type) {
  if (!type) return;
  put(": ");
  print(*type);
}

void Printer::body(const Exp& exp) {
  if (one_line_) {
    put(" ");
    return print(exp);
  }
  const bool several_lines = std::holds_alternative<Let>(exp.node) ||
                             std::holds_alternative<Match>(exp.node) ||
                             std::holds_alternative<Loop>(exp.node);
  indented([&] {
    several_lines ? line() : put(" ");
    print(exp);
  });
}

void Printer::lambda_head(const Lambda& exp) {
  put("\\");
  separated(exp.params, " ", [this](const Pattern& param) { print(param, PatternPlace::param); });
  if (exp.result) {
    put(": ");
    print(*exp.result, TypeStrength::sum);
  }
  put(" ->");
}

void Printer::node(const Lambda& exp) {
  lambda_head(exp);
  body(*exp.body);
}

void Printer::node(const Let& exp) {
  const bool is_short = one_line_ && exp.bindings.size() == 1;
  for (const LetBinding& binding : exp.bindings) {
    comment_line(binding.comment);
    put("let ");
    std::visit([this](const auto& alternative) { node(alternative); }, binding.node);
    is_short ? put(" ") : line();
  }
  comment_line(exp.comment);
  if (exp.bindings.empty()) return print(*exp.body);
  put("in ");
  const auto print_body = [&] { print(*exp.body); };
  width_ > 0 ? aligned(print_body) : indented(print_body);
}

void Printer::node(const LetPattern& binding) {
  for (const Identifier& size : binding.sizes) put("[" + size.text + "] ");
  print(binding.pattern);
  put(" =");
  value_of_binding(*binding.bound);
}

void Printer::node(const LetFunction& binding) {
  put(binding.name.text);
  params(binding.type_params, binding.params);
  result(binding.result);
  put(" =");
  body(*binding.body);
}

void Printer::node(const LetUpdate& binding) {
  put(binding.name.text);
  path(binding.path, true);
  put(" =");
  value_of_binding(*binding.value);
}

void Printer::node(const Loop& exp) {
  put("loop ");
  for (const Identifier& size : exp.sizes) put("[" + size.text + "] ");
  print(exp.pattern);
  if (exp.initial) {
    put(" = ");
    print(**exp.initial);
  }
  std::visit([this](const auto& form) { node(form); }, exp.form);
  put(" do");
  if (one_line_) return body(*exp.body);
  indented([&] {
    line();
    print(*exp.body);
  });
}

void Printer::node(const ForLoop& form) {
  put(" for " + form.index.text + " < ");
  print(*form.bound);
}

void Printer::node(const ForInLoop& form) {
  put(" for ");
  print(form.element);
  put(" in ");
  print(*form.array);
}

void Printer::node(const WhileLoop& form) {
  put(" while ");
  print(*form.condition);
}

}  // namespace boustro::ast
