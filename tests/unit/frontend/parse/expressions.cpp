#include "parsing.hpp"

namespace boustro::parse {

BOOST_AUTO_TEST_SUITE(expressions)

BOOST_AUTO_TEST_CASE(operators_bind_by_the_table) {
  check_same("a + b * c ** d", "a + (b * (c ** d))");
  check_same("a * b + c", "(a * b) + c");
  check_same("a - b - c", "(a - b) - c");
  check_same("a == b && c < d || e", "((a == b) && (c < d)) || e");
  check_same("a & b == c", "(a & b) == c");
  check_same("a << b & c + d", "(a << b) & (c + d)");
  check_same("a |> f |> g", "(a |> f) |> g");
  check_same("f <| g <| a", "f <| (g <| a)");
  check_same("a + b |> f", "(a + b) |> f");
  check_same("a `f` b + c `g` d", "(a `f` (b + c)) `g` d");
  check_same("a // b %% c % d", "((a // b) %% c) % d");
}

BOOST_AUTO_TEST_CASE(user_operators_bind_like_their_longest_known_beginning) {
  check_same("a +^ b *^ c", "a +^ (b *^ c)");
  check_same("a >>= b + c", "a >>= (b + c)");
  check_same("a >>= b & c", "(a >>= b) & c");
  check_same("a <|> b <|> c", "a <|> (b <|> c)");
  check_same("a M.+ b f64.* c", "a M.+ (b f64.* c)");
}

BOOST_AUTO_TEST_CASE(application_and_prefixes_bind_tighter_than_operators) {
  check_same("f x + g y z", "(f x) + (g y z)");
  check_same("-x + y", "(-x) + y");
  check_same("-f x", "-(f x)");
  check_same("!a && b", "(!a) && b");
  check_same("- -x", "-(-x)");
  check_same("f -1", "f - 1");
  check_different("f (-1)", "f - 1");
  check_different("f x y", "f (x y)");
}

BOOST_AUTO_TEST_CASE(open_ended_expressions_extend_to_the_right) {
  check_same("1 + if c then a else b + 2", "1 + (if c then a else (b + 2))");
  check_same("map (\\x -> x + 1) xs", "map (\\x -> (x + 1)) xs");
  check_same("map \\x -> x xs", "map (\\x -> (x xs))");
  check_same("assert c a + b", "assert c (a + b)");
  check_same("#[unsafe] a + b : t", "#[unsafe] ((a + b) : t)");
  check_same("let x = 1 in x + y", "let x = 1 in (x + y)");
}

BOOST_AUTO_TEST_CASE(ascriptions_and_ranges_bind_weakest) {
  check_same("a + b : t", "(a + b) : t");
  check_same("a ++ b :> [n]t", "(a ++ b) :> [n]t");
  check_same("a+1..b+2...c*3", "(a+1)..(b+2)...(c*3)");
  check_same("0..<n `f` m", "0..<(n `f` m)");
  BOOST_TEST((as<ast::Range>(exp("0..<n")).kind == ast::RangeEnd::below));
  BOOST_TEST((as<ast::Range>(exp("9..>0")).kind == ast::RangeEnd::above));
  BOOST_TEST((as<ast::Range>(exp("x..y...z")).second.has_value()));
}

BOOST_AUTO_TEST_CASE(updates_take_operators_into_their_value) {
  check_same("a with [i] = x + 1", "a with [i] = (x + 1)");
  check_same("a with [i] = x with [j] = y", "(a with [i] = x) with [j] = y");
  check_same("a `f` b with x = c", "a `f` (b with x = c)");
  const auto path = as<ast::With>(exp("r with x.y[0].z = 1")).path;
  BOOST_TEST(path.size() == 4u);
  BOOST_TEST(std::get<ast::Identifier>(path[1]).text == "y");
}

BOOST_AUTO_TEST_CASE(lets_are_one_list) {
  const auto list = as<ast::Let>(exp("let x = 1 let y = 2 in let z = 3 in x"));
  BOOST_TEST(list.bindings.size() == 3u);
  check_same("let x = 1 let y = 2 in x", "let x = 1 in let y = 2 in x");
  check_same("let x = 1 in (let y = 2 in x)", "let x = 1 let y = 2 in x");
}

BOOST_AUTO_TEST_CASE(lets_bind_patterns_functions_and_parts) {
  const auto lets = as<ast::Let>(
      exp("let (a, b): (i32, i32) = e let f [n] 't (x: [n]t) y : t = y let x[i] = 1 let r.f.g = 2 "
          "let [n] (xs: [n]i32) = e let x.0 = 1 in 1"));
  BOOST_TEST(lets.bindings.size() == 6u);
  const auto kinds = [&](std::size_t i) { return lets.bindings.at(i).node.index(); };
  BOOST_TEST(kinds(0) == 0u);
  const auto& function = as<ast::LetFunction>(lets.bindings[1]);
  BOOST_TEST(function.type_params.size() == 2u);
  BOOST_TEST(function.params.size() == 2u);
  BOOST_TEST(std::get<ast::LetUpdate>(lets.bindings[2].node).path.size() == 1u);
  BOOST_TEST(std::get<ast::LetUpdate>(lets.bindings[3].node).path.size() == 2u);
  BOOST_TEST(std::get<ast::LetPattern>(lets.bindings[4].node).sizes.size() == 1u);
  BOOST_TEST(kinds(5) == 2u);
}

BOOST_AUTO_TEST_CASE(loops_have_three_forms) {
  const auto form = [](const char* text) { return as<ast::Loop>(exp(text)).form.index(); };
  BOOST_TEST(form("loop x for i < n do x + i") == 0u);
  BOOST_TEST(form("loop (x, y) = (1, 2) for (i, z) in xs do (y, x)") == 1u);
  BOOST_TEST(form("loop x = 1 while x < n do x * 2") == 2u);
  BOOST_TEST(!as<ast::Loop>(exp("loop x for i < n do x")).initial.has_value());
  BOOST_TEST(as<ast::Loop>(exp("loop [k] (xs: [k]i32) = ys for i < n do xs")).sizes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(matches_belong_to_the_nearest) {
  check_same("match x case 1 -> match y case 2 -> a case 3 -> b",
             "match x case 1 -> (match y case 2 -> a case 3 -> b)");
  const auto match = as<ast::Match>(
      exp("match x case #foo (-1) _ -> 1 case {a, b = (c, d)} -> 2 case 'c' -> 3 case y: i32 -> 4"));
  BOOST_TEST(match.cases.size() == 4u);
}

BOOST_AUTO_TEST_CASE(sections) {
  BOOST_TEST((as<ast::Var>(exp("(+)")).name.name == "+"));
  BOOST_TEST((as<ast::Var>(exp("(-)")).name.name == "-"));
  BOOST_TEST((ast::to_string(as<ast::Var>(exp("(f64.+)")).name) == "f64.+"));
  BOOST_TEST((as<ast::RightSection>(exp("(+ 1)")).op.name == "+"));
  BOOST_TEST((as<ast::LeftSection>(exp("(1 +)")).op.name == "+"));
  BOOST_TEST((as<ast::LeftSection>(exp("(1 -)")).op.name == "-"));
  BOOST_TEST((as<ast::LeftSection>(exp("(x `f`)")).op.name == "f"));
  BOOST_TEST((as<ast::RightSection>(exp("(`M.f` x)")).op.qualifiers.size() == 1u));
  BOOST_TEST((as<ast::Unary>(exp("(-x)")).op == ast::UnaryOp::negate));
  BOOST_TEST((as<ast::AccessSection>(exp("(.a.0)")).path.size() == 2u));
  BOOST_TEST((as<ast::AccessSection>(exp("(.[i].a[j])")).path.size() == 3u));
  check_same("(a + b *)", "((a + b) *)");
}

BOOST_AUTO_TEST_CASE(atoms) {
  BOOST_TEST(as<ast::Tuple>(exp("()")).elements.empty());
  BOOST_TEST(as<ast::Tuple>(exp("(a, b, )")).elements.size() == 2u);
  BOOST_TEST(as<ast::ArrayLiteral>(exp("[a, b,]")).elements.size() == 2u);
  BOOST_TEST(!as<ast::Record>(exp("{x, y = 1}")).fields[0].value.has_value());
  BOOST_TEST(as<ast::Construct>(exp("#foo #bar 1")).payload.size() == 2u);
  BOOST_TEST(std::holds_alternative<ast::Hole>(exp("???").node));
  BOOST_TEST(as<ast::LocalOpen>(exp("M.N.(x + y)")).module.qualifiers.size() == 1u);
  BOOST_TEST(as<ast::Project>(exp("x.y.0")).field.text == "0");
  BOOST_TEST(as<ast::Project>(exp("(f x).y")).field.text == "y");
  check_same("x.0.1", "(x.0).1");
  check_same("x .y", "x.y");
}

BOOST_AUTO_TEST_CASE(slices_have_optional_parts) {
  const auto slice = [](const char* text) {
    return std::get<ast::SliceIndex>(as<ast::Index>(exp(text)).indices.at(0));
  };
  BOOST_TEST((slice("a[i:j:s]").start && slice("a[i:j:s]").end && slice("a[i:j:s]").stride));
  BOOST_TEST((!slice("a[::-1]").start && !slice("a[::-1]").end && slice("a[::-1]").stride));
  BOOST_TEST((!slice("a[:n]").start && slice("a[:n]").end && !slice("a[:n]").stride));
  BOOST_TEST((slice("a[n:]").start && !slice("a[n:]").end));
  BOOST_TEST(as<ast::Index>(exp("a[i, j:k, :]")).indices.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::parse
