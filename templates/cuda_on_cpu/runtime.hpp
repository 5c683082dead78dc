// State of the emulated CUDA runtime, and failures on purpose.
#pragma once

#include "cuda_on_cpu.hpp"

namespace cuda_emulation {

/// Remembers an error for cudaGetLastError() and hands it back.
cudaError_t record(cudaError_t error);

/// The error that the current runtime call must fail with, if it is the one to be failed: call
/// number CUDA_EMULATION_FAIL_CALL (from 1, launches included) after cuda_emulation_begin_entry()
/// returns cudaErrorUnknown and does nothing.
cudaError_t injected_error();

}  // namespace cuda_emulation

/// What follows is done by an entry point, until it has returned: failures on purpose count its calls
/// (see injected_error), and the mode `counts` counts its work.
extern "C" void cuda_emulation_begin_entry();
extern "C" void cuda_emulation_end_entry();

/// Whether a call was made to fail.
extern "C" bool cuda_emulation_has_failed();
