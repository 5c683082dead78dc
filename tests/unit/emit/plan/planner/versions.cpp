#include "emit/plan/planner/versions.hpp"

#include <functional>

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner::versions_tests {
namespace {

const Expr n = var("n"), k = var("k");

Launch launch_of(const std::string& kernel) { return {.kernel = kernel, .grid = {lit(1)}, .block = {lit(1)}}; }

/// An entry with the sizes n and k, kernels `first` (of tiles) and `second` with a definition that only `first` uses, and this body.
Entry entry_of(Stms body, bool of_tiles = true) {
  Entry entry{.name = "f"};
  entry.params = {{.name = "n", .type = type(i64)}, {.name = "k", .type = type(i64)}};
  entry.kernels = {{.name = "first", .body = {Do{call("helper", type(i64), {n})}}, .of_tiles = of_tiles}, {.name = "second", .body = {Return{}}}};
  entry.definitions = {Function{.name = "inner"}, Function{.name = "helper", .body = {Do{call("inner", type(i64), {})}}}};
  entry.body = std::move(body);
  return entry;
}

Stm choice(Expr condition) { return If{std::move(condition), {launch_of("first")}, {If{n > 0, {launch_of("second")}}}, true}; }

Expr tiles() { return runtime::tiles_pay(n, k, lit(64), lit(1)); }
/// What needs room: `rows > 0`, as many as fit.
Stms staged(const Expr& bytes) {
  return {Let{.name = "rows", .type = type(PrimType::u32), .value = runtime::staged_rows_for(bytes)}, choice(var("rows", PrimType::u32) > lit(0, PrimType::u32))};
}

std::vector<std::string> launched(const Entry& entry) {
  std::vector<std::string> kernels;
  const std::function<void(const Stms&)> walk = [&](const Stms& stms) {
    for (const Stm& stm : stms) {
      if (const auto* launch = std::get_if<Launch>(&stm.what)) kernels.push_back(launch->kernel);
      if (const auto* branch = std::get_if<If>(&stm.what)) walk(branch->then_body), walk(branch->else_body);
    }
  };
  walk(entry.body);
  return kernels;
}

std::vector<std::string> kernels_of(const Entry& entry) {
  std::vector<std::string> names;
  for (const Kernel& kernel : entry.kernels) names.push_back(kernel.name + (kernel.only_meant ? " (meant)" : ""));
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(versions)

BOOST_AUTO_TEST_CASE(both_are_left_if_nothing_is_known) {
  Entry entry = entry_of({choice(tiles())});
  choose_versions(entry, {});
  BOOST_TEST(launched(entry) == Names({"first", "second"}), boost::test_tools::per_element());
  choose_versions(entry, {{"n", 1000}});
  BOOST_TEST(launched(entry) == Names({"first", "second"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tiles_alone_are_launched_where_there_are_some) {
  Entry entry = entry_of({choice(tiles())});
  choose_versions(entry, {{"n", 1000}, {"k", 1000}});
  BOOST_TEST(launched(entry) == Names({"first"}), boost::test_tools::per_element());
  BOOST_TEST((std::get<If>(entry.body.at(0).what).condition == (n > 0 && k > 0)));
  // The other one says what they compute.
  BOOST_TEST(kernels_of(entry) == Names({"first", "second (meant)"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_of_tiles_need_no_columns) {
  Entry entry = entry_of({choice(runtime::rows_of_tiles_pay(n, var("d"), lit(64), k))});
  choose_versions(entry, {{"n", 1000}, {"k", 1000}});
  BOOST_TEST(launched(entry).size() == 2u);
  entry.params.push_back({.name = "d", .type = type(i64)});
  choose_versions(entry, {{"n", 1000}, {"k", 1000}, {"d", 64}});
  BOOST_TEST((std::get<If>(entry.body.at(0).what).condition == (n > 0 && k > 0)));
}

BOOST_AUTO_TEST_CASE(threads_alone_are_launched_as_they_were) {
  Entry entry = entry_of({choice(tiles())});
  choose_versions(entry, {{"n", 10}, {"k", 1000}});
  BOOST_TEST(launched(entry) == Names({"second"}), boost::test_tools::per_element());
  BOOST_TEST((std::get<If>(entry.body.at(0).what).condition == (n > 0)));
  BOOST_TEST(kernels_of(entry) == Names({"second"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(choices_inside_of_a_way_not_taken_go_with_it) {
  Entry entry = entry_of({If{n > 100, {choice(tiles())}, {launch_of("third")}, true}});
  entry.kernels.push_back({.name = "third", .body = {Return{}}});
  choose_versions(entry, {{"n", 10}});
  BOOST_TEST(launched(entry) == Names({"third"}), boost::test_tools::per_element());
  BOOST_TEST(kernels_of(entry) == Names({"third"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_needs_room_keeps_the_other_beside_it) {
  Entry entry = entry_of(staged(n * size_of(type(f32))), false);
  choose_versions(entry, {{"n", 35}});
  BOOST_TEST(launched(entry) == Names({"first", "second"}), boost::test_tools::per_element());
  choose_versions(entry, {{"n", 100'000}});
  BOOST_TEST(launched(entry) == Names({"second"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_known_to_have_room_does_not) {
  Entry entry = entry_of(staged(lit(35, PrimType::u64) * size_of(type(f32))), false);
  choose_versions(entry, {});
  BOOST_TEST(launched(entry) == Names({"first"}), boost::test_tools::per_element());
  BOOST_TEST(kernels_of(entry) == Names({"first"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(conditions_that_are_no_choice_stay) {
  Entry entry = entry_of({If{tiles(), {launch_of("first")}, {launch_of("second")}}});
  choose_versions(entry, {{"n", 1000}, {"k", 1000}});
  BOOST_TEST(launched(entry).size() == 2u);
}

BOOST_AUTO_TEST_CASE(variables_of_loops_are_not_what_they_were_outside) {
  Stms inside{Let{.name = "m", .type = type(i64), .value = var("i") * n}, choice(runtime::tiles_pay(var("m"), var("m"), lit(64), lit(1)))};
  Entry entry = entry_of({Let{.name = "m", .type = type(i64), .value = n},
                          For{.name = "i", .type = type(i64), .from = lit(0), .to = k, .body = std::move(inside)}});
  choose_versions(entry, {{"n", 1000}, {"k", 1000}});
  BOOST_TEST(std::get<If>(std::get<For>(entry.body.at(1).what).body.at(1).what).versions);
}

BOOST_AUTO_TEST_CASE(memory_that_only_the_other_needs_goes) {
  const auto reading = [](const std::string& kernel, const std::string& piece) {
    Launch launch = launch_of(kernel);
    launch.args = {scratch_field(piece, pointer_to(f32))};
    return launch;
  };
  Entry entry = entry_of({If{tiles(), {reading("first", "a")}, {reading("second", "b")}, true}});
  entry.scratch.sizes = {{.name = "of_a", .type = type(i64), .value = n}, {.name = "of_b", .type = type(i64), .value = k}};
  entry.scratch.pieces = {{.name = "a", .elem = type(f32), .count = var("of_a")}, {.name = "b", .elem = type(f32), .count = var("of_b")},
                          {.name = "c", .elem = type(f32), .count = lit(1)}};
  choose_versions(entry, {{"n", 1000}, {"k", 1000}});
  BOOST_TEST(entry.scratch.pieces.size() == 2u);
  BOOST_TEST(entry.scratch.pieces[0].name == "a");
  BOOST_TEST(entry.scratch.pieces[1].name == "c");
  BOOST_TEST(entry.scratch.sizes.size() == 1u);
  BOOST_TEST(entry.scratch.sizes[0].name == "of_a");
}

BOOST_AUTO_TEST_CASE(sizes_have_the_names_of_the_source) {
  Entry entry = entry_of({choice(runtime::tiles_pay(var("n_1"), var("n_1"), lit(64), lit(1)))});
  entry.params[0].name = "n_1";
  entry.renamed = {"n' is n_1"};
  choose_versions(entry, {{"n'", 1000}});
  BOOST_TEST(launched(entry) == Names({"first"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_nothing_refers_to_goes) {
  Program program;
  program.entries = {entry_of({choice(tiles())})};
  choose_versions(program.entries[0], {{"n", 10}, {"k", 10}});
  drop_unreferenced(program);
  BOOST_TEST(program.entries[0].definitions.empty());

  Program sized;
  sized.entries = {entry_of({})};
  sized.entries[0].kernels.clear();
  sized.entries[0].scratch.pieces = {{.name = "a", .elem = type(f32), .count = call("helper", type(i64), {n})}};
  drop_unreferenced(sized);
  BOOST_TEST(sized.entries[0].definitions.size() == 2u);

  Program other;
  other.entries = {entry_of({choice(tiles())})};
  drop_unreferenced(other);
  BOOST_TEST(other.entries[0].definitions.size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_two_kernels_share_becomes_the_body_of_the_one_that_is_left) {
  const std::vector<Param> params{{.name = "n", .type = type(i64)}};
  const Stm shared = Do{call("add_cells", type(i64), {n})};
  Entry entry = entry_of({choice(runtime::copies_pay(n, lit(256), size_of(type(f32))))}, false);
  entry.definitions = {Function{.name = "add_cells", .params = params, .body = {Break{}, Break{}}}};
  entry.kernels[0].body = {shared, shared};
  entry.kernels[1] = {.name = "second", .params = params, .body = {shared}, .beside_others = "Straight, as it does not pay. "};
  entry.kernels[1].comment.grid = "one thread per row; see add_cells";
  entry.kernels[1].comment.notes = {"Straight, as it does not pay. The order varies."};
  choose_versions(entry, {{"n", 1 << 20}});
  BOOST_TEST(entry.kernels.size() == 2u);
  entry.body = {choice(runtime::copies_pay(n, n, size_of(type(f32))))};
  choose_versions(entry, {{"n", 1 << 20}});
  BOOST_TEST(entry.kernels.size() == 1u);
  BOOST_TEST(entry.kernels[0].body.size() == 2u);
  BOOST_TEST(entry.kernels[0].comment.grid == "one thread per row");
  BOOST_TEST(entry.kernels[0].comment.notes.at(0) == "The order varies.");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::versions_tests
