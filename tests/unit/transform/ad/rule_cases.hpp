// Short ways to write the cases of rules.
#pragma once

#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

inline void check(const std::string& text, const std::vector<Value>& args, const CheckOptions& options = {}) {
  check_derivative(compiled(text), "f", args, options);
}

/// One array argument of each of these sizes.
inline void check_sizes(const std::string& text, std::initializer_list<std::int64_t> sizes = {0, 1, 2, 7},
                        const CheckOptions& options = {}) {
  const Program program = compiled(text);
  for (const std::int64_t n : sizes)
    BOOST_TEST_CONTEXT("size " << n) check_derivative(program, "f", {some_f64s(n)}, options);
}

inline Value matrix(std::int64_t n, std::int64_t m, int seed = 0) { return some_f64s(n * m, seed, {n, m}); }

inline const CheckOptions at_kink{.differences = false};

}  // namespace boustro::ad::testing
