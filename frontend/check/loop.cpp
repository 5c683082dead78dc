// Loops, and which of their sizes change from iteration to iteration.
//
// The body is checked once, with unknown sizes for the loop parameters. A size that the body
// preserves is then that of the initial value; one that it does not preserve gets a name of its
// own, and so does the result's.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

/// The names of a pattern as an expression, for `loop x for ..`.
std::optional<ast::Exp> expression_of(const ast::Pattern& pattern) {
  const auto exp = [&](auto node) { return ast::Exp{std::move(node), pattern.at}; };
  return match(
      pattern.node,
      [&](const ast::NamePattern& name) -> std::optional<ast::Exp> {
        return exp(ast::Var{{{}, name.name.text, name.name.at}});
      },
      [&](const ast::TuplePattern& tuple) -> std::optional<ast::Exp> {
        ast::Tuple result;
        for (const ast::Pattern& element : tuple.elements) {
          auto part = expression_of(element);
          if (!part) return std::nullopt;
          result.elements.push_back(std::move(*part));
        }
        return exp(std::move(result));
      },
      [&](const ast::RecordPattern& record) -> std::optional<ast::Exp> {
        ast::Record result;
        for (const ast::FieldPattern& field : record.fields) {
          if (!field.pattern) {
            result.fields.push_back({field.name, std::nullopt});
            continue;
          }
          auto part = expression_of(*field.pattern);
          if (!part) return std::nullopt;
          result.fields.push_back({field.name, std::move(*part)});
        }
        return exp(std::move(result));
      },
      [&](const ast::AscribedPattern& ascribed) { return expression_of(*ascribed.pattern); },
      [&](const ast::AttributedPattern& attributed) { return expression_of(*attributed.pattern); },
      [](const auto&) -> std::optional<ast::Exp> { return std::nullopt; });
}

}  // namespace

Exp Checker::loop_initial(const ast::Loop& syntax, SourceRange at) {
  if (syntax.initial) return check(**syntax.initial);
  const auto names = expression_of(syntax.pattern);
  if (names) return check(*names);
  report(Message::loop_without_initial, at);
  return wrong(at);
}

std::variant<ForLoop, ForInLoop, WhileLoop> Checker::loop_form(const ast::Loop& syntax) {
  using Form = std::variant<ForLoop, ForInLoop, WhileLoop>;
  return match(
      syntax.form,
      [&](const ast::ForLoop& loop) -> Form {
        Exp bound = check(*loop.bound);
        expect(fresh(bound.at, TypeClass::integral), bound, "a loop counts in integers");
        const Type type = bound.type;
        Pattern index{loop.index.text == "_" ? decltype(Pattern::node)(WildcardPattern{})
                                             : NamePattern{bind(loop.index.text, type)},
                      type, false, loop.index.at};
        return ForLoop{std::move(index), std::move(bound)};
      },
      [&](const ast::ForInLoop& loop) -> Form {
        Exp array = check(*loop.array);
        const Type row = fresh_plain(array.at);
        expect(array_type(inference_.fresh_size("n", array.at), row), array,
               "a loop runs over an array");
        Pattern element = pattern(loop.element, row);
        return ForInLoop{std::move(element), std::move(array)};
      },
      [&](const ast::WhileLoop& loop) -> Form {
        Exp condition = check(*loop.condition);
        expect(boolean(), condition, "a condition is a `bool`");
        return WhileLoop{std::move(condition)};
      });
}

