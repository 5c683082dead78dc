// State of the emulated CUDA runtime, and failures on purpose.
#pragma once

#include "cuda_on_cpu.hpp"

namespace cuda_emulation {

/// Remembers an error for cudaGetLastError() and hands it back.
cudaError_t record(cudaError_t error);

/// The error that the current runtime call must fail with, if it is the one to be failed: call
/// number CUDA_EMULATION_FAIL_CALL (from 1, launches included) after cuda_emulation_count_calls()
/// returns cudaErrorUnknown and does nothing.
cudaError_t injected_error();

}  // namespace cuda_emulation

/// What follows counts as a call of the runtime; see injected_error.
extern "C" void cuda_emulation_count_calls();

/// Whether a call was made to fail.
extern "C" bool cuda_emulation_has_failed();
