// run CUDA C++ on the CPU, for tests on machines without a GPU.
//
// This header is force-included (-include cuda_on_cpu.hpp) when the C++17 text that
// the rewriter made from a .cu file is compiled by an ordinary host compiler.  It provides
//   * the declaration specifiers (__global__, __shared__, ...) as macros,
//   * threadIdx and its kin, barriers, warp operations, atomics, device intrinsics,
//   * cuda_emulation::launch(), which the rewriter writes in place of kernel<<<...>>>(...).
// Types and prototypes of the host runtime (cudaMalloc, dim3, float4, ...) come from the
// real <cuda_runtime.h>, so that a wrong call does not compile; cuda_on_cpu.cpp defines
// those functions in place of libcudart.
//
// Execution model: one block after another; the threads of a block run as fibers, in a
// chosen order, and a fiber is only suspended at a barrier or warp operation.
#pragma once

// <cuda_runtime.h> leaves alone the specifiers that are already defined.
#define __shared__ must_be_rewritten_first_this___shared___declaration
#define __launch_bounds__(...)

#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "observer.hpp"

// ---------------------------------------------------------------------------------------
// Built-in variables.  The scheduler sets threadIdx whenever it switches threads.
// ---------------------------------------------------------------------------------------
inline uint3 threadIdx{};
inline uint3 blockIdx{};
inline dim3 blockDim{};
inline dim3 gridDim{};
constexpr int warpSize = 32;

namespace cuda_emulation {

struct LaunchConfiguration {
  LaunchConfiguration(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0,
                      cudaStream_t stream = nullptr)
      : grid(grid), block(block), dynamic_shared_bytes(dynamic_shared_bytes), stream(stream) {}

  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared_bytes;
  cudaStream_t stream;
};

/// Runs one emulated thread to its end (or to a barrier); `context` is launch()'s closure.
using ThreadFunction = void (*)(void const* context);

/// Runs a whole grid.  Launch errors are left for cudaGetLastError(), as in CUDA.
void run_grid(LaunchConfiguration const& configuration, char const* kernel_name,
              void const* kernel_address, ThreadFunction thread_function, void const* context);

/// Fails if a kernel argument is a pointer, and not to (the end of) device memory.
void check_pointer_argument(char const* kernel_name, int position, void const* pointer);
template <class Argument>
void check_argument(char const* kernel_name, int position, Argument const& argument) {
  if constexpr (std::is_pointer<Argument>::value)
    if (argument != nullptr) check_pointer_argument(kernel_name, position, argument);
}

/// A kernel's argument as it is passed.  What owns memory, and so cannot be copied, is the pointer to it.
template <class Argument>
auto passed(Argument const& argument) {
  if constexpr (std::is_copy_constructible<Argument>::value) {
    return argument;
  } else {
    return +argument;
  }
}

/// What the rewriter writes for kernel<<<configuration>>>(arguments...).  The arguments are
/// evaluated once, on the host; every thread gets its own copies, as kernel parameters are.
template <class Kernel, class... Arguments>
void launch(LaunchConfiguration const& configuration, char const* kernel_name,
            void const* kernel_address, Kernel kernel, Arguments const&... arguments) {
  std::tuple<decltype(passed(arguments))...> const parameters(passed(arguments)...);
  std::apply(
      [&](auto const&... parameter) {
        int position = 0;
        (check_argument(kernel_name, ++position, parameter), ...);
      },
      parameters);
  auto const thread = [&] { std::apply(kernel, parameters); };
  run_grid(
      configuration, kernel_name, kernel_address,
      [](void const* context) { (*static_cast<decltype(thread)*>(context))(); }, &thread);
}

// --- shared memory ---------------------------------------------------------------------

void* dynamic_shared_memory_bytes();

/// What the rewriter writes for `extern __shared__ T name[];`.
template <class T>
T* dynamic_shared_memory() {
  return static_cast<T*>(dynamic_shared_memory_bytes());
}

/// One per __shared__ declaration: where it lies in the block that runs now.
struct SharedSlot {
  unsigned long long block_number = 0;
  void* address = nullptr;
};
void* shared_variable_address(SharedSlot& slot, std::size_t bytes, std::size_t alignment);

/// What the rewriter writes for `__shared__ T name;`.  `Storage` is a local struct with that
/// member, so every declaration (in every template instance) has its own.  The first thread of a
/// block to get here allocates it, which gives ASan redzones on both sides, and fills it with 0xFF
/// bytes (NaN, -1), so that it never looks initialised or holds the previous block's values.
template <class Storage>
Storage& shared_variable() {
  static_assert(std::is_trivially_default_constructible<Storage>::value,
                "a __shared__ variable cannot have an initialiser or a constructor");
  static SharedSlot slot;
  return *static_cast<Storage*>(shared_variable_address(slot, sizeof(Storage), alignof(Storage)));
}

// --- barriers and warp operations ------------------------------------------------------

/// The caller's linear index in its block.
int linear_thread_index();
/// How many block-wide barriers the current block has completed.
unsigned long long block_barriers_completed();

enum class Vote { none, count, all_of, any_of };
/// A block-wide barrier; with a vote, also reduces `predicate` over the block's threads.
int block_barrier(Vote vote, int predicate, char const* file, int line);

void warp_barrier(unsigned mask);
/// Copies `size` bytes from lane `source_lane`'s `value` to this lane's `result`.
void warp_shuffle(unsigned mask, int source_lane, void const* value, void* result,
                  std::size_t size);
/// Stores every taking-part lane's `value` into results[lane]; returns the set of lanes.
unsigned warp_gather(unsigned mask, void const* value, void* results, std::size_t size);
/// What a lane gives to a product of an 8 x 4 and a 4 x 8 matrix: an element of each.
struct MatrixElements {
  double x, y;
};
/// The two elements of the product that a lane has, added to what it had before.
double2 add_products(MatrixElements const* all, int lane, double2 before);
/// The lanes that have come to the same place of the program when no lane of the warp can go on, or some of them.
unsigned active_mask();

/// A value that a correct program never looks at: all bytes 0xFF, a NaN for floats.
template <class T>
CUDA_EMULATION_UNREPORTED T undefined_value() {
  static_assert(std::is_trivially_copyable<T>::value, "shuffled values are copied bytewise");
  alignas(T) unsigned char bytes[sizeof(T)];
  std::memset(bytes, 0xFF, sizeof bytes);
  T value;
  std::memcpy(static_cast<void*>(&value), bytes, sizeof value);
  return value;
}

/// Ends the program with a message naming the kernel, block and thread.
[[noreturn]] void fail(char const* format, ...) __attribute__((format(printf, 1, 2)));

/// While one lives, device memory may be touched (otherwise ASan reports an access).
class DeviceMemoryAccess {
 public:
  DeviceMemoryAccess();
  ~DeviceMemoryAccess();
  DeviceMemoryAccess(DeviceMemoryAccess const&) = delete;
  DeviceMemoryAccess& operator=(DeviceMemoryAccess const&) = delete;
};

/// While one lives, a library works on the device; it may touch device memory.
class LibraryCall {
 public:
  explicit LibraryCall(char const* name);
  ~LibraryCall();
  LibraryCall(LibraryCall const&) = delete;
  LibraryCall& operator=(LibraryCall const&) = delete;

