#include "emit/explain/formula_tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <utility>

namespace boustro::explain {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

const std::set<std::string, std::less<>> language_words{
    "ceil",   "copy", "do",  "else",      "exp",     "for",   "hist",    "if",        "iota",      "log",      "loop",     "map",
    "map2",   "map3", "max", "min",       "rearrange", "reduce", "reduce_by_index", "replicate", "reshape", "scan",      "scatter",
    "sin",    "sum",  "then", "transpose", "while",   "with",  "with_acc", "with_vjp"};

/// Looks like a variable, and like no word: `a` and `is` depend on what stands around them.
bool is_variable_name(const std::string& word) {
  static const std::regex plain("[b-zB-HJ-Z]|[a-z]ss?|[a-z][0-9]|x[ik]|acc|ne|op|(f|op)_(vjp|jvp|bundled)");
  if (is_adjoint(word) || is_tangent(word) || (word.size() > 1 && word.back() == '\'')) return true;
  return word != "as" && word != "is" && word != "us" && std::regex_match(word, plain);
}

/// Longer ones first.
constexpr std::array<std::string_view, 20> symbols{"...", "+=", "++", "->", ">=", "<=", "..", "|>", "=", "+",
                                                   "-",   "*",  "/",  "^",  "<",  ">",  "\\", "|", "&", "~"};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ') ++spaces_, ++at_;
      else if (text_[at_] == '`') quoted_ = !quoted_, ++at_;
      else next();
    }
    return std::move(tokens_);
  }

 private:
  void next() {
    const char c = text_[at_];
    if (is_letter(c)) return word();
    if (is_digit(c)) return add(TokenKind::number, end_of([](char d) { return is_digit(d); }));
    if (c == '\'') return add(TokenKind::word, end_of([](char d) { return is_letter(d) || d == '\''; }));  // f's
    if (text_.substr(at_).starts_with("#[")) return add(TokenKind::attribute, text_.find(']', at_) + 1);
    if (c == '(' || c == '[') return add(TokenKind::open, at_ + 1);
    if (c == ')' || c == ']') return add(TokenKind::close, at_ + 1);
    if (c == ',') return add(TokenKind::comma, at_ + 1);
    for (const std::string_view symbol : symbols)
      if (text_.substr(at_).starts_with(symbol)) return add(TokenKind::symbol, at_ + symbol.size());
    // A colon between brackets is one of a slice.
    add(c == ':' && (quoted_ || in_index()) ? TokenKind::symbol : TokenKind::word, at_ + 1);
  }

  void word() {
    if (const std::size_t end = end_of_file_name(); end > at_) return add(TokenKind::file, end);
    std::size_t end = end_of(is_of_word);
    while (end + 1 < text_.size() && text_[end] == '.' && is_letter(text_[end + 1])) {  // f64.min
      ++end;
      while (end < text_.size() && is_of_word(text_[end])) ++end;
    }
    while (const std::size_t more = end_of_hyphenated(end)) end = more;
    const bool is_prime = end < text_.size() && text_[end] == '\'' && (end + 1 == text_.size() || !is_letter(text_[end + 1]));
    if (is_prime) ++end;
    const std::string text(text_.substr(at_, end - at_));
    if (is_variable_name(text)) return add(TokenKind::variable, end);
    add(language_words.contains(text) ? TokenKind::language : TokenKind::word, end);
  }

  /// Of `mining` in `strip-mining`, and `th` in `k-th`; 0 if there is no such part.
  std::size_t end_of_hyphenated(std::size_t begin) const {
    if (begin + 1 >= text_.size() || text_[begin] != '-' || !is_letter(text_[begin + 1])) return 0;
    std::size_t end = begin + 1;
    while (end < text_.size() && is_of_word(text_[end])) ++end;
    const std::string part(text_.substr(begin + 1, end - begin - 1));
    return is_variable_name(part) ? 0 : end;
  }
  std::size_t end_of_file_name() const {
    std::size_t end = end_of([](char c) { return is_of_word(c) || c == '/' || c == '.'; });
    while (end > at_ && text_[end - 1] == '.') --end;  // of a sentence
    const std::string_view text = text_.substr(at_, end - at_);
    return text.ends_with(".cpp") || text.ends_with(".hpp") || text.ends_with(".fut") ? end : at_;
  }

  template <typename Is>
  std::size_t end_of(Is is) const {
    std::size_t end = at_;
    while (end < text_.size() && is(text_[end])) ++end;
    return end;
  }
  bool in_index() const {
    const std::size_t open = text_.rfind('[', at_), close = text_.rfind(']', at_);
    return open != text_.npos && (close == text_.npos || close < open);
  }
  void add(TokenKind kind, std::size_t end) {
    tokens_.push_back({kind, std::string(text_.substr(at_, end - at_)), std::exchange(spaces_, 0), quoted_});
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int spaces_ = 0;
  bool quoted_ = false;
  std::vector<Token> tokens_;
};

