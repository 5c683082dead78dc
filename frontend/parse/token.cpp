#include "frontend/parse/token.hpp"

#include <algorithm>
#include <array>

#include "frontend/parse/token_def.hpp"

namespace boustro::parse {
namespace {

constexpr auto keywords = std::to_array<std::string_view>(
    {"assert", "case",  "def",    "do",    "else",   "entry", "false", "for",  "if",   "import", "in",
     "include", "let",  "local",  "loop",  "match",  "module", "open", "then", "true", "type",   "val",
     "while",  "with"});
constexpr int most_lexical_errors = 20;  // per file; random bytes would make thousands

TokenKind kind_of_word(std::string_view text) {
  if (text == "_" || text == "=" || text == "->") return TokenKind::punctuation;
  if (std::find(keywords.begin(), keywords.end(), text) != keywords.end()) return TokenKind::keyword;
  const bool is_symbol = std::string_view("+*/%=!><|&^-.").find(text.back()) != std::string_view::npos;
  return is_symbol ? TokenKind::op : TokenKind::name;
}

/// In x[i], not in x [i].
bool can_be_indexed(std::string_view before) {
  if (before.empty()) return false;
  const char last = before.back();
  return last == ')' || last == ']' || last == '_' || last == '\'' ||
         std::isalnum(static_cast<unsigned char>(last));
}

/// How far a token stands from the start of its line if only white space comes before it.
std::uint32_t column_after(std::string_view text, std::size_t last_end, std::size_t begin) {
  const std::string_view gap = text.substr(last_end, begin - last_end);
  const std::size_t line_break = gap.rfind('\n');
  if (line_break != std::string_view::npos) {
    return static_cast<std::uint32_t>(gap.size() - line_break - 1);
  }
  return last_end == 0 ? static_cast<std::uint32_t>(begin) : Token::inside_line;
}

}  // namespace

void lexical::Output::emit(TokenKind kind, std::string_view word) {
  const auto begin = static_cast<std::size_t>(word.data() - text.data());
  tokens.push_back({kind, static_cast<std::uint32_t>(begin), word,
                    word == "[" && can_be_indexed(text.substr(0, begin)),
                    column_after(text, last_end, begin), doc});
  doc = {};
  last_end = begin + word.size();
}

void lexical::Output::emit_word(std::string_view word) { emit(kind_of_word(word), word); }

void lexical::Output::report(source::Message message, std::string_view word) {
  if (errors++ >= most_lexical_errors) return;
  const auto begin = static_cast<std::uint32_t>(word.data() - text.data());
  const auto end = begin + static_cast<std::uint32_t>(word.size());
  diagnostics.report(message, {file, begin, end});
}

std::vector<Token> tokenize(source::FileId file, const source::SourceMap& sources,
                            source::Diagnostics& diagnostics) {
  lexical::Output output{file, sources.text(file), diagnostics};
  const char* first = output.text.data();
  const char* const last = first + output.text.size();
  boost::spirit::x3::parse(first, last,
                           boost::spirit::x3::with<lexical::OutputTag>(output)[lexical::file]);
  output.emit(TokenKind::end, output.text.substr(output.text.size()));
  return std::move(output.tokens);
}

}  // namespace boustro::parse
