// The functions that emitted files are given, on values where C++ alone would be wrong or
// undefined.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "templates/add_products.hpp"
#include "templates/begin_of_part.hpp"
#include "templates/bits_as.hpp"
#include "templates/buffer.hpp"
#include "templates/cos_pi.hpp"
#include "templates/count_ones.hpp"
#include "templates/embedded.hpp"
#include "templates/float_mod.hpp"
#include "templates/float_sign.hpp"
#include "templates/floor_div.hpp"
#include "templates/floor_mod.hpp"
#include "templates/for_lanes.hpp"
#include "templates/int_power.hpp"
#include "templates/lanes.hpp"
#include "templates/leading_zeros.hpp"
#include "templates/multiply_high.hpp"
#include "templates/order_stores.hpp"
#include "templates/parts_for.hpp"
#include "templates/small_parts_for.hpp"
#include "templates/sort_by_bits.hpp"
#include "templates/store_columns.hpp"
#include "templates/shift_left.hpp"
#include "templates/shift_right.hpp"
#include "templates/shift_right_zeros.hpp"
#include "templates/sign.hpp"
#include "templates/sin_pi.hpp"
#include "templates/tan_pi.hpp"
#include "templates/to_integer.hpp"
#include "templates/trailing_zeros.hpp"
#include "templates/truncating_div.hpp"
#include "templates/truncating_rem.hpp"
#include "templates/wrapping_abs.hpp"
#include "templates/wrapping_add.hpp"
#include "templates/wrapping_mul.hpp"
#include "templates/wrapping_sub.hpp"

namespace templates_tests {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// All pairs of 8-bit integers but division by zero.
template <typename Check>
void for_pairs(const Check& check) {
  for (int x = -128; x < 128; ++x) {
    for (int y = -128; y < 128; ++y)
      check(static_cast<std::int8_t>(x), static_cast<std::int8_t>(y));
  }
}

std::int8_t wrapped(double value) { return static_cast<std::int8_t>(static_cast<int>(value)); }

}  // namespace

BOOST_AUTO_TEST_CASE(division_rounds_as_its_name_says) {
  for_pairs([](std::int8_t x, std::int8_t y) {
    if (y == 0) return;
    const double exact = static_cast<double>(x) / y;
    BOOST_TEST(floor_div(x, y) == wrapped(std::floor(exact)));
    BOOST_TEST(truncating_div(x, y) == wrapped(std::trunc(exact)));
    BOOST_TEST(floor_mod(x, y) == wrapped(x - std::floor(exact) * y));
    BOOST_TEST(truncating_rem(x, y) == wrapped(x - std::trunc(exact) * y));
  });
}

BOOST_AUTO_TEST_CASE(loops_are_divided_into_parts_that_pay) {
  for (const std::int64_t points : {0, 1, 2, 63, 64, 65, 1000, 1 << 20}) {
    for (const std::int64_t work : {-1, 0, 1, 50, 1 << 15, 1 << 30}) {
      for (const std::int64_t cells : {0, 1, 100, 1 << 20}) {
        const std::int64_t parts = parts_for(points, work, cells);
        BOOST_TEST((1 <= parts && parts <= std::min(small_parts_for(points, work), max_parts)));
        const std::int64_t at_least_one = std::max<std::int64_t>(work, 1);
        if (parts == 1) continue;
        BOOST_TEST(parts <= points);
        // What a part has to do is as much as it takes to hand it out, and more than its cells take.
        BOOST_TEST(points / parts * at_least_one >= (1 << 14));
        BOOST_TEST(points / parts * at_least_one >= cells * 256);
      }
    }
  }
  // No more memory than 2^22 elements; a power of two.
  BOOST_TEST(parts_for(std::int64_t{1} << 40, 1, 0, 1 << 20) == 4);
  BOOST_TEST(parts_for(std::int64_t{1} << 40, 1, 1 << 20, 1 << 20) == 2);
  BOOST_TEST(parts_for(std::int64_t{1} << 40, 1, 0, std::int64_t{1} << 40) == 1);
  BOOST_TEST(parts_for(std::int64_t{1} << 40, 1) == max_parts);
  BOOST_TEST(parts_for(most, most, 0) == max_parts);
  // Small ones stay in the cache, but there are never more than 2^20.
  BOOST_TEST(small_parts_for(std::int64_t{1} << 30, 1) == std::int64_t{1} << 15);
  BOOST_TEST(small_parts_for(std::int64_t{1} << 40, 1) == std::int64_t{1} << 20);
  BOOST_TEST(small_parts_for(most, most) == std::int64_t{1} << 20);
  BOOST_TEST(parts_for(1000, 10) == 1);
  BOOST_TEST(parts_for(2, 1 << 20) == 2);
}

