// Blocks of a long kernel that a multiprocessor is to hold.
#pragma once

/// So many blocks at least, so that some have something to do where others wait: that limits the
/// registers of a thread.
constexpr int resident_blocks = 2;