 private:
  DeviceMemoryAccess access_;
};

/// The size of the device allocation that `pointer` begins or lies in, counted from
/// `pointer`; 0 if it is no device pointer.
std::size_t device_bytes_from(void const* pointer);

}  // namespace cuda_emulation

inline void __syncthreads(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
  cuda_emulation::block_barrier(cuda_emulation::Vote::none, 0, file, line);
}
inline int __syncthreads_count(int predicate, char const* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
  return cuda_emulation::block_barrier(cuda_emulation::Vote::count, predicate, file, line);
}
inline int __syncthreads_and(int predicate, char const* file = __builtin_FILE(),
                             int line = __builtin_LINE()) {
  return cuda_emulation::block_barrier(cuda_emulation::Vote::all_of, predicate, file, line);
}
inline int __syncthreads_or(int predicate, char const* file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  return cuda_emulation::block_barrier(cuda_emulation::Vote::any_of, predicate, file, line);
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFu) { cuda_emulation::warp_barrier(mask); }
/// Always inlined: where it returns to tells which place of the program it is.
__attribute__((always_inline)) inline unsigned __activemask() { return cuda_emulation::active_mask(); }

#include "atomics.hpp"
#include "intrinsics.hpp"
#include "warp.hpp"

// ---------------------------------------------------------------------------------------
// The few host templates that <cuda_runtime.h> declares for nvcc alone.
// ---------------------------------------------------------------------------------------
template <class Function>
cudaError_t cudaFuncSetAttribute(Function* function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<void const*>(function), attribute, value);
}
template <class Function>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Function* function) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<void const*>(function));
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, void const* source, std::size_t count,
                               std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (offset > sizeof symbol || count > sizeof symbol - offset) return cudaErrorInvalidValue;
  std::memcpy(reinterpret_cast<char*>(&symbol) + offset, source, count);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* destination, T const& symbol, std::size_t count,
                                 std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  if (offset > sizeof symbol || count > sizeof symbol - offset) return cudaErrorInvalidValue;
  std::memcpy(destination, reinterpret_cast<char const*>(&symbol) + offset, count);
  return cudaSuccess;
}
