// What `boustro derive` prints, as people would write it and with `--core`, is a program of the language with the module `core`:
// it is read back and means the same.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>

#include "emit/driver/compare.hpp"
#include "emit/driver/random.hpp"
#include "frontend/imports/imports.hpp"
#include "frontend/modules/check_program.hpp"
#include "frontend/test_blocks/test_blocks.hpp"
#include "frontend/values/read.hpp"
#include "frontend/values/write.hpp"
#include "tests/source_folder.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/verify.hpp"
#include "transform/lower/lower.hpp"
#include "transform/pipeline.hpp"
#include "transform/raise/raise.hpp"

using namespace boustro;
using values::PrimType;
using values::Value;

namespace {

/// Parsed, checked and lowered; `reasons` becomes what is wrong with it. What it imports lies next
/// to `path`.
std::optional<ir::Program> lowered(const std::string& text, std::string& reasons,
                                   const std::string& path = "derived.fut") {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto tree = imports::read_program(path, sources.add(path, text), {}, sources, diagnostics);
  std::optional<check::TypedProgram> typed;
  if (!diagnostics.has_errors()) typed = modules::check_program(tree, sources, diagnostics);
  std::optional<ir::Program> program;
  if (typed) program = lower::lower_program(*typed, diagnostics);
  for (const auto& diagnostic : diagnostics.all()) reasons += to_string(diagnostic, sources);
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

/// Derivatives in it are derived.
ir::Program read(const std::string& text, const std::string& path = "derived.fut") {
  std::string reasons;
  auto program = lowered(text, reasons, path);
  BOOST_REQUIRE_MESSAGE(program.has_value(), reasons << text);
  ir::verify_or_throw(*program, "lower");
  PipelineOptions options;
  options.verify_each = true;
  return run_pipeline(derive_passes(options), std::move(*program), options);
}

std::string in_words(const std::vector<Value>& list) {
  std::string text;
  for (const Value& value : list) text += values::to_text(value) + "\n";
  return text;
}

/// The text of a program, without comments on where lines come from.
using Printer = std::string (*)(const ir::Program&);

std::string as_core(const ir::Program& program) { return ir::to_string(program); }

/// No function needs types at its lambdas to be read back, let alone to be printed as core.
std::string as_people_write(const ir::Program& program) {
  const raise::Raised raised = raise::raise(program);
  const bool is_plain = std::all_of(raised.forms.begin(), raised.forms.end(),
                                    [](raise::Form form) { return form == raise::Form::plain; });
  BOOST_TEST(is_plain, raised.complaints << raised.text);
  return raised.text;
}

/// The same, whatever it is that a function needs.
std::string raised(const ir::Program& program) { return raise::raise(program).text; }

/// The program and what its text is read back as, on the same arguments.
void check_reading_back(const ir::Program& program, const std::string& entry,
                        const std::vector<Value>& args, Printer print) {
  const auto expected = ir::run_entry(program, entry, args);
  const std::string text = print(program);
  const ir::Program again = read(text);
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(driver::difference(ir::run_entry(again, entry, args), expected,
                                  driver::Tolerance::strict) == "");
  }
  const ir::Program third = read(print(again));
  BOOST_TEST(driver::difference(ir::run_entry(third, entry, args), expected,
                                driver::Tolerance::strict) == "");
}
void check_reading_back(const ir::Program& program, const std::string& entry,
                        const std::vector<Value>& args) {
  for (const Printer print : {as_core, as_people_write}) check_reading_back(program, entry, args, print);
}

std::vector<std::filesystem::path> programs_in(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(tests::source_folder) / folder))
    if (file.path().extension() == ".fut") paths.push_back(file.path());
  return paths;
}

