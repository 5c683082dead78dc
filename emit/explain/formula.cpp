#include "emit/explain/formula.hpp"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "emit/explain/formula_tokens.hpp"
#include "emit/explain/html.hpp"

namespace boustro::explain {
namespace {

std::string row(const std::string& inner) { return "<mrow>" + inner + "</mrow>"; }

/// In a font of one width it is a letter, else a name of several.
std::string identifier(std::string_view name) { return fmt::format("<mi{}>{}</mi>", name.size() > 1 ? " class=\"name\"" : "", escaped(name)); }

/// `x0` is x with a subscript, and so are `xi` and `f_vjp`. The subscript is MathML.
struct Base {
  std::string name, subscript;
};

Base base_of(const std::string& name) {
  if (name.size() == 2 && std::isdigit(static_cast<unsigned char>(name[1]))) return {name.substr(0, 1), fmt::format("<mn>{}</mn>", name[1])};
  if (name == "xi" || name == "xk") return {"x", fmt::format("<mi>{}</mi>", name[1])};
  const std::size_t underscore = name.find('_');
  if (underscore == std::string::npos) return {name, ""};
  return {name.substr(0, underscore), fmt::format("<mtext>{}</mtext>", name.substr(underscore + 1))};
}

std::string with_subscript(const std::string& base, const std::string& subscript) {
  return subscript.empty() ? base : "<msub>" + base + row(subscript) + "</msub>";
}

std::string symbol(const std::string& text) {
  static const std::map<std::string, std::string> signs{{"*", "⋅"},  {"-", "−"},  {"->", "→"}, {">=", "≥"}, {"<=", "≤"}, {"...", "…"},
                                                        {"..", "…"}, {"\\", "λ"}, {"|>", "▷"}, {"+=", "+="}};
  const auto sign = signs.find(text);
  const std::string shown = sign == signs.end() ? text : sign->second;
  if (text == "+=" || text == "++") return fmt::format("<mo lspace=\"0.28em\" rspace=\"0.28em\">{}</mo>", shown);
  return fmt::format("<mo>{}</mo>", escaped(shown));
}

/// Sets tokens, all of them of a formula, one after the other.
class Setter {
 public:
  explicit Setter(std::span<const Token> tokens) : tokens_(tokens) {}

  std::string all() {
    std::string result;
    while (at_ < tokens_.size()) result += spaced_item();
    return result;
  }

 private:
  const Token* peek(std::size_t ahead = 0) const { return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr; }
  bool is(std::string_view text, std::size_t ahead = 0) const { return peek(ahead) && peek(ahead)->text == text; }
  bool is_attached(std::string_view text) const { return is(text) && peek()->spaces == 0; }

  /// Application is written side by side, with a space that MathML does not leave by itself.
  std::string spaced_item() {
    const bool after_operand = at_ > 0 && is_operand(tokens_[at_ - 1]);
    const bool space = after_operand && is_operand(*peek()) && peek()->spaces > 0;
    const bool before_word = peek()->kind == TokenKind::language && after_operand && tokens_[at_ - 1].kind != TokenKind::open;
    const bool after_word = at_ > 0 && tokens_[at_ - 1].kind == TokenKind::language && tokens_[at_ - 1].text != "sum of";
    std::string item = this->item();
    return (space || before_word || after_word ? "<mspace width=\"0.25em\"/>" : "") + item;
  }
  static bool is_operand(const Token& token) {
    return token.kind == TokenKind::variable || token.kind == TokenKind::number || token.kind == TokenKind::open || token.kind == TokenKind::close;
  }

  std::string item() {
    if (is_fraction()) return raised(fraction(), "", true);
    if (is_sum()) return sum();
    const Token& token = tokens_[at_++];
    switch (token.kind) {
      case TokenKind::variable:
        return variable(token.text);
      case TokenKind::number:
        return raised(fmt::format("<mn>{}</mn>", token.text), "");
      case TokenKind::open:
        return group(token.text);
      case TokenKind::language:
        return fmt::format("<mtext>{}</mtext>", escaped(token.text));
      case TokenKind::symbol:
        return is_alone() ? fmt::format("<mo lspace=\"0\" rspace=\"0\">{}</mo>", escaped(token.text)) : symbol(token.text);
      case TokenKind::comma:
        return "<mo>,</mo>";
      default:
        return fmt::format("<mtext>{}</mtext>", escaped(token.text));
    }
  }

  /// The sign that was just taken is all that stands in parentheses: (+)
  bool is_alone() const { return at_ > 1 && tokens_[at_ - 2].kind == TokenKind::open && peek() && peek()->kind == TokenKind::close; }

