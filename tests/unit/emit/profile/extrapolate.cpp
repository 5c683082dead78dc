#include "emit/profile/extrapolate.hpp"

#include <cmath>

#include <boost/test/unit_test.hpp>

namespace boustro::profile::extrapolate_tests {
namespace {

/// What `count` has at the samples of 4096, at a size that is 1024 times as large.
Extrapolated at_4194304(const std::function<double(double)>& count) {
  std::vector<Sample> samples;
  for (const std::int64_t size : sample_sizes(4096)) {
    const auto number = static_cast<double>(size);
    samples.push_back({number, count(number)});
  }
  return extrapolate(samples, 4194304);
}

void check(const std::function<double(double)>& count, Growth growth, double tolerance = 1e-9) {
  const Extrapolated result = at_4194304(count);
  BOOST_TEST((result.growth == growth));
  BOOST_TEST(result.count == count(4194304), boost::test_tools::tolerance(tolerance));
}

/// The kernels of a row each, with so many atomics.
std::vector<run::CountedWork> kernels(const std::map<std::string, std::int64_t>& atomics) {
  std::vector<run::CountedWork> work;
  for (const auto& [name, number] : atomics) {
    run::Counts counts;
    counts.launches = 1;
    counts.global_atomics = static_cast<std::uint64_t>(number);
    work.push_back({"kernel", name, counts});
  }
  return work;
}

Axis axis(const std::string& name, std::int64_t from, std::int64_t to) { return {name, sample_sizes(from), to}; }

using Atomics = std::function<std::map<std::string, std::int64_t>(const SizesByName&)>;

ExtrapolatedWork work_for(const std::vector<Axis>& axes, const Atomics& atomics) {
  return extrapolate_work(axes, [&](const SizesByName& sizes) { return kernels(atomics(sizes)); });
}

std::string error_of(const std::vector<Axis>& axes, const Atomics& atomics) {
  try {
    work_for(axes, atomics);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_are_quarters) {
  BOOST_TEST(sample_sizes(4096) == (std::vector<std::int64_t>{1024, 2048, 3072, 4096}), boost::test_tools::per_element());
  BOOST_TEST(sample_sizes(10) == (std::vector<std::int64_t>{2, 5, 8, 10}), boost::test_tools::per_element());
  BOOST_TEST(sample_sizes(4) == (std::vector<std::int64_t>{1, 2, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST(sample_sizes(3) == (std::vector<std::int64_t>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(polynomials_go_on_exactly) {
  check([](double) { return 7; }, Growth::constant);
  check([](double) { return 0; }, Growth::constant);
  check([](double n) { return 3 * n; }, Growth::line);
  check([](double n) { return 2 * n + 1000000; }, Growth::line);
  check([](double n) { return n * n; }, Growth::parabola);
  check([](double n) { return 2 * n * n + 5 * n + 1000000000; }, Growth::parabola);
}

/// A term that is small at the samples is all that counts later.
BOOST_AUTO_TEST_CASE(small_terms_are_not_lost) {
  check([](double n) { return n + 100000000; }, Growth::line);
  check([](double n) { return n * n + 1000000 * n; }, Growth::parabola);
}

BOOST_AUTO_TEST_CASE(other_powers_go_on_as_powers) {
  check([](double n) { return n * n * n; }, Growth::power);
  check([](double n) { return std::sqrt(n); }, Growth::power);
}

/// What depends on the data goes up by any steps: no power of them is taken for what comes.
BOOST_AUTO_TEST_CASE(steps_of_random_heights_are_no_power) {
  const Extrapolated result = extrapolate({{1000, 40}, {2000, 50}, {3000, 55}, {4000, 255}}, 1000000);
  BOOST_TEST((result.growth == Growth::proportion));
  BOOST_TEST(result.count == 40000, boost::test_tools::tolerance(1e-9));  // 400 of 10000
  const Extrapolated level = extrapolate({{1000, 92}, {2000, 99}, {3000, 100}, {4000, 108}}, 1000000);
  BOOST_TEST((level.growth == Growth::varying));
  BOOST_TEST(level.count == 108);
  BOOST_TEST((extrapolate({{1000, 90}, {2000, 110}, {3000, 105}, {4000, 101}}, 1000000).growth == Growth::varying));
  BOOST_TEST((extrapolate({{1000, 80}, {2000, 100}, {3000, 110}, {4000, 115}}, 1000000).growth == Growth::power));
}

/// It takes more than four samples to tell them from lines: what is said at a size 1024 times as large is too little by two fifths.
BOOST_AUTO_TEST_CASE(logarithms_look_like_lines) {
  check([](double n) { return n * std::log2(n); }, Growth::line, 0.7);
}

/// One that ends is as it ended: a grid that is full.
BOOST_AUTO_TEST_CASE(what_is_constant_at_last_stays) {
  check([](double n) { return std::min(n, 2048.0); }, Growth::constant);
  check([](double n) { return n < 2000 ? 5 * n : 3 * n; }, Growth::line);
}

BOOST_AUTO_TEST_CASE(rounding_to_blocks_is_no_power) {
  check([](double n) { return std::ceil((n + 300) / 256); }, Growth::line, 0.2);
  check([](double n) { return n + std::fmod(n, 5); }, Growth::line, 1e-3);
}

BOOST_AUTO_TEST_CASE(noise_is_no_growth) {
  const double noise[] = {1000, 1004, 998, 1001};
  const Extrapolated result = at_4194304([&](double n) { return noise[static_cast<int>(n / 1024) - 1]; });
  BOOST_TEST((result.growth == Growth::constant));
  BOOST_TEST(result.count == 1001);
  check([](double n) { return 1000000 + 0.5 * n; }, Growth::line);  // slow, but steady
}

BOOST_AUTO_TEST_CASE(what_varies_stays_as_large_as_it_was) {
  const double noise[] = {900, 1200, 700, 800};
  const Extrapolated result = at_4194304([&](double n) { return noise[static_cast<int>(n / 1024) - 1]; });
  BOOST_TEST((result.growth == Growth::varying));
  BOOST_TEST(result.count == 1200);
}

BOOST_AUTO_TEST_CASE(no_count_is_negative) {
  BOOST_TEST(at_4194304([](double n) { return 5000 - n; }).count == 0);
}

/// 300 stays behind, though only the loop's second trip shows it.
BOOST_AUTO_TEST_CASE(three_trips_tell_a_line) {
  const Extrapolated result = extrapolate({{1, 310}, {2, 320}, {3, 330}}, 100);
  BOOST_TEST((result.growth == Growth::line));
  BOOST_TEST(result.count == 1300);
  BOOST_TEST((extrapolate({{1, 1}, {2, 4}, {3, 9}}, 100).growth == Growth::power));
}

BOOST_AUTO_TEST_CASE(each_counter_of_each_row_goes_on) {
  const ExtrapolatedWork result = work_for({axis("n", 1024, 1000000)}, [](const SizesByName& sizes) {
    return std::map<std::string, std::int64_t>{{"a", sizes.at("n")}, {"b", sizes.at("n") * sizes.at("n")}};
  });
  BOOST_TEST(result.work.size() == 2);
  BOOST_TEST(result.work[0].work == "kernel");
  BOOST_TEST(result.work[0].name == "a");
  BOOST_TEST(result.work[0].counts.launches == 1);
  BOOST_TEST(result.work[0].counts.global_atomics == 1000000);
  BOOST_TEST(result.work[1].counts.global_atomics == 1000000000000);
  BOOST_TEST(result.work[1].counts.shared_atomics == 0);
  BOOST_TEST(result.guesses.empty());
}

BOOST_AUTO_TEST_CASE(sizes_go_on_together) {
  int runs = 0;
  const ExtrapolatedWork result =
      work_for({axis("n", 64, 1000), axis("m", 16, 500)}, [&](const SizesByName& sizes) {
        const std::int64_t n = sizes.at("n"), m = sizes.at("m");
        ++runs;
        return std::map<std::string, std::int64_t>{{"a", n * m * m + 3 * n + 2 * m + 1}};
      });
  BOOST_TEST(runs == 16);
  BOOST_TEST(result.work[0].counts.global_atomics == 1000u * 500 * 500 + 3 * 1000 + 2 * 500 + 1);
}

BOOST_AUTO_TEST_CASE(guesses_are_named) {
  const ExtrapolatedWork result =
      work_for({axis("n", 64, 128), axis("m", 16, 32)}, [](const SizesByName& sizes) {
        const std::int64_t n = sizes.at("n"), m = sizes.at("m");
        return std::map<std::string, std::int64_t>{{"a", n * m * m * m}, {"b", n}, {"c", n == 64 ? 9 : 5 + n / 64}};
      });
  BOOST_TEST(result.work[0].counts.global_atomics == 128u * 32 * 32 * 32);
  BOOST_TEST(result.guesses.size() == 2);
  BOOST_TEST((result.guesses.at(0) == Guess{"a", "global_atomics", "m"}));
  BOOST_TEST((result.guesses.at(1) == Guess{"c", "global_atomics", "n"}));
  BOOST_TEST((result.guesses.at(1) == Guess{"c", "global_atomics", "n"}));
}

/// As a loop whose first trips lack something.
BOOST_AUTO_TEST_CASE(a_row_may_come_late) {
  const ExtrapolatedWork result = work_for({axis("n", 4, 100)}, [](const SizesByName& sizes) {
    std::map<std::string, std::int64_t> atomics{{"always", 2}};
    if (sizes.at("n") > 1) atomics["later"] = 5 * (sizes.at("n") - 1);
    return atomics;
  });
  BOOST_TEST(result.work[1].name == "later");
  BOOST_TEST(result.work[1].counts.global_atomics == 5 * 99);
}

BOOST_AUTO_TEST_CASE(what_another_row_replaces_is_refused) {
  const Atomics replaced = [](const SizesByName& sizes) {
    return std::map<std::string, std::int64_t>{{sizes.at("n") < 512 ? "few" : "many", sizes.at("n")}};
  };
  BOOST_TEST(error_of({axis("n", 1024, 4096)}, replaced) ==
             "`few` runs at n = 256, but not at 1024, so that nothing can be extrapolated; choose another --size");
  BOOST_TEST(error_of({axis("n", 2048, 4096)}, replaced) == "");
  const Atomics grows = [](const SizesByName& sizes) {
    std::map<std::string, std::int64_t> atomics{{"always", 2}};
    if (sizes.at("n") >= 512) atomics["joins"] = sizes.at("n") * sizes.at("n") * sizes.at("n");
    return atomics;
  };
  BOOST_TEST(error_of({axis("n", 1024, 4096)}, grows) ==
             "`joins` runs at n = 1024, but not at 256, so that nothing can be extrapolated; choose another --size");
}

}  // namespace boustro::profile::extrapolate_tests
