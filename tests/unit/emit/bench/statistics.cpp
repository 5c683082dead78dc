// Statistics of times, compared with Boost.Math, and when a harness has made enough calls.
#include "templates/harness/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <boost/test/unit_test.hpp>

#include "templates/harness/calls.hpp"

namespace harness {
namespace {

double exact_t(std::size_t degrees) {
  return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees)), 0.975);
}

/// Feeds times in turn until the verdict is `enough`, at most 100000; how often times were forgotten.
int feed(Sample& sample, const std::vector<double>& times, int* calls) {
  int forgotten = 0;
  for (*calls = 0; *calls < 100000; ++*calls) {
    const Sample::Verdict verdict = sample.judge();
    if (verdict == Sample::Verdict::enough) break;
    forgotten += verdict == Sample::Verdict::forget ? 1 : 0;
    sample.add(times[static_cast<std::size_t>(*calls) % times.size()]);
  }
  return forgotten;
}

}  // namespace

BOOST_AUTO_TEST_CASE(students_t_is_that_of_boost) {
  for (std::size_t degrees = 1; degrees < 300; ++degrees)
    BOOST_TEST(students_t(degrees) == exact_t(degrees), boost::test_tools::tolerance(degrees < 4 ? 0.005 : 0.001));
}

BOOST_AUTO_TEST_CASE(mean_deviation_and_interval) {
  const std::vector<double> sample = {2, 4, 4, 4, 5, 5, 7, 9.5, 1e-3};
  const Statistics statistics = statistics_of(sample);
  const auto tolerance = boost::test_tools::tolerance(1e-12);
  const double mean = boost::math::statistics::mean(sample);
  const double deviation = std::sqrt(boost::math::statistics::sample_variance(sample));
  BOOST_TEST(statistics.count == sample.size());
  BOOST_TEST(statistics.mean == mean, tolerance);
  BOOST_TEST(statistics.deviation == deviation, tolerance);
  BOOST_TEST(statistics.relative_deviation() == deviation / mean, tolerance);
  BOOST_TEST(statistics.relative_error() == deviation / 3 / mean, tolerance);
  const double margin = exact_t(8) * deviation / 3;
  BOOST_TEST(statistics.high == mean + margin, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(statistics.low == mean - margin, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(statistics.relative_margin() == margin / mean, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(one_time_has_no_spread) {
  const Statistics statistics = statistics_of({0.25});
  BOOST_TEST(statistics.mean == 0.25);
  BOOST_TEST(statistics.deviation == 0);
  BOOST_TEST(statistics.low == 0.25);
  BOOST_TEST(statistics.high == 0.25);
}

BOOST_AUTO_TEST_CASE(equal_times_are_enough_when_there_are_enough_of_them) {
  int calls = 0;
  Sample by_runs(12, 0, 10);
  BOOST_TEST(feed(by_runs, {0.1}, &calls) == 0);
  BOOST_TEST(calls == 12);
  Sample by_seconds(2, 0.5, 10);
  BOOST_TEST(feed(by_seconds, {0.125}, &calls) == 0);
  BOOST_TEST(calls == 4);
  Sample many(2, 1e9, 10);
  feed(many, {1e-9}, &calls);
  BOOST_TEST(static_cast<std::size_t>(calls) == many_calls);
}

BOOST_AUTO_TEST_CASE(uncertain_times_are_forgotten_once) {
  int calls = 0;
  Sample sample(10, 0, 1e6);
  BOOST_TEST(feed(sample, {1, 2}, &calls) == 1);
  BOOST_TEST(sample.times().size() == static_cast<std::size_t>(calls - 10));
  BOOST_TEST(statistics_of(sample.times()).relative_error() <= certain_enough);
  Sample limited(10, 0, 30);  // seconds are over before the mean is certain
  BOOST_TEST(feed(limited, {1, 2}, &calls) == 1);
  BOOST_TEST(statistics_of(limited.times()).relative_error() > certain_enough);
  BOOST_TEST(calls < 60);
  Sample without(10, 0, 0);
  BOOST_TEST(feed(without, {1, 2}, &calls) == 0);
  BOOST_TEST(calls == 10);
}

}  // namespace harness
