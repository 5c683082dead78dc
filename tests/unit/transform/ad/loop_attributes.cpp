// What attributes of loops change: where reverse mode gets earlier states from. Never a derivative.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"
#include "transform/facts/history.hpp"

namespace boustro::ad::testing {

namespace {

std::vector<Value> gradient(const Program& derived, std::vector<Value> args, const Value& adjoints) {
  args.push_back(adjoints);
  return run_entry(derived, "derivative", std::move(args));
}

/// Bodies are those of functions of xs: [n]f64 that yield [n]f64.
std::string entry(const std::string& body) { return "entry f [n] (xs: [n]f64): [n]f64 =\n" + body; }

/// The derivative with the attribute is that by numbers, and that without the attribute.
void check_attribute(const Case& c, const std::string& attribute, bool checked = true) {
  const Program program = compiled(entry(with(c.body, attribute))), plain = compiled(entry(with(c.body, "")));
  const Program derived = differentiated(DerivativeOf(program, "f").with_vjp("derivative", false));
  const Program derived_plain = differentiated(DerivativeOf(plain, "f").with_vjp("derivative", false));
  for (const std::int64_t n : {0, 1, 2, 7})
    BOOST_TEST_CONTEXT(c.name << ", " << attribute << ", n = " << n) {
      const std::vector<Value> args{some_f64s(n)};
      check_derivative(program, "f", args, {.seeds = n == 2});
      BOOST_TEST((gradient(derived, args, some_f64s(n, 1)) == gradient(derived_plain, args, some_f64s(n, 1))));
      if (!checked) continue;
      BOOST_CHECK_NO_THROW(run_entry(program, "f", args, {.versions = facts::versions_of}));
      BOOST_CHECK_NO_THROW(run_entry(derived, "derivative", {args[0], some_f64s(n, 1)}, {.versions = facts::versions_of}));
    }
}

bool fired(const Program& program, const std::string& rule) {
  Fired all;
  differentiated(DerivativeOf(program, "f").with_vjp("derivative", false), all);
  return all.contains(rule);
}

const Case without_false_dependences[] = {
    {"recurrence", "loop @ ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] + xs[i + 1]"},
    {"two elements back", "loop @ ys = copy xs for i < n - 2 do ys with [i + 2] = f64.sin (ys[i] * ys[i + 1]) + ys[i]"},
    {"what was written in the same step", "loop @ ys = copy xs for i < n - 1 do\n"
                                          "let ys[i + 1] = ys[i] * xs[i] in let z = ys[i + 1] * ys[i + 1] in if z > 100 then ys else ys"},
    {"beside another value",
     "let (ys, s) = loop (@ ys, s) = (copy xs, 1) for i < n - 1 do\n"
     "let ys[i + 1] = ys[i] * s in (ys, s * ys[i + 1] + ys[i]) in map (* s) ys"},
    {"behind another value",
     "let (s, ys) = loop (s, @ ys) = (1, copy xs) for i < n - 1 do\n"
     "let ys[i + 1] = ys[i] * s in (s * ys[i + 1] + ys[i], ys) in map (* s) ys"},
    {"in a branch",
     "loop @ ys = copy xs for i < n - 1 do\n"
     "if ys[i] > 0.6 then let z = ys[i] * ys[i] in ys with [i + 1] = z * xs[i] else ys"},
    {"in both branches, with another result",
     "let (ys, s) = loop (@ ys, s) = (copy xs, 0.5) for i < n - 1 do\n"
     "if ys[i] > 0.6 then let z = ys[i] * ys[i] * s in (ys with [i + 1] = z * xs[i], z) else (ys with [i + 1] = s * ys[i], s * s)\n"
     "in map (* s) ys"},
    {"slices", "loop @ ys = copy xs for i < (n - 1) / 2 do\n"
               "let zs = map (\\y -> y * ys[0]) ys[2 * i:2 * i + 1] in ys with [2 * i + 1:2 * i + 2] = zs"},
    {"scatter",
     "loop @ ys = copy xs for i < n - 1 do let y = ys[i] in scatter ys [i + 1, -1] [y * y * xs[i], y]"},
    {"rows read in a map", "loop @ ys = copy xs for i < n - 1 do\n"
                           "let s = f64.sum (map (\\j -> ys[j] * ys[j] * xs[i]) (iota (i + 1))) in ys with [i + 1] = f64.sin s"},
    {"inner loop", "loop @ ys = copy xs for i < (n - 1) / 2 do\n"
                   "loop ys for j < 2 do ys with [2 * i + j + 1] = ys[2 * i + j] * ys[i] + xs[i]"},
    {"inner loop that promises, too", "loop @ ys = copy xs for i < (n - 1) / 2 do\n"
                                      "loop @ ys for j < 2 do ys with [2 * i + j + 1] = ys[2 * i + j] * ys[i] + xs[i]"},
    {"inner loop that promises alone, strip-mined", "loop ys = copy xs for i < 2 do\n"
                                                    "let ys = map (\\y -> y * y) ys let (ys, s) = #[stripmine(3)] loop (@ ys, s) = (ys, 1) for j < n - 1 do\n"
                                                    "let y = ys[j] in (ys with [j + 1] = y * y * xs[i % n] * s, s * y) in map (* s) ys"},
    {"inner loop that promises alone", "loop ys = copy xs for i < 2 do\n"
                                       "let ys = map (\\y -> y * y) ys in loop @ ys for j < n - 1 do ys with [j + 1] = ys[j] * ys[j] * xs[i % n]"},
    {"copies in between", "loop @ ys = copy xs for i < (n - 1) / 2 do\n"
                          "loop @ zs = copy ys for j < 2 do zs with [2 * i + j + 1] = zs[2 * i + j] * zs[i] + xs[i]"},
    {"while loop", "(loop (@ ys, i) = (copy xs, 0) while i < n - 1 do (ys with [i + 1] = ys[i] * ys[i] + xs[i], i + 1)).0"},
    {"read before the loop and after it",
     "let ys = copy xs let s = f64.sum (map (\\y -> y * y) ys)\n"
     "let ys = loop @ ys for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] * s\n"
     "let t = f64.sum (map (\\y -> y * y) ys) in map (* t) (map (* s) ys)"},
    {"overwritten often, never read",
     "let ys = copy xs let s = f64.sum (map (\\y -> y * y) ys)\n"
     "let ys = loop @ ys for i < n - 1 do ys with [n - 1] = xs[i] * s in map (* s) ys"},
    {"updated after the loop",
     "let ys = loop @ ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] + xs[i]\n"
     "in loop ys for i < n do ys with [i] = ys[i] * ys[(i + 1) % n]"},
    {"strip-mined", "#[stripmine(2)] loop @ ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] + xs[i + 1]"},
    {"inner loop that is strip-mined", "loop @ ys = copy xs for i < (n - 1) / 2 do\n"
                                       "#[stripmine(2)] loop ys for j < 2 do ys with [2 * i + j + 1] = ys[2 * i + j] * ys[i] + xs[i]"},
    {"strip-mined three times, beside another value",
     "let (ys, s) = #[stripmine(3)] loop (@ ys, s) = (copy xs, 1) for i < n - 1 do\n"
     "let ys[i + 1] = ys[i] * s in (ys, s * ys[i + 1] + ys[i]) in map (* s) ys"},
    {"in a map", "map (\\x -> let ys = loop @ ys = replicate 4 x for i < 3 do ys with [i + 1] = ys[i] * ys[i] * xs[i % n] in ys[3]) xs"},
};

/// Each takes n iterations.
const Case while_loops[] = {
    {"with a state", "let (z, _) = @ loop (z, i) = (0.5, 0) while i < n do (f64.sin (z * xs[i]) + 0.1 * z * z, i + 1) in map (* z) xs"},
    {"that only adds up", "let (z, _) = @ loop (z, i) = (0, 0) while i < n do (z + xs[i] * xs[i], i + 1) in map (* z) xs"},
    {"that updates an array", "(@ loop (ys, i) = (copy xs, 0) while i < n do (ys with [i] = ys[i] * ys[(i + 1) % n], i + 1)).0"},
    {"whose condition reads the array",
     "(@ loop (ys, i) = (copy xs, 0) while i < n && ys[i] < 100 do (ys with [i] = ys[i] * ys[(i + 1) % n], i + 1)).0"},
    {"that replaces its array", "(@ loop (ys, i) = (xs, 0) while i < n do (map2 (*) ys (map f64.sin xs), i + 1)).0"},
    {"in a for loop",
     "loop ys = copy xs for j < 2 do (@ loop (ys, i) = (ys, 0) while i < n do (ys with [i] = ys[i] * ys[(i + j) % n], i + 1)).0"},
    {"in a while loop",
     "(@ loop (ys, j) = (copy xs, 0) while j < n do\n"
     "((@ loop (ys, i) = (ys, 0) while i < j do (ys with [i] = ys[i] * ys[j], i + 1)).0, j + 1)).0"},
    {"in a map", "map (\\x -> (@ loop (z, i) = (x, 0) while i < n do (z * f64.sin z + xs[i], i + 1)).0) xs"},
    {"in a branch", "map (\\x -> if x > 0.6 then (@ loop (z, i) = (x, 0) while i < n do (z * z + xs[i], i + 1)).0 else x) xs"},
    {"that updates parts whose size varies",
     "(@ loop (ys, i) = (copy xs, 0) while i < n do\n"
     "let k = i % 3 let zs = map (* ys[i]) (take k ys) in (ys with [0:k] = zs, i + 1)).0"},
    {"that updates parts whose size is found by number",
     "let ks = map (\\x -> if x > 0.6 then 1 else 2) xs in (@ loop (ys, i) = (copy xs, 0) while i < n do\n"
     "let k = i64.min n ks[i] let zs = map (* ys[i]) (take k ys) in (ys with [0:k] = zs, i + 1)).0"},
    {"that is read before and after",
     "let ys = copy xs let s = f64.sum (map (\\y -> y * y) ys)\n"
     "let (ys, _) = @ loop (ys, i) = (ys, 0) while i < n do (ys with [i] = ys[i] * s, i + 1) in map (* s) ys"},
    {"without derivative, which updates an array",
     "let ks = iota n let a = map (\\k -> xs[k]) ks\n"
     "let (ks, _) = @ loop (ks, i) = (ks, 0) while i < n do (ks with [i] = ks[(i + 1) % n], i + 1)\n"
     "in map2 (\\k b -> xs[k] * xs[k] * b) ks a"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(promises_change_no_derivative) {
  for (const Case& c : without_false_dependences) check_attribute(c, "#[true_dep]");
}

/// Of a loop without derivative: what it overwrites is read, to be saved, so the derivative promises nothing. Its text, read again,
/// does not say what was read for that reason.
BOOST_AUTO_TEST_CASE(promises_of_loops_without_derivative) {
  const Case c{"indices", "let ks = map (\\k -> (k * 3 + 1) % n) (iota n) let a = map (\\k -> xs[k] * xs[k]) ks\n"
                          "let ks = loop @ ks for i < n - 1 do ks with [i + 1] = ks[i] in map2 (\\k b -> xs[k] * b) ks a"};
  check_attribute(c, "#[true_dep]");
  const Program program = compiled(entry(with(c.body, "#[true_dep]")));
  const Program derived = differentiated(DerivativeOf(program, "f").with_vjp("derivative", false));
  BOOST_CHECK_NO_THROW(run_entry(compiled(to_string(derived)), "derivative", {some_f64s(5), some_f64s(5, 1)}, {.versions = facts::versions_of}));
}

/// Nothing of the array is kept or logged.
BOOST_AUTO_TEST_CASE(promised_arrays_are_not_kept) {
  for (const Case& c : without_false_dependences)
    BOOST_TEST_CONTEXT(c.name) BOOST_TEST(fired(compiled(entry(with(c.body, "#[true_dep]"))), "keep_final"));
  const Case& c = without_false_dependences[0];
  for (const char* rule : {"restore_loop", "keep_states", "restore", "restore_copy"})
    BOOST_TEST(!fired(compiled(entry(with(c.body, "#[true_dep]"))), rule));
  BOOST_TEST(fired(compiled(entry(with(c.body, ""))), "restore_loop"));
  // An inner loop relies on what the outer one promises.
  for (const std::string inner : {"", "#[stripmine(2)] "}) {
    const std::string nest = "loop @ ys = copy xs for i < (n - 1) / 2 do\n" + inner +
                             "loop ys for j < 2 do ys with [2 * i + j + 1] = ys[2 * i + j] * ys[i] + xs[i]";
    for (const char* rule : {"restore_loop", "keep_states", "restore", "restore_copy"})
      BOOST_TEST(!fired(compiled(entry(with(nest, "#[true_dep]"))), rule), inner << rule);
  }
}

/// The second derivative relies on the promise, too.
BOOST_AUTO_TEST_CASE(second_derivatives_of_promises) {
  for (const int c : {0, 3, 5, 10, 15}) {
    const Program program = compiled(entry(with(without_false_dependences[c].body, "#[true_dep]")));
    const Program first = differentiated(DerivativeOf(program, "f").with_vjp("first", false));
    BOOST_TEST_CONTEXT(without_false_dependences[c].name) check_derivative(first, "first", {some_f64s(5), some_f64s(5, 1)}, {.seeds = false});
  }
}

BOOST_AUTO_TEST_CASE(bounds_change_no_derivative) {
  for (const Case& c : while_loops)
    for (const char* attribute : {"#[bound(n)]", "#[bound(9)]", "#[stripmine(2)] #[bound(9)]", "#[bound(n)] #[stripmine(2)]", "#[stripmine(3)] #[bound(20)]"})
      check_attribute(c, attribute, false);
}

BOOST_AUTO_TEST_CASE(bounded_loops_are_not_counted_before) {
  for (const Case& c : while_loops) {
    const Program program = compiled(entry(with(c.body, "#[bound(9)]")));
    BOOST_TEST_CONTEXT(c.name) BOOST_TEST(!fired(program, "reverse_loop_while"));
  }
  // Also where the condition reads the array, nothing is copied.
  const Program program = compiled(entry(with(while_loops[3].body, "#[bound(9)]")));
  BOOST_TEST(fired(program, "reverse_loop_bound"));
  BOOST_TEST(!fired(program, "restore_copy"));
}

BOOST_AUTO_TEST_CASE(bounds_of_any_integer_type) {
  for (const char* type : {"i8", "i32", "u16", "i64"}) {
    const std::string t = type;
    const Program program = compiled("entry f [n] (m: " + t + ") (xs: [n]f64): f64 =\n"
                                     "(#[bound(m)] loop (z, i) = (1, 0) while i < n do (z * xs[i], i + 1)).0");
    check_derivative(program, "f", {Value::of(PrimValue::of_int(*values::prim_type_named(t), 3)), some_f64s(3)}, {.seeds = false});
  }
}

/// A gradient is never wrong because a bound is: the derivative fails.
BOOST_AUTO_TEST_CASE(loops_that_exceed_their_bound_fail) {
  for (const Case& c : while_loops)
    for (const char* more : {"", "#[stripmine(2)] ", "#[stripmine(3)] "})
      for (const std::int64_t bound : {0, 1, 3, 5}) {
        const std::string attribute = more + fmt::format("#[bound({})]", bound);
        const Program program = compiled(entry(with(c.body, attribute)));
        const Program derived = differentiated(DerivativeOf(program, "f").with_vjp("derivative", false));
        BOOST_TEST_CONTEXT(c.name << ", " << attribute) {
          const auto says_so = [](const RuntimeFailure& failure) { return std::string(failure.what()).find("#[bound(") != std::string::npos; };
          BOOST_CHECK_EXCEPTION(gradient(derived, {some_f64s(6)}, some_f64s(6, 1)), RuntimeFailure, says_so);
          BOOST_CHECK_NO_THROW(run_entry(program, "f", {some_f64s(6)}));
        }
      }
}

/// Also the derivative of the derivative.
BOOST_AUTO_TEST_CASE(second_derivatives_of_bounded_loops) {
  for (const int c : {0, 2, 5, 7}) {
    const auto second_of = [&](const char* bound) {
      const Program program = compiled(entry(with(while_loops[c].body, bound)));
      return differentiated(DerivativeOf(program, "f").with_vjp("first", false));
    };
    BOOST_TEST_CONTEXT(while_loops[c].name) {
      check_derivative(second_of("#[bound(5)]"), "first", {some_f64s(4), some_f64s(4, 1)}, {.seeds = false});
      const Program second = differentiated(DerivativeOf(second_of("#[bound(3)]"), "first").with_vjp("second", false));
      BOOST_CHECK_THROW(run_entry(second, "second", {some_f64s(4), some_f64s(4, 1), some_f64s(4, 2), some_f64s(4, 3)}), RuntimeFailure);
    }
  }
}

/// Nor are sizes looked for in a branch that is not taken: there is no log to find them in.
BOOST_AUTO_TEST_CASE(second_derivatives_of_loops_that_do_not_run) {
  const std::string loop =
      "loop ys for i < n do (#[bound(n)] loop (ys, j) = (ys, 0) while j < i do (ys with [j] = ys[j] * ys[i], j + 1)).0";
  for (const std::string& branches : {"if xs[0] > 100 then " + loop + " else ys", "if xs[0] < 100 then ys else " + loop}) {
    const Program program = compiled(entry("let ys = map f64.sin xs let s = f64.product ys in map (* s) (" + branches + ")"));
    check_derivative(differentiated(DerivativeOf(program, "f").with_vjp("first", false)), "first", {some_f64s(4), some_f64s(4, 1)},
                     {.seeds = false});
  }
}

/// What --check-annotations finds: the loop, the array, the element and both iterations.
BOOST_AUTO_TEST_CASE(broken_promises_are_found) {
  const std::pair<const char*, const char*> cases[] = {
      {"loop #[true_dep] ys = copy xs for i < n - 1 do ys with [i] = ys[i + 1] * ys[i]", "iteration 0 overwrites element [0], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[n - 1]", "iteration 3 overwrites element [4], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < n do let s = f64.sum ys in ys with [i] = s", "iteration 0 overwrites element [0], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < 3 do let z = ys[4] in scatter ys [i + 1, i + 2] [z, z]", "iteration 2 overwrites element [4], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < 2 do loop ys for j < 2 do ys with [2 * i + j] = ys[3]", "iteration 1 overwrites element [3], which iteration 0 read"},
      {"loop ys = copy xs for i < 2 do loop #[true_dep] zs = ys for j < 3 do zs with [j] = zs[2]", "for `zs`: iteration 2 overwrites element [2], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < 3 do if i == 1 then ys with [0] = 1 else let z = ys[0] in ys with [i + 1] = z * z", "iteration 1 overwrites element [0], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < 2 do let zs = map (\\j -> ys[j + 1]) (iota 3) in ys with [2 * i] = zs[0]", "iteration 1 overwrites element [2], which iteration 0 read"},
      {"loop #[true_dep] ys = copy xs for i < 2 do let zs = ys[1:4] let z = zs[1] in ys with [2 * i] = z", "iteration 1 overwrites element [2], which iteration 0 read"},
      {"(loop (#[true_dep] ys, i) = (copy xs, 0) while i < 3 do (ys with [i] = ys[2], i + 1)).0", "iteration 2 overwrites element [2], which iteration 0 read"},
      {"loop #[true_dep] yss = [copy xs, copy xs] for i < 2 do yss with [i, 1] = yss[1, 1]", "iteration 1 overwrites element [1, 1], which iteration 0 read"},
  };
  for (const auto& [body, text] : cases) {
    const Program program = compiled(std::string("entry f [n] (xs: [n]f64) =\n") + body);
    BOOST_TEST_CONTEXT(body) {
      const std::string expected = text;
      const auto says_so = [&](const RuntimeFailure& failure) {
        BOOST_TEST_INFO(failure.what());
        BOOST_TEST(failure.origin.at.size() > 0U);
        const std::string said = failure.what();
        return said.find(expected) != std::string::npos && said.find("`#[true_dep]` does not hold for `") == 0;
      };
      BOOST_CHECK_EXCEPTION(run_entry(program, "f", {some_f64s(5)}, {.versions = facts::versions_of}), RuntimeFailure, says_so);
      BOOST_CHECK_NO_THROW(run_entry(program, "f", {some_f64s(5)}));
    }
  }
}

}  // namespace boustro::ad::testing
