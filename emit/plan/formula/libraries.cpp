#include "emit/plan/formula/libraries.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/notation.hpp"

namespace boustro::plan::formula {
namespace {

/// Longer ones are better read where they are computed.
constexpr std::size_t long_formula = 260;

const Functor* functor_of(const Functions& functions, const std::string& name) {
  for (const plan::Definition& definition : functions) {
    const auto* functor = std::get_if<Functor>(&definition);
    if (functor && functor->name == name) return functor;
  }
  return nullptr;
}

/// With definitions in their place, and some variables replaced.
Expr expanded(const Expr& expr, const std::vector<Named>& definitions,
              const std::map<std::string, Expr>& replaced) {
  if (const auto number = reference(expr)) {
    return expanded(definitions[*number].value, definitions, replaced);
  }
  if (const Var* var = std::get_if<Var>(&expr.head)) {
    const auto found = replaced.find(var->name);
    if (found != replaced.end()) return found->second;
  }
  Expr result = expr;
  for (Expr& arg : result.args) arg = expanded(arg, definitions, replaced);
  return result;
}

int size_of_expanded(const Expr& expr, const std::vector<Named>& definitions) {
  int size = 1;
  if (const auto number = reference(expr)) {
    size = size_of_expanded(definitions[*number].value, definitions);
  }
  for (const Expr& arg : expr.args) size += size_of_expanded(arg, definitions);
  return std::min(size, 1000);
}

/// What the functor yields for these arguments; nothing if that is too much to say.
std::optional<Expr> yield(const Functor& functor, const std::map<std::string, Expr>& arguments) {
  const Behaviour behaviour = behaviour_of(functor.body, functor.fields);
  const auto& value = behaviour.returned;
  if (behaviour.incomplete || !behaviour.stores.empty() || !value) return std::nullopt;
  if (is_unknown(*value, behaviour.definitions)) return std::nullopt;
  if (size_of_expanded(*value, behaviour.definitions) > 60) return std::nullopt;
  return expanded(*value, behaviour.definitions, arguments);
}

std::string text_of(const Expr& expr) {
  const std::vector<Named> none;
  return Notation(none, {&expr}).text(expr);
}

/// `sum`, `product`, `min` or `max`, if that is what the operator folds to.
std::optional<std::string> fold_name(const Functor& functor) {
  if (functor.params.size() != 2) return std::nullopt;
  const auto value = yield(functor, {});
  if (!value || value->args.size() != 2) return std::nullopt;
  const Expr x = var(functor.params[0]), y = var(functor.params[1]);
  const bool plain =
      (value->args[0] == x && value->args[1] == y) || (value->args[0] == y && value->args[1] == x);
  if (!plain) return std::nullopt;
  if (operator_of(*value) == Op::add) return "sum";
  if (operator_of(*value) == Op::mul) return "product";
  const auto* intrinsic = std::get_if<Intrinsic>(&value->head);
  const auto* kind = intrinsic ? std::get_if<ir::BinOpKind>(&intrinsic->fn) : nullptr;
  if (!kind) return std::nullopt;
  if (*kind == ir::BinOpKind::add) return "sum";
  if (*kind == ir::BinOpKind::mul) return "product";
  if (*kind == ir::BinOpKind::min) return "min";
  if (*kind == ir::BinOpKind::max) return "max";
  return std::nullopt;
}

/// Element `index` of the input.
std::optional<Expr> element(const Library& library, const Functions& functions, const Expr& index) {
  const Expr& value = library.input.value;
  if (!std::holds_alternative<Construct>(value.head)) {
    if (!std::holds_alternative<Var>(value.head)) return std::nullopt;
    return Expr{Element{}, {value, index}, library.input.element};
  }
  const Functor* functor = functor_of(functions, value.type.name);
  if (!functor) return std::nullopt;
  std::map<std::string, Expr> arguments{{functor->params[0].name, index}};
  for (std::size_t i = 0; i < functor->fields.size(); ++i)
    arguments.emplace(functor->fields[i].name, value.args[i]);
  return yield(*functor, arguments);
}

bool is_product_of(const Expr& expr, const Expr& x, const Expr& y) {
  return operator_of(expr) == Op::mul &&
         ((expr.args[0] == x && expr.args[1] == y) || (expr.args[0] == y && expr.args[1] == x));
}

}  // namespace

bool composes_linear(const Functor& functor) {
  const auto value = functor.params.size() == 2 ? yield(functor, {}) : std::nullopt;
  if (!value || !std::holds_alternative<Construct>(value->head) || value->args.size() != 2)
    return false;
  const Expr &constant = value->args[0], &factor = value->args[1];
  if (operator_of(constant) != Op::add) return false;
  // second.d + second.c * first.d, second.c * first.c
  const auto field_of = [](const Expr& of, const Param& param) {
    const auto* field = std::get_if<Field>(&of.head);
    return field && of.args[0] == var(param) ? field->name : std::string();
  };
  const std::string d = field_of(constant.args[0], functor.params[1]);
  if (d.empty() || factor.args.size() != 2) return false;
  std::string c = field_of(factor.args[0], functor.params[1]);
  if (c.empty()) c = field_of(factor.args[1], functor.params[1]);
  if (c.empty() || c == d) return false;
  const auto make = [&](std::size_t param, const std::string& name) {
    return field(var(functor.params[param]), name, constant.args[0].type);
  };
  const auto same = [](const Expr& x, const Expr& y) { return text_of(x) == text_of(y); };
  const Expr& product = constant.args[1];
  const bool right = product.args.size() == 2 && operator_of(product) == Op::mul &&
                     ((same(product.args[0], make(0, d)) && same(product.args[1], make(1, c))) ||
                      (same(product.args[1], make(0, d)) && same(product.args[0], make(1, c))));
  return right && (is_product_of(factor, make(0, c), make(1, c)) ||
                   (operator_of(factor) == Op::mul && same(factor.args[0], make(0, c)) &&
                    same(factor.args[1], make(1, c))));
}

std::optional<std::string> choice_formula(const Functor& functor, const Struct& record) {
  const auto value = functor.params.size() == 2 ? yield(functor, {}) : std::nullopt;
  if (!value || !std::holds_alternative<Construct>(value->head) || value->args.size() != record.fields.size()) return std::nullopt;
  const auto is_field = [&](const Expr& expr, std::size_t i, const Expr& operand) {
    const auto* component = std::get_if<Field>(&expr.head);
    return component && component->name == record.fields[i].name && expr.args[0] == operand;
  };
  const Expr x = var(functor.params[0]), y = var(functor.params[1]);
  const std::vector<Expr>& parts = value->args;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (operator_of(parts[i]) != Op::select || !(parts[i].args[0] == parts[0].args[0])) return std::nullopt;
    if (!is_field(parts[i].args[1], i, y) || !is_field(parts[i].args[2], i, x)) return std::nullopt;
  }
  return fmt::format("`{}` if {}, else `{}`.", functor.params[1].name, text_of(parts[0].args[0]), functor.params[0].name);
}

