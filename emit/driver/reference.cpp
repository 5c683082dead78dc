#include "emit/driver/reference.hpp"

namespace boustro::driver {

std::vector<values::Value> Reference::run(const std::string& entry, const std::vector<values::Value>& arguments) const {
  if (!run_) {
    const auto core = load_workload(session_, workload_.path.string(), workload_.options);
    if (core) run_ = make_runner(session_, core->core, target_, "plain");
    if (!run_) throw RunError(session_.first_error());
  }
  return (*run_)(entry, arguments);
}

}  // namespace boustro::driver
