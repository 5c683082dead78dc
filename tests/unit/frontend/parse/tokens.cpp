#include <cmath>
#include <limits>

#include "parsing.hpp"

namespace boustro::parse {

BOOST_AUTO_TEST_SUITE(tokens)

BOOST_AUTO_TEST_CASE(white_space_tells_indexing_from_application) {
  BOOST_TEST(std::holds_alternative<ast::Index>(exp("x[i]").node));
  BOOST_TEST(std::holds_alternative<ast::Apply>(exp("x [i]").node));
  BOOST_TEST(std::holds_alternative<ast::Index>(exp("(f x)[i]").node));
  BOOST_TEST(std::holds_alternative<ast::Index>(exp("x[i][j]").node));
  BOOST_TEST(as<ast::Apply>(exp("f x[i] [j]")).args.size() == 2u);
}

BOOST_AUTO_TEST_CASE(operators_are_as_long_as_possible) {
  BOOST_TEST((as<ast::Binary>(exp("a*-b")).op.name == "*-"));
  BOOST_TEST((as<ast::Binary>(exp("a* -b")).op.name == "*"));
  BOOST_TEST((as<ast::Binary>(exp("x-y")).op.name == "-"));
}

BOOST_AUTO_TEST_CASE(integers) {
  const auto value = [](const char* text) { return as<ast::IntLiteral>(exp(text)).value; };
  BOOST_TEST(value("1_000") == 1000u);
  BOOST_TEST(value("0xFF_ffu16") == 65535u);
  BOOST_TEST(value("0b1_01") == 5u);
  BOOST_TEST(value("0xf32") == 0xf32u);
  BOOST_TEST(value("18446744073709551615") == UINT64_MAX);
  BOOST_TEST((as<ast::IntLiteral>(exp("42u8")).suffix == ast::PrimType::u8));
  BOOST_TEST((!as<ast::IntLiteral>(exp("42")).suffix));
}

BOOST_AUTO_TEST_CASE(floats) {
  const auto value = [](const char* text) { return as<ast::FloatLiteral>(exp(text)).value; };
  BOOST_TEST(value("1.5") == 1.5);
  BOOST_TEST(value("1e3") == 1000.0);
  BOOST_TEST(value("1_0.2_5e-1f64") == 1.025);
  BOOST_TEST(value("0x1.8p3") == 12.0);
  BOOST_TEST(value("0x1.8p-3f32") == 0.1875);
  BOOST_TEST(value("0.1f32") == static_cast<double>(0.1f));
  BOOST_TEST(value("1f32") == 1.0);
  BOOST_TEST(std::isinf(value("1e999")));
  BOOST_TEST(value("1e-999") == 0.0);
  BOOST_TEST((as<ast::FloatLiteral>(exp("1f16")).suffix == ast::PrimType::f16));
}

BOOST_AUTO_TEST_CASE(characters_and_strings) {
  BOOST_TEST(as<ast::CharLiteral>(exp("'a'")).value == 'a');
  BOOST_TEST(as<ast::CharLiteral>(exp("'\\n'")).value == '\n');
  BOOST_TEST(as<ast::CharLiteral>(exp("'\\955'")).value == 955u);
  BOOST_TEST(as<ast::CharLiteral>(exp("'\xce\xbb'")).value == 955u);
  BOOST_TEST(as<ast::StringLiteral>(exp("\"a\\\"b\\\\\\t\\955\"")).bytes == "a\"b\\\t\xce\xbb");
  BOOST_TEST(as<ast::StringLiteral>(exp("\"-- no comment\"")).bytes == "-- no comment");
}

BOOST_AUTO_TEST_CASE(names_keep_primes_and_underscores) {
  BOOST_TEST(as<ast::Var>(exp("x'_1'")).name.name == "x'_1'");
  BOOST_TEST(as<ast::Var>(exp("_x")).name.name == "_x");
  BOOST_TEST(as<ast::Var>(exp("letter")).name.name == "letter");
}

BOOST_AUTO_TEST_CASE(comments_are_white_space_and_documentation_is_kept) {
  check_same("a -- plus\n + -- | b\n b", "a + b");
  const auto documented = program("-- plain\n\n-- | First.\n-- second\ndef x = 1\n-- ==\ndef y = 2\n"
                                  "-- | Third.\n-- ==\n-- input {}\ndef z = 3");
  BOOST_TEST(documented.definitions.at(0).doc == "First.\nsecond\n");
  BOOST_TEST(documented.definitions.at(1).doc == "");
  BOOST_TEST(documented.definitions.at(2).doc == "Third.\n");  // the test block is not for readers of the code
}

BOOST_AUTO_TEST_CASE(nodes_know_their_place) {
  const auto tree = exp("  f (a + b)  ");
  BOOST_TEST(tree.at.begin == 2u);
  BOOST_TEST(tree.at.end == 11u);
  const auto& arg = as<ast::Apply>(tree).args.at(0);
  BOOST_TEST(arg.at.begin == 4u);
  BOOST_TEST(as<ast::Binary>(arg).op.at.begin == 7u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::parse
