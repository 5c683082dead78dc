// Wrapping, margins, and the parts of a kernel's comment.
#include "emit/text/comment.hpp"

#include <boost/test/unit_test.hpp>

namespace comment_tests {

namespace text = boustro::text;

BOOST_AUTO_TEST_CASE(wraps_at_the_page_and_keeps_the_indentation) {
  const std::string words(60, 'a');
  BOOST_TEST(text::comment("  " + words + " " + words) ==
             "//   " + words + "\n//   " + words + "\n");
  BOOST_TEST(text::comment("") == "");
  BOOST_TEST(text::comment("one\ntwo") == "// one\n// two\n");
}

BOOST_AUTO_TEST_CASE(a_line_is_never_joined_to_the_next) {
  BOOST_TEST(text::comment("C:\\") == "// C:\\ .\n");
  BOOST_TEST(text::comment("what?\?/  ") == "// what?\?/ .\n");
  BOOST_TEST(text::comment("a\r#error b") == "// a #error b\n");
  BOOST_TEST(text::comment("a \\ b") == "// a \\ b\n");
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_fits) {
  BOOST_TEST(text::comment("  a    = 1  :  b") == "//   a    = 1  :  b\n");
}

BOOST_AUTO_TEST_CASE(a_word_longer_than_the_page_stands_alone) {
  const std::string word(120, 'a');
  BOOST_TEST(text::comment("x " + word + " y") == "// x\n// " + word + "\n// y\n");
}

BOOST_AUTO_TEST_CASE(notes_end_at_the_margin) {
  const std::string line = text::comment_with_note("Text.", "a.fut:1", "/// ");
  BOOST_TEST(line.size() == 97u);
  BOOST_TEST(line.ends_with("  a.fut:1\n"));
  const std::string long_text(85, 'a');
  const std::string two = text::comment_with_note(long_text, "a.fut:1", "/// ");
  BOOST_TEST(two.starts_with("/// " + long_text + "\n///  "));
}

BOOST_AUTO_TEST_CASE(notes_of_every_length_are_there) {
  for (std::size_t length = 80; length < 110; ++length) {
    const std::string note(length, 'n');
    for (const std::string text : {"", "Text."}) {
      const std::string lines = text::comment_with_note(text, note, "/// ");
      BOOST_TEST(lines.ends_with(note + "\n"));
      BOOST_TEST(lines.starts_with("/// " + text));
    }
  }
}

BOOST_AUTO_TEST_CASE(kernel_comments_have_their_parts_in_order) {
  const boustro::plan::Comment comment{
      .formula = {"y = x"}, .source = "a.fut:1", .rules = {"r"}, .grid = "g", .notes = {"n"}};
  BOOST_TEST(text::kernel_comment(comment) ==
             "// y = x\n//   source  a.fut:1\n//   rule    r\n//   grid    g\n//\n// n\n");
}

BOOST_AUTO_TEST_CASE(kernels_that_do_the_same_say_it_once) {
  const boustro::plan::Comment tiles{.formula = {"y = x"}, .source = "a.fut:1", .rules = {"r"}, .grid = "tiles"};
  boustro::plan::Comment plain = tiles;
  plain.grid = "one thread";
  BOOST_TEST(text::say_the_same(tiles, plain));
  BOOST_TEST(text::kernel_comment(plain, "tiles_kernel") == "// The same as tiles_kernel.\n//   grid    one thread\n");
  plain.source = "a.fut:2";
  BOOST_TEST(!text::say_the_same(tiles, plain));
  BOOST_TEST(!text::say_the_same({.source = "a.fut:1"}, {.source = "a.fut:1"}));  // nothing
}

}  // namespace comment_tests
