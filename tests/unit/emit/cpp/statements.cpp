// Statements that other C++ writes otherwise than CUDA, and what entries say of failed checks.
#include "emit/cpp/statement.hpp"

#include <boost/test/unit_test.hpp>

#include "../printing.hpp"
#include "../shorthand.hpp"
#include "emit/cpp/write.hpp"
#include "emit/text/statement.hpp"

namespace exemplars::statements_tests {
namespace {

const Expr n = var("n"), i = var("i"), x = var("x", f32);
const Expr xs = var("xs", pointer_to(f32)), ys = var("ys", pointer_to(f32));
const Expr failure = var("failure", pointer_to(struct_type("Failure")));

std::string text(const Stm& stm) {
  boustro::text::Dialect cpp = printing::cpp;
  cpp.target_statement = boustro::cpp::target_statement;
  const printing::Page page(printing::Side::host, cpp);
  return printing::formatted(boustro::cpp::target_statement(stm, page.place));
}

/// The same with what stands over it.
std::string with_comments(const Stm& stm) {
  boustro::text::Dialect cpp = printing::cpp;
  cpp.target_statement = boustro::cpp::target_statement;
  const printing::Page page(printing::Side::host, cpp);
  return printing::formatted(boustro::text::statement(stm, page.place));
}

std::string with_pragma(const std::string& directive, const std::string& text) {
  return "#ifdef _OPENMP\n#pragma omp " + directive + "\n#endif\n" + text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(parallel_loops_are_loops_without_openmp) {
  For loop = count_up("i", type(i64), n, {Assign{xs[i], lit_float(0, f32)}});
  loop.parallel = true;
  BOOST_TEST(text(loop) ==
             with_pragma("parallel for", "for (int64_t i = 0; i < n; ++i) xs[i] = 0.0f;\n"));
  BOOST_TEST(with_comments(Stm(loop).with_above("Why.")) == with_pragma("parallel for", "// Why.\nfor (int64_t i = 0; i < n; ++i) xs[i] = 0.0f;\n"));
}

BOOST_AUTO_TEST_CASE(loops_that_are_not_worth_it_are_not_shared) {
  For loop = count_up("i", type(i64), n, {Assign{xs[i], lit_float(0, f32)}});
  loop.parallel = true;
  loop.worth = n > 1;
  BOOST_TEST(text(loop) == with_pragma("parallel for if (n > 1)",
                                       "for (int64_t i = 0; i < n; ++i) xs[i] = 0.0f;\n"));
}

BOOST_AUTO_TEST_CASE(iterations_take_turns_for_what_they_do_in_order) {
  const Stm in_order = Ordered{{Assign{x, xs[i], Op::add}}};
  For loop = count_up("i", type(i64), n, {in_order});
  loop.parallel = true;
  BOOST_TEST(text(in_order) == with_pragma("ordered", "x += xs[i];\n"));
  BOOST_TEST(text(loop) == with_pragma("parallel for ordered schedule(dynamic)",
                                       "for (int64_t i = 0; i < n; ++i) {\n" +
                                           with_pragma("ordered", "  x += xs[i];\n") + "}\n"));
  BOOST_TEST(text(Ordered{{Assign{x, xs[i], Op::add}, Assign{ys[i], x}}}) ==
             with_pragma("ordered", "{\n  x += xs[i];\n  ys[i] = x;\n}\n"));
}

BOOST_AUTO_TEST_CASE(only_sums_have_an_atomic) {
  BOOST_TEST(text(Atomic{AtomicKind::add, xs[i], x, {}}) == with_pragma("atomic", "xs[i] += x;\n"));
  BOOST_TEST(text(Atomic{AtomicKind::max, xs[i], x, {}}) ==
             with_pragma("critical", "{\n  xs[i] = std::fmax(xs[i], x);\n}\n"));
  BOOST_TEST(text(Atomic{AtomicKind::min, xs[i], x, {}}) ==
             with_pragma("critical", "{\n  xs[i] = std::fmin(xs[i], x);\n}\n"));
  BOOST_TEST(text(Atomic{AtomicKind::combine, xs[i], x, "Multiply"}) ==
             with_pragma("critical", "{\n  xs[i] = Multiply{}(xs[i], x);\n}\n"));
}

BOOST_AUTO_TEST_CASE(memory_is_filled_and_copied) {
  BOOST_TEST(text(Fill{xs, n}) == "std::fill_n(xs, n, 0.0f);\n");
  BOOST_TEST(text(Copy{xs, ys, n}) == "std::copy_n(ys, n, xs);\n");
}

BOOST_AUTO_TEST_CASE(a_failed_check_is_told_by_status_and_text) {
  const Entry entry{.name = "first",
                    .params = {array("y", pointer_to(f32), {}, Access::written),
                               array("xs", const_pointer_to(f32), {"n"}), size("n")},
                    .body = {If{n < 1, {Fail{failure, 0, {n}}}}},
                    .can_fail = true};
  const auto emitted = boustro::cpp::write_cpp({.target = Target::cpu,
                                                .name = "first",
                                                .name_space = "first",
                                                .source = "first.fut",
                                                .entries = {entry},
                                                .checks = {{"first.fut:1", "no element among {}"}}});
  const auto has = [](const std::string& text, const std::string& part) {
    BOOST_TEST(text.find(part) != std::string::npos, part << " is not in\n" << text);
  };
  has(emitted.header, "Status first(float* y, Failure* failure, const float* xs, int64_t n,");
  has(emitted.header, "/// failure  host memory, written: which check failed, if any");
  has(emitted.source, "  *failure = Failure{};\n  if (n < 1) {\n    record_failure(failure, 1, n);\n");
  has(emitted.source, "  return failure->check == 0 ? Status::success : Status::check_failed;\n");
  has(emitted.source,
      "    case 1:\n      return \"first.fut:1: no element among \" + "
      "std::to_string(failure.values[0]);\n");
}

}  // namespace exemplars::statements_tests
