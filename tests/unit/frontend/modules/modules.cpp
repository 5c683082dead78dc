#include <boost/test/unit_test.hpp>

#include "../check/checking.hpp"

using namespace boustro;
using check::Checked;

namespace {

void accepts(const std::string& text) {
  const Checked checked(text);
  BOOST_TEST(checked.errors() == "");
  BOOST_TEST(checked.program.has_value());
}

std::vector<std::string> entries_of(const Checked& checked) {
  std::vector<std::string> names;
  for (const check::Definition& definition : checked.program->definitions)
    if (definition.is_entry) names.push_back(definition.name.text);
  return names;
}

/// m0 doubles, and each of the others applies the one before it twice.
std::string doubling_functors(int count) {
  std::string text = "module f0 (p: {val x : i64}) = {def x = p.x}\n";
  for (int i = 1; i <= count; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "module f" + std::to_string(i) + " (p: {val x : i64}) = {module a = " + before + " p module b = " + before +
            " p def x = a.x + b.x}\n";
  }
  return text + "module m = f" + std::to_string(count) + " {def x = 1i64}\nentry f = m.x\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(modules)

BOOST_AUTO_TEST_CASE(modules_of_numbers_have_the_types_of_the_prelude) {
  for (const std::string name : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
    accepts("module m : integral with t = " + name + " = " + name + "\ndef f (x: " + name + ") = x m.+ m.highest");
  const std::pair<std::string, std::string> floats[] = {{"f16", "u16"}, {"f32", "u32"}, {"f64", "u64"}};
  for (const auto& [name, bits] : floats)
    accepts("module m : float with t = " + name + " with int_t = " + bits + " = " + name + "\ndef f (x: " + bits +
            ") = m.from_bits x");
  accepts("module m : from_prim with t = bool = bool");
  accepts("module m : real = f32\nmodule n : numeric = m\nmodule o : numeric = i8");
}

BOOST_AUTO_TEST_CASE(definitions_are_named_after_their_modules) {
  const Checked checked(
      "module vec = {module inner = {def sum (x: i32) = x}}\n"
      "module f (p: {}) = {def twice (x: i32) = x + x}\nmodule made = f {}\n"
      "entry main x = made.twice (vec.inner.sum x)");
  BOOST_REQUIRE(checked.program.has_value());
  BOOST_TEST((checked.find("vec.inner.sum") != nullptr));
  BOOST_TEST((checked.find("made.twice") != nullptr));
}

BOOST_AUTO_TEST_CASE(a_parametric_module_is_made_once_for_each_argument) {
  const Checked checked(doubling_functors(40));
  BOOST_TEST(checked.errors() == "");
  BOOST_REQUIRE(checked.program.has_value());
  BOOST_TEST(checked.program->definitions.size() < 100u);
}

BOOST_AUTO_TEST_CASE(abstract_types_are_gone_from_what_is_checked) {
  const Checked checked(
      "module type mt = {type t 'a val make 'a : a -> t a val get 'a : t a -> a}\n"
      "module m : mt = {type t 'a = (a, i8) def make x = (x, 1i8) def get (x, _) = x}\n"
      "def f (x: f32) = m.make x");
  BOOST_REQUIRE(checked.program.has_value());
  BOOST_TEST(check::type_of(*checked.find("f")) == "f32 -> (f32, i8)");
}

BOOST_AUTO_TEST_CASE(only_the_top_level_has_entries) {
  const Checked checked("module m = {def main (x: i32) = x}\nentry f x = m.main x");
  BOOST_REQUIRE(checked.program.has_value());
  BOOST_TEST(entries_of(checked) == std::vector<std::string>{"f"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_the_second_look_cannot_type_is_unsupported) {
  const Checked checked(
      "module type mt = {type~ t val grow : t -> t}\n"
      "module m : mt = {type~ t = []i32 def grow (x: t) : t = [1] ++ x}\n"
      "def twice (f: m.t -> m.t) (x: m.t) : m.t = f (f x)\n");
  if (checked.program) return;  // inference may become better at it
  BOOST_TEST(checked.errors().find("unsupported: a use of an abstract type that hides sizes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_can_name_itself) {
  for (const std::string text : {"module m = {def x = m.x}", "module f (p: {}) = f p", "module type t = {module m: t}",
                                 "module f (p: (q: {}) -> {}) = p p\nmodule g = f f"}) {
    const Checked checked(text);
    BOOST_TEST(!checked.program.has_value(), text);
    BOOST_TEST(checked.diagnostics.has_errors());
  }
}

BOOST_AUTO_TEST_SUITE_END()
