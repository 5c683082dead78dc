// What a sample of times says: mean, spread, and how sure the mean is.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace harness {

/// Of a sample of at least one value. With one value alone nothing is known of the spread, which is 0 then.
struct Statistics {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  // standard deviation of the sample, with count - 1 in the denominator
  double low = 0, high = 0;  // 95% confidence interval of the mean, by Student's t

  double relative_deviation() const { return mean > 0 ? deviation / mean : 0; }
  /// Standard error of the mean, relative to the mean.
  double relative_error() const { return relative_deviation() / std::sqrt(static_cast<double>(count)); }
  /// Half the confidence interval, relative to the mean.
  double relative_margin() const { return mean > 0 ? (high - mean) / mean : 0; }
};

/// The value that Student's t with so many degrees of freedom, at least 1, exceeds with probability 2.5%. Exact for 1 and
/// 2; above, the expansion in powers of 1 / degrees (Abramowitz and Stegun, 26.7.5), within 0.5%.
inline double students_t(std::size_t degrees) {
  if (degrees == 1) return 12.706204736432095;
  if (degrees == 2) return 4.302652729911275;
  const double z = 1.959963984540054, v = 1 / static_cast<double>(degrees), q = z * z;
  const double first = z * (q + 1) / 4;
  const double second = z * ((5 * q + 16) * q + 3) / 96;
  const double third = z * (((3 * q + 19) * q + 17) * q - 15) / 384;
  const double fourth = z * ((((79 * q + 776) * q + 1482) * q - 1920) * q - 945) / 92160;
  return z + v * (first + v * (second + v * (third + v * fourth)));
}

inline Statistics statistics_of(const std::vector<double>& sample) {
  Statistics result;
  result.count = sample.size();
  const double count = static_cast<double>(sample.size());
  for (const double x : sample) result.mean += x / count;
  double squares = 0;
  for (const double x : sample) squares += (x - result.mean) * (x - result.mean);
  if (sample.size() > 1) result.deviation = std::sqrt(squares / (count - 1));
  const double margin = sample.size() > 1
                            ? students_t(sample.size() - 1) * result.deviation / std::sqrt(count)
                            : 0;
  result.low = result.mean - margin;
  result.high = result.mean + margin;
  return result;
}

}  // namespace harness
