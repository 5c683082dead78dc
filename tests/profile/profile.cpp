// What `boustro profile` says of programs whose work does not depend on how they are planned.
#define BOOST_TEST_MODULE profile
#include <functional>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../unit/emit/driver/workplace.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/random_arguments.hpp"
#include "emit/run/watches.hpp"

namespace boustro::driver {
namespace {

struct Outcome {
  int exit_code;
  std::string printed;

  /// What is printed as JSON, behind complaints.
  nlohmann::json json() const {
    const std::size_t begin = printed.find('{');
    BOOST_REQUIRE_MESSAGE(begin != printed.npos, printed);
    return nlohmann::json::parse(printed.substr(begin));
  }
  /// Launches of kernels.
  int kernels() const {
    int launches = 0;
    const nlohmann::json report = json();
    for (const auto& row : report["rows"])
      if (row["work"] == "kernel") launches += row["launches"].get<int>();
    return launches;
  }
  std::uint64_t total(const std::string& counter) const { return json()["total"][counter]; }
  bool has(const std::string& text) const { return printed.find(text) != printed.npos; }
};

Outcome profile(const std::string& program, const std::string& input,
                ProfileOptions options = {.json = true}) {
  Workplace place(program);
  options.file = "program.fut";
  std::istringstream text(input);
  std::streambuf* const before = std::cin.rdbuf(text.rdbuf());
  const int code = place.profile(options);
  std::cin.rdbuf(before);
  return {code, place.printed()};
}

/// With random arguments.
Outcome profile_sized(const std::string& program, const Sizes& sizes, bool json = true) {
  return profile(program, "", {.sizes = sizes, .json = json});
}

const std::string affine_map =
    "entry main [n] (xs: [n]f32) (ys: [n]f32) = map2 (\\x y -> 2 * x + y) xs ys\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_map_reads_and_writes_each_element_once) {
  const Outcome outcome = profile_sized(affine_map, {{"n", 1000}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.json()["rows"].size() == 1);
  BOOST_TEST(outcome.json()["rows"][0]["work"] == "kernel");
  BOOST_TEST(outcome.total("launches") == 1);
  BOOST_TEST(outcome.total("threads") >= 250);  // four elements each at most
  BOOST_TEST(outcome.total("global_loads") == 2000);
  BOOST_TEST(outcome.total("global_load_bytes") == 8000);
  BOOST_TEST(outcome.total("global_stores") == 1000);
  BOOST_TEST(outcome.total("global_store_bytes") == 4000);
  for (const char* const counter : {"global_atomics", "shared_loads", "local_loads", "waits"})
    BOOST_TEST(outcome.total(counter) == 0, counter);
}

BOOST_AUTO_TEST_CASE(values_can_be_given) {
  const Outcome outcome = profile(affine_map, "[1f32, 2f32, 3f32] [4f32, 5f32, 6f32]");
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("global_loads") == 6);
  BOOST_TEST(profile(affine_map, "[1f32] [1f32").has("<stdin>: error"));
  BOOST_TEST(profile(affine_map, "[1f32]").exit_code == 1);
}

BOOST_AUTO_TEST_CASE(the_table_has_a_line_for_all) {
  const Outcome outcome = profile_sized(affine_map, {{"n", 10}}, false);
  BOOST_TEST(outcome.has("launches"));
  BOOST_TEST(outcome.has("\ntotal "));
}

BOOST_AUTO_TEST_CASE(a_reduction_reads_each_element_once) {
  const Outcome outcome = profile_sized(
      "entry main [n] (xs: [n]f64) = f64.sum (map (\\x -> x * x) xs)\n", {{"n", 500}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("global_load_bytes") >= 4000);
  BOOST_TEST(outcome.total("global_load_bytes") < 5000);  // partial sums
  BOOST_TEST(outcome.total("global_store_bytes") >= 8);
}

/// All blocks read the 64 elements of ys, and nothing else that others read or store.
BOOST_AUTO_TEST_CASE(blocks_have_in_common_what_all_points_read) {
  const Outcome outcome = profile_sized(
      "entry main [n] [m] (xs: [n]f32) (ys: [m]f32) = map (\\x -> f32.maximum (map (f32.cos >-> (* x)) ys)) xs\n", {{"n", 4096}, {"m", 64}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("common_bytes") == 64 * 4);
  BOOST_TEST(profile_sized(affine_map, {{"n", 4096}}).total("common_bytes") == 0);
}

BOOST_AUTO_TEST_CASE(scans_of_structs_are_told_from_those_of_numbers) {
  const auto seconds = [](const std::string& name, const std::string& program) {
    const Outcome outcome = profile_sized(program, {{"n", 2'000'000}});
    BOOST_TEST(outcome.exit_code == 0, outcome.printed);
    const auto row = outcome.json()["rows"][0];
    BOOST_TEST(row["name"] == name);
    BOOST_TEST(row["bound"] == "scan");
    return row["terms"]["scan"].get<double>();
  };
  const double numbers = seconds("cub::DeviceScan::InclusiveScan", "entry main [n] (xs: [n]f32) = scan (+) 0 xs\n");
  BOOST_TEST(numbers == 16e6 / 2.4e12, boost::test_tools::tolerance(1e-6));  // loaded and stored at a measured rate
  const double structs = seconds("cub::DeviceScan::InclusiveScan, structs",
                                 "entry main [n] (xs: [n]f32) (ys: [n]f32) = scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys) |> map (.1)\n");
  BOOST_TEST(structs == 24e6 / 1.1e12, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(the_work_of_a_host_loop_grows_with_its_trips) {
  const std::string program =
      "entry main [n] (xs: *[n]f32) (k: i64) =\n"
      "  loop xs for _i < k do map (\\i -> xs[(i + 1) % n] * 0.5) (iota n)\n";
  const Outcome few = profile_sized(program, {{"n", 4000}, {"k", 2}}),
                more = profile_sized(program, {{"n", 4000}, {"k", 12}});
  BOOST_TEST(few.exit_code == 0, few.printed);
  BOOST_TEST(more.total("global_load_bytes") >= few.total("global_load_bytes") + 10 * 16000);
  BOOST_TEST(more.total("global_store_bytes") >= few.total("global_store_bytes") + 10 * 16000);
}

/// Rows that only the second index selects are read by neighbours along the first one: 32 threads ask for one sector.
BOOST_AUTO_TEST_CASE(neighbours_read_the_same_row) {
  const Outcome outcome = profile_sized(
      "entry main [n] [m] [d] (xs: [n]f64) (yss: [m][d]f64) : [n][m]f64 =\n"
      "  map (\\x -> map (\\ys -> f64.sum (map (f64.max x) ys)) yss) xs\n",
      {{"n", 64}, {"m", 16}, {"d", 8}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  const double warps = 64 * 16 / 32, of_rows = warps * 8, of_xs = warps * 8;
  BOOST_TEST(outcome.total("global_load_sectors") == of_rows + of_xs);
}

/// No two points add to the same cell: each of them stores what it would add.
BOOST_AUTO_TEST_CASE(shifted_additions_are_stores) {
  const Outcome outcome = profile_sized(
      "entry main [n] (xs: [n]f64) (ys: [n]f64) = vjp (\\xs -> tabulate n (\\i -> if 0 < i then f64.sin xs[i - 1] else 0)) xs ys\n", {{"n", 500}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("global_atomics") == 0);
  BOOST_TEST(outcome.total("global_loads") <= 1000);  // xs and ys, once each
  BOOST_TEST(outcome.total("global_stores") == 499);
}

namespace {

/// As many values as there are indices, which `index` says, are added to cells that are too many for blocks to have copies of.
Outcome additions_to(int values, const std::function<int(int)>& index) {
  std::string indices, ones;
  for (int i = 0; i < values; ++i) {
    indices += fmt::format("{}{}i64", i == 0 ? "" : ", ", index(i));
    ones += fmt::format("{}{}f32", i == 0 ? "" : ", ", i % 5);
  }
  return profile("entry main [n] (is: [n]i64) (vs: [n]f32) : [70000]f32 = reduce_by_index (replicate 70000 0) (+) 0 is vs\n",
                 "[" + indices + "] [" + ones + "]");
}

}  // namespace

/// Of the lanes of a warp that add to the same cell one does it. A warp is the last one, of 8 lanes.
BOOST_AUTO_TEST_CASE(lanes_of_a_warp_add_together) {
  constexpr int values = 1000, warps = 32;
  const Outcome one_cell = additions_to(values, [](int) { return 7; });
  BOOST_TEST(one_cell.exit_code == 0, one_cell.printed);
  BOOST_TEST(one_cell.total("global_atomics") == warps);
  BOOST_TEST(one_cell.total("most_global_atomics") == warps);

  const Outcome apart = additions_to(values, [](int i) { return i * 64; });
  BOOST_TEST(apart.total("global_atomics") == values);
  BOOST_TEST(apart.total("most_global_atomics") == 1);

  const Outcome eleven = additions_to(values, [](int i) { return i % 11; });
  BOOST_TEST(eleven.total("global_atomics") == 31 * 11 + 8);
  BOOST_TEST(eleven.total("most_global_atomics") == 32 * 2);  // in two sectors

  int pairs_in_warps = 0;  // of neighbours that are in one warp: an atomic less for each
  for (int i = 1; i < values; ++i) pairs_in_warps += i / 5 == (i - 1) / 5 && i % 32 != 0;
  BOOST_TEST(additions_to(values, [](int i) { return i / 5; }).total("global_atomics") == values - pairs_in_warps);
}

/// Of each warp each second lane, in one branch, and then the others, in the other one.
BOOST_AUTO_TEST_CASE(lanes_of_a_branch_add_together) {
  const Outcome outcome = profile_sized(
      "entry main [n] (ks: [n]i64) (ys: [n]f64) : [70000]f64 =\n"
      "  let js = map (\\k -> k % 1 + 5) ks |> opaque\n"
      "  in vjp (\\xs -> map2 (\\i j -> if i % 2 == 0 then f64.sin (#[unsafe] xs[j]) else (#[unsafe] xs[j + 1]) * f64.exp (#[unsafe] xs[j + 2])) (iota n) js)\n"
      "         (replicate 70000 0) ys\n", {{"n", 640}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("global_atomics") == 3 * 640 / 32);
}

/// Where blocks have copies each lane adds by itself, unless it is told otherwise: lanes of a warp have 8 copies of 16 cells then.
BOOST_AUTO_TEST_CASE(lanes_add_to_copies_together_if_asked_to) {
  const auto additions = [](const std::string& attribute) {
    const Outcome outcome = profile_sized("entry main [n] (ks: [n]i64) : [16]i32 =\n"
                                          "  let js = map (\\k -> k % 1) ks |> opaque\n"
                                          "  in " + attribute + " reduce_by_index (replicate 16 0) (+) 0 js (replicate n 1)\n", {{"n", 1024}});
    BOOST_TEST(outcome.exit_code == 0, outcome.printed);
    return outcome.total("shared_atomics");
  };
  BOOST_TEST(additions("") == 1024);
  BOOST_TEST(additions("#[aggregate]") == 1024 / 32 * 8);
}

/// Points of both branches may add to the same cells, but not those of one.
BOOST_AUTO_TEST_CASE(additions_of_branches_come_one_after_the_other) {
  const Outcome outcome = profile_sized(
      "entry main [n] (xs: [n]f64) (ys: [n]f64) =\n"
      "  vjp (\\xs -> tabulate n (\\i -> if i < 3 then f64.sin xs[5 - i] else f64.cos xs[i - 2])) xs ys\n", {{"n", 500}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("global_atomics") == 0);
  BOOST_TEST(outcome.kernels() == 2);
}

/// Those of equal elements, too.
BOOST_AUTO_TEST_CASE(rows_of_literals_take_no_kernels) {
  const Outcome outcome = profile_sized(
      "entry main [n] (is: [n]i64) = map (\\i -> i64.sum (([[0, 0, 0], [1, 2, 3], [5, 5, 5], [7, 8, 9]] : [4][3]i64)[i % 4])) is\n", {{"n", 500}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.kernels() == 1);
}

/// Few long rows: neighbours read neighbouring elements of a row, and so each of its sectors once.
BOOST_AUTO_TEST_CASE(threads_share_the_sum_of_a_row) {
  const Outcome outcome = profile_sized("entry main [n] [m] (xss: [n][m]f64) : [n]f64 = map f64.sum xss\n", {{"n", 5}, {"m", 4096}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("threads") == 5 * 256);
  BOOST_TEST(outcome.total("global_load_sectors") == 5 * 4096 / 4);
}

/// Few long columns: neighbours read neighbouring columns.
BOOST_AUTO_TEST_CASE(threads_share_the_sum_of_a_column) {
  const Outcome outcome = profile_sized("entry main [n] [m] (xss: [n][m]f64) : [m]f64 = map f64.sum (transpose xss)\n", {{"n", 4096}, {"m", 32}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("threads") == 4 * 256);  // 8 columns a block
  BOOST_TEST(outcome.total("global_load_sectors") == 32 * 4096 / 4);
}

/// A row for two: the threads of a block that would have no row take more of these.
BOOST_AUTO_TEST_CASE(few_rows_have_many_threads) {
  const Outcome outcome = profile_sized(
      "entry main [n] [m] (xss: [n][m]f32) = map (map (\\x -> x * x + 1)) xss\n", {{"n", 2}, {"m", 4096}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("threads") == 2 * 4096);
}

BOOST_AUTO_TEST_CASE(what_the_host_knows_needs_no_kernel) {
  const Outcome outcome = profile_sized(
      "def log2 (n: i64) : i64 = let (k, _) = loop (k, m) = (0, n) while m > 1 do (k + 1, m / 2) in k\n"
      "entry main [n] (xs: [n]f32) = map (* (f32.i64 (log2 n) + f32.exp 1)) xs\n", {{"n", 100}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("launches") == 1);
}

BOOST_AUTO_TEST_CASE(literals_of_numbers_are_tables) {
  const Outcome outcome = profile_sized(
      "entry main [n] (is: [n]i64) = map (\\i -> [[3i32, 1], [4, 1], [5, 9]][i %% 3, i %% 2]) is\n", {{"n", 100}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.kernels() == 1);
  BOOST_TEST(outcome.total("local_stores") == 0);
}

BOOST_AUTO_TEST_CASE(the_host_computes_with_what_it_waits_for) {
  const Outcome outcome = profile(
      "entry main [n] (xs: [n]i64) =\n"
      "  let steps = i64.sum xs %% 4 + 1\n"
      "  in loop ys = xs for _i < steps * 2 do map2 (\\y z -> y + z) ys (rotate 1 ys)\n", "[3i64, 4i64, 3i64]");
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.kernels() == 6);
  BOOST_TEST(outcome.total("waits") == 1);
}

BOOST_AUTO_TEST_CASE(kernels_compute_what_only_they_need) {
  const Outcome outcome = profile_sized(
      "entry main [n] (xs: [n]f64) =\n"
      "  let (x, y) = reduce (\\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs)\n"
      "  in map (\\z -> z * (x / (y + 3))) xs\n", {{"n", 100}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.kernels() == 1);
}

BOOST_AUTO_TEST_CASE(rotations_are_read_where_they_are_needed) {
  const Outcome outcome = profile_sized(
      "entry main [n] (xs: [n]f64) = map3 (\\l x r -> l + x * r) (rotate (-1) xs) xs (rotate 1 xs)\n", {{"n", 1000}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("launches") == 1);
  BOOST_TEST(outcome.total("global_loads") == 3000);
}

/// Two kernels; they store the result where it belongs, though they number its cells.
BOOST_AUTO_TEST_CASE(what_all_points_add_to_cells_takes_no_atomic_and_no_copy) {
  const Outcome outcome = profile_sized(
      "entry main [n][k][d] (w: [n][k]f64) (x: [n][d]f64) (q: [k][d][d]f64) : [k][d][d]f64 =\n"
      "  vjp (\\q -> f64.sum (map2 (\\x w -> f64.sum (map2 (\\q y -> y * f64.sum (map2 (\\row z ->\n"
      "         z * f64.sum (map2 (*) row x)) q x)) q w)) x w)) q 1\n",
      {{"n", 300}, {"k", 2}, {"d", 3}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.kernels() == 2);
  BOOST_TEST(outcome.json()["rows"].size() == 2);
  BOOST_TEST(outcome.total("global_atomics") == 0);
}

BOOST_AUTO_TEST_CASE(operations_and_lanes_are_counted) {
  const Outcome outcome = profile_sized(affine_map, {{"n", 1024}});
  BOOST_TEST(outcome.total("f32_operations") == 1024);
  BOOST_TEST(outcome.total("f32_fused") == 1024);
  BOOST_TEST(outcome.total("f64_operations") == 0);
  BOOST_TEST(outcome.total("needed_bytes") == 8192);
  BOOST_TEST(outcome.total("left_bytes") == 4096);
  BOOST_TEST(outcome.json()["total"]["active_lanes"] == 32);
  const Outcome special = profile_sized("entry main [n] (xs: [n]f64) = map (\\x -> f64.exp x / 3) xs\n", {{"n", 100}});
  BOOST_TEST(special.total("f64_special") == 200);
}

BOOST_AUTO_TEST_CASE(times_are_those_of_the_device) {
  const auto seconds = [&](const std::string& device) {
    const Outcome outcome = profile(affine_map, "", {.sizes = {{"n", 1000000}}, .device = device, .json = true});
    BOOST_TEST(outcome.exit_code == 0, outcome.printed);
    BOOST_TEST(outcome.json()["device"] == device);
    BOOST_TEST(outcome.json()["rows"][0]["bound"] == "memory");
    return outcome.json()["total"]["seconds"].get<double>();
  };
  BOOST_TEST(seconds("h200") < seconds("a100"));
  BOOST_TEST(seconds("a100") < seconds("rtx4090"));
}

BOOST_AUTO_TEST_CASE(reports_are_compared) {
  Workplace place(affine_map);
  const auto report = [&](const ProfileOptions& options) {
    place.profile(options);
    return place.printed();
  };
  ProfileOptions options{.file = "program.fut", .sizes = {{"n", 1000}}, .json = true};
  options.compare = "old.json";
  std::ofstream("old.json") << report({.file = "program.fut", .sizes = {{"n", 500}}, .json = true});
  const std::string table = report(options);
  for (const char* const part : {"old", "new", "ratio", "operations", "2.00", "total"})
    BOOST_TEST(table.find(part) != table.npos, table);
  std::ofstream("old.json") << "nothing";
  BOOST_TEST(report(options).find("no report of `boustro profile --json`") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nests_of_cpp_are_measured_and_counted) {
  const Outcome outcome = profile(
      "entry main [n] (xss: [n][n]f64) (k: i64) =\n"
      "  let sums = map f64.sum xss\n"
      "  in loop ys = sums for _i < k do map (* 0.5) ys\n",
      "", {.sizes = {{"n", 64}, {"k", 3}}, .target = "cpp", .device = "cpu", .json = true});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  const auto rows = outcome.json()["rows"];
  BOOST_TEST(rows[0]["work"] == "nest");
  BOOST_TEST(rows.back()["work"] == "rest");
  BOOST_TEST(outcome.total("f64_operations") == 64 * 64 + 3 * 64);
  for (const auto& row : rows) BOOST_TEST(row["measured_seconds"].get<double>() >= 0);
  BOOST_TEST(outcome.json()["total"]["measured_seconds"].get<double>() > 0);
}

/// All numbers of the map at a size, whether it runs there or not.
BOOST_AUTO_TEST_CASE(what_is_extrapolated_is_what_runs) {
  const Outcome direct = profile_sized(affine_map, {{"n", 65536}});
  const Outcome outcome =
      profile(affine_map, "", {.sizes = {{"n", 4096}}, .extrapolate = {{"n", 65536}}, .json = true});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.json()["rows"] == direct.json()["rows"]);
  BOOST_TEST(outcome.json()["total"] == direct.json()["total"]);
  BOOST_TEST(outcome.json()["extrapolated"].dump() == R"([{"from":[1024,2048,3072,4096],"size":"n","to":65536}])");
  BOOST_TEST(outcome.json()["guesses"].empty());
  BOOST_TEST(!direct.json().contains("extrapolated"));
}

BOOST_AUTO_TEST_CASE(large_sizes_are_extrapolated) {
  const Outcome outcome =
      profile(affine_map, "", {.sizes = {{"n", 4096}}, .extrapolate = {{"n", 10'000'000'000}}, .json = true});
  BOOST_TEST(outcome.total("global_loads") == 20'000'000'000);
  BOOST_TEST(outcome.total("left_bytes") == 40'000'000'000);
  BOOST_TEST(outcome.total("f32_fused") == 10'000'000'000);
  BOOST_TEST(outcome.json()["rows"][0]["bound"] == "memory");
}

BOOST_AUTO_TEST_CASE(the_table_says_what_is_extrapolated) {
  const Outcome outcome = profile("entry main [n] [m] (xss: [n][m]f32) = map (map (* 2)) xss\n", "",
                                  {.sizes = {{"n", 64}, {"m", 256}}, .extrapolate = {{"n", 1000}, {"m", 1024}}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.has("extrapolated to m = 1024; n = 1000 from m = 64, 128, 192, 256; n = 16, 32, 48, 64\n"), outcome.printed);
}

/// A sum of products for each pair, and no sizes in common.
BOOST_AUTO_TEST_CASE(several_sizes_are_extrapolated_together) {
  const Outcome outcome = profile(
      "entry main [n] [m] [k] (xss: [n][k]f32) (yss: [m][k]f32) =\n"
      "  map (\\xs -> map (\\ys -> f32.maximum (map2 (\\x y -> x * y + 1) xs ys)) yss) xss\n", "",
      {.sizes = {{"n", 64}, {"m", 64}, {"k", 16}}, .extrapolate = {{"n", 1000}, {"k", 100}}, .json = true});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("f32_fused") == 1000 * 64 * 100);
}

/// Its launches grow with it, after what stands before the loop.
BOOST_AUTO_TEST_CASE(trips_of_a_loop_are_extrapolated) {
  const Outcome outcome = profile(
      "entry main [n] (xs: *[n]f32) (k: i64) =\n"
      "  loop xs for _i < k do map (\\i -> xs[(i + 1) % n] * 0.5) (iota n)\n", "",
      {.sizes = {{"n", 1024}, {"k", 4}}, .extrapolate = {{"k", 1000}}, .json = true});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.kernels() == 1000);
  BOOST_TEST(outcome.total("f32_operations") == 1000 * 1024);
}

BOOST_AUTO_TEST_CASE(a_failure_is_not_extrapolated) {
  const Outcome outcome = profile("entry main [n] (xs: [n]f32) = map (\\i -> xs[i + 1]) (iota n)\n", "",
                                  {.sizes = {{"n", 64}}, .extrapolate = {{"n", 1000}}});
  BOOST_TEST(outcome.exit_code == 1);
  BOOST_TEST(outcome.printed.starts_with("error: program.fut:1:"), outcome.printed);
}

/// An integer of the program that is an extent, too.
BOOST_AUTO_TEST_CASE(arguments_have_extents_that_are_parameters) {
  const Outcome outcome = profile_sized("entry main (w: i64) (xs: [w]f32) = map (+ 1) xs\n", {{"w", 100}});
  BOOST_TEST(outcome.exit_code == 0, outcome.printed);
  BOOST_TEST(outcome.total("f32_operations") == 100);
}

/// Where there is nvcc, but no GPU, it compiles at least.
BOOST_AUTO_TEST_CASE(each_kernel_is_measured_on_a_gpu) {
  if (run::nvcc_path().empty()) return;
  Workplace place(affine_map);
  Session session;
  auto core = load_core(session, "program.fut", {.entries = {"main"}});
  RandomValues random(1);
  const auto args = random_arguments(random, core->functions.at(0), {{"n", 100}});
  const auto program = run_passes(session, std::move(*core), Goal::gpu);
  const auto emitted = emit(session, *program, {.name = "program"});
  const auto measure = [&] { return run::KernelTimes(*program, *emitted).measure("main", args); };
  if (run::has_gpu()) {
    BOOST_TEST(measure().size() == 1);
  } else {
    BOOST_CHECK_THROW(measure(), run::RunFailure);
  }
}

BOOST_AUTO_TEST_CASE(a_failure_is_reported_before_the_counts) {
  const Outcome outcome = profile(
      "entry main [n] (xs: [n]i32) (is: [n]i64) = map (\\i -> xs[i]) is\n", "[1, 2] [0i64, 7i64]");
  BOOST_TEST(outcome.exit_code == 1);
  BOOST_TEST(outcome.printed.starts_with("program.fut:1:"), outcome.printed);
  const std::string failure = outcome.json()["failure"];
  BOOST_TEST(outcome.printed.starts_with(failure + "\n{"), outcome.printed);
  BOOST_TEST(outcome.total("launches") >= 1);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_profiled_is_refused) {
  BOOST_TEST(profile("def f (x: i32) = x\n", "1").has("entry"));
  BOOST_TEST(profile("entry main (x: i32) = y\n", "1").exit_code == 1);
  const std::tuple<const char*, int, const char*> sizes[] = {{"n", -1, "`n`, a size, cannot be -1"},
                                                             {"m", 3, "no integer parameter `m`"}};
  for (const auto& [name, size, message] : sizes) {
    const Outcome outcome = profile_sized(affine_map, {{name, size}});
    BOOST_TEST(outcome.exit_code == 1);
    BOOST_TEST(outcome.has(message), outcome.printed);
  }
}

}  // namespace boustro::driver
