// What a fuzz target is: any bytes in, nothing out. It may report mistakes of the input in the way
// that its part of the frontend does; any other exception is a finding.
#pragma once

#include <cstddef>
#include <cstdint>

/// libFuzzer's entry point; always 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