Exp Checker::check_exp(const ast::Loop& syntax, SourceRange at) {
  Exp initial = loop_initial(syntax, at);
  Scope scope(*this);
  Level level(inference_);
  std::vector<Name> sizes;
  for (const ast::Identifier& size : syntax.sizes) sizes.push_back(bind_size(size.text));
  check_sizes_named(syntax.sizes, syntax.pattern);
  const Type type = with_open_sizes(initial.type);
  // A for loop's bound does not see the loop parameters, a while loop's condition does; the names
  // that are in its way are taken out by checking the form first.
  const bool is_while = std::holds_alternative<ast::WhileLoop>(syntax.form);
  std::optional<std::variant<ForLoop, ForInLoop, WhileLoop>> form;
  if (!is_while) form = loop_form(syntax);
  in_loop_pattern_ = true;
  Pattern loop_pattern = pattern(syntax.pattern, type);
  in_loop_pattern_ = false;
  if (is_while) form = loop_form(syntax);
  Exp body = check(*syntax.body);

  if (const auto failure = unify_up_to_sizes(type, body.type)) {
    mismatch(body.at, type, body.type, *failure, "the loop starts with this", initial.at);
    return wrong(at);
  }
  settle_loop_sizes(type, initial, body, sizes);
  level.leave();
  restrict_result(type, Lift::sizes, "a loop variable", at);

  Substitution after;
  std::vector<Name> existentials;
  for (const Name& size : sizes) {
    existentials.push_back(inference_.fresh_name(size.text));
    after.sizes.emplace(size.id, existentials.back());
  }
  const Type result = substitute(inference_.resolve_all(type), after);
  return {Loop{std::move(sizes), std::move(loop_pattern), std::move(initial), std::move(*form),
               std::move(body), std::move(existentials)},
          result, at};
}

void Checker::settle_loop_sizes(const Type& type, const Exp& initial, const Exp& body,
                                std::vector<Name>& sizes) {
  const std::vector<Size> params = sizes_of(type), starts = sizes_of(initial.type),
                          results = sizes_of(body.type);
  struct Change {
    Name name;
    Size start, result;
  };
  std::vector<Change> changing;
  const auto becomes = [&](const Name& name, std::size_t i) {
    for (const Change& other : changing) {
      if (other.name != name) continue;
      if (!inference_.try_unify(other.start, starts[i]) ||
          !inference_.try_unify(other.result, results[i]))
        mismatch(body.at, type, body.type, "these sizes would have to stay equal", "", initial.at);
      return;
    }
    changing.push_back({name, starts[i], results[i]});
  };
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Size param = inference_.resolve(params[i]), start = inference_.resolve(starts[i]),
               result = inference_.resolve(results[i]);
    const auto* name = std::get_if<Name>(&param);
    if (name && std::find(sizes.begin(), sizes.end(), *name) != sizes.end()) {
      becomes(*name, i);
    } else if (name && inference_.is_variable(*name) &&
               !stays(*name, start, result, params, starts)) {
      sizes.push_back(inference_.fresh_name(inference_.text_of(*name)));
      inference_.solve(*name, Size(sizes.back()));
      becomes(sizes.back(), i);
    } else {
      if (!inference_.try_unify(param, start))
        mismatch(initial.at, type, initial.type,
                 "the loop's body needs `" + inference_.print(param) + "`", "", {});
      if (!inference_.try_unify(param, results[i]))
        mismatch(body.at, type, body.type, "the size changes", "the loop starts with this",
                 initial.at);
    }
  }
}

// Is a loop parameter's size, which the body leaves open, that of the initial value in each
// iteration? Also if it becomes that of another parameter that starts with the same size, as when
// two arrays change places.
bool Checker::stays(const Name& param, const Size& start, const Size& result,
                    const std::vector<Size>& params, const std::vector<Size>& starts) {
  if (equal_sizes(param, result) || equal_sizes(start, result)) return true;
  const auto* name = std::get_if<Name>(&result);
  if (!name || !inference_.is_variable(*name)) return false;
  if (!inference_.is_loop_size(*name)) return true;
  for (std::size_t i = 0; i < params.size(); ++i)
    if (equal_sizes(inference_.resolve(params[i]), result))
      return equal_sizes(inference_.resolve(starts[i]), start);
  return false;
}

}  // namespace boustro::check
