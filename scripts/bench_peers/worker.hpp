// What the measured programs share. The driver, scripts/lib/bench, starts each as
//
//     program KIND CASE RESULT derivative|objective
//
// where CASE holds the data and RESULT is where the derivative, or the value of the objective, is written. A program computes it, writes it, and says
// "ready LOADED PEAK": kibibytes of memory when the data were read, and at most since. From then on it answers each
// line of its input with the seconds that one run took, by the clock and of the processor, as the mean of as many runs
// as fill a sample.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr double least_sample = 0.02;  // seconds

[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

/// The arrays of a case, in the order in which cases.py writes them: a count, then so many values of eight bytes.
class Case {
 public:
  explicit Case(const char* path) : file_(std::fopen(path, "rb")) {
    if (file_ == nullptr) fail(std::string("cannot read ") + path);
  }
  Case(const Case&) = delete;
  ~Case() { std::fclose(file_); }

  std::vector<double> reals() { return array<double>(); }

  std::vector<int> integers() {
    const auto wide = array<std::int64_t>();
    return {wide.begin(), wide.end()};
  }

  int integer() { return integers().at(0); }
  double real() { return reals().at(0); }

 private:
  template <typename T>
  std::vector<T> array() {
    std::vector<T> values(static_cast<std::size_t>(read<std::int64_t>()));
    if (std::fread(values.data(), sizeof(T), values.size(), file_) != values.size())
      fail("the case ends too early");
    return values;
  }

  template <typename T>
  T read() {
    T value;
    if (std::fread(&value, sizeof value, 1, file_) != 1) fail("the case ends too early");
    return value;
  }

  std::FILE* file_;
};

/// The arrays of a derivative, in the same format, all as double.
class Result {
 public:
  explicit Result(const char* path) : file_(std::fopen(path, "wb")) {
    if (file_ == nullptr) fail(std::string("cannot write ") + path);
  }
  Result(const Result&) = delete;
  ~Result() {
    if (std::fclose(file_) != 0) fail("cannot write the result");
  }

  template <typename T>
  void add(const T* values, std::size_t size) {
    const auto count = static_cast<std::int64_t>(size);
    std::fwrite(&count, sizeof count, 1, file_);
    const std::vector<double> reals(values, values + size);
    std::fwrite(reals.data(), sizeof(double), size, file_);
  }

  template <typename T>
  void add(const std::vector<T>& values) {
    add(values.data(), values.size());
  }

 private:
  std::FILE* file_;
};

/// Whether the objective itself is to be measured, and not its derivative.
inline bool wants_objective(char** argv) { return std::string(argv[4]) == "objective"; }

/// Kibibytes by a row of /proc/self/status. Unlike ru_maxrss they leave out what the process that started this one had.
inline long memory(const char* row) {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  long kibibytes = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, row, std::strlen(row)) == 0)
      kibibytes = std::strtol(line + std::strlen(row), nullptr, 10);
  }
  std::fclose(file);
  return kibibytes;
}

struct Seconds {
  double wall, processor;
};

template <typename Run>
Seconds seconds_of(Run&& run, int times) {
  const auto wall = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  for (int i = 0; i < times; ++i) run();
  const double used = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
  const double passed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  return {passed / times, used / times};
}

/// Runs, lets `write` write the result, and answers the driver until it has enough.
template <typename Run, typename Write>
void serve(const char* result, Run&& run, Write&& write) {
  const long loaded = memory("VmRSS:");
  Seconds once = seconds_of(run, 1);
  if (once.wall < 1) once = seconds_of(run, 1);  // warm
  const long peak = memory("VmHWM:");
  {
    Result file(result);
    write(file);
  }
  std::printf("ready %ld %ld\n", loaded, peak);
  std::fflush(stdout);

  const double least = std::max(std::min(once.wall, once.processor), 1e-7);
  const int times = std::max(1, static_cast<int>(std::ceil(least_sample / least)));
  for (char line[64]; std::fgets(line, sizeof line, stdin) != nullptr;) {
    const Seconds seconds = seconds_of(run, times);
    std::printf("%.9f %.9f\n", seconds.wall, seconds.processor);
    std::fflush(stdout);
  }
}

/// Scratch memory for an emitted entry.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : bytes_(bytes), memory_(::operator new(std::max<std::size_t>(bytes, 1), alignment)) {}
  Scratch(const Scratch&) = delete;
  ~Scratch() { ::operator delete(memory_, alignment); }

  void* data() const { return memory_; }
  std::size_t size() const { return bytes_; }

 private:
  static constexpr std::align_val_t alignment{64};
  std::size_t bytes_;
  void* memory_;
};

/// Hands out again what it got back last, if that is enough: the others write into memory that they have from before, too.
template <typename Allocator>
class Keeping : public Allocator {
 public:
  ~Keeping() override { Allocator::deallocate(kept_); }
  void* allocate(std::size_t bytes) noexcept override {
    if (bytes <= bytes_ && kept_ != nullptr) return std::exchange(kept_, nullptr);
    bytes_ = bytes;
    return Allocator::allocate(bytes);
  }
  void deallocate(void* memory) noexcept override { Allocator::deallocate(std::exchange(kept_, memory)); }

 private:
  void* kept_ = nullptr;
  std::size_t bytes_ = 0;  // of what was handed out last
};

/// Of an emitted entry: any Status but success ends the program.
template <typename Status>
void require(Status status) {
  if (status != Status::success)
    fail("an entry returned status " + std::to_string(static_cast<int>(status)));
}

}  // namespace bench
