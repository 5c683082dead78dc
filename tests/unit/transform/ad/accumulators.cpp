// Accumulators of every kind, under every structure that can hold writes. Those that do not add are differentiated by what they
// write; those that add are taken back by the places that they write to.
#include "tests/unit/transform/ad/rule_cases.hpp"

namespace boustro::ad::testing {

namespace {

/// Bodies of functions of an accumulator `acc` of n cells, of xs: [n]f64, is: [n]i64 and a negative k that yield the accumulator.
const std::pair<const char*, const char*> writes[] = {
    {"map", "let (acc, _) = core.map (\\acc (x, i) -> (core.update_1d acc i (x * x), ())) acc (zip xs is) in acc"},
    {"one after the other", "core.update_1d (core.update_1d acc 1 (xs[0] * xs[1])) 0 (f64.sin xs[1])"},
    {"twice the same cell in order", "core.update_1d (core.update_1d acc 1 (2 * xs[0])) 1 (3 * xs[1])"},
    {"two in a map",
     "let (acc, _) = core.map (\\acc (x, i) -> (core.update_1d (core.update_1d acc i (x * x)) (i + 1) (f64.sin x), ())) acc (zip xs is) in acc"},
    {"loop", "loop acc for i < n do core.update_1d acc is[i] (xs[i] * xs[0])"},
    {"loop in a map",
     "let (acc, _) = core.map (\\acc (x, i) -> (loop acc for j < 3i32 do core.update_1d acc (i + i64.i32 j) (x * f64.i32 j), ())) acc (zip xs is) in acc"},
    {"map in a loop", "loop acc for j < 2 do let (acc, _) = core.map (\\acc (x, i) -> (core.update_1d acc ((i + j) % 4) (x * x), ())) acc (zip xs is) in acc"},
    {"map in a map",
     "let (acc, _) = core.map (\\acc (x, i) -> let (acc, _) = core.map (\\acc j -> (core.update_1d acc ((i + j) % 5) (x * f64.i64 j), ())) acc (iota 3)\n"
     " in (acc, ())) acc (zip xs is) in acc"},
    {"one branch",
     "let (acc, _) = core.map (\\acc (x, i) -> (if x < 0.9 then core.update_1d acc i (x * x) else acc, ())) acc (zip xs is) in acc"},
    {"both branches",
     "let (acc, _) = core.map (\\acc (x, i) -> (if x < 0.9 then core.update_1d acc i (x * x) else core.update_1d acc (i + 1) (f64.sin x), ())) acc (zip xs is) in acc"},
    {"branches that write differently often",
     "let (acc, _) = core.map (\\acc (x, i) -> (if x < 0.9 then core.update_1d acc i (x * x)\n"
     " else loop acc for j < 2 do core.update_1d acc (i + j) (f64.sin x), ())) acc (zip xs is) in acc"},
    {"a loop that does not run", "loop acc for i < k do core.update_1d acc i xs[i]"},
    {"nothing", "acc"},
};

std::string function(const std::string& with, const std::string& body, const std::string& use = "in ") {
  return "entry f [n] (xs: [n]f64) (is: [n]i64) (k: i64): [n]f64 = let ys = map f64.cos xs " + use + "(" + with + " ys (\\acc -> let acc = (" + body +
         ") in core.finish acc))";
}

const std::vector<Value> args{some_f64s(5), i64s({0, 3, -1, 3, 1}), i64_value(-2)};

}  // namespace

BOOST_AUTO_TEST_CASE(accumulators_of_every_kind) {
  for (const char* with : {"core.with_add", "core.with_overwrite", "core.with_combine f64.max (-f64.inf)", "core.with_combine (\\(a: f64) b -> a * b) 1f64",
                           "core.with_combine (\\a b -> a + b + a * b) 0f64"})
    for (const auto& [name, body] : writes)
      BOOST_TEST_CONTEXT(with << ", " << name) check(function(with, body), args);
}

BOOST_AUTO_TEST_CASE(accumulators_of_rows_and_of_two_dimensions) {
  for (const char* with : {"core.with_add", "core.with_overwrite"}) {
    const std::string head = "entry f [n] [m] (xss: [n][m]f64) (is: [n]i64): [n][m]f64 = " + std::string(with) + " (map (map f64.cos) xss) (\\acc ->\n";
    check(head + "let (acc, _) = core.map (\\acc (xs, i) -> (core.update_1d acc i (map f64.sin xs), ())) acc (zip xss is) in core.finish acc)",
          {matrix(3, 2), i64s({2, -1, 0})});
    check(head + "let (acc, _) = core.map (\\acc (xs, i) -> (core.update_2d acc i (i + 1) (xs[0] * xs[1]), ())) acc (zip xss is) in core.finish acc)",
          {matrix(3, 2), i64s({0, 1, 0})});
  }
}

/// One that overwrites and one that multiplies, beside a result of its own.
BOOST_AUTO_TEST_CASE(accumulators_together) {
  check("entry f [n] (xs: [n]f64) (is: [n]i64) (_: i64): ([n]f64, [2]f64, f64) =\n"
        "core.with_overwrite (map f64.cos xs) (\\acc -> core.with_combine (\\(a: f64) b -> a * b) 1f64 (replicate 2 xs[0]) (\\other ->\n"
        "let ((acc, other), ys) = core.map (\\(acc, other) (x, i) -> ((core.update_1d acc i (x * x), core.update_1d other (i % 2) x), f64.sin x))\n"
        " (acc, other) (zip xs is)\n"
        "in (core.finish acc, core.finish other, f64.product ys)))", args);
}

/// Constants are written first, so that what depends on xs comes into the accumulator under one of its later names.
BOOST_AUTO_TEST_CASE(accumulators_of_constants_at_first) {
  for (const char* with : {"core.with_add", "core.with_overwrite", "core.with_combine (\\(a: f64) b -> a * b) 1f64"})
    for (const char* first : {"loop acc for i < 2 do core.update_1d acc i 2", "if n > 3 then core.update_1d acc 1 2 else acc",
                              "core.map (\\acc i -> (core.update_1d acc i 2, ())) acc (iota 2) |> (.0)"})
      BOOST_TEST_CONTEXT(with << ", " << first)
        check("entry f [n] (xs: [n]f64): [3]f64 = " + std::string(with) + " (replicate 3 1) (\\acc -> let acc = (" + first + ")\n"
              "let acc = if xs[0] < 2 then core.update_1d acc 1 xs[1] else acc in core.finish (core.update_1d acc 2 xs[0]))", {some_f64s(4)});
}

/// The return sweep reads what the accumulator started from.
BOOST_AUTO_TEST_CASE(accumulators_are_taken_back) {
  for (const char* with : {"core.with_add", "core.with_overwrite", "core.with_combine (\\(a: f64) b -> a * b) 1f64"})
    for (const auto& [name, body] : writes) {
      BOOST_TEST_CONTEXT(with << ", " << name) {
        check(function(with, body, "let s = f64.product ys in map (* s) "), args);
        check("entry f [n] (xs: [n]f64) (is: [n]i64) (k: i64): [n]f64 = loop ys = map f64.cos xs for h < 3 do let xs = map (* ys[h]) xs\n"
              "in " + std::string(with) + " ys (\\acc -> let acc = (" + body + ") in core.finish acc)", args);
      }
    }
}

/// The function updates an array of its own, so it cannot run once more to find the places.
BOOST_AUTO_TEST_CASE(accumulators_whose_function_consumes) {
  check("entry f [n] (xs: [n]f64): [n]f64 = let ys = map f64.cos xs let s = f64.product ys let zs = map f64.sin xs in\n"
        "map (* s) (core.with_add ys (\\acc -> let zs[0] = zs[1] * xs[0] in core.finish (core.update_1d acc 1 (zs[0] * zs[0]))))",
        {some_f64s(4)});
}

/// Accumulators that do not add, where the number of writes, or what is written to, is found out on the way.
BOOST_AUTO_TEST_CASE(writes_that_are_not_collected) {
  const auto is_refused = [](const std::string& body) {
    const std::string text = "entry f [n] (xs: [n]f64) = vjp (\\xs -> " + body + ") xs (replicate n 1)";
    BOOST_TEST_CONTEXT(text) BOOST_CHECK_THROW(differentiated(compiled(text)), source::Refusal);
  };
  const std::string one = "core.with_overwrite (replicate n 0) (\\acc -> core.finish (";
  is_refused(one + "(core.map (\\acc i -> let (acc, _) = core.map (\\acc j -> (core.update_1d acc j xs[i], ())) acc (iota i) in (acc, ())) acc (iota n)).0))");
  is_refused(one + "loop acc for i < n do loop acc for j < i do core.update_1d acc j xs[i]))");
  const auto rows = [](const std::string& with, const std::string& body) {
    return "map (.[0]) (core." + with + " (replicate n [0, 0]) (\\acc -> core.finish (" + body + ")))";
  };
  is_refused(rows("with_overwrite", "core.update_2d (core.update_1d acc 0 [xs[0], xs[1]]) 1 1 xs[2]"));
  is_refused(rows("with_combine (\\(a: f64) b -> a * b) 1", "core.update_1d acc 0 [xs[0], xs[1]]"));
}

}  // namespace boustro::ad::testing
