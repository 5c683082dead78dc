#include "frontend/source/source.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/source/messages.hpp"

namespace boustro::source {

BOOST_AUTO_TEST_CASE(position_counts_lines_and_columns_from_one) {
  SourceMap sources;
  const FileId file = sources.add("a.fut", "one\ntwo\n\nfour");
  const auto at = [&](std::uint32_t begin) { return sources.position({file, begin, begin + 1}); };
  BOOST_TEST(at(0).line == 1);
  BOOST_TEST(at(0).column == 1);
  BOOST_TEST(at(6).line == 2);
  BOOST_TEST(at(6).column == 3);
  BOOST_TEST(at(12).line == 4);
  BOOST_TEST(sources.line_at({file, 5, 6}) == "two");
  BOOST_TEST(sources.line_at({file, 8, 8}) == "");
}

BOOST_AUTO_TEST_CASE(diagnostic_shows_line_and_caret) {
  SourceMap sources;
  const FileId file = sources.add("a.fut", "def x =\n  popc y\n");
  Diagnostics diagnostics;
  diagnostics.report(Message::ad_no_derivative, {file, 10, 14}, "i32.popc", "y")
      .notes.push_back({{file, 15, 16}, "here"});
  BOOST_TEST(to_string(diagnostics.all().at(0), sources) ==
             "a.fut:2:3: unsupported: cannot differentiate `i32.popc` with respect to `y` "
             "[ad-no-derivative]\n"
             "    popc y\n"
             "    ^~~~\n"
             "a.fut:2:8: note: here\n"
             "    popc y\n"
             "         ^\n");
  BOOST_TEST(diagnostics.has_errors());
}

}  // namespace boustro::source
