// Blocks of a long kernel that a multiprocessor is to hold at a time.
#pragma once

/// Minimum blocks per multiprocessor of long kernels, so that some can run while others wait; this
/// limits the registers of a thread.
constexpr int resident_blocks = 2;
