#include <filesystem>
#include <fstream>
#include <sstream>

#include "parsing.hpp"
#include "tests/source_folder.hpp"

namespace boustro::parse {
namespace {

void check_round_trip(const std::string& text) {
  const ast::Program once = program(text);
  const std::string printed = ast::print(once);
  BOOST_TEST((program(printed) == once), text << "\nprints as\n" << printed);
  for (const int width : {12, 40, 100}) {
    const std::string fitted = ast::print(once, width);
    BOOST_TEST((program(fitted) == once), text << "\nprints with " << width << " columns as\n" << fitted);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(round_trip)

BOOST_AUTO_TEST_CASE(expressions_keep_their_meaning) {
  for (const char* text :
       {"(a + b) * c - (d - e)", "(f <| g) <| x", "-(-x)", "-(a + b)", "!(-x)", "(#a) x", "#a (#b 1) x",
        "(f x) y", "f (-1)", "(1)[0]", "(\"s\")[0]", "({x = 1}).x", "(1.5).0", "a `f` (b `g` c)",
        "(a `f` b) + c", "(if a then b else c) + 1", "f (\\x: (i32 -> i32) -> x)", "(a : t) + 1",
        "((a : t) :> u)", "a[(b : i64)]", "a[(if c then d else e):f]", "(0..<n)..(m)...(k)",
        "(a with x = b) `f` c", "a with [i].x = (b with y = c)", "(let x = 1 in x) + 1",
        "let x = (let y = 1 in y) let z = 2 in x", "match (match a case b -> c) case d -> e",
        "match a case b -> (match c case d -> e) case f -> g",
        "match a case b -> (if c then d else match e case f -> g) case h -> i",
        "match a case (x: (i32 -> i32)) -> x", "(assert a b) c", "assert (f a) b + c", "#[a(b)] (#[c] x) + 1",
        "(#[c] x) + 1", "M.(x + y).z", "(.x[0].y)", "(.[0])", "(`f` x)", "(a + b *)", "(* a + b)", "(M.+)",
        "'\\''", "'\\955'", "\"\\1\\50\\\"\\n\"", "1e400", "0.1f32", "1e22", "5e-324", "123456789012345680.0",
        "loop (x, y) for i < n do (y, x)", "\\(#some x) (-1) {a, b = _} -> a", "let (+) = f in 1 + 2",
        "let f 't [n] (x: [n]t): [n]t = x in f", "let x[i].y = 1 in x", "r with x.0 = 1"}) {
    check_round_trip("def x = " + std::string(text));
  }
}

BOOST_AUTO_TEST_CASE(types_keep_their_meaning) {
  for (const char* text : {"(a -> b) -> c", "[n](a -> b)", "*([n]a)", "#a ([n]t) (u v) | #b", "(#a | #b) -> c",
                           "vec [n] (vec [m] t)", "(n: i64) -> [n + 1]t", "?[n].([n]t -> t)", "(?[n].[n]t) -> u",
                           "[](#a | #b)", "{x: (), y: (a, b)}", "[(x : i64)]t"}) {
    check_round_trip("def x : " + std::string(text) + " = 1");
  }
}

BOOST_AUTO_TEST_CASE(definitions_keep_their_meaning) {
  for (const char* text :
       {"-- | Doc\n-- more\n#[a] #[b(c)]\nlocal entry f [n] 't (x: t) ((y: u), _): t = x",
        "def (+^) 't (x: t) y = x", "module type mt = (X: a) -> ((b -> c) -> d with t 'x = x)",
        "module m (p: mt) : mt2 = \\(q: mt): (a -> b) -> F (G p) { def x = 1 } : c",
        "module type mt = {\n-- | Doc\n#[a] val (+) [n] : [n]t\ntype~ u\ntype^ v 'a = a\ninclude a with t = b }",
        "module m = (\\(q: mt) -> q : a)", "open { import \"a\" }"}) {
    check_round_trip(text);
  }
}

BOOST_AUTO_TEST_CASE(samples_and_prelude) {
  const std::filesystem::path root = boustro::tests::source_folder;
  for (const auto* folder : {"samples", "frontend/prelude"}) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".fut") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      check_round_trip(text.str());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::parse