std::optional<std::string> input_formula(const Functor& functor) {
  const auto value = yield(functor, {});
  if (!value) return std::nullopt;
  std::string text = text_of(*value);
  return text.size() > long_formula ? std::nullopt : std::optional(std::move(text));
}

namespace {

/// Of the struct that the functor takes: the constant of a linear function.
std::string first_field(const Functions& functions, const Functor& store) {
  for (const plan::Definition& definition : functions) {
    const auto* record = std::get_if<Struct>(&definition);
    if (record && record->name == store.params[1].type.name) return record->fields.at(0).name;
  }
  return "";
}

/// `ys[i] = ` and the like: what the value number `i` of a scan, called `value`, goes to.
std::vector<std::string> output_lines(const Library& library, const Functions& functions,
                                      const std::string& value, bool linear) {
  const Expr& target = library.output.value;
  if (!std::holds_alternative<Construct>(target.head))
    return {fmt::format("{}[i] = {}", text_of(target), value)};
  const Functor* store = functor_of(functions, target.type.name);
  if (!store) return {};
  const Behaviour behaviour = behaviour_of(store->body, store->fields);
  std::map<std::string, Expr> arguments{{store->params[0].name, var("i")}};
  for (std::size_t i = 0; i < store->fields.size(); ++i)
    arguments.emplace(store->fields[i].name, target.args[i]);
  std::vector<std::string> lines;
  for (const Store& one : behaviour.stores) {
    if (is_unknown(one.value, behaviour.definitions)) return {};
    const Expr stored = expanded(one.value, behaviour.definitions, arguments);
    const Expr whole = var(store->params[1]);
    const auto* component = std::get_if<Field>(&stored.head);
    // What is computed from the value on the way is said by the functor alone.
    if (component ? !(stored.args[0] == whole) : !(stored == whole)) return {};
    if (linear && component && component->name != first_field(functions, *store)) return {};
    const std::string text = component && !linear ? value + "." + component->name : value;
    lines.push_back(fmt::format(
        "{} = {}", text_of(expanded(one.target, behaviour.definitions, arguments)), text));
  }
  return lines;
}

/// ys[i] = d + c * ys[i - 1], if that is all that is stored.
std::vector<std::string> recurrence_lines(std::vector<std::string> lines, const std::string& d,
                                          const std::string& c) {
  const std::string stored = "[i] = r(i)";
  if (lines.size() == 1 && lines[0].ends_with(stored)) {
    const std::string name = lines[0].substr(0, lines[0].size() - stored.size());
    return {fmt::format("{0}[i] = {1} + {2} * {0}[i - 1], from {0}[-1] = 0", name, d, c)};
  }
  if (!lines.empty()) {
    lines.push_back(fmt::format("  where r(i) = {} + {} * r(i - 1), from r(-1) = 0", d, c));
  }
  return lines;
}

/// What is stored in the place of a reduction's result, and what that result is.
std::vector<std::string> epilogue_lines(const Library& library, const Functions& functions, const std::string& folded) {
  const Expr& target = library.output.value;
  const Functor* store = functor_of(functions, target.type.name);
  if (!store) return {};
  const Behaviour behaviour = behaviour_of(store->body, store->fields);
  std::map<std::string, Expr> arguments;
  for (std::size_t i = 0; i < store->fields.size(); ++i)
    arguments.emplace(store->fields[i].name, target.args[i]);
  std::vector<std::string> lines;
  for (const Store& one : behaviour.stores) {
    if (is_unknown(one.value, behaviour.definitions)) return {};
    const Expr cell = expanded(one.target, behaviour.definitions, arguments);
    lines.push_back(fmt::format("{} = {}", text_of(cell.args.at(0)),
                                text_of(expanded(one.value, behaviour.definitions, arguments))));
  }
  lines.push_back(fmt::format("  where {} = {}", store->params[1].name, folded));
  return lines;
}

}  // namespace

