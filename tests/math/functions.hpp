// The functions of templates/vector_*.hpp as loops over arrays, which compilers are to turn into
// vectors. One file of a program includes this.
#pragma once

#include <cmath>

#include "templates/vector_cosh.hpp"
#include "templates/vector_coshf.hpp"
#include "templates/vector_exp.hpp"
#include "templates/vector_exp10.hpp"
#include "templates/vector_exp10f.hpp"
#include "templates/vector_exp2.hpp"
#include "templates/vector_exp2f.hpp"
#include "templates/vector_expf.hpp"
#include "templates/vector_expm1.hpp"
#include "templates/vector_expm1f.hpp"
#include "templates/vector_log.hpp"
#include "templates/vector_log10.hpp"
#include "templates/vector_log10f.hpp"
#include "templates/vector_log1p.hpp"
#include "templates/vector_log1pf.hpp"
#include "templates/vector_log2.hpp"
#include "templates/vector_log2f.hpp"
#include "templates/vector_logf.hpp"
#include "templates/vector_sinh.hpp"
#include "templates/vector_sinhf.hpp"
#include "templates/vector_tanh.hpp"
#include "templates/vector_tanhf.hpp"

/// Writes f(x[i]) to y[i]; the arrays do not overlap.
template <typename T>
using Loop = void(T* y, const T* x, int n);

/// A function: as our loop, as the library's, and in a type that is wider than T.
template <typename T, typename Wide>
struct Function {
  const char* name;
  Loop<T>*loop, *library;
  Wide (*exact)(Wide);
};

/// 10^x, which <cmath> lacks.
inline float ten_to(float x) { return exp10f(x); }
inline double ten_to(double x) { return exp10(x); }
inline long double ten_to(long double x) { return exp10l(x); }

/// What programs make of functions has to become vectors, too.
inline double logistic(double x) { return 1.0 / (1.0 + vector_exp(-x)); }
inline double entropy(double x) { return x * vector_log(x) + (1.0 - x) * vector_log1p(-x); }
inline float softplus(float x) {
  return (x + std::fabs(x)) / 2 + vector_log1pf(vector_expf(-std::fabs(x)));
}

// Ours: one line for each, which is what compilers name in their reports.
#define LOOP(loop, f, T) \
  void loop(T* __restrict y, const T* __restrict x, int n) { for (int i = 0; i < n; ++i) y[i] = f(x[i]); }
LOOP(exp_loop, vector_exp, double)
LOOP(exp2_loop, vector_exp2, double)
LOOP(exp10_loop, vector_exp10, double)
LOOP(expm1_loop, vector_expm1, double)
LOOP(log_loop, vector_log, double)
LOOP(log2_loop, vector_log2, double)
LOOP(log10_loop, vector_log10, double)
LOOP(log1p_loop, vector_log1p, double)
LOOP(sinh_loop, vector_sinh, double)
LOOP(cosh_loop, vector_cosh, double)
LOOP(tanh_loop, vector_tanh, double)
LOOP(expf_loop, vector_expf, float)
LOOP(exp2f_loop, vector_exp2f, float)
LOOP(exp10f_loop, vector_exp10f, float)
LOOP(expm1f_loop, vector_expm1f, float)
LOOP(logf_loop, vector_logf, float)
LOOP(log2f_loop, vector_log2f, float)
LOOP(log10f_loop, vector_log10f, float)
LOOP(log1pf_loop, vector_log1pf, float)
LOOP(sinhf_loop, vector_sinhf, float)
LOOP(coshf_loop, vector_coshf, float)
LOOP(tanhf_loop, vector_tanhf, float)
LOOP(logistic_loop, logistic, double)
LOOP(entropy_loop, entropy, double)
LOOP(softplus_loop, softplus, float)

// The library's.
LOOP(exp_library, std::exp, double)
LOOP(exp2_library, std::exp2, double)
LOOP(exp10_library, ten_to, double)
LOOP(expm1_library, std::expm1, double)
LOOP(log_library, std::log, double)
LOOP(log2_library, std::log2, double)
LOOP(log10_library, std::log10, double)
LOOP(log1p_library, std::log1p, double)
LOOP(sinh_library, std::sinh, double)
LOOP(cosh_library, std::cosh, double)
LOOP(tanh_library, std::tanh, double)
LOOP(expf_library, std::exp, float)
LOOP(exp2f_library, std::exp2, float)
LOOP(exp10f_library, ten_to, float)
LOOP(expm1f_library, std::expm1, float)
LOOP(logf_library, std::log, float)
LOOP(log2f_library, std::log2, float)
LOOP(log10f_library, std::log10, float)
LOOP(log1pf_library, std::log1p, float)
LOOP(sinhf_library, std::sinh, float)
LOOP(coshf_library, std::cosh, float)
LOOP(tanhf_library, std::tanh, float)
#undef LOOP

const Function<double, long double> functions_f64[] = {
    {"exp", exp_loop, exp_library, std::exp},
    {"exp2", exp2_loop, exp2_library, std::exp2},
    {"exp10", exp10_loop, exp10_library, ten_to},
    {"expm1", expm1_loop, expm1_library, std::expm1},
    {"log", log_loop, log_library, std::log},
    {"log2", log2_loop, log2_library, std::log2},
    {"log10", log10_loop, log10_library, std::log10},
    {"log1p", log1p_loop, log1p_library, std::log1p},
    {"sinh", sinh_loop, sinh_library, std::sinh},
    {"cosh", cosh_loop, cosh_library, std::cosh},
    {"tanh", tanh_loop, tanh_library, std::tanh}};

const Function<float, double> functions_f32[] = {
    {"expf", expf_loop, expf_library, std::exp},
    {"exp2f", exp2f_loop, exp2f_library, std::exp2},
    {"exp10f", exp10f_loop, exp10f_library, ten_to},
    {"expm1f", expm1f_loop, expm1f_library, std::expm1},
    {"logf", logf_loop, logf_library, std::log},
    {"log2f", log2f_loop, log2f_library, std::log2},
    {"log10f", log10f_loop, log10f_library, std::log10},
    {"log1pf", log1pf_loop, log1pf_library, std::log1p},
    {"sinhf", sinhf_loop, sinhf_library, std::sinh},
    {"coshf", coshf_loop, coshf_library, std::cosh},
    {"tanhf", tanhf_loop, tanhf_library, std::tanh}};
