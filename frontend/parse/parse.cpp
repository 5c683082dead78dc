#include "frontend/parse/parse.hpp"

#include <algorithm>

#include "frontend/parse/definition.hpp"
#include "frontend/parse/expression.hpp"
#include "frontend/parse/type.hpp"
#include "frontend/source/deep_stack.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::parse {
namespace {

using source::Message;

constexpr int most_errors = 50;  // per file

/// "`)`, `,` or an operator"
std::string alternatives(std::vector<std::string_view> expected) {
  std::erase(expected, "");
  if (expected.empty()) return "something else";
  std::string text(expected[0]);
  for (std::size_t i = 1; i < expected.size(); ++i) {
    text += i + 1 == expected.size() ? " or " : ", ";
    text += expected[i];
  }
  return text;
}

std::string description(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the file";
  constexpr std::size_t longest = 40;
  if (token.text.size() <= longest) return fmt::format("`{}`", token.text);
  return fmt::format("`{}...`", token.text.substr(0, longest));
}

/// One parse after the other over the tokens of a file, each with its own report.
class Parser {
 public:
  Parser(source::FileId file, const source::SourceMap& sources, source::Diagnostics& diagnostics)
      : state_{file, diagnostics},
        tokens_(tokenize(file, sources, diagnostics)),
        next_(tokens_.data()) {}

  bool at_end() const { return next_->kind == TokenKind::end; }
  std::size_t tests() const { return state_.tests; }

  template <typename Rule, typename Node>
  bool parse(const Rule& rule, Node& node) {
    state_.restart();
    const Token* const last = tokens_.data() + tokens_.size();
    return x3::parse(next_, last, x3::with<StateTag>(state_)[rule], node);
  }

  void report() const {
    const Token* const at = state_.too_deep ? state_.too_deep : state_.farthest;
    const ast::Place place = state_.place(at, at);
    if (state_.too_deep) {
      const Message message = state_.long_row ? Message::too_many_operators : Message::too_deep;
      state_.diagnostics.report(message, place, deepest_nesting);
    } else {
      state_.diagnostics.report(Message::syntax_error, place, alternatives(state_.expected),
                                description(*at));
    }
  }

  void report_end_missing() {
    state_.missed(next_, "the end of the file");
    report();
  }

  /// Goes to the next token that can begin a definition, starts a line, and is not indented deeper
  /// than the definition that failed.
  void skip_definition() {
    const std::uint32_t indentation = next_->column == Token::inside_line ? 0 : next_->column;
    const Token* const from = std::max(next_ + 1, error_token());
    for (next_ = std::min<const Token*>(from, &tokens_.back()); !at_end(); ++next_) {
      if (next_->column <= indentation && begins_definition(*next_)) return;
    }
  }

 private:
  const Token* error_token() const { return state_.too_deep ? state_.too_deep : state_.farthest; }

  static bool begins_definition(const Token& token) {
    constexpr std::string_view starts[] = {"def",    "let",  "entry",  "type",  "type~", "type^",
                                           "module", "open", "import", "local", "#["};
    return std::find(std::begin(starts), std::end(starts), token.text) != std::end(starts);
  }

  State state_;
  std::vector<Token> tokens_;
  const Token* next_;
};

template <typename Node, typename Rule>
std::optional<Node> parse_whole(const Rule& rule, Parser& parser) {
  Node node;
  if (!parser.parse(rule, node)) {
    parser.report();
    return std::nullopt;
  }
  if (parser.at_end()) return node;
  parser.report_end_missing();
  return std::nullopt;
}

ast::Program parse_definitions(Parser& parser) {
  ast::Program program;
  int errors = 0;
  while (!parser.at_end() && errors < most_errors) {
    ast::Definition next;
    if (parser.parse(definition, next)) {
      program.definitions.push_back(std::move(next));
    } else {
      parser.report();
      parser.skip_definition();
      ++errors;
    }
  }
  return program;
}

}  // namespace

// A rule of the grammar takes several kilobytes of stack, and nesting goes through many of them.
ast::Program parse_program(source::FileId file, const source::SourceMap& sources,
                           source::Diagnostics& diagnostics, std::size_t* effort) {
  Parser parser(file, sources, diagnostics);
  ast::Program program;
  source::with_deep_stack([&] { program = parse_definitions(parser); });
  if (effort) *effort = parser.tests();
  return program;
}

std::optional<ast::Exp> parse_expression(source::FileId file, const source::SourceMap& sources,
                                         source::Diagnostics& diagnostics) {
  Parser parser(file, sources, diagnostics);
  std::optional<ast::Exp> exp;
  source::with_deep_stack([&] { exp = parse_whole<ast::Exp>(expression, parser); });
  return exp;
}

std::optional<ast::Type> parse_type(source::FileId file, const source::SourceMap& sources,
                                    source::Diagnostics& diagnostics) {
  Parser parser(file, sources, diagnostics);
  std::optional<ast::Type> result;
  source::with_deep_stack([&] { result = parse_whole<ast::Type>(type, parser); });
  return result;
}

}  // namespace boustro::parse
