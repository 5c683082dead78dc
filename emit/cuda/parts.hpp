// The parts of a .cu file that other targets do not have.
#pragma once

#include <string>

#include "emit/text/place.hpp"

namespace boustro::cuda {

using text::Place;

/// Barriers, shared arrays, atomics, ...: statements of kernels.
std::string device_statement(const plan::Stm& stm, const Place& place);
/// Launches, fills, copies, ...: statements of entries.
std::string host_statement(const plan::Stm& stm, const Place& place);

/// With its comment; `same_as` is the kernel before it that computes the same in another way, if there is one.
std::string kernel_text(const plan::Kernel& kernel, const std::string& same_as, const Place& place);

/// The functions that make the library calls of an entry.
std::string libraries_text(const plan::Entry& entry, const Place& place);

}  // namespace boustro::cuda
