// Expressions. Bindings and loops: print_binding.cpp.
#include "frontend/ast/precedence.hpp"
#include "frontend/ast/printer.hpp"

namespace boustro::ast {
namespace {

template <typename... Alternatives>
bool is_one_of(const Exp& exp) {
  return (std::holds_alternative<Alternatives>(exp.node) || ...);
}

int strength_of(const Exp& exp) {
  if (is_one_of<If, Let, Lambda, Loop, Match, Assert, Attributed>(exp)) return strength::open_ended;
  if (is_one_of<Ascribe, Coerce>(exp)) return strength::ascription;
  if (is_one_of<Range>(exp)) return strength::range;
  if (const auto* binary = std::get_if<Binary>(&exp.node)) return fixity_of(binary->op.name).level;
  if (is_one_of<With>(exp)) return with_fixity.level;
  if (is_one_of<Unary>(exp)) return strength::prefix;
  const auto* construct = std::get_if<Construct>(&exp.node);
  const bool has_payload = construct && !construct->payload.empty();
  return is_one_of<Apply>(exp) || has_payload ? strength::application : strength::atom;
}

std::string infix(const QualifiedName& op) {
  return is_operator(op.name) ? to_string(op) : "`" + to_string(op) + "`";
}

/// True if a `case` that followed would belong to a match inside.
bool ends_in_match(const Exp& exp) {
  if (is_one_of<Match>(exp)) return true;
  if (const auto* e = std::get_if<If>(&exp.node)) return ends_in_match(*e->else_branch);
  if (const auto* e = std::get_if<Let>(&exp.node)) return ends_in_match(*e->body);
  if (const auto* e = std::get_if<Lambda>(&exp.node)) return ends_in_match(*e->body);
  if (const auto* e = std::get_if<Loop>(&exp.node)) return ends_in_match(*e->body);
  if (const auto* e = std::get_if<Assert>(&exp.node)) return ends_in_match(*e->exp);
  if (const auto* e = std::get_if<Attributed>(&exp.node)) return ends_in_match(*e->exp);
  return false;
}

}  // namespace

void Printer::print(const Exp& exp, int least) {
  if (overflows_) return;
  if (width_ > 0 && !one_line_) return print_fitted(exp, least);
  const bool parentheses = is_weaker(exp, least);
  if (parentheses) put("(");
  std::visit([this](const auto& alternative) { node(alternative); }, exp.node);
  if (parentheses) put(")");
}

bool Printer::is_weaker(const Exp& exp, int least) { return strength_of(exp) < least; }

// ---- Atoms ---------------------------------------------------------------------------------------

void Printer::node(const Var& exp) {
  put(is_operator(exp.name.name) ? "(" + to_string(exp.name) + ")" : to_string(exp.name));
}
void Printer::node(const Hole&) { put("???"); }

void Printer::node(const Tuple& exp) {
  put("(");
  separated(exp.elements, ", ", [this](const Exp& element) { print(element); });
  put(")");
}

void Printer::node(const Record& exp) {
  put("{");
  separated(exp.fields, ", ", [this](const FieldExp& field) {
    put(field.name.text);
    if (!field.value) return;
    put(" = ");
    print(*field.value);
  });
  put("}");
}

void Printer::node(const ArrayLiteral& exp) {
  put("[");
  separated(exp.elements, ", ", [this](const Exp& element) { print(element); });
  put("]");
}

void Printer::node(const LocalOpen& exp) {
  put(to_string(exp.module) + ".(");
  print(*exp.body);
  put(")");
}

/// Literals and constructors cannot be followed by a dot or an index.
void Printer::before_postfix(const Exp& exp) {
  const bool plain = is_one_of<Var, Index, Project, Tuple, ArrayLiteral, LocalOpen, LeftSection,
                               RightSection, AccessSection>(exp);
  if (!plain) put("(");
  print(exp);
  if (!plain) put(")");
}

void Printer::node(const Project& exp) {
  before_postfix(*exp.record);
  put("." + exp.field.text);
}

void Printer::node(const Index& exp) {
  before_postfix(*exp.array);
  indices(exp.indices);
}

void Printer::indices(const std::vector<DimIndex>& indices) {
  const auto part = [this](const std::optional<Box<Exp>>& exp) {
    if (exp) print(**exp, strength::range);
  };
  put("[");
  separated(indices, ", ", [&](const DimIndex& index) {
    if (const auto* exp = std::get_if<Box<Exp>>(&index)) return print(**exp, strength::range);
    const auto& slice = std::get<SliceIndex>(index);
    part(slice.start);
    put(":");
    part(slice.end);
    if (slice.stride) put(":");
    part(slice.stride);
  });
  put("]");
}

void Printer::path(const std::vector<Access>& path, bool dot_first) {
  bool dot = dot_first;
  for (const Access& access : path) {
    if (const auto* field = std::get_if<Identifier>(&access)) {
      put((dot ? "." : "") + field->text);
    } else {
      indices(std::get<std::vector<DimIndex>>(access));
    }
    dot = true;
  }
}

void Printer::node(const LeftSection& exp) {
  put("(");
  print(*exp.operand, strength::chain);
  put(" " + infix(exp.op) + ")");
}

void Printer::node(const RightSection& exp) {
  put("(" + infix(exp.op) + " ");
  print(*exp.operand, strength::range);
  put(")");
}

void Printer::node(const AccessSection& exp) {
  const bool index_first = std::holds_alternative<std::vector<DimIndex>>(exp.path.front());
  put(index_first ? "(." : "(");
  path(exp.path, true);
  put(")");
}

// ---- Applications and operators --------------------------------------------------------------------

void Printer::node(const Apply& exp) {
  // #a x would be a constructor with payload.
  const bool parentheses = is_one_of<Construct>(*exp.function);
  if (parentheses) put("(");
  print(*exp.function, parentheses ? strength::open_ended : strength::atom);
  if (parentheses) put(")");
  for (const Exp& arg : exp.args) {
    put(" ");
    print(arg, strength::atom);
  }
}

void Printer::node(const Construct& exp) {
  put("#" + exp.constructor.text);
  for (const Exp& part : exp.payload) {
    put(" ");
    print(part, strength::atom);
  }
}

void Printer::node(const Binary& exp) {
  const Fixity fixity = fixity_of(exp.op.name);
  print(*exp.lhs, fixity.level + (fixity.right_associative ? 1 : 0));
  put(" " + infix(exp.op) + " ");
  print(*exp.rhs, fixity.level + (fixity.right_associative ? 0 : 1));
}

void Printer::node(const Unary& exp) {
  put(exp.op == UnaryOp::negate ? "-" : "!");
  if (is_one_of<Unary>(*exp.operand)) put(" ");  // `--` begins a comment
  print(*exp.operand, strength::prefix);
}

void Printer::node(const With& exp) {
  print(*exp.exp, with_fixity.level);
  put(" with ");
  path(exp.path, false);
  put(" = ");
  print(*exp.value, with_fixity.level + 1);
}

void Printer::node(const Range& exp) {
  print(*exp.first, strength::chain);
  if (exp.second) {
    put("..");
    print(**exp.second, strength::chain);
  }
  put(exp.kind == RangeEnd::inclusive ? "..." : exp.kind == RangeEnd::below ? "..<" : "..>");
  print(*exp.last, strength::chain);
}

void Printer::node(const Ascribe& exp) {
  print(*exp.exp, strength::ascription);
  put(" : ");
  print(exp.type);
}

void Printer::node(const Coerce& exp) {
  print(*exp.exp, strength::ascription);
  put(" :> ");
  print(exp.type);
}

// ---- What extends to the right -----------------------------------------------------------------------

void Printer::node(const If& exp) {
  put("if ");
  print(*exp.condition);
  put(" then ");
  print(*exp.then_branch);
  put(" else ");
  print(*exp.else_branch);
}

void Printer::node(const Assert& exp) {
  put("assert ");
  print(*exp.condition, strength::atom);
  put(" ");
  print(*exp.exp);
}

void Printer::node(const Attributed& exp) {
  put("#[");
  print(exp.attribute);
  put("] ");
  print(*exp.exp);
}

void Printer::node(const Match& exp) {
  const auto guarded = [this](const Exp& part, bool case_follows) {
    print(part, case_follows && ends_in_match(part) ? strength::ascription : strength::open_ended);
  };
  put("match ");
  guarded(*exp.scrutinee, true);
  for (std::size_t i = 0; i < exp.cases.size(); ++i) {
    line();
    put("case ");
    print(exp.cases[i].pattern, PatternPlace::after_case);
    put(" -> ");
    indented([&] { guarded(exp.cases[i].body, i + 1 < exp.cases.size()); });
  }
}

}  // namespace boustro::ast
