#include "parsing.hpp"

namespace boustro::parse {
namespace {

ast::Definition definition(const std::string& text) {
  const auto whole = program(text);
  BOOST_REQUIRE(whole.definitions.size() == 1u);
  return whole.definitions[0];
}
void check_same_type(const std::string& text, const std::string& meaning) {
  BOOST_TEST((type(text) == type(meaning)), text << " is not " << meaning);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(definitions)

BOOST_AUTO_TEST_CASE(values) {
  const auto f = as<ast::ValueDefinition>(
      definition("entry f [n] 't '~u '^v (xs: *[n]t) _ {a, b = c} : ?[m].[m]t = xs"));
  BOOST_TEST(f.is_entry);
  BOOST_TEST(f.type_params.size() == 4u);
  BOOST_TEST(f.params.size() == 3u);
  BOOST_TEST(f.result.has_value());
}

BOOST_AUTO_TEST_CASE(let_and_infix_heads_are_sugar) {
  BOOST_TEST((definition("let f x = 1") == definition("def f x = 1")));
  BOOST_TEST((definition("def x +^ y = 1") == definition("def (+^) x y = 1")));
  BOOST_TEST((definition("def (a, b) +^ (c: i32) = 1") == definition("def (+^) (a, b) (c: i32) = 1")));
}

BOOST_AUTO_TEST_CASE(types) {
  check_same_type("a -> b -> c", "a -> (b -> c)");
  check_same_type("[n][m]t -> *[k]u", "([n]([m]t)) -> (*([k]u))");
  check_same_type("vec [n] t -> u", "(vec [n] t) -> u");
  check_same_type("#a i32 | #b", "(#a i32 | #b)");
  const auto apply = as<ast::NamedType>(type("M.pt [n * m] (f32, f32) []"));
  BOOST_TEST(apply.args.size() == 3u);
  BOOST_TEST((as<ast::FunctionType>(type("(n: i64) -> [n]i32")).param->text == "n"));
  BOOST_TEST(as<ast::ExistentialType>(type("?[n][m].t")).sizes.size() == 2u);
  BOOST_TEST(as<ast::SumType>(type("#a i32 ([]f32) | #b | #c {x: i32}")).constructors.size() == 3u);
  BOOST_TEST(as<ast::RecordType>(type("{x: i32, 0: f32,}")).fields.size() == 2u);
}

BOOST_AUTO_TEST_CASE(type_definitions) {
  BOOST_TEST((as<ast::TypeDefinition>(definition("type~ t [n] 'a = ([n]a, a)")).liftedness ==
              ast::Liftedness::size_lifted));
  BOOST_TEST((as<ast::TypeDefinition>(definition("type^ t 'a = a -> a")).liftedness ==
              ast::Liftedness::lifted));
}

BOOST_AUTO_TEST_CASE(attributes) {
  const auto f = definition("#[noinline] #[a(b, 1, c(d))] def f = #[unsafe] 1");
  BOOST_TEST(f.attributes.size() == 2u);
  BOOST_TEST(f.attributes[1].args.size() == 3u);
  BOOST_TEST((as<ast::Attributed>(as<ast::ValueDefinition>(f).body).attribute.name == "unsafe"));
}

BOOST_AUTO_TEST_CASE(modules) {
  const auto whole = program(
      "import \"lib/a\"\n"
      "module type mt = { type t 'a  type^ u = i32  val f [n] : [n]i32 -> t i32  val (+) : t i32\n"
      "  module m : { val x : i32 }  include mt2 with t 'a = a }\n"
      "module M (P: mt) (Q: mt with t = i32 with u = f32): mt = { open P local def x = 1 }\n"
      "module N = M K { def y = 2 } : mt\n"
      "module F = \\(X: mt) : mt2 -> X\n"
      "module type arrow = (X: mt) -> mt -> mt\n"
      "local open import \"b\"\n"
      "open (N)\n");
  BOOST_TEST(whole.definitions.size() == 8u);
  BOOST_TEST(as<ast::Import>(whole.definitions[0]).path == "lib/a");
  BOOST_TEST(as<ast::ModuleDefinition>(whole.definitions[2]).params.size() == 2u);
  const auto& n = as<ast::ModuleDefinition>(whole.definitions[3]).body;
  BOOST_TEST(std::holds_alternative<ast::ModuleAscribe>(n.node));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::parse
