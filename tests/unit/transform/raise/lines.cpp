#include "transform/raise/lines.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::raise {

BOOST_AUTO_TEST_CASE(lines_come_from_the_innermost_binding) {
  const std::string marked =
      "def f =\n  -- \1map|f:1\n  let x = map (\\y ->\n    -- \1scalar|f:2\2if|f:3\n    let z = y in z) ys\n  -- \1|f:4\n  in x\n";
  const std::string printed = "def f =\n  -- f:1: map\n  let x =\n    map (\\y ->\n           let z = y\n           in z)\n        ys\n  in x\n";
  const std::vector<std::string> expected{"", "map|f:1", "map|f:1", "map|f:1", "scalar|f:2\nif|f:3", "scalar|f:2\nif|f:3", "map|f:1", "|f:4"};
  BOOST_TEST(origins_of_lines(printed, marked) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_line_has_what_begins_on_it) {
  const std::string marked = "def f =\n  -- \1map|f:1\n  let x = map (\\y ->\n    -- \1scalar|f:2\n    let z = y in z) ys\n  in x\n";
  const std::string printed = "def f =\n  let x = map (\\y -> let z = y in z) ys\n  in x\n";
  const std::vector<std::string> expected{"", "map|f:1\nscalar|f:2", "map|f:1"};
  BOOST_TEST(origins_of_lines(printed, marked) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(core_says_it_behind_statements) {
  const std::vector<std::string> expected{"", "reverse_map|f.fut:2", "|f.fut:3", "keep|"};
  BOOST_TEST(origins_of_core_lines("def f =\n  let x = y  -- reverse_map, f.fut:2\n  let z = x  -- f.fut:3\n  let a = z  -- keep\n") == expected,
             boost::test_tools::per_element());
}

}  // namespace boustro::raise
