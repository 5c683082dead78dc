// The words of a command line that say what `bench` and `bundle` call, and how.
#pragma once

#include <string>
#include <vector>

#include "emit/driver/derivative_words.hpp"
#include "emit/driver/options.hpp"

namespace boustro::driver {

/// --entry-point, --vjp, --jvp, --wrt, --pair, --size, --seed, --exclude-case, --include
class WorkloadWords {
 public:
  void add_to(CLI::App& command);
  WorkloadOptions value() const;

 private:
  WorkloadOptions options_;
  DerivativeWords derivatives_;
  std::vector<std::string> pairs_, sizes_;
};

/// The sub-command `bench`.
class BenchWords {
 public:
  void add_to(CLI::App& app);
  BenchOptions value() const;

 private:
  BenchOptions options_;
  WorkloadWords workload_;
  std::string compare_ = "all";
  bool no_convergence_ = false;
};

/// The sub-command `bundle`.
class BundleWords {
 public:
  void add_to(CLI::App& app);
  BundleOptions value() const;

 private:
  BundleOptions options_;
  WorkloadWords workload_;
};

/// The sub-command `cuda-on-cpu`.
class CudaOnCpuWords {
 public:
  void add_to(CLI::App& app);
  CudaOnCpuOptions value() const;

 private:
  CudaOnCpuOptions options_;
};

}  // namespace boustro::driver
