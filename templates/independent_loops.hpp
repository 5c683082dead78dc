// Loops whose iterations do not meet in memory.
#pragma once

// Clang warns of those that it makes no vectors of, as of calls with loops in them. They need not be.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/// Stands before a loop whose iterations do not meet in memory, which compilers do not find out of
/// many arrays. With AVX-512 Clang computes what is left over of a short row as one more vector.
#if defined(__clang__) && defined(__AVX512F__)
#define INDEPENDENT_ITERATIONS \
  _Pragma("clang loop vectorize(assume_safety) vectorize_predicate(enable)")
#elif defined(__clang__)
#define INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif
