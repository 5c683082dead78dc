// Parsers of single tokens, and the directives that the grammars are made of.
#pragma once

#include <cctype>
#include <string>
#include <type_traits>
#include <utility>

#include <boost/fusion/include/deque.hpp>
#include <boost/fusion/include/is_sequence.hpp>
#include <boost/fusion/include/invoke.hpp>

#include "frontend/parse/literals.hpp"
#include "frontend/parse/state.hpp"

namespace boustro::parse {

// ---- Single tokens -------------------------------------------------------------------------------

/// A token with exactly this text: a keyword, a bracket, an operator.
struct Exact : x3::parser<Exact> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  std::string_view text, quoted;  // `quoted` for messages
  constexpr Exact(std::string_view text, std::string_view quoted) : text(text), quoted(quoted) {}

  template <typename C, typename R, typename A>
  bool parse(Iterator& first, const Iterator& last, const C& context, const R&, A&) const {
    State& state = state_of(context);
    ++state.tests;
    if (first != last && first->text == text && first->kind != TokenKind::end) return ++first, true;
    state.missed(first, quoted);
    return false;
  }
};
#define BOUSTRO_TOKEN(text) \
  ::boustro::parse::Exact { text, "`" text "`" }

/// A token that `accept` takes, with the attribute that `convert` makes of it.
template <typename Attribute, typename Accept, typename Convert>
struct Terminal : x3::parser<Terminal<Attribute, Accept, Convert>> {
  using attribute_type = Attribute;
  static constexpr bool has_attribute = !std::is_same_v<Attribute, x3::unused_type>;

  std::string_view description;
  Accept accept;
  Convert convert;
  constexpr Terminal(std::string_view description, Accept accept, Convert convert)
      : description(description), accept(accept), convert(convert) {}

  template <typename C, typename R, typename A>
  bool parse(Iterator& first, const Iterator& last, const C& context, const R&, A& attribute) const {
    State& state = state_of(context);
    ++state.tests;
    if (first == last || !accept(*first)) {
      state.missed(first, description);
      return false;
    }
    if constexpr (!std::is_same_v<std::remove_const_t<A>, x3::unused_type>) {
      x3::traits::move_to(convert(*first, state), attribute);
    }
    ++first;
    return true;
  }
};
template <typename Attribute, typename Accept, typename Convert>
constexpr auto terminal(std::string_view description, Accept accept, Convert convert) {
  return Terminal<Attribute, Accept, Convert>(description, accept, convert);
}

constexpr auto is(TokenKind kind) {
  return [kind](const Token& token) { return token.kind == kind; };
}
inline ast::Identifier identifier_of(std::string_view text, const Token& token, const State& state) {
  return {std::string(text), state.place(&token, &token)};
}

/// x; never M.x
constexpr auto name = terminal<ast::Identifier>(
    "a name",
    [](const Token& t) {
      return t.kind == TokenKind::name && t.text.find('.') == std::string_view::npos;
    },
    [](const Token& t, const State& s) { return identifier_of(t.text, t, s); });
/// x, M.x
constexpr auto qualified_name =
    terminal<ast::QualifiedName>("a name", is(TokenKind::name), qualified_name_of);
/// x.y: a name with at least one dot
constexpr auto dotted_name = terminal<ast::QualifiedName>(
    "a name",
    [](const Token& t) {
      return t.kind == TokenKind::name && t.text.find('.') != std::string_view::npos;
    },
    qualified_name_of);
/// +, M.+, `f`
constexpr auto infix = terminal<ast::QualifiedName>(
    "an operator", [](const Token& t) { return t.kind == TokenKind::op && t.text != "!"; },
    qualified_name_of);
/// An operator that can be defined: +, never M.+ or `f`
constexpr auto operator_name = terminal<ast::Identifier>(
    "an operator",
    [](const Token& t) { return t.kind == TokenKind::op && ast::is_operator(std::string(t.text)); },
    [](const Token& t, const State& s) { return identifier_of(t.text, t, s); });
constexpr auto constructor = terminal<ast::Identifier>(
    "a constructor", is(TokenKind::constructor),
    [](const Token& t, const State& s) { return identifier_of(t.text.substr(1), t, s); });
/// .x, .0
constexpr auto dot_field = terminal<ast::Identifier>(
    "a field", is(TokenKind::field),
    [](const Token& t, const State& s) { return identifier_of(t.text.substr(1), t, s); });
/// x, 0
constexpr auto field_name = terminal<ast::Identifier>(
    "a field name",
    [](const Token& t) {
      const auto plain = [](unsigned char c) { return c != '.'; };
      return (t.kind == TokenKind::name && std::all_of(t.text.begin(), t.text.end(), plain)) ||
             (t.kind == TokenKind::integer &&
              std::all_of(t.text.begin(), t.text.end(), [](unsigned char c) { return std::isdigit(c); }));
    },
    [](const Token& t, const State& s) { return identifier_of(t.text, t, s); });
constexpr auto number_text = terminal<std::string>(
    "a number", is(TokenKind::integer), [](const Token& t, const State&) { return std::string(t.text); });
/// The `[` of x[i]; the `[` of x [i] is not one.
constexpr auto index_bracket = terminal<x3::unused_type>(
    "`[`", [](const Token& t) { return t.indexes; },
    [](const Token&, const State&) { return x3::unused; });
constexpr auto literal = terminal<LiteralValue>(
    "a literal",
    [](const Token& t) {
      return t.kind == TokenKind::integer || t.kind == TokenKind::floating ||
             t.kind == TokenKind::character || t.text == "true" || t.text == "false";
    },
    literal_of);
constexpr auto string_literal =
    terminal<std::string>("a string", is(TokenKind::string), string_of);

// ---- Directives ----------------------------------------------------------------------------------

/// What is said to be expected where `subject` cannot begin; empty: nothing is said.
template <typename Subject>
struct Labelled : x3::unary_parser<Subject, Labelled<Subject>> {
  using base = x3::unary_parser<Subject, Labelled<Subject>>;
  static constexpr bool is_pass_through_unary = true;

  std::string_view label;
  constexpr Labelled(const Subject& subject, std::string_view label) : base(subject), label(label) {}

  template <typename C, typename R, typename A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& r, A& attribute) const {
    const Iterator begin = first;
    const std::size_t mark = state_of(context).mark(begin);
    const bool parsed = this->subject.parse(first, last, context, r, attribute);
    state_of(context).relabel(begin, mark, label);
    return parsed;
  }
};
template <typename Parser>
auto labelled(std::string_view label, const Parser& parser) {
  using Subject = typename x3::extension::as_parser<Parser>::value_type;
  return Labelled<Subject>(x3::as_parser(parser), label);
}
/// For what may follow but is seldom what is missing: one more argument, an operator.
template <typename Parser>
auto unsaid(const Parser& parser) {
  return labelled("", parser);
}

/// Counts nesting: refuses to go deeper than the limit, and to build higher trees.
template <typename Subject>
struct Deeper : x3::unary_parser<Subject, Deeper<Subject>> {
  using base = x3::unary_parser<Subject, Deeper<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr explicit Deeper(const Subject& subject) : base(subject) {}

  template <typename C, typename R, typename A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& r, A& attribute) const {
    State& state = state_of(context);
    if (state.depth >= deepest_nesting) state.too_deep = first;
    if (state.too_deep) return false;
    const int height_before = std::exchange(state.height, 0);
    ++state.depth;
    const bool parsed = this->subject.parse(first, last, context, r, attribute) && state.grow(first, 1);
    --state.depth;
    state.height = std::max(state.height, height_before);
    return parsed;
  }
};
template <typename Parser>
auto deeper(const Parser& parser) {
  using Subject = typename x3::extension::as_parser<Parser>::value_type;
  return Deeper<Subject>(x3::as_parser(parser));
}

/// For semantic actions that put `levels` nodes on top of each other: false, and the parse fails, if the tree
/// became too high.
template <typename C>
bool grow(const C& context, std::size_t levels) {
  return x3::_pass(context) = state_of(context).grow(x3::_where(context).begin() - 1, levels);
}

/// p, p, p with an optional comma at the end.
template <typename Parser>
auto comma_list(const Parser& parser) {
  return (parser % BOUSTRO_TOKEN(",")) >> -BOUSTRO_TOKEN(",");
}

// ---- Building nodes ------------------------------------------------------------------------------

/// Around the whole of a rule: gives its value the range of the tokens that it consumed, and the comment before
/// them. Not an on_success handler: X3 does not hand those the value of a rule that has semantic actions.
template <typename Subject>
struct Located : x3::unary_parser<Subject, Located<Subject>> {
  using base = x3::unary_parser<Subject, Located<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr explicit Located(const Subject& subject) : base(subject) {}

  template <typename C, typename R, typename A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& value, A& attribute) const {
    const Iterator begin = first;
    if (!this->subject.parse(first, last, context, value, attribute)) return false;
    if (first != begin) value.at = state_of(context).place(begin, first);
    if constexpr (requires(R r) { r.doc; }) value.doc = doc_text(begin->doc);
    return true;
  }
};
template <typename Parser>
auto located(const Parser& parser) {
  using Subject = typename x3::extension::as_parser<Parser>::value_type;
  return Located<Subject>(x3::as_parser(parser));
}

template <typename T>
std::optional<T> to_std(boost::optional<T>&& value) {
  return value ? std::optional<T>(std::move(*value)) : std::nullopt;
}
template <typename T>
std::optional<ast::Box<T>> to_box(boost::optional<T>&& value) {
  return value ? std::optional<ast::Box<T>>(std::move(*value)) : std::nullopt;
}
template <typename T>
std::vector<T> to_vector(boost::optional<std::vector<T>>&& values) {
  return values ? std::move(*values) : std::vector<T>{};
}

/// Semantic action: calls `make` with the attributes of a sequence, by rvalue, one parameter for each. Its
/// result is the rule's value, or the `node` of that.
template <typename Make>
struct Build {
  Make make;

  template <typename C>
  void operator()(const C& context) const {
    put(x3::_val(context), call(x3::_attr(context)));
  }

 private:
  template <typename Attribute>
  decltype(auto) call(Attribute& attribute) const {
    if constexpr (std::is_same_v<std::remove_const_t<Attribute>, x3::unused_type>) {
      return make();
    } else if constexpr (boost::fusion::traits::is_sequence<Attribute>::value) {
      const auto move_into = [this](auto&... parts) { return make(std::move(parts)...); };
      return boost::fusion::invoke(move_into, attribute);
    } else {
      return make(std::move(attribute));
    }
  }
  template <typename Value, typename Result>
  static void put(Value& value, Result&& result) {
    if constexpr (std::is_assignable_v<Value&, Result&&>) {
      value = std::forward<Result>(result);
    } else {
      value.node = std::forward<Result>(result);
    }
  }
};
template <typename Make>
constexpr Build<Make> build(Make make) {
  return {make};
}
/// The rule's value is the attribute itself.
constexpr auto pass = build([](auto&& value) { return std::move(value); });

}  // namespace boustro::parse
