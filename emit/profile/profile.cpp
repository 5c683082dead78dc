#include "emit/profile/profile.hpp"

namespace boustro::profile {

namespace {

template <typename Known>
std::optional<Known> find(const std::map<std::string, Known>& all, const std::string& name) {
  const auto at = all.find(name);
  return at == all.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

Profile make_profile(const std::vector<run::CountedWork>& counted, const machine::Gpu& gpu,
                     const KernelFacts& facts) {
  Profile profile;
  profile.device = gpu.name;
  for (const run::CountedWork& work : counted) {
    Row row{work, {}, std::nullopt, std::nullopt};
    if (work.work == "kernel") {
      row.needs = find(facts.needs, kernel_name(work.name));
      row.measured = find(facts.seconds, work.name);
    }
    row.time = model_time(work, gpu, row.needs ? row.needs->registers : 0);
    profile.rows.push_back(std::move(row));
  }
  return profile;
}

Profile make_profile(const std::vector<run::NestRun>& nests, const machine::Cpu& cpu) {
  Profile profile;
  profile.device = cpu.name;
  for (const run::NestRun& nest : nests)
    profile.rows.push_back({nest.work, model_time(nest.work, cpu), nest.seconds, std::nullopt});
  return profile;
}

run::Counts total_counts(const Profile& profile) {
  run::Counts total;
  for (const Row& row : profile.rows) cuda_emulation::add(total, row.work.counts);
  return total;
}

double total_seconds(const Profile& profile) {
  double seconds = 0;
  for (const Row& row : profile.rows) seconds += row.time.seconds;
  return seconds;
}

std::optional<double> total_measured(const Profile& profile) {
  std::optional<double> seconds;
  for (const Row& row : profile.rows)
    if (row.measured) seconds = seconds.value_or(0) + *row.measured;
  return seconds;
}

}  // namespace boustro::profile