/// The program of a file and what its text is read back as, on the inputs of its test blocks.
void check_test_blocks(const std::filesystem::path& path, Printer print) {
  const std::string text = values::read_file(path.string());
  const ir::Program program = read(text, path.string());
  const ir::Program again = read(print(program));
  for (const auto& block : test_blocks::read_test_blocks(text).blocks) {
    for (const auto& test : block.cases) {
      const auto* input = std::get_if<test_blocks::InlineValues>(&test.input);
      if (!input || std::holds_alternative<test_blocks::RuntimeError>(test.expected)) continue;
      const auto args = values::read_values(input->text);
      for (const std::string& entry : block.entries) {
        BOOST_TEST_CONTEXT(path.stem() << ": " << entry << ", line " << test.line) {
          const auto expected = ir::run_entry(program, entry, args);
          const auto got = ir::run_entry(again, entry, args);
          BOOST_TEST(driver::difference(got, expected, driver::Tolerance::strict) == "");
        }
      }
    }
  }
}

struct Argument {
  PrimType type;
  std::vector<std::int64_t> shape;
  double low = -1, high = 1;
};

/// A sample with an entry and arguments for it.
struct Sample {
  const char* file;
  const char* entry;
  std::vector<Argument> args;
};

void check_sample(const Sample& sample) {
  driver::RandomValues random(7);
  std::vector<Value> args;
  for (const Argument& arg : sample.args)
    args.push_back(random.between(arg.type, arg.shape, arg.low, arg.high));
  const auto path = std::filesystem::path(tests::source_folder) / "samples" / sample.file;
  check_reading_back(read(values::read_file(path.string())), sample.entry, args);
}

constexpr PrimType f64 = PrimType::f64, f32 = PrimType::f32, i64 = PrimType::i64;

