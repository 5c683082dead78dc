// Additions that come in the same order in every run: what `translate --deterministic` asks for, on a gpu.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro {

/// As parallel::flatten for a gpu, with no operation whose order varies and shows: scans and histograms that round are computed chunk by chunk, and
/// of accumulators that many threads would add floats to, all that is added is stored first, and then added up like a histogram. Where that cannot
/// be stored, since its number or shape varies, the additions come one after the other, in a loop of one thread.
///
/// Before:   with_acc ys_adj (\acc -> map (\acc i v -> acc[i] += v) acc is vs)
/// After:    reduce_by_index ys_adj (+) 0 is vs
/// Cost      memory for all that is added, and of histograms in chunks: up to a fourth as much again
ir::Program flatten_in_fixed_order(ir::Program program);

}  // namespace boustro
