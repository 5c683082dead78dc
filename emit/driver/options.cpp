#include "emit/driver/options.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "emit/driver/binding_words.hpp"
#include "emit/driver/derivative_words.hpp"
#include "emit/driver/explain_words.hpp"
#include "emit/driver/option_checks.hpp"
#include "emit/driver/profile_words.hpp"
#include "emit/driver/workload_words.hpp"
#include "transform/machine/machine.hpp"

namespace boustro::driver {
namespace {

const char* const file_help = "the program, or - for standard input";

void add_folders(CLI::App& command, std::vector<std::string>& folders) {
  command
      .add_option("--include", folders, "files of this folder may be imported too; repeat for more")
      ->take_all()
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(
          false);  // one folder each time, or it would swallow the programs behind it
}

CLI::Validator is_pass(const std::vector<std::string>& names) {
  return CLI::Validator([names](const std::string& text) { return check_pass(text, names); }, "PASS");
}

void add_look_inside(CLI::App& command, LookInside& look, const std::vector<Pass>& passes) {
  const std::vector<std::string> names = names_of(passes);
  std::vector<std::string> names_or_all = names;
  names_or_all.push_back("all");
  command
      .add_option("--dump-after", look.dump_after,
                  "print the program after these passes, or after `all`")
      ->delimiter(',')
      ->check(is_pass(names_or_all))
      ->group("Looking inside");
  command.add_option("--dump-dir", look.dump_dir, "write the dumps to files of this folder")
      ->type_name("DIR")
      ->group("Looking inside");
  command
      .add_option("--start-after", look.start_after,
                  "the file is a dump after this pass: run only the passes behind it")
      ->check(is_pass(names_of(translate_passes())))
      ->group("Looking inside");
  command.add_option("--stop-after", look.stop_after, "run no pass after this one")
      ->check(is_pass(names))
      ->group("Looking inside");
  command.add_flag("--verify-each", look.verify_each, "check the program after each pass")
      ->group("Looking inside");
  command.add_flag("--trace-rules", look.trace_rules, "print each rule that fires")
      ->group("Looking inside");
}

void add_check_annotations(CLI::App& command, bool& flag) {
  command.add_flag("--check-annotations", flag,
                   "verify what `#[true_dep]` and `#[fixed_point]` promise; a broken promise is a run-time error "
                   "(--target evaluate)");
}

void add_sizes(CLI::App& command, std::vector<std::string>& sizes) {
  command.add_option(
      "--size", sizes,
      "the value of a size or integer parameter of random input, as n=10; repeat for more");
}

void add_extrapolate(CLI::App& command, std::vector<std::string>& sizes) {
  command.add_option("--extrapolate", sizes,
                     "a larger value of one that --size gives, as n=1000000: what would be counted there, from some smaller runs; "
                     "repeat for more, each of which takes four times the runs");
}

/// The command line of every sub-command, and where its words go.
struct CommandLine {
  CLI::App app{"Boustro: Futhark programs and their derivatives as CUDA C++ that people can read"};
  TranslateOptions translate;
  DerivativeWords translate_derivatives;
  BindingWords bindings;
  std::string verify = "clang";
  std::string checks = "on";
  std::string math;
  std::string order = "any";
  DeriveOptions derive;
  DerivativeWords derive_derivatives;
  CheckOptions check;
  RunOptions run;
  TestOptions test;
  GradcheckOptions gradcheck;
  ProfileOptions profile;
  BenchWords bench;
  BundleWords bundle;
  CudaOnCpuWords cuda_on_cpu;
  ExplainWords explain;
  RulesWords rules;
  std::vector<std::string> sizes;  // of whichever command takes them
  std::vector<std::string> extrapolate;
  bool list_passes = false;

