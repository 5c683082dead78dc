#include "emit/profile/extrapolate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

namespace boustro::profile {
namespace {

using Samples = std::span<const Sample>;

constexpr double exactly = 1e-6, roughly = 1e-2, at_all = 1e-1;  // parts of the last count

/// Of the polynomial through all of them, by Lagrange.
double polynomial_at(Samples samples, double size) {
  double sum = 0;
  for (const Sample& sample : samples) {
    double term = sample.count;
    for (const Sample& other : samples)
      if (other.size != sample.size) term *= (size - other.size) / (sample.size - other.size);
    sum += term;
  }
  return sum;
}

bool meets(double predicted, const Sample& sample, const Sample& last, double tolerance) {
  return std::abs(predicted - sample.count) <= tolerance * std::abs(last.count);
}

bool ends_constant(Samples samples) {
  const auto last = samples.last(3);
  return std::all_of(last.begin(), last.end(), [&](const Sample& sample) { return sample.count == last[2].count; });
}

/// The ends of the last three, whose middle one says whether it is a line.
std::vector<Sample> line_of(Samples samples) { return {samples[samples.size() - 3], samples.back()}; }

bool ends_as_line(Samples samples, double tolerance) {
  const Sample& middle = samples[samples.size() - 2];
  return meets(polynomial_at(line_of(samples), middle.size), middle, samples.back(), tolerance);
}

bool is_parabola(Samples samples) {
  return samples.size() == 4 &&
         meets(polynomial_at(samples.last(3), samples[0].size), samples[0], samples.back(), exactly);
}

/// Not what grows slowly all the time.
bool goes_up_and_down(Samples samples) {
  bool rises = false, falls = false;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    rises = rises || samples[i].count > samples[i - 1].count;
    falls = falls || samples[i].count < samples[i - 1].count;
  }
  return rises && falls;
}

bool varies_around_constant(Samples samples) {
  return goes_up_and_down(samples) && std::all_of(samples.begin(), samples.end(), [&](const Sample& sample) {
           return meets(samples.back().count, sample, samples.back(), roughly);
         });
}

double largest(Samples samples) {
  double count = 0;
  for (const Sample& sample : samples) count = std::max(count, sample.count);
  return count;
}

/// Nothing if an end has counted nothing.
std::optional<double> exponent_of(Samples samples) {
  const std::vector<Sample> ends = line_of(samples);
  if (ends[0].count == 0 || ends[1].count == 0) return std::nullopt;
  return std::log(ends[1].count / ends[0].count) / std::log(ends[1].size / ends[0].size);
}

double power_at(Samples samples, double size) {
  const auto exponent = exponent_of(samples);
  return exponent ? samples.back().count * std::pow(size / samples.back().size, *exponent) : polynomial_at(line_of(samples), size);
}

/// Steeper and steeper, or less and less steep.
bool bends_one_way(Samples samples) {
  std::vector<double> slopes;
  for (std::size_t i = 1; i < samples.size(); ++i)
    slopes.push_back((samples[i].count - samples[i - 1].count) / (samples[i].size - samples[i - 1].size));
  return std::is_sorted(slopes.begin(), slopes.end()) || std::is_sorted(slopes.rbegin(), slopes.rend());
}

/// Chance alone makes what is near to a power with a small exponent of a few steps.
bool ends_as_power(Samples samples) {
  const bool may_be_chance = std::abs(exponent_of(samples).value_or(1)) < 0.25 && !bends_one_way(samples);
  const double tolerance = may_be_chance ? roughly : at_all;
  const auto meets_power = [&](const Sample& sample) {
    const double predicted = power_at(samples, sample.size);
    return std::abs(predicted - sample.count) <= tolerance * std::abs(sample.count);
  };
  return std::all_of(samples.begin(), samples.end(), meets_power);
}

/// By how much the largest number exceeds the least.
double spread(Samples samples, const std::function<double(const Sample&)>& number) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end(), [&](const Sample& x, const Sample& y) { return number(x) < number(y); });
  return number(*most) / std::max(number(*least), 1e-9);
}

bool grows_in_proportion(Samples samples) {
  return spread(samples, [](const Sample& sample) { return sample.count / sample.size; }) < spread(samples, [](const Sample& sample) { return sample.count; });
}

double proportion_at(Samples samples, double size) {
  double counts = 0, sizes = 0;
  for (const Sample& sample : samples) counts += sample.count, sizes += sample.size;
  return counts / sizes * size;
}

Extrapolated grown(Samples samples, double size) {
  const double last = samples.back().count;
  if (ends_constant(samples)) return {last, Growth::constant};
  if (ends_as_line(samples, exactly)) return {polynomial_at(line_of(samples), size), Growth::line};
  if (is_parabola(samples)) return {polynomial_at(samples.last(3), size), Growth::parabola};
  if (varies_around_constant(samples)) return {last, Growth::constant};
  if (const double on_line = polynomial_at(line_of(samples), size); on_line >= 0 && ends_as_line(samples, roughly)) return {on_line, Growth::line};
  if (!goes_up_and_down(samples) && ends_as_power(samples)) return {power_at(samples, size), Growth::power};
  if (grows_in_proportion(samples)) return {proportion_at(samples, size), Growth::proportion};
  return {largest(samples), Growth::varying};
}

