#include "frontend/test_blocks/test_blocks.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::test_blocks {

BOOST_AUTO_TEST_CASE(blocks_with_entries_names_and_tags) {
  const Specification spec = read_test_blocks(R"(-- A program.
-- ==
-- tags { autodiff no_cuda }
-- entry: f g
-- "small" compiled input { 1 [2.0,
--   3.0] }
-- output { 4 }
-- random input { [10]f32 3i64 } auto output
-- structure { Map 1 If/Loop 2 }
def f x = x

-- ==
-- input @ data/a.in.gz
-- output @ data/a.out
-- input { "a } b" } error: Index.*out
-- input { 2 }
-- script input { mk {x = 1} } output { 3 }
-- script input @ mk.script
)");
  BOOST_TEST(spec.tags == (std::vector<std::string>{"autodiff", "no_cuda"}), boost::test_tools::per_element());
  BOOST_REQUIRE(spec.blocks.size() == 2);
  const Block& first = spec.blocks[0];
  BOOST_TEST(first.entries == (std::vector<std::string>{"f", "g"}), boost::test_tools::per_element());
  BOOST_REQUIRE(first.cases.size() == 2);
  BOOST_TEST(first.cases[0].name == "small");
  BOOST_TEST(first.cases[0].line == 5);
  BOOST_TEST(first.cases[0].tags.at(0) == "compiled");
  BOOST_TEST(std::get<InlineValues>(first.cases[0].input).text == "1 [2.0,\n   3.0] ");
  BOOST_TEST(std::get<InlineValues>(first.cases[0].expected).text == "4 ");
  BOOST_TEST(std::get<RandomValues>(first.cases[1].input).items.at(0) == "[10]f32");
  BOOST_TEST(std::holds_alternative<AutomaticResult>(first.cases[1].expected));
  const Block& second = spec.blocks[1];
  BOOST_REQUIRE(second.cases.size() == 5);
  BOOST_TEST(second.entries.at(0) == "main");
  BOOST_TEST(std::get<FileValues>(second.cases[0].input).path == "data/a.in.gz");
  BOOST_TEST(std::get<FileValues>(second.cases[0].expected).path == "data/a.out");
  BOOST_TEST(std::get<InlineValues>(second.cases[1].input).text == "\"a } b\" ");
  BOOST_TEST(std::get<RuntimeError>(second.cases[1].expected).regex == "Index.*out");
  BOOST_TEST(std::holds_alternative<AnyResult>(second.cases[2].expected));
  BOOST_TEST(std::get<ScriptValues>(second.cases[3].input).text == "mk {x = 1} ");
  BOOST_TEST(std::get<ScriptFile>(second.cases[4].input).path == "mk.script");
}

BOOST_AUTO_TEST_CASE(negative_test_names_its_error) {
  const Specification spec = read_test_blocks("-- ==\n-- error: cannot .* unify\ndef x = 1");
  BOOST_TEST(spec.compile_error.value() == "cannot .* unify");
  BOOST_TEST(!spec.has_cases());
}

BOOST_AUTO_TEST_CASE(an_error_may_be_any_error) {
  const Specification spec = read_test_blocks("-- ==\n-- input { 1 } error:\n-- input { 2 }\n-- error:\n-- input { 3 }\ndef x = 1");
  BOOST_REQUIRE(spec.blocks.at(0).cases.size() == 3);
  for (const std::size_t i : {0, 1}) BOOST_TEST(std::get<RuntimeError>(spec.blocks[0].cases[i].expected).regex == "");
  BOOST_TEST(std::holds_alternative<AnyResult>(spec.blocks[0].cases[2].expected));
}

BOOST_AUTO_TEST_CASE(program_without_blocks) { BOOST_TEST(read_test_blocks("-- = no\ndef x = 1").blocks.empty()); }

BOOST_AUTO_TEST_CASE(malformed_block_names_its_line) {
  BOOST_CHECK_EXCEPTION(read_test_blocks("-- ==\n-- input { 1 }\n-- output 1 }\n"), TestBlockError,
                        [](const TestBlockError& error) { return error.line == 3; });
}

}  // namespace boustro::test_blocks
