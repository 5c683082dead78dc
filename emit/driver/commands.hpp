// The sub-commands. Each returns the exit code: 0 done, 1 the user's program or input is at fault
// or unsupported, 3 (translate) files are merged with conflicts.
#pragma once

#include "emit/driver/options.hpp"

namespace boustro::driver {

int translate(const TranslateOptions& options);
int derive(const DeriveOptions& options);
int check(const CheckOptions& options);
int run(const RunOptions& options);
int test(const TestOptions& options);
int gradcheck(const GradcheckOptions& options);
int profile(const ProfileOptions& options);
int bench(const BenchOptions& options);
int bundle(const BundleOptions& options);
int cuda_on_cpu(const CudaOnCpuOptions& options);
int explain(const ExplainOptions& options);
int rules(const RulesOptions& options);
int list_passes();

}  // namespace boustro::driver
