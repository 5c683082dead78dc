// Lines of a width. What fits on the rest of a line stands there; what does not is broken at its outermost construct, and each
// part tries again. Lines that go on are indented by 2, or to where an argument or operand begins.
#include "frontend/ast/precedence.hpp"
#include "frontend/ast/printer.hpp"

namespace boustro::ast {
namespace {

/// Longer lets on one line are hard to read.
constexpr std::size_t longest_let_on_one_line = 80;

bool is_let(const Exp& exp) { return std::holds_alternative<Let>(exp.node); }

/// A let on one line is for lambdas.
bool wants_lines(const Exp& exp) { return is_let(exp) || std::holds_alternative<Match>(exp.node); }

/// x + y - z as operands and what stands before each but the first; all operators bind alike.
void flatten_chain(const Exp& exp, int level, std::vector<const Exp*>& operands, std::vector<std::string>& operators) {
  const auto* binary = std::get_if<Binary>(&exp.node);
  if (!binary || fixity_of(binary->op.name).level != level || fixity_of(binary->op.name).right_associative) {
    operands.push_back(&exp);
    return;
  }
  flatten_chain(*binary->lhs, level, operands, operators);
  operators.push_back(is_operator(binary->op.name) ? to_string(binary->op) : "`" + to_string(binary->op) + "`");
  operands.push_back(&*binary->rhs);
}

}  // namespace

std::optional<std::string> Printer::on_one_line(const Exp& exp, int least, bool comments) const {
  Printer attempt(width_ - column() - after_);
  attempt.comments_ = comments;
  attempt.one_line_ = true;
  attempt.overflows_ = attempt.width_ <= 0;
  attempt.print(exp, least);
  if (attempt.overflows_) return std::nullopt;
  return std::move(attempt.text);
}

bool Printer::put_on_one_line(const Exp& exp, int least) {
  const auto one_line = on_one_line(exp, least);
  const bool is_fine = one_line && (one_line->size() <= longest_let_on_one_line || one_line->find("let ") == std::string::npos);
  if (is_fine) put(*one_line);
  return is_fine;
}

void Printer::print_fitted(const Exp& exp, int least) {
  if (!wants_lines(exp) && put_on_one_line(exp, least)) return;
  const auto break_up = [&] { std::visit([this](const auto& alternative) { broken(alternative); }, exp.node); };
  if (!is_weaker(exp, least)) return break_up();
  put("(");
  ++after_;
  aligned(break_up);
  --after_;
  put(")");
}

// ---- Applications ----------------------------------------------------------------------------------

/// f x (\y ->
///   body)
bool Printer::put_with_last_hanging(const Apply& exp) {
  const auto* lambda = std::get_if<Lambda>(&exp.args.back().node);
  if (!lambda) return false;
  Printer head(width_ - column());
  head.one_line_ = true;
  head.print(*exp.function, strength::atom);
  for (std::size_t i = 0; i + 1 < exp.args.size(); ++i) {
    head.put(" ");
    head.print(exp.args[i], strength::atom);
  }
  head.put(" (");
  head.lambda_head(*lambda);
  if (head.overflows_) return false;
  put(head.text);
  ++after_;
  indented([&] {
    line();
    print(*lambda->body);
  });
  --after_;
  put(")");
  return true;
}

/// Arguments are aligned below the first; those that fit share a line.
void Printer::broken(const Apply& exp) {
  if (put_with_last_hanging(exp)) return;
  print(*exp.function, strength::atom);
  put(" ");
  aligned([&] {
    bool goes_on = false;  // on this line
    for (std::size_t i = 0; i < exp.args.size(); ++i) {
      if (goes_on) {
        put(" ");
        if (put_on_one_line(exp.args[i], strength::atom)) continue;
        text.pop_back();
      }
      if (i > 0) line();
      const std::size_t begin = text.size();
      print(exp.args[i], strength::atom);
      goes_on = text.find('\n', begin) == std::string::npos;
    }
  });
}

/// x + y
/// - z
/// As many operands as fit stand on a line; what is piped on stands on lines of its own.
void Printer::broken(const Binary& exp) {
  const Fixity fixity = fixity_of(exp.op.name);
  if (fixity.right_associative) return node(exp);
  std::vector<const Exp*> operands;
  std::vector<std::string> operators;
  const int level = fixity.level;
  flatten_chain(*exp.lhs, level, operands, operators);
  operators.push_back(is_operator(exp.op.name) ? to_string(exp.op) : "`" + to_string(exp.op) + "`");
  operands.push_back(&*exp.rhs);
  aligned([&] {
    std::size_t begin = text.size();
    print(*operands[0], level + 1);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const bool goes_on = operators[i - 1] != "|>" && text.find('\n', begin) == std::string::npos;
      begin = text.size();
      put(" " + operators[i - 1] + " ");
      if (goes_on && put_on_one_line(*operands[i], level + 1)) continue;
      text.resize(begin);
      line();
      begin = text.size();
      put(operators[i - 1] + " ");
      print(*operands[i], level + 1);
    }
  });
}

void Printer::broken(const Tuple& exp) {
  put("(");
  ++after_;
  aligned([&] {
    for (std::size_t i = 0; i < exp.elements.size(); ++i) {
      if (i > 0) put(","), line();
      print(exp.elements[i]);
    }
  });
  --after_;
  put(")");
}

/// As many elements as fit stand on a line.
void Printer::broken(const ArrayLiteral& exp) {
  put("[");
  ++after_;
  aligned([&] {
    for (std::size_t i = 0; i < exp.elements.size(); ++i) {
      if (i > 0) put(",");
      const auto next = i > 0 ? on_one_line(exp.elements[i], strength::open_ended) : std::nullopt;
      const bool goes_on = next && column() + 2 + static_cast<int>(next->size()) + after_ <= width_;
      if (i > 0) goes_on ? put(" ") : line();
      print(exp.elements[i]);
    }
  });
  --after_;
  put("]");
}

// ---- What extends to the right -----------------------------------------------------------------------

/// if c
/// then x
/// else if d
/// then y
/// else z
void Printer::broken(const If& exp) {
  aligned([&] {
    for (const If* branch = &exp;;) {
      put("if ");
      print(*branch->condition);
      line();
      put("then ");
      aligned([&] { print(*branch->then_branch); });
      line();
      put("else ");
      const auto* next = std::get_if<If>(&branch->else_branch->node);
      if (!next) return aligned([&] { print(*branch->else_branch); });
      if (put_on_one_line(*branch->else_branch, strength::open_ended)) return;
      branch = next;
    }
  });
}

void Printer::broken(const Lambda& exp) {
  lambda_head(exp);
  indented([&] {
    line();
    print(*exp.body);
  });
}

void Printer::broken(const Let& exp) {
  aligned([&] { node(exp); });
}

/// What a let binds: behind `=` if it fits, or if only the function that it ends in goes on below.
void Printer::value_of_binding(const Exp& exp) {
  if (width_ == 0 || one_line_) return body(exp);
  put(" ");
  if (!wants_lines(exp) && put_on_one_line(exp, strength::open_ended)) return;
  const auto* apply = std::get_if<Apply>(&exp.node);
  if (apply && put_with_last_hanging(*apply)) return;
  text.pop_back();
  indented([&] {
    line();
    print(exp);
  });
}

/// ` for i < n do`
void Printer::form_of_loop(const Loop& exp) {
  std::visit([this](const auto& form) { node(form); }, exp.form);
  put(" do");
}

/// loop p = x for i < n do
///   body
/// or
/// loop p = x
/// for i < n do
///   body
/// or with what it starts from on lines of its own.
void Printer::broken(const Loop& exp) {
  aligned([&] {
    put("loop ");
    for (const Identifier& size : exp.sizes) put("[" + size.text + "] ");
    print(exp.pattern);
    bool starts_here = true;
    if (exp.initial) {
      put(" =");
      const auto initial = on_one_line(**exp.initial, strength::open_ended);
      starts_here = initial && column() + 1 + static_cast<int>(initial->size()) <= width_;
      if (starts_here) put(" " + *initial);
    }
    if (!starts_here) {
      indented([&] {
        line();
        print(**exp.initial);
      });
    }
    Printer form(width_ - column());
    form.one_line_ = true;
    form.form_of_loop(exp);
    if (starts_here && !form.overflows_) {
      put(form.text);
    } else {
      Printer alone;
      alone.form_of_loop(exp);
      line();
      put(alone.text.substr(1));
    }
    indented([&] {
      line();
      print(*exp.body);
    });
  });
}

/// An attribute stands above what is longer than a line.
void Printer::broken(const Attributed& exp) {
  aligned([&] {
    put("#[");
    print(exp.attribute);
    put("]");
    line();
    print(*exp.exp);
  });
}

void Printer::broken(const With& exp) {
  print(*exp.exp, with_fixity.level);
  put(" with ");
  path(exp.path, false);
  put(" =");
  indented([&] {
    line();
    print(*exp.value, with_fixity.level + 1);
  });
}

// ---- Definitions and comments ---------------------------------------------------------------------

/// Parameters that do not fit on one line stand below each other.
void Printer::head_of_definition(const ValueDefinition& definition) {
  put(definition.is_entry ? "entry " : "def ");
  binder(definition.name.text);
  Printer rest(width_ - column());
  rest.one_line_ = true;
  rest.params(definition.type_params, definition.params);
  if (definition.result) {
    rest.put(" : ");
    rest.print(*definition.result);
  }
  rest.put(" =");
  if (!rest.overflows_) return put(rest.text);
  put(" ");
  aligned([&] {
    separated(definition.type_params, " ", [this](const TypeParam& param) { print(param); });
    bool first = definition.type_params.empty();
    for (const Pattern& param : definition.params) {
      if (!std::exchange(first, false)) line();
      print(param, PatternPlace::param);
    }
    if (!definition.result) return;
    line();
    put(": ");
    print(*definition.result);
  });
  put(" =");
}

/// Breaks behind commas.
void Printer::comment_line(const Comment& comment) {
  if (comment.text.empty() || !comments_) return;
  overflows_ = overflows_ || one_line_;
  put("--");
  for (std::size_t begin = 0; begin < comment.text.size();) {
    const std::size_t comma = comment.text.find(", ", begin);
    const std::size_t end = comma == std::string::npos ? comment.text.size() : comma + 1;
    if (begin > 0 && width_ > 0 && column() + 1 + static_cast<int>(end - begin) > width_) {
      line();
      put("--  ");
    }
    put(" ");
    put(std::string_view(comment.text).substr(begin, end - begin));
    begin = end + 1;
  }
  line();
}

}  // namespace boustro::ast
