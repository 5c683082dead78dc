// The lexical grammar. Parsers emit tokens by semantic action; nothing has an attribute.
#pragma once

#include <boost/spirit/home/x3.hpp>

#include "frontend/parse/token.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::parse::lexical {

namespace x3 = boost::spirit::x3;
using x3::char_;
using x3::digit;
using x3::lit;
using x3::raw;
using x3::xdigit;

/// Collects tokens; what the actions below work on.
struct Output {
  source::FileId file;
  std::string_view text;
  source::Diagnostics& diagnostics;
  std::vector<Token> tokens = {};
  std::string_view doc = {};  // waits for the next token
  std::size_t last_end = 0;   // of the token before
  int errors = 0;

  void emit(TokenKind kind, std::string_view text);
  void emit_word(std::string_view text);
  void report(source::Message message, std::string_view text);
};
struct OutputTag;

template <typename Context>
std::string_view matched(const Context& context) {
  const auto& range = x3::_attr(context);
  return {range.begin(), range.end()};
}

/// Semantic actions on raw[..].
template <TokenKind kind>
struct Emit {
  template <typename Context>
  void operator()(const Context& context) const {
    x3::get<OutputTag>(context).emit(kind, matched(context));
  }
};
struct EmitWord {
  template <typename Context>
  void operator()(const Context& context) const {
    x3::get<OutputTag>(context).emit_word(matched(context));
  }
};
struct KeepDoc {
  template <typename Context>
  void operator()(const Context& context) const {
    x3::get<OutputTag>(context).doc = matched(context);
  }
};
template <source::Message message>
struct Report {
  template <typename Context>
  void operator()(const Context& context) const {
    x3::get<OutputTag>(context).report(message, matched(context));
  }
};
template <TokenKind kind>
constexpr Emit<kind> emit{};
constexpr Emit<TokenKind::punctuation> punctuation{};

// ---- White space

const auto blank = char_(" \t\f\v\r");
const auto rest_of_line = *~char_('\n');
const auto doc_comment = "-- |" >> rest_of_line >> *('\n' >> *blank >> "--" >> rest_of_line);
const auto space = +(blank | '\n') | raw[doc_comment][KeepDoc{}] | ("--" >> rest_of_line);

// ---- Names and operators

const auto letter = char_("a-zA-Z");
const auto constituent = char_("a-zA-Z0-9_'");
const auto simple_name = (letter | '_') >> *constituent;
const auto symbol_start = char_("+*/%=!><|&^-");
const auto symbol = symbol_start >> *(symbol_start | '.');
const auto qualified_name = simple_name >> *('.' >> simple_name);
const auto word = qualified_name >> -('.' >> symbol);

const auto name_or_operator = raw["type" >> char_("~^")][emit<TokenKind::keyword>] |
                              raw[word | symbol][EmitWord{}] |
                              raw['`' >> qualified_name >> '`'][emit<TokenKind::op>] |
                              raw['#' >> simple_name][emit<TokenKind::constructor>];

// ---- Literals

const auto decimal = digit >> *(digit | '_');
const auto hexadecimal = '0' >> char_("xX") >> xdigit >> *(xdigit | '_');
const auto binary = '0' >> char_("bB") >> char_("01") >> *char_("01_");
const auto integer_suffix = char_("iu") >> (lit("8") | "16" | "32" | "64");
const auto float_suffix = 'f' >> (lit("16") | "32" | "64");
const auto sign = char_("+-");
const auto exponent = char_("eE") >> -sign >> +digit;
const auto decimal_float = decimal >> (('.' >> decimal >> -exponent) | exponent);
const auto hexadecimal_float = hexadecimal >> '.' >> xdigit >> *(xdigit | '_') >> char_("pP") >>
                               -sign >> decimal;

// `1f32` is a float, `0xf32` is not. `x..y` and `0..n` are no floats because digits must follow the
// dot.
const auto number =
    raw[((decimal_float | hexadecimal_float) >> -float_suffix) | (decimal >> float_suffix)]
       [emit<TokenKind::floating>] |
    raw[(hexadecimal | binary | decimal) >> -integer_suffix][emit<TokenKind::integer>];
const auto number_and_end =
    number >> -raw[+constituent][Report<source::Message::malformed_number>{}];

const auto code_point =
    ~char_("'\\\n\x80-\xff") | (char_('\xc0', '\xff') >> +char_('\x80', '\xbf'));
const auto character = '\'' >> (('\\' >> (+digit | char_)) | code_point) >> '\'';
const auto string = '"' >> *(('\\' >> ~char_('\n')) | ~char_("\"\\\n")) >> '"';
const auto quoted = raw[string][emit<TokenKind::string>] |
                    raw['"' >> rest_of_line][Report<source::Message::unterminated_string>{}] |
                    raw[character][emit<TokenKind::character>];

// ---- Punctuation

// In ?[n].t the dot is no projection, so the quantifier is recognised as a whole.
const auto gap = *(blank | '\n');
const auto quantifier = '?' >> +(gap >> '[' >> gap >> simple_name >> gap >> ']') >> gap >> '.';
const auto quantifier_tokens = &quantifier >> raw[lit('?')][punctuation] >>
                               +(gap >> raw[lit('[')][punctuation] >> gap >>
                                 raw[simple_name][EmitWord{}] >> gap >>
                                 raw[lit(']')][punctuation]) >>
                               gap >> raw[lit('.')][punctuation];

const auto dots = raw[lit("..<") | "..>" | "..." | ".."][punctuation] |
                  raw['.' >> (simple_name | +digit)][emit<TokenKind::field>];
const auto bracket_or_mark =
    raw[lit("???") | "#[" | ":>" | "'~" | "'^" | char_("()[]{},:\\?'.")][punctuation];

const auto token =
    number_and_end | quoted | name_or_operator | dots | quantifier_tokens | bracket_or_mark;
const auto unknown =
    raw[+(char_ - (blank | '\n' | constituent | symbol_start | char_("()[]{},:\\?'.#\""))) | char_]
       [Report<source::Message::unexpected_character>{}];

const auto byte_order_mark = raw[lit("\xef\xbb\xbf")][Report<source::Message::byte_order_mark>{}];
const auto file = -byte_order_mark >> *(space | token | unknown);

}  // namespace boustro::parse::lexical
