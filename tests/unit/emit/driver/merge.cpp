// What `--merge` makes of three versions of a text.
#include "emit/driver/merge.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::driver {
namespace {

const std::string base = "a\nb\nc\nd\ne\nf\ng\n";

}  // namespace

BOOST_AUTO_TEST_CASE(both_changes_are_there) {
  const Merged merged = merge({"A\nb\nc\nd\ne\nf\ng\n", base, "a\nb\nc\nd\ne\nf\nG\n"});
  BOOST_TEST(merged.text == "A\nb\nc\nd\ne\nf\nG\n");
  BOOST_TEST(merged.conflicts.empty());
}

BOOST_AUTO_TEST_CASE(what_only_one_changed_is_taken_from_it) {
  const std::string edited = "a\nb\nown\nd\ne\nf\ng\n";
  BOOST_TEST(merge({edited, base, base}).text == edited);
  BOOST_TEST(merge({base, base, edited}).text == edited);
  BOOST_TEST(merge({edited, base, edited}).text == edited);
  BOOST_TEST(merge({base, base, base}).text == base);
}

BOOST_AUTO_TEST_CASE(a_conflict_has_all_versions_with_marks) {
  const Merged merged = merge({"a\nb\nown\nd\ne\nf\ng\n", base, "a\nb\nnew\nd\ne\nf\ng\n"});
  BOOST_TEST(merged.text ==
             "a\nb\n<<<<<<< edited\nown\n||||||| emitted before\nc\n=======\nnew\n>>>>>>> emitted now\nd\ne\nf\ng\n");
  BOOST_TEST(merged.conflicts == std::vector<std::size_t>{4}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_conflict_is_found) {
  const Merged merged = merge({"A\nb\nc\nd\ne\nf\nG\n", base, "x\nb\nc\nd\ne\nf\ny\n"});
  BOOST_TEST(merged.conflicts.size() == 2u);
  for (const std::size_t at : merged.conflicts) BOOST_TEST(merged.text.substr(at, 15) == "<<<<<<< edited\n");
}

BOOST_AUTO_TEST_CASE(marks_count_at_the_beginning_of_lines) {
  BOOST_TEST(conflicts_in("// <<<<<<< edited\nf<<<1, 1>>>();\n<<<<<<<\n").empty());
  BOOST_TEST(conflicts_in("<<<<<<< HEAD\n").size() == 1u);
}

BOOST_AUTO_TEST_CASE(line_ends_stay_those_of_the_edited_text) {
  const Merged merged = merge({"own\r\nb\r\nc\r\nd\r\n", "a\nb\nc\nd\n", "a\nb\nc\nnew\n"});
  BOOST_TEST(merged.text == "own\r\nb\r\nc\r\nnew\r\n");
  const Merged conflict = merge({"own\r\n", "a\r\n", "new\n"});
  BOOST_TEST(conflict.text == "<<<<<<< edited\r\nown\r\n||||||| emitted before\r\na\r\n=======\r\nnew\r\n>>>>>>> emitted now\r\n");
  BOOST_TEST(conflict.conflicts.size() == 1u);
}

BOOST_AUTO_TEST_CASE(some_line_ends_are_an_edit_like_any_other) {
  BOOST_TEST(merge({"a\r\nb\nc\nd\ne\nf\ng\n", base, "a\nb\nc\nd\ne\nf\nnew\n"}).text == "a\r\nb\nc\nd\ne\nf\nnew\n");
}

BOOST_AUTO_TEST_CASE(a_last_line_without_end_stays_so) {
  BOOST_TEST(merge({"a\nb\nc\nd\ne\nf\ng", base, "new\nb\nc\nd\ne\nf\ng\n"}).text == "new\nb\nc\nd\ne\nf\ng");
  const Merged conflict = merge({"own", "a\n", "new\n"});
  BOOST_TEST(conflict.text == "<<<<<<< edited\nown\n||||||| emitted before\na\n=======\nnew\n>>>>>>> emitted now\n");
}

BOOST_AUTO_TEST_CASE(empty_texts_are_texts) {
  BOOST_TEST(merge({"", "", ""}).text.empty());
  BOOST_TEST(merge({"", "", "new\n"}).text == "new\n");
  BOOST_TEST(merge({"", base, base}).text.empty());
}

}  // namespace boustro::driver
