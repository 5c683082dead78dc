#include "parsing.hpp"

namespace boustro::parse {

BOOST_AUTO_TEST_SUITE(errors)

BOOST_AUTO_TEST_CASE(say_what_was_expected_and_where) {
  check_errors("def f x = (x + 1", {"1:17: expected `,` or `)`, found the end of the file"});
  check_errors("def f x = x +", {"1:14: expected an expression, found the end of the file"});
  check_errors("def f x = [1, 2", {"1:16: expected `,` or `]`, found the end of the file"});
  check_errors("def f = let x = 1\ndef g = 2", {"2:1: expected `in`, found `def`"});
  check_errors("def f = if a then b", {"1:20: expected `else`, found the end of the file"});
  check_errors("def f (x: ) = 1", {"1:11: expected a type, found `)`"});
  check_errors("def f = loop x = 1 do x", {"1:20: expected `for` or `while`, found `do`"});
  check_errors("def = 1", {"1:5: expected a name, found `=`"});
  check_errors("def f = let in 1", {"1:13: expected `[` or a pattern, found `in`"});
  check_errors("f = 1", {"1:1: expected a definition, found `f`"});
  check_errors("def let = 1", {"1:5: expected a name, found `let`"});
}

BOOST_AUTO_TEST_CASE(several_definitions_are_reported_in_one_run) {
  const auto parsed = parse_text(
      "def a = (1\n\ndef b = 2\n\ndef c = if 1\nlet d = )\nentry e = 3\nmodule m = {\n  def x = ]\n"
      "  def y = 1\n}\ntype t = i32");
  BOOST_TEST(parsed.errors.size() == 4u);
  BOOST_TEST(parsed.program.definitions.size() == 3u);
  BOOST_TEST(parsed.errors.at(3) == "9:11: expected an expression, found `]`");
}

BOOST_AUTO_TEST_CASE(words_that_are_none) {
  check_errors("def x = 12ab", {"1:11: malformed number"});
  check_errors("def x = \"abc", {"1:9: string has no closing quote",
                              "1:13: expected an expression, found the end of the file"});
  check_errors("def x = 1 $ ", {"1:11: unexpected character"});
  check_errors("def x = 18446744073709551616", {"1:9: number does not fit in 64 bits"});
  check_errors("def x = \"\\q\"", {"1:9: unknown escape sequence `\\q`"});
}

BOOST_AUTO_TEST_CASE(whole_expressions_and_types_must_end) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  BOOST_TEST(!parse_expression(sources.add("e", "1 )"), sources, diagnostics).has_value());
  BOOST_TEST(!parse_type(sources.add("t", "i32 ->"), sources, diagnostics).has_value());
  BOOST_TEST(diagnostics.all().size() == 2u);
  BOOST_TEST(diagnostics.all()[0].text == "expected the end of the file, found `)`");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::parse
