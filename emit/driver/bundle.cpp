// boustro bundle: a folder with emitted CUDA, data, and what checks and times it on a machine that has nvcc alone.
#include "emit/bundle/bundle.hpp"

#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bundle/staging.hpp"
#include "emit/driver/commands.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/reference.hpp"
#include "emit/driver/workload.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using values::Value;
using values::WrittenValues;

bool is_bundle(const fs::path& folder) {
  std::ifstream cases(folder / "cases.tsv");
  std::string head;
  return std::getline(cases, head) && head == bundle::cases_head;
}

/// Throws WorkloadError if something is there that must stay.
void require_free(const BundleOptions& options) {
  const fs::path& folder = options.output;
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) throw WorkloadError(fmt::format("`{}` is no folder", options.output));
  if (fs::is_empty(folder) || options.force || is_bundle(folder)) return;
  throw WorkloadError(
      fmt::format("`{}` is not empty, and not a bundle\nhint: --force replaces it with all that is in it", options.output));
}

/// Nothing if the program was refused.
std::optional<run::EmittedProgram> emit_workload(Session& session, ir::Program& core) {
  auto passed = run_passes(session, std::move(core), Goal::gpu, {});
  if (!passed) return std::nullopt;
  core = std::move(*passed);
  auto emitted = emit(session, core, {.target = plan::Target::gpu, .name = session.name});
  if (!emitted) return std::nullopt;
  if (!verify::cuda_headers_available()) return emitted;  // nobody can read it here
  const auto problems = verify_emitted(*emitted).problems;
  source::internal_check(problems.empty(), fmt::format("bundle: {}", fmt::join(problems, "\n")));
  return emitted;
}

/// Adds all cases of a program to a bundle.
class CaseWriter {
 public:
  CaseWriter(const Workload& workload, const ir::Program& planned, const run::EmittedProgram& emitted,
             const std::string& reference, bundle::Bundle& bundle)
      : workload_(workload), planned_(planned), emitted_(emitted), reference_(workload, reference), bundle_(bundle) {}

  void add(const Subject& subject, const DataSet& data_set) {
    std::vector<Value> arguments, results;
    for (std::size_t v = 0; v < subject.variants.size(); ++v) {
      const Call call = v == 0 ? workload_.call(subject, data_set)
                               : workload_.derivative_call(subject, v, data_set, arguments, results);
      const bench::Variant& variant = subject.variants[v];
      const WrittenValues expected = expected_results(variant.entry, call);
      const run::EmittedCall emitted_call(run::function_of(planned_, variant.entry), call.arguments);
      bundle_.add_case({plan_named(variant.entry), variant.label, plan_named(subject.variants[0].entry).name, data_set.name,
                        emitted_call, expected});
      if (v == 0) arguments = call.arguments, results = expected.values;
    }
  }

 private:
  const plan::Entry& plan_named(const std::string& entry) const { return run::plan_of(emitted_.plan, planned_, entry); }

  WrittenValues expected_results(const std::string& entry, const Call& call) const {
    if (call.test != nullptr) {
      if (auto written = read_output(workload_.path, call.test->expected)) return std::move(*written);
    }
    return {reference_.run(entry, call.arguments), {}};
  }

  const Workload& workload_;
  const ir::Program& planned_;
  const run::EmittedProgram& emitted_;
  const Reference reference_;
  bundle::Bundle& bundle_;
};

void add_cases(const Workload& workload, CaseWriter& writer) {
  for (const Subject& subject : workload.subjects) {
    for (const DataSet& data_set : subject.data_sets) {
      try {
        writer.add(subject, data_set);
      } catch (const source::InternalError&) {
        throw;
      } catch (const std::runtime_error& error) {  // files, values, and what fails while it runs
        throw WorkloadError(fmt::format("{}: `{}` on `{}`: {}", workload.path.string(), subject.variants[0].entry, data_set.name, error.what()));
      } catch (const std::invalid_argument& error) {
        throw WorkloadError(fmt::format("{}: `{}` on `{}`: {}", workload.path.string(), subject.variants[0].entry, data_set.name, error.what()));
      }
    }
  }
}

/// False if it was refused, with a complaint.
bool add_to_bundle(const std::string& path, const BundleOptions& options, bundle::Bundle& bundle) {
  Session session;
  const auto workload = load_workload(session, path, options.workload);
  if (workload && workload->subjects.empty())
    throw WorkloadError(fmt::format("{}: no entry has data sets\nhint: a test block may list some, or --size n=10 makes random ones", path));
  ir::Program core = workload ? workload->core : ir::Program();
  const auto emitted = workload ? emit_workload(session, core) : std::nullopt;
  if (!session.report() || !emitted) return false;
  bundle.add_program(*emitted);
  CaseWriter writer(*workload, core, *emitted, options.reference, bundle);
  add_cases(*workload, writer);
  return true;
}

/// Names of programs become names of files, which make separates by blanks, and of namespaces.
void require_usable_names(const std::vector<std::string>& paths) {
  static const std::regex usable("[A-Za-z0-9_.+-]+");
  std::map<std::string, std::string> names;  // by their namespaces
  for (const std::string& path : paths) {
    const std::string name = fs::path(path).stem().string();
    if (!std::regex_match(name, usable))
      throw WorkloadError(fmt::format("`{}`: names in a bundle have letters, digits and `_`, `.`, `+`, `-` alone\nhint: rename the program", path));
    const auto [at, is_new] = names.emplace(std::regex_replace(name, std::regex("[.+-]"), "_"), name);
    if (!is_new) throw WorkloadError(fmt::format("two programs are named `{}`{}", at->second, at->second == name ? "" : " and `" + name + "`"));
  }
}

}  // namespace

int bundle(const BundleOptions& options) {
  try {
    require_free(options);
    require_usable_names(options.paths);
    bundle::Staging staging(options.output);
    bundle::Bundle bundle(staging.folder());
    for (const std::string& path : options.paths)
      if (!add_to_bundle(path, options, bundle)) return 1;
    bundle.finish();
    staging.publish();
    std::cout << fmt::format("{}: {} case{}; `make -C {} check` runs them\n", options.output, bundle.cases(),
                             bundle.cases() == 1 ? "" : "s", options.output);
    return 0;
  } catch (const WorkloadError& error) {
    std::cerr << "error: " << error.what() << "\n";
  } catch (const std::system_error& error) {
    std::cerr << "error: cannot write `" << options.output << "`: " << error.code().message() << "\n";
  }
  return 1;
}

}  // namespace boustro::driver
