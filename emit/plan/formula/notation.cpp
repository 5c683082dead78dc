#include "emit/plan/formula/notation.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/constants.hpp"

namespace boustro::plan::formula {
namespace {

/// Definitions that need no more columns than this are not worth a name.
constexpr std::size_t short_text = 20;

/// Longer formulas are of no use to anybody.
constexpr std::size_t long_text = 400;

std::string number(const PrimValue& value) {
  if (value == PrimValue::of_int(PrimType::i64, std::numeric_limits<std::int64_t>::max())) return "2^63 - 1";
  if (values::is_integer(value.type)) return std::to_string(value.as_int());
  if (value.type == PrimType::boolean) return value.as_bool() ? "true" : "false";
  const double number = value.as_float();
  if (std::isinf(number)) return number > 0 ? "infinity" : "-infinity";
  return value.type == PrimType::f64 ? fmt::format("{}", number)
                                     : fmt::format("{}", static_cast<float>(number));
}

/// x + x or x * x
bool is_doubled(const Expr& expr) {
  const Op* op = std::get_if<Op>(&expr.head);
  return op && (*op == Op::add || *op == Op::mul) && expr.args[0] == expr.args[1];
}

/// Twice 0.5 * x is x.
std::optional<std::string> whole_of_half(const std::string& product) {
  const std::string half = "0.5 * ";
  return product.starts_with(half) ? std::optional(product.substr(half.size())) : std::nullopt;
}

bool is_two(const Expr& expr) {
  const auto* number = std::get_if<Literal>(&expr.head);
  return number && values::is_float(expr.type.prim) && number->value.as_float() == 2;
}

bool is_number(const Expr& expr) { return std::holds_alternative<Literal>(expr.head); }

bool is_fold(const Expr& expr) {
  const Call* call = std::get_if<Call>(&expr.head);
  return call && call->function.front() == '%';
}

}  // namespace

std::string_view if_there_is_none(const Expr& value) {
  const auto* call = std::get_if<Call>(&value.head);
  if (call && call->function == "%argmin") return "; the first, or -1 if none is below infinity";
  if (call && call->function == "%argmax") return "; the first, or -1 if none is above -infinity";
  return "";
}

Notation::Notation(const std::vector<Named>& definitions, const std::vector<const Expr*>& shown, const std::vector<std::string>& indices)
    : definitions_(definitions), indices_(indices.begin(), indices.end()) {
  for (const Expr* expr : shown) count(*expr);
}

void Notation::count(const Expr& expr) {
  if (const auto number = reference(expr)) {
    if (++uses_[*number] == 1) count(definitions_[*number].value);
  }
  // x * x and x + x say x once.
  const bool twice = is_doubled(expr);
  for (std::size_t i = twice ? 1 : 0; i < expr.args.size(); ++i) count(expr.args[i]);
}

std::string Notation::text(const Expr& expr) { return bound(expr).text; }

std::vector<std::string> Notation::explanations() {
  std::vector<std::string> lines;
  // Texts mention further names while they are written.
  for (std::size_t i = 0; i < to_explain_.size(); ++i) {
    const std::size_t number = to_explain_[i];
    lines.push_back(definitions_[number].name + " = " + written_.at(number).text);
  }
  to_explain_.clear();
  return lines;
}

Notation::Bound Notation::definition(std::size_t number) {
  const Named& definition = definitions_[number];
  const auto known = named_.find(definition.name);
  if (known != named_.end() && known->second == number) return {definition.name};
  auto written = written_.find(number);
  if (written == written_.end()) written = written_.emplace(number, bound(definition.value)).first;
  if (written->second.text.size() > long_text) {
    too_long_ = true;
    return {definition.name};
  }
  // An index stands for one number only, and a name for one value.
  const bool reuses_index = is_fold(definition.value) && indices_.contains(to_string(definition.value.args[0]));
  // `x[i, j]` says more than `x[i, block % k]`.
  const bool is_short = written->second.text.size() <= short_text && written->second.text.find(" % ") == std::string::npos;
  const bool inlined = (!reuses_index && (uses_[number] <= 1 || is_short)) || named_.contains(definition.name);
  return inlined ? written->second : named(number, written->second);
}

/// By its name from now on; as it is written if the name stands for something else.
Notation::Bound Notation::named(std::size_t number, const Bound& written) {
  const auto [known, is_new] = named_.emplace(definitions_[number].name, number);
  if (known->second != number) return written;
  if (is_new) written_.emplace(number, written), to_explain_.push_back(number);
  return {known->first};
}

std::string Notation::enclosed(const Expr& expr, Level limit) {
  const Bound inner = bound(expr);
  return inner.level > limit ? "(" + inner.text + ")" : inner.text;
}

std::string Notation::list(const std::vector<Expr>& args, std::size_t from) {
  std::string result;
  for (std::size_t i = from; i < args.size(); ++i)
    result += (i == from ? "" : ", ") + text(args[i]);
  return result;
}

Notation::Bound Notation::bound(const Expr& expr) {
  if (const auto number = reference(expr)) return definition(*number);
  const auto& args = expr.args;
  return ir::match(
      expr.head, [](const Var& v) { return Bound{v.name}; },
      [](const Literal& l) {
        if (const auto name = name_of_constant(l.value)) return Bound{*name, name->find(' ') < name->find('(') || name->front() == '-' ? Level::product : Level::primary};
        const std::string text = number(l.value);
        return Bound{text, text.front() == '-' ? Level::product : Level::primary};
      },
      [&](const Op& op) { return operation(op, args); },
      [&](const Intrinsic&) { return intrinsic(expr); },
      [&](const Call& c) { return call(c, args); }, [&](const Cast&) { return bound(args[0]); },
      [&](const Convert&) { return Bound{"trunc(" + text(args[0]) + ")"}; },
      [&](const Element&) {
        return args.size() == 1 ? bound(args[0]) : Bound{text(args[0]) + "[" + list(args, 1) + "]"};
      },
      [&](const Field& f) { return Bound{enclosed(args[0], Level::primary) + "." + f.name}; },
      [&](const Construct&) { return Bound{"(" + list(args, 0) + ")"}; },
      [&](const auto&) { return Bound{to_string(expr)}; });
}

Notation::Bound Notation::binary(const Expr& x, const char* symbol, const Expr& y, Level level) {
  // Of `-` and `/` the right operand binds more tightly; relations do not associate at all.
  const auto tighter = static_cast<Level>(static_cast<int>(level) - 1);
  const bool associates = *symbol == '+' || *symbol == '*' || level == Level::logic;
  const Level left = level == Level::relation ? tighter : level;
  return {
      fmt::format("{} {} {}", enclosed(x, left), symbol, enclosed(y, associates ? level : tighter)),
      level};
}

/// Of floats, x * (1 / y) is x / y; of integers, x * (y / z) is not x * y / z.
Notation::Bound Notation::product(const Expr& x, const Expr& y) {
  if (is_two(x))
    if (const auto whole = whole_of_half(enclosed(y, Level::product))) return {*whole, Level::product};
  const Bound factor = bound(y);
  const bool is_quotient =
      factor.level == Level::product && factor.text.find(" / ") != std::string::npos;
  if (is_quotient && is_integer(x.type))
    return {enclosed(x, Level::product) + " * (" + factor.text + ")", Level::product};
  if (!is_quotient || !factor.text.starts_with("1 / ")) return binary(x, "*", y, Level::product);
  return {enclosed(x, Level::product) + factor.text.substr(1), Level::product};
}

/// Of floats, x / y / y is x / y^2.
Notation::Bound Notation::quotient(const Expr& x, const Expr& y) {
  const std::string divided = enclosed(x, Level::product);
  const std::string by = " / " + enclosed(y, Level::primary);
  if (is_integer(x.type) || !divided.ends_with(by)) return binary(x, "/", y, Level::product);
  return {divided + "^2", Level::product};
}

Notation::Bound Notation::operation(Op op, const std::vector<Expr>& args) {
  // A number stands on the right: x > 0.
  if (swapped(op) != op && is_number(args[0]) && !is_number(args[1])) return operation(swapped(op), {args[1], args[0]});
  switch (op) {
    case Op::neg:
      return {"-" + enclosed(args[0], Level::product), Level::product};
    case Op::logical_not:
      return {"not " + enclosed(args[0], Level::power), Level::logic};
    case Op::add: {
      if (args[0] == args[1]) {
        const std::string text = enclosed(args[0], Level::product);
        return {whole_of_half(text).value_or("2 * " + text), Level::product};
      }
      const Op* negates = std::get_if<Op>(&args[1].head);
      if (negates && *negates == Op::neg) return binary(args[0], "-", args[1].args[0], Level::sum);
      return binary(args[0], "+", args[1], Level::sum);
    }
    case Op::sub:
      if (const auto* number = std::get_if<Literal>(&args[0].head); number && number->value.is_zero()) return operation(Op::neg, {args[1]});
      return binary(args[0], "-", args[1], Level::sum);
    case Op::mul:
      if (args[0] == args[1]) return {enclosed(args[0], Level::primary) + "^2", Level::power};
      return product(args[0], args[1]);
    case Op::div:
      return quotient(args[0], args[1]);
    case Op::rem:
      return binary(args[0], "%", args[1], Level::product);
    case Op::lt:
      return binary(args[0], "<", args[1], Level::relation);
    case Op::le:
      return binary(args[0], "<=", args[1], Level::relation);
    case Op::gt:
      return binary(args[0], ">", args[1], Level::relation);
    case Op::ge:
      return binary(args[0], ">=", args[1], Level::relation);
    case Op::eq:
      return binary(args[0], "==", args[1], Level::relation);
    case Op::ne:
      return binary(args[0], "!=", args[1], Level::relation);
    case Op::logical_and:
      return binary(args[0], "and", args[1], Level::logic);
    case Op::logical_or:
      // Parentheses between `and` and `or` spare the reader their precedence.
      return {enclosed(args[0], Level::relation) + " or " + enclosed(args[1], Level::relation),
              Level::conditional};
    case Op::select:
      return {fmt::format("{} if {} else {}", enclosed(args[1], Level::logic),
                          enclosed(args[0], Level::logic), enclosed(args[2], Level::logic)),
              Level::conditional};
    default: {  // on bits
      const std::string symbol(symbol_of(op));
      if (args.size() == 1) return {symbol + enclosed(args[0], Level::primary), Level::power};
      return {enclosed(args[0], Level::primary) + " " + symbol + " " +
                  enclosed(args[1], Level::primary),
              Level::conditional};
    }
  }
}

Notation::Bound Notation::intrinsic(const Expr& expr) {
  const Intrinsic& fn = std::get<Intrinsic>(expr.head);
  if (const auto* kind = std::get_if<ir::BinOpKind>(&fn.fn)) {
    switch (*kind) {
      case ir::BinOpKind::add:
        return operation(Op::add, expr.args);
      case ir::BinOpKind::sub:
        return operation(Op::sub, expr.args);
      case ir::BinOpKind::mul:
        return operation(Op::mul, expr.args);
      case ir::BinOpKind::pow:
        return {
            enclosed(expr.args[0], Level::primary) + "^" + enclosed(expr.args[1], Level::primary),
            Level::power};
      default:
        break;
    }
  }
  if (fn.fn == decltype(fn.fn){ir::UnOpKind::neg}) return operation(Op::neg, expr.args);
  const auto name = std::visit([](auto f) { return ir::name_of(f); }, fn.fn);
  return {fmt::format("{}({})", name, list(expr.args, 0))};
}

Notation::Bound Notation::call(const Call& call, const std::vector<Expr>& args) {
  if (call.function.front() != '%') return {fmt::format("{}({})", call.function, list(args, 0))};
  const auto index = indices_.insert(to_string(args[0]));
  Bound result{fmt::format("{}_{{{}{}}} {}", call.function.substr(1), text(args[0]), range(args[1]),
                      is_fold(resolved(args[2], definitions_)) ? text(args[2])
                                                               : enclosed(args[2], Level::product)),
               Level::sum};
  indices_.erase(index);
  return result;
}

/// ` < n`, or ` in slab`
std::string Notation::range(const Expr& end) {
  const auto* slab = std::get_if<plan::Call>(&end.head);
  if (!slab || slab->function != "%in") return " < " + text(end);
  const auto number = reference(end.args[0]);
  return " in " + (number ? named(*number, bound(definitions_[*number].value)) : bound(end.args[0])).text;
}

}  // namespace boustro::plan::formula
