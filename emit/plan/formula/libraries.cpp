#include "emit/plan/formula/libraries.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/mirrored.hpp"
#include "emit/plan/formula/notation.hpp"
#include "emit/plan/walk.hpp"

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

/// As a term of a sum.
std::string enclosed(const Expr& term) {
  const auto op = operator_of(term);
  const bool is_weak = op == Op::add || op == Op::sub || op == Op::select;
  return is_weak ? "(" + text_of(term) + ")" : text_of(term);
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

namespace {

/// Of an operator that yields its second operand on this condition: the smaller or larger value, with an index that decides between equal
/// ones. Of floats it has to say what becomes of NaNs: the second one is taken if the first is one.
std::optional<std::string> winner_formula(const Functor& functor, const Struct& record, const std::string& condition) {
  if (record.fields.size() != 2) return std::nullopt;
  const auto part = [&](std::size_t operand, std::size_t i) { return functor.params[operand].name + "." + record.fields[i].name; };
  const std::string x = part(0, 0), y = part(1, 0), &value = record.fields[0].name, &index = record.fields[1].name;
  const std::string is_earlier = fmt::format("({} == {} and {} < {})", x, y, part(1, 1), part(0, 1));
  for (const bool smaller : {true, false}) {
    const std::string wins = fmt::format("{} < {} or {}", smaller ? y : x, smaller ? x : y, is_earlier);
    const bool over_nan = condition == fmt::format("({}) or {} != {}", wins, x, x);
    if (is_integer(record.fields[0].type) ? condition != wins : !over_nan) continue;
    return fmt::format("The one with the {} {}; of equal ones, that with the smaller {}{}.", smaller ? "smaller" : "larger", value, index,
                       over_nan ? "; a number rather than a NaN" : "");
  }
  return std::nullopt;
}

}  // namespace

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
  const std::string condition = text_of(parts[0].args[0]);
  if (const auto winner = winner_formula(functor, record, condition)) return winner;
  return fmt::format("`{}` if {}, else `{}`.", functor.params[1].name, condition, functor.params[0].name);
}

