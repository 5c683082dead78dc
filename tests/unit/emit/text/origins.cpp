#include "emit/text/origins.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::text::origins_tests {

BOOST_AUTO_TEST_CASE(text_without_origins_is_not_marked) {
  BOOST_TEST(marked({}, "x;\n") == "x;\n");
  BOOST_TEST(marked({{""}}, "x;\n") == "x;\n");
}

BOOST_AUTO_TEST_CASE(marks_are_taken_out) {
  const std::string inner = marked({{"a|f:2"}}, "y;\n");
  BOOST_TEST(take_marks("x;\n" + marked({{"b|f:1"}, {"c|f:1"}}, "for {\n" + inner + "}\n")).text == "x;\nfor {\ny;\n}\n");
}

BOOST_AUTO_TEST_CASE(lines_have_the_innermost_origins_after_formatting) {
  const Unmarked text = take_marks("x;\n" + marked({{"b|f:1"}, {"c|f:1"}}, "for(i) {\n" + marked({{"a|f:2"}}, "y = \"long text\";\n") + "}\n") + "z;\n");
  const std::vector<std::string> expected{"", "b|f:1\nc|f:1", "", "a|f:2", "a|f:2", "b|f:1\nc|f:1", ""};
  BOOST_TEST(origins_of_lines(text, "x;\nfor (i) {\n\n  y = \"long \"\n      \"text\";\n}\nz;\n") == expected, boost::test_tools::per_element());
}

}  // namespace boustro::text::origins_tests