// --- all counters of all rows ------------------------------------------------------------

struct CountedRow {
  std::string work, name;
  std::vector<double> numbers;  // in the order of `counters`
};
using Rows = std::vector<CountedRow>;

Rows rows_of(const std::vector<run::CountedWork>& counted) {
  Rows rows;
  for (const run::CountedWork& work : counted) {
    CountedRow row{work.work, work.name, {}};
    for (const auto& counter : cuda_emulation::counters)
      row.numbers.push_back(static_cast<double>(work.counts.*counter.number));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<run::CountedWork> work_of(const Rows& rows) {
  std::vector<run::CountedWork> all;
  for (const CountedRow& row : rows) {
    run::CountedWork work{row.work, row.name, {}};
    std::size_t i = 0;
    for (const auto& counter : cuda_emulation::counters)
      work.counts.*counter.number = static_cast<std::uint64_t>(std::min(std::round(row.numbers[i++]), 1e18));
    all.push_back(std::move(work));
  }
  return all;
}

/// Null if there is none.
const CountedRow* row_like(const Rows& rows, const CountedRow& wanted) {
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const CountedRow& row) {
    return row.work == wanted.work && row.name == wanted.name;
  });
  return same == rows.end() ? nullptr : &*same;
}

[[noreturn]] void refuse_rows(const std::string& row, const Axis& axis, std::int64_t with, std::int64_t without) {
  throw std::invalid_argument(
      fmt::format("`{}` runs at {} = {}, but not at {}, so that nothing can be extrapolated; choose another --size", row,
                  axis.name, with, without));
}

/// What ran before, but does not run at the largest sample, has given way to something else.
void check_none_ends(const Axis& axis, const std::vector<Rows>& sampled) {
  for (std::size_t i = 0; i < sampled.size(); ++i)
    for (const CountedRow& row : sampled[i])
      if (row_like(sampled.back(), row) == nullptr) refuse_rows(row.name, axis, axis.from[i], axis.from.back());
}

class Extrapolation {
 public:
  using Count = std::function<std::vector<run::CountedWork>(const SizesByName&)>;

  explicit Extrapolation(const Count& count) : count_(count) {}

  Rows rows_for(std::span<const Axis> axes, SizesByName sizes) {
    if (axes.empty()) return rows_of(count_(sizes));
    const Axis& axis = axes.front();
    std::vector<Rows> sampled;
    for (const std::int64_t size : axis.from) {
      sizes[axis.name] = size;
      sampled.push_back(rows_for(axes.subspan(1), sizes));
    }
    check_none_ends(axis, sampled);
    return along(axis, sampled);
  }

  std::vector<Guess> guesses() const { return {guesses_.begin(), guesses_.end()}; }

 private:
  Rows along(const Axis& axis, const std::vector<Rows>& sampled) {
    Rows rows = sampled.back();
    for (CountedRow& row : rows) {
      std::vector<const CountedRow*> same;
      for (const Rows& others : sampled) same.push_back(row_like(others, row));
      for (std::size_t counter = 0; counter < row.numbers.size(); ++counter)
        row.numbers[counter] = number_at(axis, same, counter);
    }
    return rows;
  }

  /// A row that is missing has counted nothing, as in a loop's first trip; but then the rest must be simple.
  double number_at(const Axis& axis, const std::vector<const CountedRow*>& sampled, std::size_t counter) {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < sampled.size(); ++i)
      samples.push_back(
          {static_cast<double>(axis.from[i]), sampled[i] == nullptr ? 0 : sampled[i]->numbers[counter]});
    const Extrapolated result = extrapolate(samples, static_cast<double>(axis.to));
    if (result.growth == Growth::power || result.growth == Growth::varying || result.growth == Growth::proportion) {
      const auto missing = std::find(sampled.rbegin(), sampled.rend(), nullptr);
      if (missing != sampled.rend())
        refuse_rows(sampled.back()->name, axis, axis.from.back(),
                    axis.from[static_cast<std::size_t>(sampled.rend() - missing) - 1]);
      guesses_.insert({sampled.back()->name, cuda_emulation::counters[counter].name, axis.name});
    }
    return result.count;
  }

  const Count& count_;
  std::set<Guess> guesses_;
};

}  // namespace

Extrapolated extrapolate(const std::vector<Sample>& samples, double size) {
  Extrapolated result = grown(samples, size);
  result.count = std::max(result.count, 0.0);
  return result;
}

std::vector<std::int64_t> sample_sizes(std::int64_t size) {
  if (size < 4) return {1, 2, 3};
  return {size / 4, size / 2, size - size / 4, size};
}

ExtrapolatedWork extrapolate_work(const std::vector<Axis>& axes,
                                  const std::function<std::vector<run::CountedWork>(const SizesByName&)>& count) {
  Extrapolation extrapolation(count);
  const Rows rows = extrapolation.rows_for(axes, {});
  return {work_of(rows), extrapolation.guesses()};
}

}  // namespace boustro::profile