BOOST_AUTO_TEST_CASE(points_come_several_at_a_time_and_the_last_ones_one_by_one) {
  for (const std::int64_t begin : {0, 3}) {
    for (const std::int64_t count : {-1, 0, 1, 15, 16, 17, 40}) {
      std::vector<std::int64_t> points, sizes;
      for_lanes(begin, begin + count, [&](auto lanes, std::int64_t i) {
        sizes.push_back(lanes);
        for (std::int64_t lane = 0; lane < lanes; ++lane) points.push_back(i + lane);
      });
      BOOST_TEST(points.size() == static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
      for (std::size_t i = 0; i < points.size(); ++i) BOOST_TEST(points[i] == begin + static_cast<std::int64_t>(i));
      const std::int64_t single = std::count(sizes.begin(), sizes.end(), 1);
      BOOST_TEST(single == (count > 0 ? count % max_lanes : 0));
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_have_whole_tiles) {
  for (const std::int64_t points : {0, 1, 15, 16, 17, 1000}) {
    for (const std::int64_t parts : {1, 2, 7, 64}) {
      BOOST_TEST(begin_of_part(0, points, parts) == 0);
      BOOST_TEST(begin_of_part(parts, points, parts) == points);
      for (std::int64_t part = 0; part < parts; ++part) {
        const std::int64_t begin = begin_of_part(part, points, parts), end = begin_of_part(part + 1, points, parts);
        BOOST_TEST(begin <= end);
        BOOST_TEST((end % max_lanes == 0 || end == points));
      }
    }
  }
}

template <typename T, std::int64_t n>
void check_lanes() {
  std::vector<T> xs, ys, results(static_cast<std::size_t>(n));
  for (int i = 0; i < static_cast<int>(n); ++i) {
    xs.push_back(static_cast<T>(0.5 + i));
    ys.push_back(static_cast<T>(3 - 2 * i));
  }
  const auto x = load_lanes<n>(xs.data()), y = load_lanes<n>(ys.data());
  const auto check = [&](const Lanes<T, n>& got, const auto& expected) {
    store_lanes<n>(results.data(), got);
    for (std::size_t i = 0; i < results.size(); ++i) {
      BOOST_TEST(results[i] == expected(xs[i], ys[i]));
      BOOST_TEST(got[static_cast<std::int64_t>(i)] == results[i]);
    }
  };
  const T two = 2;
  check(x + y, [](T a, T b) { return a + b; });
  check(x - y, [](T a, T b) { return a - b; });
  check(x * y, [](T a, T b) { return a * b; });
  check(x / y, [](T a, T b) { return a / b; });
  check(-x, [](T a, T) { return -a; });
  check(two / (x - two), [&](T a, T) { return two / (a - two); });
  Lanes<T, n> sum = two;
  sum += x;
  sum *= y;
  sum -= x;
  check(sum, [&](T a, T b) { return (two + a) * b - a; });
  store_lanes<n>(results.data(), T{-0.0});
  BOOST_TEST(std::signbit(results[0]));
}

BOOST_AUTO_TEST_CASE(lanes_compute_point_by_point) {
  check_lanes<double, 1>();
  check_lanes<double, 2>();
  check_lanes<double, 16>();
  check_lanes<float, 1>();
  check_lanes<float, 16>();
}

template <std::int64_t lanes>
void check_products(std::int64_t count) {
  const std::int64_t size = count + 3;
  std::vector<double> sums, factors, rows;
  for (std::int64_t s = 0; s < count; ++s) sums.push_back(static_cast<double>(s));
  for (std::int64_t lane = 0; lane < lanes; ++lane) factors.push_back(static_cast<double>(lane - 2));
  for (std::int64_t i = 0; i < lanes * size; ++i) rows.push_back(static_cast<double>(i % 11));
  std::vector<double> expected = sums;
  for (std::int64_t s = 0; s < count; ++s)
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      expected[static_cast<std::size_t>(s)] +=
          factors[static_cast<std::size_t>(lane)] * rows[static_cast<std::size_t>(lane * size + s)];
  add_products<lanes>(sums.data(), count, factors.data(), rows.data(), size);
  BOOST_TEST(sums == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(products_are_added_to_neighbouring_sums) {
  for (const std::int64_t count : {0, 1, 7, 8, 9, 33, 47}) {
    check_products<1>(count);
    check_products<16>(count);
  }
}

BOOST_AUTO_TEST_CASE(products_are_added_in_the_same_order_in_vectors_of_any_width) {
  constexpr std::int64_t lanes = 16, count = 47;
  std::vector<double> factors, rows;
  for (std::int64_t lane = 0; lane < lanes; ++lane) factors.push_back(std::sin(static_cast<double>(lane)));
  for (std::int64_t i = 0; i < lanes * count; ++i) rows.push_back(std::cos(static_cast<double>(i)));
  const std::vector<double> before(count, 0.1);
  std::vector<double> one_by_one = before, in_vectors = before, by_default = before;
  add_products_by<lanes, 1>(one_by_one.data(), count, factors.data(), rows.data(), count);
  add_products_by<lanes, 32>(in_vectors.data(), count, factors.data(), rows.data(), count);
  add_products<lanes>(by_default.data(), count, factors.data(), rows.data(), count);
  BOOST_TEST(in_vectors == one_by_one, boost::test_tools::per_element());
  BOOST_TEST(by_default == one_by_one, boost::test_tools::per_element());
}

/// `store(to, pitch, from, rows, columns)` stores what is wanted, and nothing else.
template <typename T, typename Store>
void check_columns(std::int64_t rows, std::int64_t columns, const Store& store) {
  const std::int64_t pitch = (rows + 7) / 4 * 4;
  const auto size = static_cast<std::size_t>(columns * pitch);
  const std::unique_ptr<T[], void (*)(void*)> to(static_cast<T*>(std::aligned_alloc(64, (size * sizeof(T) + 127) / 64 * 64)), std::free);
  std::fill_n(to.get(), size, T{-1});
  std::vector<T> from, expected(size, T{-1});
  for (std::int64_t k = 0; k < rows * columns; ++k) from.push_back(static_cast<T>(k));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) expected[static_cast<std::size_t>(j * pitch + i)] = static_cast<T>(i * columns + j);
  store(to.get(), pitch, from.data(), rows, columns);
  order_stores();
  BOOST_TEST(std::vector<T>(to.get(), to.get() + size) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_are_stored_as_columns) {
  for (const std::int64_t rows : {0, 1, 3, 4, 9, 48}) {
    for (const std::int64_t columns : {0, 1, 3, 4, 7, 26}) {
      check_columns<double>(rows, columns, store_columns<double>);
      check_columns<double>(rows, columns, store_columns_by_four<true, double>);
      check_columns<float>(rows, columns, store_columns<float>);
      check_columns<std::int32_t>(rows, columns, store_columns<std::int32_t>);
      check_columns<std::int64_t>(rows, columns, store_columns<std::int64_t>);
      check_columns<std::int64_t>(rows, columns, store_columns_by_four<true, std::int64_t>);
    }
  }
}

BOOST_AUTO_TEST_CASE(columns_of_large_arrays_may_begin_anywhere) {
  constexpr std::int64_t far = std::int64_t{1} << 20;  // apart: then no cache holds the array
  std::vector<double> all(static_cast<std::size_t>(5 * far));
  for (std::int64_t first = 0; first < 5; ++first) {
    check_columns<double>(9, 5, [&](double* to, std::int64_t pitch, const double* from, std::int64_t rows, std::int64_t columns) {
      store_columns(all.data() + first, far, from, rows, columns);
      for (std::int64_t j = 0; j < columns; ++j) std::copy_n(all.data() + first + j * far, rows, to + j * pitch);
    });
  }
}

BOOST_AUTO_TEST_CASE(least_number_divided_by_minus_one_wraps_around) {
  BOOST_TEST(floor_div<std::int64_t>(least, -1) == least);
  BOOST_TEST(truncating_div<std::int64_t>(least, -1) == least);
  BOOST_TEST(floor_mod<std::int64_t>(least, -1) == 0);
  BOOST_TEST(truncating_rem<std::int64_t>(least, -1) == 0);
}

BOOST_AUTO_TEST_CASE(arithmetic_wraps_around) {
  for_pairs([](std::int8_t x, std::int8_t y) {
    BOOST_TEST(wrapping_add(x, y) == wrapped(x + y));
    BOOST_TEST(wrapping_sub(x, y) == wrapped(x - y));
    BOOST_TEST(wrapping_mul(x, y) == wrapped(x * y));
  });
  BOOST_TEST(wrapping_add<std::int64_t>(most, 1) == least);
  BOOST_TEST(wrapping_sub<std::int64_t>(least, 1) == most);
  BOOST_TEST(wrapping_mul<std::int64_t>(most, 2) == -2);
  BOOST_TEST(wrapping_neg(least) == least);
  BOOST_TEST(wrapping_abs(least) == least);
  BOOST_TEST(wrapping_abs<std::int64_t>(-7) == 7);
}

BOOST_AUTO_TEST_CASE(shifts_take_every_count) {
  for (int count = 0; count < 100; ++count) {
    const double scale = std::exp2(count);
    const bool some = count < 32;
    BOOST_TEST(shift_left<std::uint32_t>(5, count) ==
               (some ? static_cast<std::uint32_t>(std::fmod(5 * scale, 0x1p32)) : 0));
    BOOST_TEST(shift_right<std::int32_t>(-1000, count) ==
               static_cast<std::int32_t>(std::floor(-1000 / scale)));
    BOOST_TEST(shift_right<std::int32_t>(1000, count) ==
               static_cast<std::int32_t>(std::floor(1000 / scale)));
    const double bits = 0x1p32 - 1000;  // of -1000
    BOOST_TEST(shift_right_zeros<std::int32_t>(-1000, count) ==
               static_cast<std::int32_t>(static_cast<std::uint32_t>(std::floor(bits / scale))));
  }
  BOOST_TEST(shift_left<std::int8_t>(-1, 7) == -128);
  BOOST_TEST(shift_right<std::int64_t>(least, 63) == -1);
}

BOOST_AUTO_TEST_CASE(powers_of_integers) {
  BOOST_TEST(int_power<std::int64_t>(3, 0) == 1);
  BOOST_TEST(int_power<std::int64_t>(-3, 5) == -243);
  BOOST_TEST(int_power<std::int32_t>(2, 31) == std::numeric_limits<std::int32_t>::min());
  BOOST_TEST(int_power<std::uint8_t>(3, 6) == 729 % 256);
}

BOOST_AUTO_TEST_CASE(upper_halves_of_products) {
  for_pairs([](std::int8_t x, std::int8_t y) {
    BOOST_TEST(multiply_high(x, y) == wrapped(std::floor(x * y / 256.0)));
  });
  for (const std::int64_t x : {least, most, std::int64_t{-1}, std::int64_t{0x123456789abcdef}}) {
    for (const std::int64_t y : {least, most, std::int64_t{-3}, std::int64_t{0xfedcba987654321}}) {
      BOOST_TEST(multiply_high(x, y) == static_cast<std::int64_t>(static_cast<Wide>(x) * y >> 64));
    }
  }
}

BOOST_AUTO_TEST_CASE(counts_of_bits) {
  for (const std::uint16_t x : {0, 1, 2, 3, 40, 255, 256, 32768, 65535}) {
    BOOST_TEST(count_ones(x) == std::popcount(x));
    BOOST_TEST(leading_zeros(x) == std::countl_zero(x));
    BOOST_TEST(trailing_zeros(x) == std::countr_zero(x));
    BOOST_TEST(leading_zeros(static_cast<std::int16_t>(x)) == std::countl_zero(x));
  }
  BOOST_TEST(count_ones<std::int64_t>(-1) == 64);
}

BOOST_AUTO_TEST_CASE(float_modulus_has_the_sign_of_the_divisor) {
  BOOST_TEST(float_mod(7.5, 2.0) == 1.5);
  BOOST_TEST(float_mod(-7.5, 2.0) == 0.5);
  BOOST_TEST(float_mod(7.5f, -2.0f) == -0.5f);
  BOOST_TEST(float_mod(-7.5, -2.0) == -1.5);
  BOOST_TEST(std::isnan(float_mod(1.0, 0.0)));
}

BOOST_AUTO_TEST_CASE(floats_to_integers) {
  BOOST_TEST(to_integer<std::int32_t>(-2.9) == -2);
  BOOST_TEST(to_integer<std::int64_t>(std::nan("")) == 0);
  BOOST_TEST(to_integer<std::uint8_t>(std::numeric_limits<float>::infinity()) == 0);
  BOOST_TEST(to_integer<std::int64_t>(1e300) == most);
  BOOST_TEST(to_integer<std::int64_t>(-1e30f) == least);
  BOOST_TEST(to_integer<std::uint64_t>(0x1p63) == std::uint64_t{1} << 63);
  BOOST_TEST(to_integer<std::uint64_t>(1e30) == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(to_integer<std::uint64_t>(-1.5) == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(to_integer<std::uint8_t>(257.9) == 1);
}

BOOST_AUTO_TEST_CASE(signs) {
  BOOST_TEST(sign<std::int64_t>(least) == -1);
  BOOST_TEST(sign<std::uint8_t>(200) == 1);
  BOOST_TEST(float_sign(-0.5) == -1);
  BOOST_TEST(float_sign(0.0f) == 0);
  BOOST_TEST(std::isnan(float_sign(std::nan(""))));
}

BOOST_AUTO_TEST_CASE(angles_in_half_turns) {
  constexpr double pi = std::numbers::pi;
  for (double x = -3; x <= 3; x += 0.0625) {
    BOOST_TEST(std::abs(sin_pi(x) - std::sin(pi * x)) < 1e-14);
    BOOST_TEST(std::abs(cos_pi(x) - std::cos(pi * x)) < 1e-14);
    if (std::abs(x - std::round(x)) < 0.4)
      BOOST_TEST(std::abs(tan_pi(x) - std::tan(pi * x)) < 1e-12);
  }
  BOOST_TEST(sin_pi(1e9) == 0);
  BOOST_TEST(cos_pi(1e9 + 0.5) == 0);
  BOOST_TEST(tan_pi(0.25f) == 1.0f);
}

BOOST_AUTO_TEST_CASE(templates_are_taken_apart) {
  using namespace boustro::templates;
  const Template* division = find("floor_div", Language::cpp);
  BOOST_REQUIRE(division);
  BOOST_TEST(division->templates.size() == 1u);
  BOOST_TEST(division->text.starts_with("/// x / y, rounded towards minus infinity."));
  BOOST_TEST(division->text.find("inline") == std::string::npos);
  BOOST_TEST(find("floor_div", Language::cuda)->text.find("__host__ __device__ T floor_div") !=
             std::string::npos);
  BOOST_TEST(!find("atomic_min", Language::cpp));
  BOOST_TEST(find("record_failure", Language::cuda)->text.find("atomicCAS") != std::string::npos);
  BOOST_TEST(find("record_failure", Language::cpp)->text.find("atomicCAS") == std::string::npos);
}

namespace {

/// Counts, and has nothing more after `most` calls.
struct CountingAllocator : DefaultAllocator {
  void* allocate(std::size_t bytes) noexcept override {
    if (calls == most) return nullptr;
    ++calls, ++held;
    return DefaultAllocator::allocate(bytes);
  }
  void deallocate(void* memory) noexcept override {
    --held;
    DefaultAllocator::deallocate(memory);
  }
  int most = 100, calls = 0, held = 0;
};

BOOST_AUTO_TEST_CASE(sorts_by_bits_keep_the_order_of_equal_ones) {
  std::vector<std::int64_t> xs;
  for (std::int64_t i = 0; i < 5000; ++i) xs.push_back(i * 7919 % 1000003 << 13 | i);
  for (const auto& [first, end] : {std::pair{13, 14}, {13, 21}, {13, 22}, {13, 33}, {20, 33}, {0, 13}, {15, 16}}) {
    std::vector<std::int64_t> expected = xs, sorted(xs.size()), other(xs.size());
    const std::int64_t mask = (std::int64_t{1} << (end - first)) - 1;
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t x, std::int64_t y) { return (x >> first & mask) < (y >> first & mask); });
    sort_by_bits(sorted.data(), xs.data(), other.data(), static_cast<std::int64_t>(xs.size()), first, end);
    BOOST_TEST(sorted == expected);
  }
  sort_by_bits(nullptr, nullptr, nullptr, 0, 0, 20);
}

}  // namespace

BOOST_AUTO_TEST_CASE(buffer_gives_its_memory_back) {
  CountingAllocator allocator;
  {
    Buffer<double> buffer(allocator);
    BOOST_TEST(buffer.allocate({3, 4}));
    buffer[11] = 1;
    BOOST_TEST(buffer.allocate({12}));  // as much as there is
    BOOST_TEST(allocator.calls == 1);
    BOOST_TEST(buffer.allocate({13}));
    BOOST_TEST(allocator.calls == 2);
    BOOST_TEST(allocator.held == 1);
  }
  BOOST_TEST(allocator.held == 0);
}

BOOST_AUTO_TEST_CASE(buffer_of_nothing_needs_no_memory) {
  CountingAllocator allocator;
  Buffer<double> buffer(allocator);
  BOOST_TEST(buffer.allocate({0, most}));
  BOOST_TEST(buffer.allocate({most, most, 0}));
  BOOST_TEST(buffer.allocate({-1}));
  BOOST_TEST(allocator.calls == 0);
  BOOST_TEST(buffer.release() == nullptr);
}

BOOST_AUTO_TEST_CASE(buffer_notices_sizes_that_overflow) {
  CountingAllocator allocator;
  Buffer<double> buffer(allocator);
  BOOST_TEST(!buffer.allocate({most}));
  BOOST_TEST(!buffer.allocate({std::int64_t{1} << 32, std::int64_t{1} << 32}));
  BOOST_TEST(allocator.calls == 0);
}

BOOST_AUTO_TEST_CASE(buffer_without_memory_holds_nothing) {
  CountingAllocator allocator;
  allocator.most = 1;
  Buffer<double> buffer(allocator);
  BOOST_TEST(buffer.allocate({1}));
  BOOST_TEST(!buffer.allocate({2}));
  BOOST_TEST(allocator.held == 0);
  BOOST_TEST(buffer.release() == nullptr);
}

BOOST_AUTO_TEST_CASE(buffer_hands_its_memory_over) {
  CountingAllocator allocator;
  double* memory = nullptr;
  {
    Buffer<double> first(allocator), second(allocator);
    BOOST_TEST((first.allocate({1}) && second.allocate({2})));
    second[1] = 7;
    first.swap(second);
    memory = first.release();
  }
  BOOST_TEST(memory[1] == 7);
  BOOST_TEST(allocator.held == 1);
  allocator.deallocate(memory);
}

}  // namespace templates_tests