std::optional<std::string> input_formula(const Functor& functor) {
  const auto value = yield(functor, {});
  if (!value) return std::nullopt;
  std::string text = text_of(*value).append(if_there_is_none(*value));
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

/// What a scan stores. Element `i` of its input goes first, or, where it goes from the end of all arrays to their beginning (`mirrored`), element
/// `n - 1 - i`, so that all indices are `i`.
class ScanOutput {
 public:
  /// `linear`: the scan's values are linear functions, of which the constant is said.
  ScanOutput(const Library& library, const Functions& functions, bool linear, bool mirrored)
      : library_(library), functions_(functions), linear_(linear), mirrored_(mirrored) {
    const Expr& target = library.output.value;
    if (std::holds_alternative<Construct>(target.head)) add_stores(target);
    else outputs_.push_back({Expr{Element{}, {target, index()}, library.output.element}, var(result), std::nullopt});
  }

  /// Otherwise it cannot be said.
  bool is_known() const { return !outputs_.empty(); }
  /// All that is stored, for are_backwards.
  std::vector<Expr> exprs() const {
    std::vector<Expr> all;
    for (const Output& output : outputs_) {
      all.insert(all.end(), {output.target, output.value});
      if (output.condition) all.push_back(*output.condition);
    }
    return all;
  }

  /// `ys[i] = value`, or where something is computed from values, what from r(i), where that is the value.
  std::vector<std::string> lines(const std::string& value) const {
    const bool direct = std::all_of(outputs_.begin(), outputs_.end(), [](const Output& output) { return is_result(output.value); });
    std::vector<std::string> lines;
    for (const Output& output : outputs_) {
      const auto* component = std::get_if<Field>(&output.value.head);
      const std::string text = direct ? value + (component ? "." + component->name : "") : text_of(output.value);
      lines.push_back(fmt::format("{} = {}{}", text_of(output.target), text, output.condition ? ", if " + text_of(*output.condition) : ""));
    }
    if (!direct) lines.push_back(fmt::format("  where {} = {}", result, value));
    return lines;
  }

  /// Each value is d + c * the one before, from 0 on: ys[i] = d + c * ys[i - 1], if that is all that is stored.
  std::vector<std::string> recurrence(const Expr& d, const Expr& c) const {
    const Output& output = outputs_[0];
    const bool is_stored = outputs_.size() == 1 && is_variable(output.value, result) && !output.condition && output.target.args.size() == 2 &&
                           is_variable(output.target.args[1], "i");
    const std::string open = is_stored ? text_of(output.target.args[0]) + "[" : "r(", close = is_stored ? "]" : ")";
    const auto at = [&](const std::string& place) { return open + place + close; };
    const Expr value = d + c * var(at(mirrored_ ? "i + 1" : "i - 1"), c.type.prim);
    return lines(fmt::format("{}, from {} = 0", text_of(value), at(mirrored_ ? text_of(library_.count) : "-1")));
  }

  /// Of its input.
  Expr index() const { return mirrored_ ? library_.count - 1 - var("i") : var("i"); }
  Expr shown(const Expr& expr) const { return mirrored_ ? with_short_sums(expr) : expr; }

 private:
  struct Output {
    Expr target, value;
    std::optional<Expr> condition;
  };
  static constexpr const char* result = "r(i)";

  static bool is_result(const Expr& expr) {
    return is_variable(expr, result) || (std::holds_alternative<Field>(expr.head) && is_variable(expr.args[0], result));
  }

  /// With r(i) for the value that the functor takes.
  Expr of_result(const Expr& expr, const Expr& taken, const std::string& constant) const {
    const auto* component = std::get_if<Field>(&expr.head);
    const bool is_taken = linear_ ? component && component->name == constant && expr.args[0] == taken : expr == taken;
    if (is_taken) return var(result, expr.type);
    Expr inside = expr;
    for (Expr& arg : inside.args) arg = of_result(arg, taken, constant);
    return inside;
  }

  void add_stores(const Expr& target) {
    const Functor* store = functor_of(functions_, target.type.name);
    if (!store) return;
    const Behaviour behaviour = behaviour_of(store->body, store->fields);
    if (behaviour.incomplete) return;
    std::map<std::string, Expr> arguments{{store->params[0].name, index()}};
    for (std::size_t i = 0; i < store->fields.size(); ++i) arguments.emplace(store->fields[i].name, target.args[i]);
    const Param& taken = store->params[1];
    const std::string constant = linear_ ? first_field(functions_, *store) : "";
    const auto said = [&](const Expr& expr) -> std::optional<Expr> {
      if (is_unknown(expr, behaviour.definitions) || size_of_expanded(expr, behaviour.definitions) > 60) return std::nullopt;
      // The value first: it may be called like an argument.
      const Expr text = of_result(expanded(expr, behaviour.definitions, {}), var(taken), constant);
      if (variables_in(text, {}).contains(taken.name)) return std::nullopt;
      return shown(expanded(text, {}, arguments));
    };
    for (const Store& one : behaviour.stores) {
      const auto place = said(one.target), value = said(one.value), condition = one.condition ? said(*one.condition) : std::nullopt;
      if (!place || !value || one.op || !one.indices.empty() || (one.condition && !condition)) return outputs_.clear();
      outputs_.push_back({*place, *value, condition});
    }
  }

  const Library& library_;
  const Functions& functions_;
  bool linear_, mirrored_;
  std::vector<Output> outputs_;
};

/// All indices of what goes in and out are `n - 1 - i`.
bool goes_backwards(const Library& library, const Functions& functions, bool linear) {
  std::vector<Expr> exprs = ScanOutput(library, functions, linear, false).exprs();
  if (exprs.empty()) return false;
  exprs.push_back(*element(library, functions, var("i")));
  return are_backwards(exprs, "i");
}

std::vector<std::string> scan_formula(const Library& library, const Functions& functions, const Functor& op, const std::optional<std::string>& fold) {
  const bool linear = composes_linear(op);
  // What is combined in the other direction is said in this one.
  const bool mirrored = (linear || fold) && goes_backwards(library, functions, linear);
  const ScanOutput output(library, functions, linear, mirrored);
  const auto at = [&](const Expr& index) { return output.shown(*element(library, functions, index)); };
  const Expr here = at(output.index()), term = at(mirrored ? library.count - 1 - var("j") : var("j"));
  if (!output.is_known()) return {};
  if (linear) {
    if (!std::holds_alternative<Construct>(here.head)) return {};
    return output.recurrence(here.args[0], here.args[1]);
  }
  if (std::holds_alternative<Element>(term.head) && (fold == "sum" || fold == "product")) {
    const char* const sign = *fold == "sum" ? "+" : "*";
    return output.lines(fmt::format("{1} {0} ... {0} {2}", sign, text_of(at(lit(0))), text_of(here)));
  }
  if (!fold) return output.lines(fmt::format("({} of {} for all j <= i)", op.name, text_of(term)));
  const std::string range = mirrored ? "i <= j < " + text_of(library.count) : "j <= i";
  return output.lines(fmt::format("{}_{{{}}} {}", *fold, range, enclosed(term)));
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
  const auto elem = element(library, functions, var(reduces ? library.index : "j"));
  if (!elem) return {};
  const std::string term = text_of(*elem), count = text_of(library.count);
  if (term.size() > long_formula) return {};
  const auto fold = fold_name(*op);
  if (!reduces) return scan_formula(library, functions, *op, fold);
  const std::string range = library.index + " < " + count;
  const std::string folded = fold ? fmt::format("{}_{{{}}} {}", *fold, range, enclosed(*elem)) : fmt::format("{} of {} for all {}", op->name, term, range);
  if (std::holds_alternative<Construct>(library.output.value.head)) return epilogue_lines(library, functions, folded);
  return {fmt::format("{} = {}", text_of(library.output.value), folded)};
}

}  // namespace boustro::plan::formula