bool is_symbol(const Token* token) { return token && token->kind == TokenKind::symbol; }
bool is_variable(const Token* token) { return token && token->kind == TokenKind::variable; }
/// Of what a formula has on both sides of a comma, a sign or a word of the language.
bool is_operand(const Token* token) {
  return token && (token->kind == TokenKind::variable || token->kind == TokenKind::number || token->kind == TokenKind::close ||
                   token->kind == TokenKind::open || token->text == "...");
}

/// `is` is an array where one can stand, and so is `a`.
void find_hidden_variables(std::vector<Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    const Token* const before = i > 0 ? &tokens[i - 1] : nullptr;
    const Token* const after = i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
    const bool indexed = after && after->text == "[" && after->spaces == 0;
    const bool in_list = (before && (before->kind == TokenKind::open || before->kind == TokenKind::comma)) && after && after->kind == TokenKind::comma;
    const bool fits = indexed || in_list || (before && before->text == "at") || (is_symbol(after) && after->text == "=") || (is_variable(before) && is_variable(after)) ||
                      (is_symbol(before) && !before->text.starts_with("..."));
    const bool is_derivative = token.text.size() > 1 && token.text[0] == 'd' &&
                               ((is_symbol(after) && after->text == "/" && after->spaces == 0) ||
                                (is_symbol(before) && before->text == "/" && token.spaces == 0));
    if ((token.text == "is" && fits) || (token.text == "a" && (indexed || is_symbol(before))) || is_derivative)
      token.kind = TokenKind::variable;
  }
}

bool belongs_to_formula(const Token* before, const Token& token, const Token* after) {
  switch (token.kind) {
    case TokenKind::variable:
      return true;
    case TokenKind::language:
      return is_symbol(before) || (is_operand(after) && after->spaces <= 1) || (before && before->kind == TokenKind::close);
    case TokenKind::comma:
      return is_operand(before) && is_operand(after) && after->spaces <= 1;
    case TokenKind::symbol:
    case TokenKind::number:
    case TokenKind::open:
    case TokenKind::close:
      return true;
    case TokenKind::attribute:
    case TokenKind::file:
    case TokenKind::word:
      return false;
  }
  return false;
}

/// Parentheses around words are those of a sentence.
void give_back_parentheses(std::vector<Token>& tokens) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::open) open.push_back(i);
    if (tokens[i].kind != TokenKind::close || open.empty()) continue;
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(open.back()), end = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(begin, end, [](const Token& token) { return !token.formula; })) begin->formula = end->formula = false;
    open.pop_back();
  }
  for (const std::size_t i : open) tokens[i].formula = false;
}

}  // namespace

bool is_adjoint(std::string_view name) { return name.size() > 4 && name.ends_with("_adj"); }
bool is_tangent(std::string_view name) { return name.size() > 4 && name.ends_with("_tan"); }

std::vector<Token> formula_tokens(std::string_view text) {
  std::vector<Token> tokens = Tokenizer(text).run();
  find_hidden_variables(tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token* const before = i > 0 ? &tokens[i - 1] : nullptr;
    const Token* const after = i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
    tokens[i].formula = tokens[i].quoted || belongs_to_formula(before, tokens[i], after);
  }
  give_back_parentheses(tokens);
  return tokens;
}

}  // namespace boustro::explain
