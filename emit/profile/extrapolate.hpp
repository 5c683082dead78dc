// What counts at a few sizes say about a size that is too large to run.
//
// As a size grows, a counter is taken for the first of these that its samples agree with, the largest sample last:
//
//   constant   the last three are equal
//   line       the last three lie on one
//   parabola   there are four, and all lie on one
//   constant   all are within a hundredth of the last one, some above and some below: what random data decide
//   line       the last three lie on one, which does not end below 0, up to a hundredth of the last one: what is rounded up to whole blocks
//   power      through the last one and the one at half its size, as what grows as n^3 does, if the others lie within a tenth of it, or
//              a hundredth if its exponent is less than a quarter and they bend both ways; n log n is near to a line
//   proportion of all counts to all sizes, if that differs less between the samples than the counts do: what random data decide, such
//              as how many lanes of a warp have the same cell
//   constant   the largest
//
// The last three are guesses, and are named.
//
// Several sizes are taken one after the other: each counter along the last of them at every sample of the others, and so on. The
// answer is about a program that goes on as it began: where another kernel or another loop takes over beyond the samples, nothing
// knows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emit/run/counts.hpp"

namespace boustro::profile {

struct Sample {
  double size, count;
};

enum class Growth { constant, line, parabola, varying, power, proportion };

struct Extrapolated {
  double count;  // never negative
  Growth growth;
};

/// `samples` are those of sample_sizes.
Extrapolated extrapolate(const std::vector<Sample>& samples, double size);

/// A quarter, a half and three quarters of `size`, and `size`; of 3, the least, 1, 2 and 3, which may do for the trips of a loop.
std::vector<std::int64_t> sample_sizes(std::int64_t size);

/// A size, or an integer that is no size, by its name: where it runs, and the value that is asked about.
struct Axis {
  std::string name;
  std::vector<std::int64_t> from;
  std::int64_t to;
};

/// A counter of a row that varies, or of which nothing is known but a power or proportion.
struct Guess {
  std::string row, counter, of;
  auto operator<=>(const Guess&) const = default;
};

struct ExtrapolatedWork {
  std::vector<run::CountedWork> work;
  std::vector<Guess> guesses;  // sorted, each once
};

using SizesByName = std::map<std::string, std::int64_t>;

/// Asks `count` for all combinations of samples. Throws std::invalid_argument if a row comes or goes on the way, but for those that a
/// loop's first trips lack.
ExtrapolatedWork extrapolate_work(const std::vector<Axis>& axes,
                                  const std::function<std::vector<run::CountedWork>(const SizesByName&)>& count);

}  // namespace boustro::profile
