#include "frontend/parse/literals.hpp"
#include "frontend/source/messages.hpp"

#include <algorithm>
#include <charconv>

namespace boustro::parse {
namespace {

/// Splits off a type suffix. In a hexadecimal number `f32` is digits, so floats there end after the
/// exponent.
std::optional<values::PrimType> take_suffix(std::string& digits, bool is_float) {
  const std::size_t at = digits.find_first_of(is_float ? "f" : "iu");
  const bool hexadecimal = digits.size() > 1 && (digits[1] == 'x' || digits[1] == 'X');
  const std::size_t begin =
      is_float && hexadecimal ? digits.find('f', digits.find_first_of("pP")) : at;
  if (begin == std::string::npos) return std::nullopt;
  const auto type = values::prim_type_named(digits.substr(begin));
  digits.resize(begin);
  return type;
}

std::string without_underscores(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  return digits;
}

template <typename Float>
double float_value(std::string_view digits) {
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  Float value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value,
                      hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (error != std::errc::result_out_of_range) return value;
  // Too large, or too small: the exponent's sign tells, a number without exponent is large.
  const std::size_t exponent = digits.find_first_of(hexadecimal ? "pP" : "eE");
  const bool small = exponent != std::string_view::npos && digits[exponent + 1] == '-';
  return small ? 0 : std::numeric_limits<double>::infinity();
}

ast::FloatLiteral float_literal(std::string_view text) {
  std::string digits = without_underscores(text);
  const auto suffix = take_suffix(digits, true);
  const bool is_f32 = suffix == values::PrimType::f32;
  return {is_f32 ? float_value<float>(digits) : float_value<double>(digits), suffix};
}

ast::IntLiteral int_literal(const Token& token, const State& state) {
  std::string text = without_underscores(token.text);
  const auto suffix = take_suffix(text, false);
  std::string_view digits = text;
  int base = 10;
  if (digits.size() > 1 && std::isalpha(static_cast<unsigned char>(digits[1]))) {
    base = std::tolower(static_cast<unsigned char>(digits[1])) == 'x' ? 16 : 2;
    digits.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (result.ec != std::errc{}) {
    state.diagnostics.report(source::Message::number_too_large, state.place(&token, &token));
  }
  return {value, suffix};
}

void append_utf8(std::string& bytes, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { bytes.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

std::uint32_t first_code_point(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return lead;
  std::uint32_t code_point = lead & (lead >= 0xF0 ? 0x07u : lead >= 0xE0 ? 0x0Fu : 0x1Fu);
  for (std::size_t i = 1; i < bytes.size() && (byte(i) & 0xC0) == 0x80; ++i) {
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  return code_point;
}

/// The code point of the escape that `rest` begins with, after the backslash; nothing if there is
/// none. Removes it from `rest`.
std::optional<std::uint32_t> take_escape(std::string_view& rest) {
  constexpr std::string_view letters = "abfnrtv\\\"'0";
  constexpr std::string_view values("\a\b\f\n\r\t\v\\\"'\0", 11);
  const bool hexadecimal = rest.starts_with('x');
  const bool numeric = hexadecimal || std::isdigit(static_cast<unsigned char>(rest.front()));
  if (!numeric) {
    const std::size_t found = letters.find(rest.front());
    if (found == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(1);
    return static_cast<std::uint32_t>(values[found]);
  }
  std::uint32_t code_point = 0;
  const char* const begin = rest.data() + (hexadecimal ? 1 : 0);
  const auto [end, error] =
      std::from_chars(begin, rest.data() + rest.size(), code_point, hexadecimal ? 16 : 10);
  if (error != std::errc{} || code_point > 0x10FFFF) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return code_point;
}

/// Of the text between the quotes.
std::string unescape(std::string_view rest, const Token& token, const State& state) {
  std::string bytes;
  while (!rest.empty()) {
    const std::size_t backslash = std::min(rest.find('\\'), rest.size());
    bytes += rest.substr(0, backslash);
    rest.remove_prefix(backslash);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    if (const auto code_point = take_escape(rest)) {
      append_utf8(bytes, *code_point);
    } else {
      state.diagnostics.report(source::Message::malformed_escape, state.place(&token, &token),
                               "\\" + std::string(rest.substr(0, 1)));
      rest.remove_prefix(1);
    }
  }
  return bytes;
}

std::string_view between_quotes(std::string_view text) { return text.substr(1, text.size() - 2); }

}  // namespace

ast::QualifiedName qualified_name_of(const Token& token, const State& state) {
  std::string_view text = token.text;
  if (text.front() == '`') text = between_quotes(text);
  ast::QualifiedName result{{}, "", state.place(&token, &token)};
  const auto starts_name = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  while (starts_name(text.front())) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) break;
    result.qualifiers.emplace_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  result.name = text;
  return result;
}

LiteralValue literal_of(const Token& token, const State& state) {
  switch (token.kind) {
    case TokenKind::integer:
      return int_literal(token, state);
    case TokenKind::floating:
      return float_literal(token.text);
    case TokenKind::character:
      return ast::CharLiteral{
          first_code_point(unescape(between_quotes(token.text), token, state) + '\0')};
    default:
      return ast::BoolLiteral{token.text == "true"};
  }
}

std::string string_of(const Token& token, const State& state) {
  return unescape(between_quotes(token.text), token, state);
}

std::string doc_text(std::string_view comments) {
  std::string text;
  while (!comments.empty()) {
    const std::size_t line_end = std::min(comments.find('\n'), comments.size());
    std::string_view line = comments.substr(0, line_end);
    comments.remove_prefix(std::min(line_end + 1, comments.size()));
    line.remove_prefix(line.find("--") + 2);
    if (text.empty() && line.starts_with(" |")) line.remove_prefix(2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line == "==") break;  // a test block
    text.append(line).push_back('\n');
  }
  return text;
}

}  // namespace boustro::parse