std::vector<std::string> library_formula(const Library& library, const Functions& functions) {
  if (library.kind == LibraryKind::sort)
    return {fmt::format("{} = {}, sorted by their bits from {} up to {}", text_of(library.output.value), text_of(library.input.value),
                        text_of(library.bits.at(0)), text_of(library.bits.at(1)))};
  const Functor* op = functor_of(functions, library.functor);
  if (!op) return {};
  const bool reduces = library.kind != LibraryKind::inclusive_scan;
  const Expr i = var("i"), j = var("j");
  const auto elem = element(library, functions, reduces ? i : j);
  if (!elem) return {};
  const std::string term = text_of(*elem), count = text_of(library.count);
  if (term.size() > long_formula) return {};
  const auto name = fold_name(*op);
  const bool sum = operator_of(*elem) == Op::add || operator_of(*elem) == Op::sub ||
                   operator_of(*elem) == Op::select;
  const std::string enclosed = sum ? "(" + term + ")" : term;
  if (reduces) {
    const std::string folded = name ? fmt::format("{}_{{i < {}}} {}", *name, count, enclosed)
                                    : fmt::format("{} of {} for all i < {}", op->name, term, count);
    if (std::holds_alternative<Construct>(library.output.value.head)) return epilogue_lines(library, functions, folded);
    return {fmt::format("{} = {}", text_of(library.output.value), folded)};
  }
  if (composes_linear(*op)) {
    const auto here = element(library, functions, i);
    if (!std::holds_alternative<Construct>(here->head)) return {};
    return recurrence_lines(output_lines(library, functions, "r(i)", true), text_of(here->args[0]),
                            text_of(here->args[1]));
  }
  const bool pointer = std::holds_alternative<Element>(elem->head);
  if (pointer && (name == "sum" || name == "product")) {
    const auto at = [&](const Expr& index) { return text_of(*element(library, functions, index)); };
    return output_lines(
        library, functions,
        fmt::format("{1} {0} ... {0} {2}", *name == "sum" ? "+" : "*", at(lit(0)), at(i)), false);
  }
  if (name) {
    return output_lines(library, functions, fmt::format("{}_{{j <= i}} {}", *name, enclosed),
                        false);
  }
  return output_lines(library, functions, fmt::format("({} of {} for all j <= i)", op->name, term),
                      false);
}

}  // namespace boustro::plan::formula
