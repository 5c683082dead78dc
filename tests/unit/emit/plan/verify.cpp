#include "emit/plan/verify.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::verify_tests {
namespace {

const Type output = restricted(pointer_to(f32));
const Type input = restricted(const_pointer_to(f32));

/// One kernel with `body`, launched with a thread per element of xs.
Program doubling(Stms body, std::vector<Expr> args = {}) {
  const Expr n = var("n"), ys = var("ys", pointer_to(f32)), xs = var("xs", const_pointer_to(f32));
  if (args.empty()) args = {ys, xs, n};
  Kernel kernel{
      .name = "double_kernel",
      .params = {{.name = "ys", .type = output, .shape = {"n"}, .access = Access::written},
                 {.name = "xs", .type = input, .shape = {"n"}, .access = Access::read},
                 {.name = "n", .type = type(i64)}},
      .body = std::move(body)};
  Entry entry{
      .name = "doubled",
      .params =
          {{.name = "ys", .type = pointer_to(f32), .shape = {"n"}, .access = Access::written},
           {.name = "xs", .type = const_pointer_to(f32), .shape = {"n"}, .access = Access::read},
           {.name = "n", .type = type(i64)}},
      .rejects = {{n < 0}},
      .scratch = {.name = "DoubledScratch"},
      .body = {If{.condition = equal(n, lit(0)), .then_body = {Return{}}},
               Launch{.kernel = "double_kernel",
                      .grid = {runtime::blocks_for(n, runtime::block_size())},
                      .block = {runtime::block_size()},
                      .args = args}},
      .kernels = {kernel}};
  return {.name = "doubled", .name_space = "doubled", .source = "doubled.fut", .entries = {entry}};
}

const Expr i = var("i"), xs = var("xs", const_pointer_to(f32)), ys = var("ys", pointer_to(f32));
const Stm thread_index =
    Let{.name = "i",
        .type = type(i64),
        .value = cast(i64, position(Position::block_x)) * runtime::block_size() +
                 position(Position::thread_x)};
const Stm guard = If{.condition = i >= var("n"), .then_body = {Return{}}};

std::string violations(const Program& program) {
  std::string text;
  for (const std::string& violation : verify(program)) text += violation + "\n";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(verify_accepts_a_thread_per_element) {
  BOOST_TEST(violations(doubling({thread_index, guard, Assign{ys[i], xs[i] + xs[i]}})) == "");
}

BOOST_AUTO_TEST_CASE(verify_knows_who_reaches_functions_and_tables) {
  Program program = doubling({thread_index, guard, Assign{ys[i], xs[i] + xs[i]}});
  const Function seven{.name = "seven", .result = type(i64), .body = {Return{lit(7)}}};
  const Table table{"numbers", PrimType::f32, {PrimValue::of_float(PrimType::f32, 1.5)}, {"1"}};
  program.definitions = {table, seven};
  program.entries[0].body.insert(program.entries[0].body.begin(), Let{.name = "k", .type = type(i64), .value = call("seven", type(i64), {})});
  BOOST_TEST(violations(program).find("the host calls the device function `seven`") != std::string::npos);
  std::get<Function>(program.definitions[1]).host = true;
  BOOST_TEST(violations(program) == "");

  const Expr numbers = var("numbers", const_pointer_to(f32));
  program.entries[0].kernels[0].body.back() = Assign{ys[i], numbers[lit(0)]};
  BOOST_TEST(violations(program) == "");
  program.entries[0].body.insert(program.entries[0].body.begin(), plan::Copy{var("ys", pointer_to(f32)), numbers, lit(1)});
  BOOST_TEST(violations(program).find("the host uses the table `numbers`") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_keeps_the_host_from_memory_of_the_device) {
  const Program sound = doubling({thread_index, guard, Assign{ys[i], xs[i] + xs[i]}});
  const auto with = [&](Stm stm) {
    Program program = sound;
    program.entries[0].body.insert(program.entries[0].body.begin(), std::move(stm));
    return violations(program);
  };
  const Expr first = var("ys", pointer_to(f32))[lit(0)];
  BOOST_TEST(with(Let{.name = "x", .type = type(PrimType::f32), .value = first}).find("the host uses `ys[0]`, which is memory of the device") != std::string::npos);
  BOOST_TEST(with(Assign{first, lit(PrimValue::of_float(PrimType::f32, 1.5))}).find("the host uses `ys[0]`, which is memory of the device") != std::string::npos);
  BOOST_TEST(with(plan::Copy{address_of(first), address_of(var("ys", pointer_to(f32))[lit(1)]), lit(1)}) == "");
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_store_by_all_threads_to_one_place) {
  BOOST_TEST(violations(doubling({Assign{ys[lit(0)], xs[lit(0)]}})) ==
             "double_kernel: all threads store to `ys[0]`\n");
}

BOOST_AUTO_TEST_CASE(verify_rejects_an_undefined_name) {
  BOOST_TEST(violations(doubling({thread_index, guard, Assign{ys[i], xs[var("j")]}})) ==
             "double_kernel: `j` is not defined\n");
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_store_to_an_input) {
  const Expr not_const = var("xs", pointer_to(f32));
  BOOST_TEST(violations(doubling({thread_index, guard, Assign{not_const[i], ys[i]}}))
                 .find("`xs`, which is const") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_barrier_behind_a_guard) {
  BOOST_TEST(violations(doubling({thread_index, If{.condition = i < var("n"),
                                                   .then_body = {Barrier{"x is there"}}}})) ==
             "double_kernel: a barrier that some threads do not reach\n");
}

BOOST_AUTO_TEST_CASE(verify_knows_closures_and_what_they_are_for) {
  const Alias tile{"Tile", runtime::thread_tile(8)};
  const Expr load = var("load", struct_type("auto")), add = var("add", struct_type("auto")), totals = var("totals", pointer_to(f32));
  const Expr total = element(totals, var("r", i32), var("c", i32));
  const Expr sums = runtime::accumulate(tile, runtime::all_summands(var("n")), add, {runtime::tile_operand(tile, true, true, lit(0), var("n"), load)});
  const LocalArray array{.name = "totals", .elem = type(f32), .size = runtime::rows_of_thread(tile), .columns = runtime::columns_of_thread(tile)};
  const auto with = [&](Stms of_add, bool guarded = false) {
    Stms body{tile, array, Closure{"load", {{"j", type(i64)}, {"l", type(i64)}}, {Return{xs[var("j")]}}},
              Closure{"add", {{"r", type(i32)}, {"c", type(i32)}, {"x", type(f32)}}, std::move(of_add)}};
    Stms call{Do{sums}};
    if (guarded) body.push_back(If{.condition = position(Position::thread_x) < var("n"), .then_body = std::move(call)});
    else body.push_back(call[0]);
    return violations(doubling(std::move(body)));
  };
  const Stm addition = Assign{total, var("x", f32), Op::add};
  BOOST_TEST(with({addition}) == "");
  BOOST_TEST(with({addition}, true) == "double_kernel: a combination where some threads do not come\n");
  BOOST_TEST(with({addition, Barrier{}}) == "double_kernel: a barrier that some threads do not reach\n");
  BOOST_TEST(with({Assign{totals[var("r", i32)], var("x", f32)}}).find("wrong number of operands") != std::string::npos);
  BOOST_TEST(with({Assign{element(xs, var("r", i32), var("c", i32)), var("x", f32)}}).find("wrong number of operands") != std::string::npos);
  BOOST_TEST(violations(doubling({array})).find("size of `totals` is no constant") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_arguments_that_do_not_fit) {
  const Stms body{thread_index, guard, Assign{ys[i], xs[i]}};
  BOOST_TEST(violations(doubling(body, {ys, xs})) ==
             "doubled: `double_kernel` takes 3 arguments, not 2\n");
  BOOST_TEST(violations(doubling(body, {xs, xs, var("n")})).find("argument `ys`") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_read_that_the_entry_does_not_announce) {
  Program program = doubling({thread_index, guard, Assign{ys[i], xs[i]}});
  program.entries[0].body.push_back(Read{.name = "first", .type = type(f32), .pointer = ys});
  BOOST_TEST(violations(program) == "doubled: a read, but the entry does not say that it waits\n");
}

// ---- Memory of the allocator

namespace {

/// The doubling of above, which holds a buffer besides.
Program holding(Stms stms) {
  Program program = doubling({thread_index, guard, Assign{ys[i], xs[i] + xs[i]}});
  Entry& entry = program.entries[0];
  entry.allocates = true;
  entry.params.insert(entry.params.begin(), {.name = "kept",
                                             .type = pointer_to(f32),
                                             .shape = {"n"},
                                             .access = Access::written,
                                             .late = true});
  entry.body.insert(entry.body.begin(), stms.begin(), stms.end());
  return program;
}

}  // namespace

BOOST_AUTO_TEST_CASE(verify_accepts_a_result_that_the_entry_allocates) {
  BOOST_TEST(violations(holding({Buffer{"held", type(f32)}, Allocate{"held", {var("n")}},
                                 Release{"kept", "held"}})) == "");
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_buffer_that_the_entry_does_not_announce) {
  Program program = holding({Buffer{"held", type(f32)}});
  program.entries[0].allocates = false;
  BOOST_TEST(violations(program).find("does not say that it allocates") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_memory_for_what_is_no_buffer) {
  BOOST_TEST(violations(holding({Allocate{"ys", {var("n")}}})).find("`ys` is no buffer") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_release_to_memory_of_the_caller) {
  BOOST_TEST(violations(holding({Buffer{"held", type(f32)}, Release{"ys", "held"}}))
                 .find("`ys` is no late result") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_buffers_of_different_elements_that_change_places) {
  BOOST_TEST(violations(holding({Buffer{"held", type(f32)}, Buffer{"other", type(f64)},
                                 Swap{"held", "other"}}))
                 .find("is of type") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_loop_in_order_that_is_worth_sharing) {
  Program program = holding({For{.name = "step",
                                 .type = type(i64),
                                 .from = lit(0),
                                 .to = var("n"),
                                 .worth = true_lit(),
                                 .body = {}}});
  BOOST_TEST(violations(program).find("worth sharing") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_store_that_all_parallel_iterations_make) {
  const Expr total = var("total", f32), step = var("step", i64), held = var("held", pointer_to(f32));
  const auto storing = [&](const Expr& target) {
    return violations(holding({Buffer{"held", type(f32)},
                               Let{.name = "total", .type = type(f32), .value = lit(0, f32), .changes = true},
                               For{.name = "step",
                                   .type = type(i64),
                                   .from = lit(0),
                                   .to = var("n"),
                                   .parallel = true,
                                   .body = {Let{.name = "own", .type = type(f32), .changes = true},
                                            Assign{var("own", f32), lit(1, f32)},
                                            Assign{target, lit(1, f32)}}}}));
  };
  const std::string wrong = "all iterations of a parallel loop store to";
  BOOST_TEST(storing(held[step]).find(wrong) == std::string::npos);
  BOOST_TEST(storing(held[lit(0)]).find(wrong + " `held[0]`") != std::string::npos);
  BOOST_TEST(storing(total).find(wrong + " `total`") != std::string::npos);
}

// ---- Turns of parallel iterations

namespace {

const Expr total = var("total", f32);
const Stm count_one = Assign{total, lit(1, f32), Op::add};

/// What is wrong with a parallel loop of this body on a cpu, which has a variable `total` outside.
std::string violations_of_iterations(Stms body) {
  Program program = doubling({thread_index, guard, Assign{ys[i], xs[i] + xs[i]}});
  program.target = Target::cpu;
  Entry& entry = program.entries[0];
  entry.kernels.clear();
  entry.body = {Let{.name = "total", .type = type(f32), .value = lit(0, f32), .changes = true},
                For{.name = "step",
                    .type = type(i64),
                    .from = lit(0),
                    .to = var("n"),
                    .parallel = true,
                    .body = std::move(body)}};
  return violations(program);
}

const Stm ends_half_way = If{.condition = var("step", i64) > 5, .then_body = {Continue{}}};

}  // namespace

BOOST_AUTO_TEST_CASE(verify_accepts_what_iterations_share_and_change_in_their_order) {
  BOOST_TEST(violations_of_iterations({Ordered{{count_one}}}) == "");
  BOOST_TEST(violations_of_iterations({ends_half_way, Ordered{{count_one}}}) == "");
  BOOST_TEST(violations_of_iterations({Ordered{{While{true_lit(), {count_one, Break{}}}}}}) == "");
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_second_turn_of_an_iteration) {
  const std::string wrong = "has its turn more than once";
  BOOST_TEST(violations_of_iterations({Ordered{{count_one}}, Ordered{{count_one}}}).find(wrong) !=
             std::string::npos);
  const For twice{.name = "j", .type = type(i64), .from = lit(0), .to = lit(2), .body = {Ordered{{count_one}}}};
  BOOST_TEST(violations_of_iterations({twice}).find(wrong) != std::string::npos);
  BOOST_TEST(violations_of_iterations({While{true_lit(), {Ordered{{count_one}}, Break{}}}}).find(wrong) !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_turns_outside_of_a_parallel_loop) {
  BOOST_TEST(violations(holding({Ordered{}})).find("not in a parallel loop") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_use_at_other_times_of_what_changes_in_order) {
  const Stm reads = Let{.name = "seen", .type = type(f32), .value = total};
  const std::string wrong = "`total` changes in order, and is used at other times";
  BOOST_TEST(violations_of_iterations({reads, Ordered{{count_one}}}).find(wrong) != std::string::npos);
  BOOST_TEST(violations_of_iterations({Ordered{{count_one, reads}}}) == "");
}

BOOST_AUTO_TEST_CASE(verify_rejects_a_jump_out_of_a_turn) {
  BOOST_TEST(violations_of_iterations({Ordered{{ends_half_way, count_one}}}).find("a jump out of") !=
             std::string::npos);
  BOOST_TEST(violations_of_iterations({Ordered{{Return{}}}}).find("a return out of") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(verify_rejects_an_allocation_by_parallel_iterations) {
  Program program = holding({Buffer{"held", type(f32)},
                             For{.name = "step",
                                 .type = type(i64),
                                 .from = lit(0),
                                 .to = var("n"),
                                 .parallel = true,
                                 .body = {Allocate{"held", {var("n")}}}}});
  BOOST_TEST(violations(program).find("an allocation in a parallel loop") != std::string::npos);
}

}  // namespace boustro::plan::verify_tests
