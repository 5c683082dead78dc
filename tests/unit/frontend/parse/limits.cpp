#include <random>

#include "parsing.hpp"

namespace boustro::parse {
namespace {

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Nesting twice as deep costs about twice as much.
void check_linear(const std::string& open, const std::string& middle, const std::string& close) {
  const auto effort = [&](int depth) {
    const auto parsed = parse_text("def x = " + repeat(open, depth) + middle + repeat(close, depth));
    BOOST_TEST(parsed.errors.empty(), open);
    return static_cast<double>(parsed.effort);
  };
  BOOST_TEST(effort(400) < 2.2 * effort(200), open);
}

void check_too_deep(const std::string& text) {
  const auto errors = parse_text("def x = " + text).errors;
  BOOST_REQUIRE(errors.size() == 1u);
  BOOST_TEST(errors[0].find("nested deeper than 1000") != std::string::npos, errors[0]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(effort_is_linear_in_nesting) {
  check_linear("(", "1", ")");
  check_linear("[", "1", "]");
  check_linear("(1 + ", "1", ")");
  check_linear("(1, ", "1", ")");
  check_linear("f (\\x -> ", "1", ")");
  check_linear("let x = ", "1", " in x");
  check_linear("(let x = 1 in ", "1", ")");
  check_linear("if a then ", "1", " else b");
  check_linear("xs[", "1", "]");
  check_linear("{x = ", "1", "}");
  check_linear("match a case b -> ", "1", "");
}

BOOST_AUTO_TEST_CASE(effort_is_linear_in_nesting_that_is_never_closed) {
  const auto effort = [](int depth) {
    return static_cast<double>(parse_text("def x = " + repeat("(1 + [f ", depth)).effort);
  };
  BOOST_TEST(effort(400) < 2.2 * effort(200));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited) {
  BOOST_TEST(parse_text("def x = " + repeat("(", 990) + "1" + repeat(")", 990)).errors.empty());
  check_too_deep(repeat("(", 10000) + "1" + repeat(")", 10000));
  check_too_deep(repeat("[", 10000));
  check_too_deep(repeat("\\x -> ", 2000) + "1");
  check_too_deep(repeat("#[a] ", 2000) + "1");
}

BOOST_AUTO_TEST_CASE(rows_of_operators_are_limited) {
  for (const char* more : {" + 1", "[0]", " : t", " with [0] = 1", ".0"}) {
    BOOST_TEST(parse_text("def x = a" + repeat(more, 900)).errors.empty(), more);
    const auto errors = parse_text("def x = a" + repeat(more, 20000)).errors;
    BOOST_REQUIRE(errors.size() == 1u);
    BOOST_TEST(errors[0].find("more than 1000 operators in a row") != std::string::npos, errors[0]);
  }
}

BOOST_AUTO_TEST_CASE(nested_rows_count_together) {
  const std::string row = repeat(" + 1", 600);
  BOOST_TEST(parse_text("def x = (a" + row + ")").errors.empty());
  BOOST_TEST(!parse_text("def x = (a" + row + ")" + row).errors.empty());
}

BOOST_AUTO_TEST_CASE(lists_are_not_limited) {
  BOOST_TEST(parse_text("def x = [" + repeat("1, ", 20000) + "]").errors.empty());
  BOOST_TEST(parse_text("def x = f" + repeat(" 1", 20000)).errors.empty());
  BOOST_TEST(parse_text("def x = " + repeat("let a = 1\n", 20000) + "in a").errors.empty());
  BOOST_TEST(parse_text("def x = " + repeat("let a = 1 in ", 20000) + "a").errors.empty());
}

BOOST_AUTO_TEST_CASE(random_bytes_are_an_error) {
  std::mt19937 random(1);
  std::string bytes;
  for (int i = 0; i < 100000; ++i) bytes.push_back(static_cast<char>(random() % 256));
  const auto errors = parse_text(bytes).errors;
  BOOST_TEST(!errors.empty());
  BOOST_TEST(errors.size() <= 100u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::parse
