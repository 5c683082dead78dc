// A stack for recursion over syntax trees, whose height is limited but may exceed what the default stack
// allows.
#pragma once

#include <functional>

namespace boustro::source {

/// Calls `work` on a thread of its own, with a stack of 512 MB of which only what is used takes memory, and
/// waits for it. Exceptions come through.
void with_deep_stack(const std::function<void()>& work);

}  // namespace boustro::source
