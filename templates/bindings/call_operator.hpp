// Calls of registered operators through PyTorch's dispatcher.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

/// Calls an operator by its name, `kmeans::cost`, so that PyTorch sees the call: it may be
/// differentiated or traced.
template <typename Signature, typename... Args>
auto call_operator(const char* name, const Args&... args) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>().call(args...);
}
