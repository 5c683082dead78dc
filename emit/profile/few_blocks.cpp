#include "emit/profile/few_blocks.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"
#include "emit/profile/registers.hpp"

namespace boustro::profile {
namespace {

bool calls(const plan::Expr& expr, const std::string& function) {
  const auto* call = std::get_if<plan::Call>(&expr.head);
  return (call && call->function == function) ||
         std::any_of(expr.args.begin(), expr.args.end(), [&](const plan::Expr& arg) { return calls(arg, function); });
}

/// Also along y, where a variable says how many blocks are beside each.
bool has_few_blocks(const plan::Launch& launch) {
  return calls(launch.grid.x, "few_blocks_for") || (launch.grid.y && calls(*launch.grid.y, "few_blocks_for"));
}

std::set<std::string> kernels_of_few_blocks(const plan::Program& program) {
  std::set<std::string> names;
  for (const plan::Entry& entry : program.entries)
    plan::for_each_stm(entry.body, [&](const plan::Stm& stm) {
      const auto* launch = std::get_if<plan::Launch>(&stm.what);
      if (launch && has_few_blocks(*launch)) names.insert(launch->kernel);
    });
  return names;
}

}  // namespace

void limit_blocks(std::vector<run::CountedWork>& extrapolated, const plan::Program& program) {
  const std::set<std::string> kernels = kernels_of_few_blocks(program);
  for (run::CountedWork& work : extrapolated) {
    if (work.work != "kernel" || !kernels.contains(kernel_name(work.name))) continue;
    run::Counts& counts = work.counts;
    const std::uint64_t most = counts.launches * plan::runtime::few_blocks;
    if (counts.blocks <= most) continue;
    counts.threads = counts.threads / counts.blocks * most;
    counts.blocks = most;
  }
}

}  // namespace boustro::profile
