// Loops whose iterations do not meet in memory.
#pragma once

// Clang warns of such loops that it does not vectorise, for example because they call functions with
// loops. They need not be vectorised.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/// Precedes a loop whose iterations do not conflict in memory, which compilers cannot prove for
/// many arrays. With AVX-512 Clang computes the rest of a short row as one more vector.
#if defined(__clang__) && defined(__AVX512F__)
#define INDEPENDENT_ITERATIONS \
  _Pragma("clang loop vectorize(assume_safety) vectorize_predicate(enable)")
#elif defined(__clang__)
#define INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif
