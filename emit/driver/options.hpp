// The command line as plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace boustro::driver {

/// Options of commands that run passes: what to look at on the way.
struct LookInside {
  std::vector<std::string> dump_after = {};
  std::string dump_dir = {};
  std::string start_after = {};  // the file is a dump after this pass
  std::string stop_after = {};
  bool verify_each = false;
  bool trace_rules = false;
};

/// How CUDA is checked before it is written.
enum class VerifyWith { nothing, clang, nvcc };

/// A derivative that the source does not spell out: of `function`, with respect to the parameters
/// `wrt` (empty: all of float type).
struct Derivative {
  bool reverse = true;
  std::string function;
  std::vector<std::string> wrt;
};

struct TranslateOptions {
  std::string file;
  std::vector<std::string> folders;  // that imports may also come from
  std::string output;  // empty: the file's name with the target's extension
  std::string merge = {};  // a file that was emitted and edited since, into which to merge; instead of `output`
  bool keep_base = false;  // keep what is emitted beside the outputs, too
  std::string depfile = {};  // where to say which files were read; empty: nowhere
  std::string target = "cuda";
  std::vector<std::string> entries;
  std::string name_space;
  std::vector<Derivative> derivatives;
  VerifyWith verify = VerifyWith::clang;
  bool checks = true;
  bool deterministic = false;
  bool vector_math = true;  // of the cpp target
  bool reassociate = true;  // products with sums
  std::map<std::string, std::int64_t> typical = {};  // sizes to choose kernels for
  bool explain_plan = false;
  bool memory = false;  // print what scratch memory consists of
  std::vector<std::string> bindings = {};  // python, torch, jax
  bool differentiate_twice = false;        // in bindings
  LookInside look;
};

struct DeriveOptions {
  std::string file;
  std::vector<std::string> folders;  // that imports may also come from
  std::vector<std::string> entries;
  std::vector<Derivative> derivatives;
  bool core = false;  // print a statement a line
  bool memory = false;  // print what return sweeps keep
  std::vector<std::int64_t> checkpoints;  // print schedules for so many steps, and states where they are not in the program; empty: do not
  LookInside look;
};

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> folders;
};

struct RunOptions {
  std::string file;
  std::vector<std::string> folders;  // that imports may also come from
  std::string entry = "main";
  std::string target = "evaluate";
  std::string mode = "plain";
  bool binary = false;
  bool count = false;              // evaluate only
  bool check_annotations = false;  // evaluate only
  std::optional<unsigned> adversary;  // evaluate only
  LookInside look;
};

struct TestOptions {
  std::vector<std::string> paths;
  std::vector<std::string> folders;
  std::string target = "evaluate";
  std::string mode = "plain";
  bool strict = false;
  bool check_annotations = false;  // evaluate only
  int jobs = 1;       // programs at a time
  int timeout = 60;   // seconds for one run
  std::uint64_t memory = 4'000'000'000;  // bytes for one run
  std::string junit;  // a file to write; empty: none
};

struct GradcheckOptions {
  std::string file;
  std::vector<std::string> folders;  // that imports may also come from
  std::string entry = "main";
  std::vector<std::string> wrt;
  std::string target = "evaluate";
  std::string input;  // a file of argument values; random ones if empty
  std::map<std::string, std::int64_t> sizes;
  std::uint64_t seed = 1;
  bool check_annotations = false;  // evaluate only
};

struct ProfileOptions {
  std::string file = {};
  std::vector<std::string> folders = {};  // that imports may also come from
  std::string entry = "main";
  std::map<std::string, std::int64_t> sizes =
      {};  // of random arguments; empty: those on standard input
  std::map<std::string, std::int64_t> extrapolate = {};  // what those of `sizes` with these names grow to
  std::uint64_t seed = 1;
  std::string target = "cuda";
  std::string device = "h200";  // `cpu` with the target cpp
  bool registers = false;
  bool json = false;
  std::string compare = {};  // a report to compare with
  LookInside look = {};
};

/// Functions of a program, their derivatives, and data to call them on.
struct WorkloadOptions {
  std::vector<std::string> folders = {};  // that imports may also come from
  std::vector<std::string> entries = {};  // empty, without derivatives: all that have data sets
  bool entries_with_data_sets = false;     // of a folder: leave out what has none
  std::vector<Derivative> derivatives = {};
  std::vector<std::pair<std::string, std::string>> pairs = {};  // a function, and an entry that is its derivative
  std::map<std::string, std::int64_t> sizes = {};  // of random arguments; empty: test blocks
  std::uint64_t seed = 1;
  std::string target = "cpp";              // whose tags exclude cases
  std::vector<std::string> excluded = {};  // tags that do so, too
};

/// Which results are compared with what is expected of them.
enum class Compare { all, written, nothing };

struct BenchOptions {
  std::vector<std::string> paths = {};
  WorkloadOptions workload = {};  // for the target cpp, cuda-on-cpu or cuda
  int runs = 10;
  double seconds = 0.5;       // of all runs
  double convergence = 300;   // seconds
  int timeout = 0;            // seconds for one data set; 0: none
  Compare compare = Compare::all;
  bool kernels = false;        // times of single kernels, too; for the target cuda
  std::string json = {};       // a file to write; empty: none
};

struct BundleOptions {
  std::vector<std::string> paths = {};
  WorkloadOptions workload = {};
  std::string output = {};               // the folder
  std::string reference = "evaluate";    // or cpp: what computes expected results that nobody has written down
  bool force = false;
};

struct CudaOnCpuOptions {
  std::vector<std::string> files = {};
  std::string output = "a.out";
  bool compile = false;  // one file to an object; else link
};

struct ExplainOptions {
  std::string file;
  std::vector<std::string> folders;  // that imports may also come from
  std::string output;                // empty: the program's name with .html; "-" for standard output
  std::string target = "cuda";
  std::vector<std::string> entries;
  std::vector<Derivative> derivatives;
  std::string profile;  // a report that `boustro profile --json` has printed; empty: none
};

struct RulesOptions {
  std::vector<std::string> names;  // empty: list all
};

/// `boustro --passes`
struct ListPasses {};

/// Nothing to run: --help, --version or bad usage, and the exit code for it.
struct Leave {
  int exit_code;
};

using Options = std::variant<TranslateOptions, DeriveOptions, CheckOptions, RunOptions, TestOptions,
                             GradcheckOptions, ProfileOptions, BenchOptions, BundleOptions,
                             CudaOnCpuOptions, ExplainOptions, RulesOptions, ListPasses, Leave>;

/// Prints help and complaints itself. Bad usage leaves with 2.
Options parse_options(int count, char** words);

/// Shows what the command line takes, as CLI11 has it, to those who write about it.
void describe_options(const std::function<void(const CLI::App&)>& describe);

}  // namespace boustro::driver
