// The host runtime functions that <cuda_runtime.h> declares, in place of libcudart. Everything
// happens at once, in the order of the calls.
#include "runtime.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "cuda_on_cpu.hpp"
#include "device_memory.hpp"
#include "observer.hpp"
#include "scheduler.hpp"

namespace cuda_emulation {
namespace {

cudaError_t last_error = cudaSuccess;
bool counts_calls = false;
long calls = 0;
bool has_failed = false;
std::map<void const*, std::size_t> dynamic_shared_limits;  // set by cudaFuncSetAttribute

void observe_copy(void const* to, void const* from, std::size_t bytes) {
  bool const reads = device_memory.bytes_from(from) != 0,
             writes = device_memory.bytes_from(to) != 0;
  observe_transfer(Work::copy,
                   reads && writes ? "copy on the device"
                   : reads         ? "copy to the host"
                   : writes        ? "copy to the device"
                                   : "copy on the host",
                   reads ? bytes : 0, writes ? bytes : 0);
}

}  // namespace

cudaError_t record(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t injected_error() {
  static const long failing_call = [] {
    const char* const text = std::getenv("CUDA_EMULATION_FAIL_CALL");
    return text ? std::strtol(text, nullptr, 10) : 0;
  }();
  if (!counts_calls || ++calls != failing_call) return cudaSuccess;
  has_failed = true;
  return cudaErrorUnknown;
}

void run_grid(LaunchConfiguration const& configuration, char const* kernel_name,
              void const* kernel_address, ThreadFunction thread_function, void const* context) {
  dim3 const g = configuration.grid, b = configuration.block;
  unsigned long long const threads = 1ull * b.x * b.y * b.z;
  if (scheduler.current_thread() >= 0) fail("a kernel launch inside of a kernel");
  if (injected_error() != cudaSuccess) {
    record(cudaErrorUnknown);
    return;
  }
  if (threads == 0 || threads > max_threads_per_block || b.z > max_block_dim_z || g.x == 0 ||
      g.y == 0 || g.z == 0 || g.x > 0x7FFFFFFFu || g.y > max_grid_dim_yz || g.z > max_grid_dim_yz) {
    record(cudaErrorInvalidConfiguration);
    return;
  }
  // the rewriter passes a null address if it cannot name the kernel's specialisation; then the
  // largest limit that any kernel was given applies.
  std::size_t limit = default_shared_bytes;
  for (auto const& [address, bytes] : dynamic_shared_limits)
    if (kernel_address == nullptr || address == kernel_address) limit = std::max(limit, bytes);
  if (configuration.dynamic_shared_bytes > limit) {
    record(cudaErrorInvalidValue);
    return;
  }
  scheduler.run_grid(configuration, kernel_name, thread_function, context);
}

void fail(char const* format, ...) {
  std::fflush(stdout);
  std::fputs("cuda_on_cpu: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  scheduler.describe_current_thread(stderr);
  std::_Exit(86);
}

void* dynamic_shared_memory_bytes() { return scheduler.dynamic_shared(); }
void* shared_variable_address(SharedSlot& slot, std::size_t bytes, std::size_t alignment) {
  return scheduler.shared_variable_address(slot, bytes, alignment);
}
int linear_thread_index() { return scheduler.current_thread(); }
unsigned long long block_barriers_completed() { return scheduler.barriers_completed(); }
int block_barrier(Vote vote, int predicate, char const* file, int line) {
  return scheduler.block_barrier(vote, predicate, file, line);
}
void warp_barrier(unsigned mask) {
  scheduler.warp_operation({LaneRequest::barrier, mask, 0, nullptr, nullptr, 0, 0});
}
void warp_shuffle(unsigned mask, int source_lane, void const* value, void* result,
                  std::size_t size) {
  scheduler.warp_operation({LaneRequest::shuffle, mask, source_lane, value, result, size, 0});
}
unsigned warp_gather(unsigned mask, void const* value, void* results, std::size_t size) {
  return scheduler.warp_operation({LaneRequest::gather, mask, 0, value, results, size, 0});
}
double2 add_products(MatrixElements const* all, int lane, double2 before) {
  int const row = lane / 4, column = lane % 4 * 2;
  for (int step = 0; step < 4; ++step) {
    before.x = std::fma(all[row * 4 + step].x, all[column * 4 + step].y, before.x);
    before.y = std::fma(all[row * 4 + step].x, all[(column + 1) * 4 + step].y, before.y);
  }
  return before;
}
unsigned active_mask() { return scheduler.active_mask(__builtin_return_address(0)); }

DeviceMemoryAccess::DeviceMemoryAccess() { device_memory.begin_access(); }
DeviceMemoryAccess::~DeviceMemoryAccess() { device_memory.end_access(); }
LibraryCall::LibraryCall(char const* name) { observe_begin(Work::library, name, 0, 0); }
LibraryCall::~LibraryCall() { observe_end(); }
void check_pointer_argument(char const* kernel_name, int position, void const* pointer) {
  if (!device_memory.contains(pointer))
    fail("argument %d of kernel %s is not a device pointer", position, kernel_name);
}
std::size_t device_bytes_from(void const* pointer) { return device_memory.bytes_from(pointer); }

}  // namespace cuda_emulation

using namespace cuda_emulation;

bool cuda_emulation_has_failed() { return has_failed; }

void cuda_emulation_begin_entry() {
  counts_calls = true;
  calls = 0;
  observe_entry_begin();
}
void cuda_emulation_end_entry() { observe_entry_end(); }

// A stream or event is a heap object, so that ASan reports one never destroyed.
struct CUstream_st {};
struct CUevent_st {};

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  if (auto const error = injected_error()) return record(error);
  *pointer = bytes == 0 ? nullptr : device_memory.allocate(bytes);
  return record(bytes != 0 && *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  return record(device_memory.free(pointer) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  return cudaMalloc(pointer, bytes);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }

cudaError_t cudaMemcpy(void* to, void const* from, size_t bytes, cudaMemcpyKind kind) {
  if (auto const error = injected_error()) return record(error);
  if (bytes == 0) return cudaSuccess;
  bool const to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool const from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault) {
    size_t const to_bytes = device_memory.bytes_from(to);
    size_t const from_bytes = device_memory.bytes_from(from);
    if ((to_bytes != 0) != to_device || (from_bytes != 0) != from_device ||
        (to_device && to_bytes < bytes) || (from_device && from_bytes < bytes))
      return record(cudaErrorInvalidValue);
  }
  DeviceMemoryAccess const access;
  std::memmove(to, from, bytes);
  observe_copy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  if (auto const error = injected_error()) return record(error);
  if (bytes == 0) return cudaSuccess;
  if (device_memory.bytes_from(pointer) < bytes) return record(cudaErrorInvalidValue);
  DeviceMemoryAccess const access;
  std::memset(pointer, value, bytes);
  observe_transfer(Work::fill, "fill", 0, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  if (auto const error = injected_error()) return record(error);
  observe_transfer(Work::wait, "wait for the stream", 0, 0);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() {
  if (auto const error = injected_error()) return record(error);
  observe_transfer(Work::wait, "wait for the device", 0, 0);
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0.0f;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
char const* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorUnknown:
      return "cudaErrorUnknown";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    default:
      return "an error that cuda_on_cpu does not name";
  }
}
char const* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (auto const error = injected_error()) return record(error);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return record(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (auto const error = injected_error()) return record(error);
  if (device != 0) return record(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = max_threads_per_block;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = 0x7FFFFFFF;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = int(default_shared_bytes);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = int(max_shared_bytes);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = 228 * 1024;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = multiprocessors;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = max_threads_per_multiprocessor;
      break;
    case cudaDevAttrWarpSize:
      *value = warpSize;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      break;
    case cudaDevAttrMemoryPoolsSupported:
      *value = 1;
      break;
    default:
      return record(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute attribute, int value) {
  if (auto const error = injected_error()) return record(error);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<size_t>(value) > max_shared_bytes)
    return record(cudaErrorInvalidValue);
  dynamic_shared_limits[function] = static_cast<size_t>(value);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
  *attributes = cudaFuncAttributes{};
  attributes->maxThreadsPerBlock = max_threads_per_block;
  attributes->maxDynamicSharedSizeBytes = int(default_shared_bytes);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void const*,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned) {
  if (block_size <= 0 || block_size > int(max_threads_per_block))
    return record(cudaErrorInvalidValue);
  *blocks = max_threads_per_multiprocessor / block_size;
  if (dynamic_shared_bytes != 0)
    *blocks = std::min(*blocks, int(228 * 1024 / (dynamic_shared_bytes + 1024)));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* function,
                                                          int block_size,
                                                          size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                dynamic_shared_bytes, 0);
}

}  // extern "C"
