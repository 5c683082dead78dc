// Watches of the launches of an emitted CUDA file; emit/verify/time_launches.cpp puts them there. They tell
// what time each kernel takes on the device, in the file that HARNESS_WATCHES names.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime_api.h>

namespace harness {

/// When a kernel began and ended, in the stream's time.
struct Launch {
  const char* kernel;
  cudaEvent_t begin, end;
};

inline std::vector<Launch>& launches() {
  static std::vector<Launch> all;
  return all;
}

/// A line for each launch: seconds, and the kernel's name.
inline void write_launches() {
  const char* const path = std::getenv("HARNESS_WATCHES");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  for (const Launch& launch : launches()) {
    float milliseconds = 0;
    if (cudaEventSynchronize(launch.end) == cudaSuccess &&
        cudaEventElapsedTime(&milliseconds, launch.begin, launch.end) == cudaSuccess)
      std::fprintf(file, "%.9f\t%s\n", static_cast<double>(milliseconds) * 1e-3, launch.kernel);
    static_cast<void>(cudaEventDestroy(launch.begin));
    static_cast<void>(cudaEventDestroy(launch.end));
  }
  std::fclose(file);
}

/// Lives while a kernel is launched, or a function of CUB called: a call that only asks for sizes does no `work`.
class LaunchWatch {
 public:
  LaunchWatch(const char* kernel, cudaStream_t stream, bool work = true) : launch_{kernel, nullptr, nullptr}, stream_(stream), work_(work) {
    if (!work_) return;
    if (launches().empty()) std::atexit(write_launches);
    static_cast<void>(cudaEventCreate(&launch_.begin));
    static_cast<void>(cudaEventCreate(&launch_.end));
    static_cast<void>(cudaEventRecord(launch_.begin, stream_));
  }
  ~LaunchWatch() {
    if (!work_) return;
    static_cast<void>(cudaEventRecord(launch_.end, stream_));
    launches().push_back(launch_);
  }
  LaunchWatch(const LaunchWatch&) = delete;
  LaunchWatch& operator=(const LaunchWatch&) = delete;

 private:
  Launch launch_;
  cudaStream_t stream_;
  bool work_;
};

}  // namespace harness
