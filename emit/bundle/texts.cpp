#include "emit/bundle/texts.hpp"

#include <fmt/format.h>

#include "emit/run/harness.hpp"

namespace boustro::bundle {

std::string calls_text(const run::EmittedProgram& program, std::size_t position) {
  return fmt::format(
             "// Calls the entry points of {0} on values.\n#include \"../harness/cuda.hpp\"\n\n#include <cstddef>\n"
             "#include <cstdint>\n#include <cstring>\n\n#include \"{1}\"\n\nnamespace {{\n\n",
             program.source_name, program.header_name) +
         run::write_calls(program.plan) +
         fmt::format("}}  // namespace\n\nvoid call_program_{}(const char* entry, harness::Input& input, harness::Output& output) {{\n",
                     position) +
         run::write_choice(program.plan, "entry", "input, output") + "}\n";
}

std::string main_text(const std::vector<std::string>& programs) {
  std::string declarations, list;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    declarations += fmt::format(
        "void call_program_{}(const char* entry, harness::Input& input, harness::Output& output);  // programs/{}_calls.cu\n", i,
        programs[i]);
    list += fmt::format("{}{{\"{}\", call_program_{}}}", i > 0 ? ", " : "", programs[i], i);
  }
  return "// Checks or times the programs of this folder: see README.md.\n#include \"harness/run.hpp\"\n\n" + declarations +
         fmt::format("\nint main(int count, char** words) {{ return bundle::run(count, words, {{{}}}); }}\n", list);
}

std::string readme_text(const std::string& cases) {
  return R"(# Functions in CUDA C++, with data and a harness

This folder was written by `boustro bundle`. It builds with nvcc and GNU make on a machine with a GPU; nothing else is needed.

    make          # compiles
    make check    # calls each function on each data set, and compares the results with those expected
    make bench    # times the calls, too

Both print a table and write `results.json`. They fail if a result is wrong. The head of the Makefile lists what you may choose, such as
`make bench ARCH=sm_90 RUNS=100`. Without a GPU, `make check NVCC="boustro cuda-on-cpu"` runs the same files on the CPU; times say nothing then.

## What is here

| | |
|---|---|
| `programs/X.cu`, `X.hpp` | the functions, as `boustro translate` writes them. They are yours to edit: the data tells whether they still are right |
| `programs/X_calls.cu`, `main.cu` | call them on values from files |
| `harness/` | reads values, compares, measures, reports: a small file for each |
| `data/` | `.arguments`, a value for each parameter of the C++ function that is no output, in its order (and for a result that the function allocates, how many elements of it are known before); `.expected`, the results; `.digits`, how exactly those were written down |
| `cases.tsv` | which function is called on which data. A line more is a case more |

Values are in Futhark's binary format, which `harness/values.hpp` explains in a few lines.

## What the numbers mean

`max error` is the largest distance of a float from what is expected, relative to the largest magnitude in its array. A result is wrong if a float
is further away than 0.002 times the largest element that is expected of its array, and than 0.002; as `futhark test` has it.

A call is timed from before it until the stream is synchronised: without copies between host and device, without allocating arguments, results and
scratch memory. The first call warms up and does not count. `95% CI` is half of the confidence interval of the mean; `ratio`, how many times as
long a derivative takes as its function. Each case is a process of its own, so that a crash costs one case.

## The cases
)" + cases;
}

}  // namespace boustro::bundle