/// A program that uses `core` as people could, and what it yields.
void check_program(const std::string& text, const std::string& args, const std::string& expected) {
  const ir::Program program = read(text);
  const auto values = values::read_values(args);
  const auto results = ir::run_entry(program, "main", values);
  BOOST_TEST(
      driver::difference(results, values::read_values(expected), driver::Tolerance::strict) == "",
      in_words(results));
  for (const Printer print : {as_core, raised}) check_reading_back(program, "main", values, print);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(read_back)

BOOST_AUTO_TEST_CASE(kmeans) {
  check_sample({"kmeans.fut", "cost_gradient", {{f32, {7, 2}}, {f32, {3, 2}}}});
}
BOOST_AUTO_TEST_CASE(ode) {
  check_sample({"ode.fut", "growth_gradient", {{i64, {}, 5, 9}, {f64, {3}}, {f64, {3}}}});
}
BOOST_AUTO_TEST_CASE(recurrence) {
  check_sample({"recurrence.fut", "products_vjp", {{f64, {6}}, {f64, {6}}}});
}
BOOST_AUTO_TEST_CASE(gmm) {
  const std::vector<Argument> args = {{f64, {3}},    {f64, {3, 2}},     {f64, {3, 3}},
                                      {f64, {4, 2}}, {f64, {}, 0.5, 1}, {i64, {}, 1, 3}};
  check_sample({"gmm.fut", "calculate_objective", args});
  check_sample({"gmm.fut", "calculate_jacobian", args});
}
BOOST_AUTO_TEST_CASE(lstm) {
  const std::vector<Argument> args = {{f64, {4, 12}}, {f64, {3, 3}}, {f64, {4, 3}}, {f64, {5, 3}}};
  check_sample({"lstm.fut", "calculate_objective", args});
  check_sample({"lstm.fut", "calculate_jacobian", args});
}

/// Derivatives of scatters, histograms, loops and scans, nested too.
BOOST_AUTO_TEST_CASE(parallel_forms) {
  const ir::Program program = read(R"(
def f [n] (xs: [n]f64) (ys: [n]f64) (is: [n]i64) : f64 =
  let zs = map2 (\x y -> x * y + f64.sin x) xs ys
  let ws = scatter (copy zs) is (map (*2) xs)
  let hs = reduce_by_index (replicate 4 0) (+) 0 is (map2 (*) ws ys)
  let ms = reduce_by_index (replicate 4 1) (*) 1 is xs
  let qs = map (\i -> xs[i] * hs[i % 4] + ws[(i * 2) % n]) (iota n)
  let t = loop acc = copy qs for i < 3 do (acc with [i] = acc[i] * acc[i+1])
  in f64.sum t + f64.product ms + f64.maximum hs + f64.sum (scan (+) 0 qs)

entry reverse [n] (xs: [n]f64) (ys: [n]f64) (is: [n]i64) = vjp (\(x, y) -> f x y is) (xs, ys) 1
entry forward [n] (xs: [n]f64) (ys: [n]f64) (is: [n]i64) = jvp (\x -> f x ys is) xs ys
entry twice [n] (xs: [n]f64) (ys: [n]f64) (is: [n]i64) = jvp (\x -> vjp (\x -> f x ys is) x 1) xs ys
)");
  const auto args = values::read_values(
      "[1f64, 2f64, 0.5f64, 3f64, 1.5f64] [0.3f64, 0.2f64, 0.1f64, 0.7f64, 0.9f64] [3i64, 0i64, "
      "1i64, 2i64, 4i64]");
  for (const char* entry : {"reverse", "forward", "twice"})
    check_reading_back(program, entry, args);
}
BOOST_AUTO_TEST_CASE(rows_and_matrices) {
  const ir::Program program = read(R"(
entry product [n] [m] (a: [n][m]f64) (b: [m][n]f64) =
  let multiplied a b = map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a
  in vjp (\(a, b) -> f64.sum (map f64.sum (map (map f64.exp) (multiplied a b)))) (a, b) 1
entry rows [n] (xss: [n][2]f64) =
  vjp (\xss -> let r = reduce (map2 (*)) [1, 1] xss in r[0] + 2 * r[1]) xss 1
)");
  check_reading_back(program, "product",
                     values::read_values("[[1f64, 2f64], [0.5f64, 3f64], [1f64, 1f64]] [[1f64, "
                                         "2f64, 1f64], [0.5f64, 0f64, 1f64]]"));
  check_reading_back(program, "rows",
                     values::read_values("[[1f64, 2f64], [0.5f64, 3f64], [1f64, 1f64]]"));
}
/// Of results that a map yields together one is consumed.
BOOST_AUTO_TEST_CASE(several_results) {
  const ir::Program program = read(R"(
entry six [n] (xs: [n]f64) (ys: [n]f64) =
  let rs = map2 (\x y -> (x * y, x + y, x - y, y - x, x + 1, y + 1, 2 * x)) xs ys
  let products = map (.0) rs with [0] = 7
  let sums = map (.1) rs with [1] = 8
  let largest = map (.6) rs with [1] = 9
  in (products, sums, map (.2) rs, map (.3) rs, map (.4) rs, map (.5) rs, largest)
entry carried [n] (xs: [n]f64) (is: [n]i64) : ([2]f64, [n]f64, [n]f64) =
  core.with_add (replicate 2 0) (\acc ->
    let (acc, rows) = core.map (\acc (x, i) -> (core.update_1d acc i x, (x + 1, x * 2))) acc (zip xs is)
    let (ys, zs) = unzip (copy rows)
    in (core.finish acc, ys with [0] = 5, zs))
)");
  check_reading_back(program, "six", values::read_values("[1f64, 2f64, 3f64] [4f64, 5f64, 6f64]"));
  check_reading_back(program, "carried",
                     values::read_values("[1f64, 2f64, 3f64] [0i64, 1i64, 0i64]"));
}

/// Each construct of the language, and the programs of the tests of translations, with the inputs of their test blocks.
BOOST_AUTO_TEST_CASE(programs_of_lowering) {
  for (const auto& path : programs_in("tests/unit/transform/lower/programs"))
    for (const Printer print : {as_core, as_people_write}) check_test_blocks(path, print);
}
BOOST_AUTO_TEST_CASE(programs) {
  for (const auto& path : programs_in("tests/programs")) check_test_blocks(path, raised);
}

BOOST_AUTO_TEST_CASE(nests) {
  check_program(
      "entry main [n] [m] (xss: [n][m]i64) (bins: *[4]i64) : ([n]i64, [n][m]i64, [4]i64) =\n"
      "  let (sums: [n]i64, squares: [n][m]i64, bins: [4]i64) =\n"
      "    core.nest (n, m) (\\(i, j) -> let x = xss[i, j] in (x, x * x, x % 4, x))\n"
      "      (core.epilogue (core.reduce 1 (+) 0i64) (\\(i: i64, sum: i64) -> 10 * i + sum), core.store 2,\n"
      "       core.histogram 1 bins (+) 0i64)\n"
      "  in (sums, squares, bins)\n",
      "[[1i64, 2i64], [3i64, 5i64]] [0i64, 0i64, 0i64, 0i64]",
      "[3i64, 18i64] [[1i64, 4i64], [9i64, 25i64]] [0i64, 6i64, 2i64, 3i64]");
}

BOOST_AUTO_TEST_CASE(nests_that_do_not_fit_are_refused) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"core.nest n (\\(i: i64) -> (i, i)) (core.store 1)", "do not fit each other"},
      {"core.nest n (\\(i: i64) -> i) (core.store 0)", "keeps 0 of 1 dimensions"},
      {"core.nest n (\\(i: i64) -> i) 7", "not said by outs"},
      {"core.nest n (\\(i: i64) -> i) (core.scatter 2 (replicate n 0))", "fewer dimensions than its indices"},
      {"core.nest 2f64 (\\(i: f64) -> 1i64) (core.store 1)", "numbers of type i64"},
      {"#[thread_grid] core.nest n (\\(i: i64) -> i) (core.store 1)", "run by who does not share them"},
      {"core.fused n (\\(x: i64) -> x) () (core.store 1)", "do not fit each other"},
      {"(core.rearrange (0, 0) (iota n) : [n]i64)", "does not name each of them once"},
  };
  for (const auto& [exp, expected] : mistakes) {
    const std::string text =
        std::string("entry main (n: i64) : [n]i64 =\n  let (xs: [n]i64) = ") + exp + "\n  in xs\n";
    std::string reasons;
    BOOST_TEST(!lowered(text, reasons).has_value(), text);
    BOOST_TEST(reasons.find(expected) != std::string::npos, text << reasons);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(core)

BOOST_AUTO_TEST_CASE(adds) {
  check_program(
      "entry main [n] [k] (is: [n]i64) (xs: [n]f64) (start: [k]f64) : [k]f64 =\n"
      "  core.with_add (copy start) (\\acc ->\n"
      "    let (acc, _) = core.map (\\acc (i, x) -> (core.update_1d acc i x, ())) acc (zip is xs)\n"
      "    in core.finish acc)\n",
      "[0i64, 2i64, 0i64, 5i64, -1i64] [1f64, 2f64, 3f64, 4f64, 5f64] [10f64, 20f64, 30f64]",
      "[14f64, 20f64, 32f64]");
}
BOOST_AUTO_TEST_CASE(overwrites_and_combines) {
  check_program(
      "entry main [n] (is: [n]i64) (xs: [n]i64) : ([3]i64, [3]i64, [n]i64) =\n"
      "  core.with_overwrite (replicate 3 7) (\\written -> core.with_combine i64.max i64.lowest "
      "(replicate 3 2) (\\largest ->\n"
      "    let ((written, largest), ys) =\n"
      "      core.map (\\(written, largest) (i, x) ->\n"
      "                 ((core.update_1d written i (i * 10), core.update_1d largest i x), x + 1))\n"
      "               (written, largest) (zip is xs)\n"
      "    in (core.finish written, core.finish largest, ys)))\n",
      "[0i64, 2i64, 0i64] [1i64, 5i64, 4i64]",
      "[0i64, 7i64, 20i64] [4i64, 2i64, 5i64] [2i64, 6i64, 5i64]");
}
BOOST_AUTO_TEST_CASE(finishes_in_any_order) {
  check_program(
      "entry main (x: f64) : ([2]f64, [2]f64) =\n"
      "  core.with_add (replicate 2 0) (\\a -> core.with_add (replicate 2 1) (\\b ->\n"
      "    let a = core.update_1d a 0 x\n"
      "    let b = core.update_1d b 1 x\n"
      "    in (core.finish b, core.finish a)))\n",
      "5f64", "[1f64, 6f64] [5f64, 0f64]");
}
BOOST_AUTO_TEST_CASE(flow_through_functions_loops_and_branches) {
  check_program(
      "def add_row [k] [m] (acc: *core.acc ([k][m]f64)) (i: i64) (row: [m]f64) : *core.acc "
      "([k][m]f64) =\n"
      "  if i % 2 == 0 then core.update_1d acc i row else core.update_2d acc i 0 100\n"
      "def add_all [k] [m] (acc: *core.acc ([k][m]f64)) (row: [m]f64) : *core.acc ([k][m]f64) =\n"
      "  loop acc for i < k do add_row acc i row\n"
      "entry main [n] [m] (rows: [n][m]f64) : [3][m]f64 =\n"
      "  core.with_add (replicate 3 (replicate m 0)) (\\acc ->\n"
      "    let (acc, _) = core.map (\\acc row -> (add_all acc row, ())) acc rows\n"
      "    in core.finish acc)\n",
      "[[1f64, 2f64], [3f64, 4f64]]", "[[4f64, 6f64], [200f64, 0f64], [4f64, 6f64]]");
}
BOOST_AUTO_TEST_CASE(scatters_into_four_dimensions) {
  check_program(
      "entry main (x: f64) : ([1][1][2][2]f64, [1][1][2][2]f64) =\n"
      "  let empty = replicate 1 (replicate 1 (replicate 2 (replicate 2 1)))\n"
      "  let is = [(0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0)]\n"
      "  in (core.scatter_4d (copy empty) (take 2 is) [x, 2 * x],\n"
      "      core.reduce_by_index_4d (copy empty) (+) 0 is [x, x, x, x])\n",
      "3f64", "[[[[1f64, 6f64], [3f64, 1f64]]]] [[[[1f64, 4f64], [7f64, 1f64]]]]");
}
BOOST_AUTO_TEST_CASE(starts_without_elements) {
  check_program(
      "entry main (n: i64) : [n][2]i64 =\n  loop xss = (core.scratch n : [n][2]i64) for i < n do "
      "xss with [i] = [i, 2 * i]\n",
      "3i64", "[[0i64, 0i64], [1i64, 2i64], [2i64, 4i64]]");
}

BOOST_AUTO_TEST_CASE(what_breaks_the_rules_is_refused) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"let ys = core.finish acc in (ys, ys)", "each accumulator is finished once"},
      {"(replicate 2 0, replicate 2 0)", "an accumulator is not finished"},
      {"let ys = core.finish acc in (ys, replicate 2 (f64.sum ys))",
       "passed on, updated and finished"},
      {"let other = core.update_1d acc 0 1 in (core.finish acc, replicate 2 0)",
       "`acc` is used after it was consumed"},
      {"(core.finish acc, map (\\_ -> let acc = core.update_1d acc 0 1 in 1) (iota 2))",
       "`acc` is consumed in a function"},
  };
  for (const auto& [body, expected] : mistakes) {
    const std::string text =
        std::string(
            "entry main (xs: *[2]f64) : ([2]f64, [2]f64) =\n  core.with_add xs (\\acc -> ") +
        body + ")\n";
    std::string reasons;
    BOOST_TEST(!lowered(text, reasons).has_value(), text);
    BOOST_TEST(reasons.find(expected) != std::string::npos, text << reasons);
  }
}

BOOST_AUTO_TEST_SUITE_END()