  CommandLine();
  void add_translate();
  void add_derive();
  void add_check();
  void add_run();
  void add_test();
  void add_gradcheck();
  void add_profile();
  void add_explain();
  Options chosen();
};

CommandLine::CommandLine() {
  app.name("boustro");
  app.set_version_flag("--version", BOUSTRO_VERSION);
  app.add_flag("--passes", list_passes, "list the passes in order");
  app.require_subcommand(0, 1);
  add_translate();
  add_derive();
  add_check();
  add_run();
  add_test();
  add_gradcheck();
  add_profile();
  bench.add_to(app);
  bundle.add_to(app);
  cuda_on_cpu.add_to(app);
  add_explain();
  rules.add_to(*app.add_subcommand("rules", "list the rules of differentiation, or print some: formula, cost, source and example"));
}

void CommandLine::add_translate() {
  CLI::App& command = *app.add_subcommand(
      "translate", "write a program as CUDA C++ or C++: one file and its header");
  command.add_option("file", translate.file, file_help)->required();
  add_folders(command, translate.folders);
  CLI::Option* const output =
      command
          .add_option(
              "-o,--output", translate.output,
              "the file to write, its header beside it (default: F.cu, or F.cpp for --target cpp)")
          ->type_name("FILE")
          ->check(check_output);
  command.add_flag("--keep-base", translate.keep_base,
                   "keep copies of both files as they are emitted, F.cu.base and F.hpp.base, which --merge will need");
  command
      .add_option("--merge", translate.merge,
                  "a file that --keep-base wrote and people edited since: it and its header take in what is emitted otherwise now; "
                  "leaves with 3 if lines remain to choose from")
      ->type_name("FILE")
      ->check(check_output)
      ->excludes(output);
  command
      .add_option("--depfile", translate.depfile,
                  "also write which files the program was read from, for build systems: a rule of Make with both outputs")
      ->type_name("FILE")
      ->check(check_output);
  command.add_option("--target", translate.target, "what to write")
      ->check(CLI::IsMember({"cuda", "cpp"}))
      ->capture_default_str();
  command.add_option("--entry", translate.entries,
                     "translate this entry point only; repeat for more");
  command
      .add_option("--namespace", translate.name_space,
                  "the namespace around the functions, as `a` or `a::b` (default: the file's name)")
      ->check(check_namespace);
  translate_derivatives.add_to(command);
  bindings.add_to(command);
  command.add_option("--verify", verify, "who reads the result before it is written")
      ->check(CLI::IsMember({"none", "clang", "nvcc"}))
      ->capture_default_str();
  command.add_option("--checks", checks, "checks of indices, sizes, divisors and assertions at run time")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  command.add_option("--math", math,
                     "exp, log, tanh and the like of C++: `vector` has no calls or branches, so that loops become "
                     "vectors, and errs by at most 2 ulp; `libm` calls the library (default: vector)")
      ->check(CLI::IsMember({"vector", "libm"}));
  command.add_option("--order", order,
                     "products and sums: `any` multiplies sums by what all their terms have in common, where that is less work; "
                     "`source` adds products as the program does")
      ->check(CLI::IsMember({"any", "source"}))
      ->capture_default_str();
  command.add_option("--size", sizes,
                     "what a size or integer parameter typically is, as n=10000; repeat for more: of kernels that compute the same those are "
                     "written that are for such sizes. Results are right for all")
      ->type_name("NAME=VALUE");
  command.add_flag("--deterministic", translate.deterministic,
                   "the same bits in every run: no atomic additions of floats, and no scans of them by CUB, at the price of memory and time that --explain-plan shows");
  command.add_flag("--explain-plan", translate.explain_plan,
                   "print kernels, extents, memory and reads; writes no file unless -o names one");
  command.add_flag("--memory", translate.memory,
                   "print the arrays in scratch memory with their bytes, the largest first; writes no file unless -o names one");
  add_look_inside(command, translate.look, translate_passes());
}

void CommandLine::add_derive() {
  CLI::App& command =
      *app.add_subcommand("derive", "print the derivative as a program in the language");
  command.add_option("file", derive.file, file_help)->required();
  add_folders(command, derive.folders);
  command.add_option("--entry", derive.entries, "this entry point only; repeat for more");
  derive_derivatives.add_to(command);
  command.add_flag("--memory", derive.memory, "print instead the arrays that forward sweeps keep for return sweeps, with their bytes, the largest first");
  command.add_flag("--core", derive.core, "print the core program as it is: a line for each statement, with the rule that made it");
  command
      .add_option("--explain-checkpoints", derive.checkpoints,
                  "print instead what loops with `#[checkpoint]` do that take STEPS steps: which states they keep and when, and which steps run "
                  "again; STATES is how many they keep where the program does not say so in numbers")
      ->type_name("STEPS[,STATES]")
      ->delimiter(',')
      ->expected(1, 2)
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{10'000}));
  add_look_inside(command, derive.look, derive_passes());
}

void CommandLine::add_check() {
  CLI::App& command = *app.add_subcommand("check", "check types and sizes only");
  command.add_option("files", check.files, "the programs, or - for standard input")->required();
  add_folders(command, check.folders);
}

void CommandLine::add_run() {
  CLI::App& command =
      *app.add_subcommand("run", "run an entry point on values from standard input");
  command.add_option("file", run.file, file_help)->required();
  add_folders(command, run.folders);
  command.add_option("-e,--entry", run.entry, "the entry point")->capture_default_str();
  command.add_option("--target", run.target, "what runs it")
      ->check(CLI::IsMember({"evaluate", "cpp", "cuda-on-cpu", "cuda"}))
      ->capture_default_str();
  command.add_option("--mode", run.mode, "checks of the cpp and cuda-on-cpu targets")
      ->check(CLI::IsMember({"plain", "asan", "races"}))
      ->capture_default_str();
  command.add_flag("--binary", run.binary, "print results in the binary format");
  command.add_flag(
      "--count", run.count,
      "report operations, elements moved and executions on stderr (--target evaluate)");
  add_check_annotations(command, run.check_annotations);
  command
      .add_option("--adversarial", run.adversary,
                  "run points in another order, that of this seed or from the last to the first, with memory "
                  "poisoned (--target evaluate)")
      ->expected(0, 1)
      ->default_str("0");
  add_look_inside(command, run.look, translate_passes());
}

void CommandLine::add_test() {
  CLI::App& command = *app.add_subcommand("test", "run the test blocks of programs");
  command.add_option("paths", test.paths, "programs, or folders of them")->required();
  add_folders(command, test.folders);
  command.add_option("--target", test.target, "what runs them")
      ->check(CLI::IsMember({"evaluate", "cpp", "cuda-on-cpu", "cuda"}))
      ->capture_default_str();
  command.add_option("--mode", test.mode, "checks of the cpp and cuda-on-cpu targets")
      ->check(CLI::IsMember({"plain", "asan", "races"}))
      ->capture_default_str();
  command.add_flag("--strict", test.strict,
                   "compare each float with its own magnitude: 1e-5 for f32, 1e-10 for f64");
  add_check_annotations(command, test.check_annotations);
  command.add_option("-j,--jobs", test.jobs, "how many programs to test at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      .add_option("--timeout", test.timeout,
                  "seconds that one run may take; on the evaluator, of processor time")
      ->check(CLI::Range(1, 24 * 60 * 60))
      ->capture_default_str();
  command
      .add_option("--memory", test.memory,
                  "memory that one run may take, such as 4GB: in the evaluator's process, and in that "
                  "of a compiled program")
      ->transform(CLI::AsSizeValue(true))
      ->check(check_memory)
      ->default_str("4GB");
  command.add_option("--junit", test.junit, "write the results to this file, as JUnit's XML")->type_name("FILE");
}

void CommandLine::add_gradcheck() {
  CLI::App& command = *app.add_subcommand(
      "gradcheck",
      "check derivatives: reverse against forward mode, forward mode against central differences");
  command.add_option("file", gradcheck.file, file_help)->required();
  add_folders(command, gradcheck.folders);
  command.add_option("-e,--entry", gradcheck.entry, "the function to differentiate")
      ->capture_default_str();
  command
      .add_option("--wrt", gradcheck.wrt, "with respect to these parameters (default: all floats)")
      ->delimiter(',');
  command.add_option("--target", gradcheck.target, "what runs the function and its derivatives")
      ->check(CLI::IsMember({"evaluate", "cpp", "cuda-on-cpu", "cuda"}))
      ->capture_default_str();
  command.add_option("--input", gradcheck.input,
                     "a file of argument values (default: random ones)")->type_name("FILE");
  add_sizes(command, sizes);
  command.add_option("--seed", gradcheck.seed, "of the random numbers")->capture_default_str();
  add_check_annotations(command, gradcheck.check_annotations);
}

void CommandLine::add_profile() {
  CLI::App& command = *app.add_subcommand(
      "profile",
      "count what an entry point does on a device: launches, operations, accesses, atomics, copies, "
      "and what time that takes (the emitted CUDA runs on the CPU)");
  command.footer(profile_legend);
  command.add_option("file", profile.file, file_help)->required();
  add_folders(command, profile.folders);
  command.add_option("-e,--entry", profile.entry, "the entry point")->capture_default_str();
  add_sizes(command, sizes);
  add_extrapolate(command, extrapolate);
  command.add_option("--seed", profile.seed, "of the random numbers")->capture_default_str();
  std::vector<std::string> devices;
  for (const machine::Gpu& gpu : machine::gpus()) devices.push_back(gpu.name);
  devices.push_back("cpu");
  command
      .add_option("--target", profile.target,
                  "`cuda` is counted and its time modelled; of `cpp` nests of loops are measured on this machine, too")
      ->check(CLI::IsMember({"cuda", "cpp"}))
      ->capture_default_str();
  command
      .add_option("--device", profile.device,
                  "whose times are modelled: a GPU for cuda, this machine, cpu, for cpp")
      ->check(CLI::IsMember(devices))
      ->capture_default_str();
  command.add_flag("--registers", profile.registers,
                   "ask nvcc for registers and spills too, which takes 5 to 20 seconds");
  CLI::Option* const json = command.add_flag("--json", profile.json, "print all numbers as JSON");
  command
      .add_option("--compare", profile.compare, "print old, new and ratio beside a report that --json has printed")
      ->check(CLI::ExistingFile)
      ->excludes(json);
  add_look_inside(command, profile.look, translate_passes());
}

void CommandLine::add_explain() {
  CLI::App& command = *app.add_subcommand(
      "explain", "write a page for the browser: the program, its derivative and what is emitted side by side, with rules, passes and plan");
  command.add_option("file", explain.options.file, file_help)->required();
  add_folders(command, explain.options.folders);
  explain.add_to(command);
}

/// What only the evaluator can do is bad usage with another target.
void need_evaluator(bool flag, const char* name, const std::string& target) {
  if (flag && target != "evaluate")
    throw CLI::ValidationError(
        name, "needs --target evaluate: programs for `" + target + "` take annotations on trust");
}

Options CommandLine::chosen() {
  if (list_passes) return ListPasses{};
  if (app.got_subcommand("translate")) {
    translate.verify = verify == "none"    ? VerifyWith::nothing
                       : verify == "clang" ? VerifyWith::clang
                                           : VerifyWith::nvcc;
    translate.checks = checks == "on";
    bindings.apply(*app.get_subcommand("translate"), translate);
    if (!math.empty() && translate.target != "cpp")
      throw CLI::ValidationError("--math", "needs --target cpp: CUDA has functions of its own");
    translate.vector_math = math != "libm";
    translate.typical = parse_sizes(sizes);
    if (!sizes.empty() && translate.target != "cuda")
      throw CLI::ValidationError("--size", "needs --target cuda: C++ has no kernels to choose from");
    translate.reassociate = order != "source";
    translate.derivatives = translate_derivatives.value();
    return translate;
  }
  if (app.got_subcommand("derive")) {
    derive.derivatives = derive_derivatives.value();
    return derive;
  }
  if (app.got_subcommand("check")) return check;
  const char* const check_annotations = "--check-annotations";
  if (app.got_subcommand("run")) {
    need_evaluator(run.check_annotations, check_annotations, run.target);
    if (run.adversary && run.target != "evaluate")
      throw CLI::ValidationError("--adversarial", "needs --target evaluate");
    return run;
  }
  if (app.got_subcommand("test")) {
    need_evaluator(test.check_annotations, check_annotations, test.target);
    return test;
  }
  if (app.got_subcommand("gradcheck")) {
    need_evaluator(gradcheck.check_annotations, check_annotations, gradcheck.target);
    gradcheck.sizes = parse_sizes(sizes);
    return gradcheck;
  }
  if (app.got_subcommand("profile")) {
    profile.sizes = parse_sizes(sizes);
    profile.extrapolate = parse_sizes(extrapolate);
    check_extrapolation(profile);
    choose_device(profile, app.get_subcommand("profile")->count("--device") > 0);
    return profile;
  }
  if (app.got_subcommand("bench")) return bench.value();
  if (app.got_subcommand("bundle")) return bundle.value();
  if (app.got_subcommand("cuda-on-cpu")) return cuda_on_cpu.value();
  if (app.got_subcommand("explain")) return explain.value();
  if (app.got_subcommand("rules")) return rules.options;
  std::cerr << app.help();
  return Leave{2};
}

}  // namespace

void describe_options(const std::function<void(const CLI::App&)>& describe) {
  const CommandLine line;
  describe(line.app);
}

Options parse_options(int count, char** words) {
  CommandLine line;
  try {
    line.app.parse(count, words);
    return line.chosen();
  } catch (const CLI::ParseError& error) {
    return Leave{line.app.exit(error) == 0 ? 0 : 2};
  }
}

}  // namespace boustro::driver
