// What results should be, where nobody has written them down: what another target computes.
#pragma once

#include <string>

#include "emit/driver/runner.hpp"
#include "emit/driver/workload.hpp"

namespace boustro::driver {

/// The entries of a workload on the evaluator, or on `target`. Made ready by the first call.
class Reference {
 public:
  explicit Reference(const Workload& workload, const std::string& target = "evaluate") : workload_(workload), target_(target) {}

  /// Throws what RunEntry throws, and RunError if the program is refused.
  std::vector<values::Value> run(const std::string& entry, const std::vector<values::Value>& arguments) const;

 private:
  const Workload& workload_;
  const std::string target_;
  mutable Session session_;
  mutable std::optional<RunEntry> run_;
};

}  // namespace boustro::driver