  /// To the bracket that closes it, which is taken too.
  std::string inside() {
    std::string result;
    while (peek() && peek()->kind != TokenKind::close) result += spaced_item();
    if (peek()) ++at_;
    return result;
  }

  std::string group(const std::string& open) {
    const std::string inner = inside();
    return raised(row(fmt::format("<mo stretchy=\"false\">{}</mo>{}<mo stretchy=\"false\">{}</mo>", open, inner, open == "(" ? ")" : "]")), "");
  }

  std::string variable(const std::string& name) {
    const bool is_marked = is_adjoint(name) || is_tangent(name);
    std::string text = is_marked ? name.substr(0, name.size() - 4) : name;
    const bool is_primed = text.back() == '\'';
    if (is_primed) text.pop_back();
    const Base base = base_of(text);
    std::string result = identifier(base.name);
    if (is_adjoint(name)) result = "<mover accent=\"true\" class=\"bar\">" + result + "<mo stretchy=\"true\">¯</mo></mover>";
    if (is_tangent(name)) result = "<mover accent=\"true\">" + result + "<mo>˙</mo></mover>";
    if (is_primed) result = "<msup>" + result + "<mo>′</mo></msup>";
    std::string subscript = base.subscript;
    while (is_attached("[")) {
      ++at_;
      const std::string index = inside();
      subscript += (subscript.empty() ? "" : "<mo>,</mo>") + index;
    }
    return raised(result, subscript);
  }

  /// With what `^` puts behind it.
  std::string raised(const std::string& base, const std::string& subscript, bool in_parentheses = false) {
    if (!is_attached("^")) return with_subscript(base, subscript);
    ++at_;
    const bool is_group = is("(");
    if (is_group) ++at_;
    const std::string power = is_group ? inside() : item();
    const std::string whole = in_parentheses ? row("<mo>(</mo>" + base + "<mo>)</mo>") : base;
    if (subscript.empty()) return "<msup>" + whole + row(power) + "</msup>";
    return "<msubsup>" + whole + row(subscript) + row(power) + "</msubsup>";
  }

  /// dy/dx, d(y * x)/dx, d(y * x) / d y[i]
  bool is_fraction() const {
    if (!peek() || peek()->kind != TokenKind::variable || peek()->text[0] != 'd') return false;
    if (peek()->text.size() > 1) return is("/", 1) && peek(1)->spaces == 0 && peek(2) && peek(2)->text[0] == 'd';
    return is("(", 1) && peek(1)->spaces == 0;
  }
  std::string fraction() {
    std::string numerator = differential();
    if (!is("/")) return numerator;
    ++at_;
    const std::string denominator = differential();
    return "<mfrac>" + numerator + denominator + "</mfrac>";
  }
  std::string differential() {
    const Token& token = tokens_[at_++];
    std::string of;
    if (token.text.size() > 1) {
      const Base base = base_of(token.text.substr(1));  // a power behind it is that of the fraction
      of = is_attached("[") ? variable(token.text.substr(1)) : with_subscript(identifier(base.name), base.subscript);
    } else {
      of = is("(") ? (++at_, row("<mo>(</mo>" + inside() + "<mo>)</mo>")) : item();
    }
    return row("<mo>∂</mo>" + of);
  }

  /// `sum of xs[i]`: over the index that follows.
  bool is_sum() const { return peek() && peek()->text == "sum of"; }
  std::string sum() {
    ++at_;
    const std::string index = index_ahead();
    const std::string sign = "<mo movablelimits=\"true\">∑</mo>";
    return index.empty() ? sign : "<munder>" + sign + index + "</munder>";
  }
  /// The letters between the next brackets, or behind `x`.
  std::string index_ahead() const {
    std::string index;
    bool inside = false;
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (!inside && token.text.ends_with("xi")) return "<mi>i</mi>";
      if (token.text == "[") inside = true;
      else if (token.text == "]") return index.empty() ? "" : row(index);
      else if (inside && token.kind == TokenKind::variable && token.text.size() == 1) index += fmt::format("{}<mi>{}</mi>", index.empty() ? "" : "<mo>,</mo>", token.text);
      else if (inside && token.kind != TokenKind::comma && token.text != "...") return "";
      else if (!inside && token.kind == TokenKind::symbol && token.text != "/") return "";
    }
    return "";
  }

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
};

/// `sum of` before a formula is one token of it.
std::vector<Token> joined_sums(const std::vector<Token>& tokens) {
  std::vector<Token> result;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    result.push_back(tokens[i]);
    const bool is_sum = tokens[i].text == "sum" && i + 2 < tokens.size() && tokens[i + 1].text == "of" && tokens[i + 2].kind == TokenKind::variable;
    if (!is_sum) continue;
    result.back().text = "sum of";
    result.back().formula = true;
    ++i;
  }
  return result;
}

bool begins_with_formula(const std::vector<Token>& tokens) {
  if (tokens.empty() || !tokens[0].formula) return false;
  for (std::size_t i = 0; i < std::min<std::size_t>(tokens.size(), 14) && tokens[i].formula; ++i)
    if (tokens[i].text == "=" || tokens[i].text == "+=") return true;
  return false;
}

/// A line that is not indented may begin a sentence, or say something of what stands before a gap.
bool begins_anew(const std::vector<Token>& line) {
  if (line[0].spaces > 0) return false;
  if (std::isupper(static_cast<unsigned char>(line[0].text[0])) != 0 && line[0].kind == TokenKind::word) return true;
  for (std::size_t i = 1; i < std::min<std::size_t>(line.size(), 3); ++i)
    if (line[i].spaces > 3) return true;
  return false;
}

std::string words(const Token& token) {
  if (token.text == "gives") return "<span class=\"gives\">⟹</span>";
  if (token.kind == TokenKind::file || token.kind == TokenKind::attribute) return "<code>" + escaped(token.text) + "</code>";
  return escaped(token.text);
}

/// Longer ones may break behind an equals sign, which <math> by itself does not.
constexpr std::size_t longest_unbroken = 44;

std::string formula_of(std::span<const Token> tokens) {
  std::size_t length = 0;
  for (const Token& token : tokens) length += token.text.size() + static_cast<std::size_t>(token.spaces);
  std::string result;
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::open) ++depth;
    if (tokens[i].kind == TokenKind::close && depth > 0) --depth;
    const bool breaks = length > longest_unbroken && depth == 0 && tokens[i].text == "=" && i + 1 < tokens.size();
    if (!breaks && i + 1 < tokens.size()) continue;
    result += (result.empty() ? "<math>" : "<wbr><math>") + Setter(tokens.subspan(begin, i + 1 - begin)).all() + "</math>";
    begin = i + 1;
  }
  return result;
}

/// Formulas among words.
std::string mixed(const std::vector<Token>& tokens) {
  std::string result;
  std::size_t math = std::string::npos;  // where a formula begins that ends the result
  for (std::size_t i = 0; i < tokens.size();) {
    const bool at_arrow = tokens[i].text == "gives" || (i > 0 && tokens[i - 1].text == "gives");
    const int spaces = result.empty() ? 0 : at_arrow ? std::min(tokens[i].spaces, 1) : tokens[i].spaces;
    result += spaces == 0 ? "" : spaces < 3 ? " " : "<span class=\"gap\"> </span>";
    if (!tokens[i].formula) {
      // A line could break behind a formula, though there is no space.
      const bool is_attached = spaces == 0 && math < result.size();
      if (is_attached) result.insert(math, "<span class=\"together\">");
      result += words(tokens[i++]) + (is_attached ? "</span>" : "");
      math = std::string::npos;
      continue;
    }
    const std::size_t begin = i++;
    const auto goes_on = [](const Token& token) { return token.formula && (token.spaces <= 2 || token.text == "+="); };
    while (i < tokens.size() && goes_on(tokens[i])) ++i;
    result += formula_of({tokens.data() + begin, i - begin});
    math = result.rfind("<math>");
  }
  return result;
}

}  // namespace

std::string mathml(std::string_view formula) {
  std::vector<Token> tokens = joined_sums(formula_tokens(formula));
  return Setter(tokens).all();
}

std::string formula_html(std::string_view text) {
  std::vector<std::vector<Token>> paragraphs;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::vector<Token> line = joined_sums(formula_tokens(text.substr(begin, end - begin)));
    begin = end + 1;
    if (line.empty()) continue;
    if (paragraphs.empty() || begins_with_formula(line) || begins_anew(line)) {
      paragraphs.push_back(std::move(line));
      continue;
    }
    line[0].spaces = 1;
    paragraphs.back().insert(paragraphs.back().end(), line.begin(), line.end());
  }
  std::string result;
  for (const std::vector<Token>& paragraph : paragraphs) result += "<p>" + mixed(paragraph) + "</p>";
  return result;
}

}  // namespace boustro::explain
