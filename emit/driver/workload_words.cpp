#include "emit/driver/workload_words.hpp"

#include <CLI/CLI.hpp>

#include "emit/driver/option_checks.hpp"
#include "emit/driver/profile_words.hpp"

namespace boustro::driver {
namespace {

const char* const bench_legend =
    "Each entry is called on the data sets of its test blocks, or with --size on random arguments. A call is timed from\n"
    "before it until all of its work is done (on CUDA, until the stream is synchronised): without reading arguments, copying\n"
    "them to the device, allocating them or the scratch memory. The first call warms up and does not count.\n"
    "  mean     of all calls that count\n"
    "  95% CI   half of the confidence interval of the mean\n"
    "  std dev  of single calls, as a part of the mean\n"
    "  scratch  memory that the caller provides, beside arguments and results\n"
    "  ratio    of the derivative's mean to that of the function\n"
    "With --vjp and --jvp derivatives are called with adjoints or tangents of 1. Cases with a tag `nobench`, `disable` or\n"
    "`no_TARGET` are left out, and those that must fail. C++ is compiled by g++ -O3 -march=native -fopenmp.";

std::pair<std::string, std::string> parse_pair(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    throw CLI::ValidationError("--pair", "`" + text + "` is not of the form f=g");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// A program may be read several times.
std::string check_file_name(const std::string& text) {
  return text == "-" ? "takes files: standard input can be read once only" : "";
}

}  // namespace

void WorkloadWords::add_to(CLI::App& command) {
  command.add_option("--include", options_.folders, "files of this folder may be imported too; repeat for more")
      ->take_all()
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  command.add_option("-e,--entry-point,--entry", options_.entries,
                     "this function only; repeat for more (default: those with derivatives, or all entries with data sets)")
      ->allow_extra_args(false)
      ->check(check_not_empty);
  derivatives_.add_to(command);
  command.add_option("--pair", pairs_, "as f=g: g is an entry of the program that computes the derivative of f; repeat for more")
      ->allow_extra_args(false);
  command.add_option("--size", sizes_,
                     "instead of test blocks, random arguments with this value of a size or integer parameter, as n=10; repeat for more")
      ->allow_extra_args(false);
  command.add_option("--seed", options_.seed, "of the random numbers")->capture_default_str();
  command.add_option("--exclude-case", options_.excluded, "leave out cases with this tag; repeat for more")
      ->allow_extra_args(false);
}

WorkloadOptions WorkloadWords::value() const {
  WorkloadOptions options = options_;
  options.derivatives = derivatives_.value();
  for (const std::string& pair : pairs_) options.pairs.push_back(parse_pair(pair));
  options.sizes = parse_sizes(sizes_);
  return options;
}

void BenchWords::add_to(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("bench", "measure how long entry points take, and derivatives beside their functions");
  command.footer(bench_legend);
  command.add_option("paths", options_.paths, "programs, or folders of them")->required()->check(check_file_name);
  workload_.add_to(command);
  command.add_option("--target,--backend", options_.workload.target, "what runs them; cuda-on-cpu only tries out how `cuda` would go")
      ->check(CLI::IsMember({"cpp", "cuda", "cuda-on-cpu"}))
      ->capture_default_str();
  command.add_option("-r,--runs", options_.runs, "how often to call an entry, at least, after a first call that does not count")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--seconds", options_.seconds, "what these calls take together, at least")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  command.add_flag("--no-convergence-phase", no_convergence_,
                   "stop there, also if the mean is not certain (its standard error above 1%); without this flag, these calls are "
                   "forgotten then, and others made until it is");
  command.add_option("--convergence-max-seconds", options_.convergence, "what those calls may take")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  command.add_option("--timeout", options_.timeout, "seconds for all calls on one data set, with reading it; 0: no limit")
      ->check(CLI::Range(0, 24 * 60 * 60))
      ->capture_default_str();
  command.add_option("--compare", compare_,
                     "results to compare with those expected: `all`, only those `written` down, as the evaluator takes long to compute "
                     "an `auto output`, or `none`")
      ->check(CLI::IsMember({"all", "written", "none"}))
      ->capture_default_str();
  command.add_flag("--kernels", options_.kernels, "also measure single kernels and functions of CUB (--target cuda)");
  command.add_option("--json", options_.json, "write all times to this file, in the format of `futhark bench`")->type_name("FILE");
}

BenchOptions BenchWords::value() const {
  BenchOptions options = options_;
  const std::string target = options.workload.target;
  options.workload = workload_.value();
  options.workload.target = target;
  options.workload.excluded.push_back("nobench");
  if (options.kernels && target != "cuda") throw CLI::ValidationError("--kernels", "only kernels of --target cuda can be measured");
  if (no_convergence_) options.convergence = 0;
  options.compare = compare_ == "all" ? Compare::all : compare_ == "written" ? Compare::written : Compare::nothing;
  return options;
}

void BundleWords::add_to(CLI::App& app) {
  CLI::App& command = *app.add_subcommand(
      "bundle", "write a folder with CUDA, data and expected results, which nvcc and make alone build, check and time");
  command.footer("In the folder, `make` compiles, `make check` compares results, `make bench` times calls as well; its README says more.\n"
                 "Functions, derivatives and data sets are chosen as `boustro bench` does.");
  command.add_option("files", options_.paths, "the programs")->required()->check(check_file_name);
  command.add_option("-o,--output", options_.output, "the folder: a new or empty one, or a bundle, which is replaced")
      ->type_name("DIR")
      ->required();
  workload_.add_to(command);
  command.add_option("--reference", options_.reference,
                     "what computes results that no test block states: the evaluator, or emitted C++, which is faster")
      ->check(CLI::IsMember({"evaluate", "cpp"}))
      ->capture_default_str();
  command.add_flag("--force", options_.force, "replace the folder whatever it holds; that is lost");
}

BundleOptions BundleWords::value() const {
  BundleOptions options = options_;
  options.workload = workload_.value();
  options.workload.target = "cuda";
  return options;
}

void CudaOnCpuWords::add_to(CLI::App& app) {
  CLI::App& command = *app.add_subcommand(
      "cuda-on-cpu", "stand in for nvcc, to run emitted CUDA on the CPU: as in `make NVCC=\"boustro cuda-on-cpu\"`");
  command.footer("Other options of nvcc are accepted and have no effect.");
  command.add_option("files", options_.files, "a file of CUDA C++, or objects to link")->required();
  command.add_option("-o,--output", options_.output, "the file to write")->type_name("FILE")->capture_default_str();
  command.add_flag("-c,--compile", options_.compile, "compile one file to an object");
  command.allow_extras();
}

CudaOnCpuOptions CudaOnCpuWords::value() const {
  if (options_.compile && options_.files.size() != 1) throw CLI::ValidationError("-c", "takes one file");
  return options_;
}

}  // namespace boustro::driver
