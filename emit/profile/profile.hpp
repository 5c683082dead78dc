// What `boustro profile` found out about an entry.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emit/profile/extrapolate.hpp"
#include "emit/profile/model.hpp"
#include "emit/profile/registers.hpp"
#include "emit/run/counts.hpp"
#include "emit/run/watches.hpp"

namespace boustro::profile {

/// A kernel, a function of a library, a kind of transfer, or a nest of loops on a CPU.
struct Row {
  run::CountedWork work;
  ModelledTime time;                 // of all launches
  std::optional<double> measured;    // seconds, of all launches
  std::optional<KernelNeeds> needs;  // of kernels, if nvcc was asked
};

struct Profile {
  std::string failure;                 // of a check, or of the runtime; empty if the entry succeeded
  std::string program, entry, device;  // `cpu`: of nests that were measured on this machine
  std::vector<Row> rows;
  std::vector<Axis> extrapolated;  // in which sizes, and from where; empty: what was counted itself
  std::vector<Guess> guesses;      // what was extrapolated with the least certainty
};

/// What else is known of kernels, by their names.
struct KernelFacts {
  std::map<std::string, KernelNeeds> needs = {};  // by kernel_name
  std::map<std::string, double> seconds = {};     // measured, by the names that counts have
};

Profile make_profile(const std::vector<run::CountedWork>& counted, const machine::Gpu& gpu,
                     const KernelFacts& facts = {});

Profile make_profile(const std::vector<run::NestRun>& nests, const machine::Cpu& cpu);

run::Counts total_counts(const Profile& profile);
double total_seconds(const Profile& profile);
/// Nothing if nothing was measured.
std::optional<double> total_measured(const Profile& profile);

}  // namespace boustro::profile
