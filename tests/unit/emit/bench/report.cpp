// What is shown of measurements that are known.
#include "emit/bench/report.hpp"

#include <fstream>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "emit/bench/times.hpp"
#include "emit/run/process.hpp"

namespace boustro::bench {
namespace {

/// A function that takes 2 ms on average, and a derivative that takes 5; on another data set the derivative fails.
Table example() {
  const Measurement primal{.seconds = {0.001, 0.003}, .scratch_bytes = 2048}, derivative{.seconds = {0.005, 0.005}};
  return {"a/b.fut", {{"primal", "f"}, {"vjp", "f_vjp"}}, {{"small", {primal, derivative}}, {"large", {primal, {.failure = "too\nlarge"}}}}};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(names_are_those_of_futhark_bench) {
  BOOST_TEST(full_name("a/b.fut", "main") == "a/b.fut");
  BOOST_TEST(full_name("a/b.fut", "f") == "a/b.fut:f");
}

BOOST_AUTO_TEST_CASE(kernels_follow_the_table_the_longest_first) {
  Table table = example();
  table.rows[0].measurements[1].kernels = {{"xs_adj_kernel", 0.001}, {"ys_kernel", 0.003}};
  const std::string text = table_text(table);
  BOOST_TEST(has(text, "kernels of a/b.fut:f_vjp small\n"));
  BOOST_TEST(text.find("ys_kernel") < text.find("xs_adj_kernel"));
  BOOST_TEST(!has(text, "kernels of a/b.fut:f small"));
  const auto json = nlohmann::json::parse(json_text({table}));
  BOOST_TEST(json["a/b.fut:f_vjp"]["datasets"]["small"]["kernels"]["ys_kernel"] == 3'000'000);
  BOOST_TEST(!json["a/b.fut:f"]["datasets"]["small"].contains("kernels"));
}

BOOST_AUTO_TEST_CASE(tables_have_functions_side_by_side_with_their_ratio) {
  const std::string text = table_text(example());
  const std::string small = text.substr(text.find("  small"), text.find("  large") - text.find("  small"));
  BOOST_TEST(has(small, "2.00 ms"));
  BOOST_TEST(has(small, "2.0 KB"));
  BOOST_TEST(has(small, "5.00 ms"));
  BOOST_TEST(has(small, " 2.50\n"));
  BOOST_TEST(has(text, "FAILED  a/b.fut:f_vjp large\n        too\n        large\n"));
  BOOST_TEST(has_failures(example()));
  Table good = example();
  good.rows.pop_back();
  BOOST_TEST(!has_failures(good));
}

BOOST_AUTO_TEST_CASE(one_call_says_nothing_of_the_spread) {
  const Table table{"b.fut", {{"primal", "main"}}, {{"n", {{.seconds = {1e-5}}}}}};
  BOOST_TEST(has(table_text(table), "10.00 us"));
  BOOST_TEST(!has(table_text(table), "%\n"));
  BOOST_TEST(!has(table_text(table), "±"));
}

BOOST_AUTO_TEST_CASE(json_is_that_of_futhark_bench_and_more) {
  const auto json = nlohmann::json::parse(json_text({example()}));
  const auto& small = json.at("a/b.fut:f").at("datasets").at("small");
  BOOST_TEST((small.at("runtimes") == nlohmann::json{1000, 3000}));
  BOOST_TEST(small.at("runtimes").at(0).is_number_integer());
  BOOST_TEST(small.at("bytes").at("scratch") == 2048);
  BOOST_TEST((small.at("nanoseconds") == nlohmann::json{1000000, 3000000}));
  BOOST_TEST(small.at("compared") == false);
  BOOST_TEST(!small.contains("ratio"));
  const auto& derivative = json.at("a/b.fut:f_vjp").at("datasets");
  BOOST_TEST(derivative.at("small").at("primal") == "a/b.fut:f");
  BOOST_TEST(derivative.at("small").at("ratio").get<double>() == 2.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(derivative.at("large") == "too\nlarge");
}

BOOST_AUTO_TEST_CASE(json_of_two_tables_of_one_program) {
  Table other = example();
  other.variants = {{"primal", "g"}, {"jvp", "g_jvp"}};
  BOOST_TEST(nlohmann::json::parse(json_text({example(), other})).size() == 4U);
  BOOST_TEST(nlohmann::json::parse(json_text({})) == nlohmann::json::object());
}

BOOST_AUTO_TEST_CASE(times_are_read_while_they_are_written) {
  const run::TemporaryFolder folder;
  const auto path = folder.path() / "times";
  BOOST_TEST(read_times(path).seconds.empty());
  std::ofstream(path) << "scratch 77\n0.5\n0.25\n0.1";
  BOOST_TEST(read_times(path).scratch_bytes == 77U);
  BOOST_TEST(read_times(path).seconds == (std::vector<double>{0.5, 0.25}), boost::test_tools::per_element());
  BOOST_TEST(!read_times(path).again);
  std::ofstream(path, std::ios::app) << "\nagain\n0.75\n";
  BOOST_TEST(read_times(path).seconds == (std::vector<double>{0.75}), boost::test_tools::per_element());
  BOOST_TEST(read_times(path).again);
}

}  // namespace boustro::bench
