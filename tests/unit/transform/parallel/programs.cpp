// Programs written in Futhark, programs/*.fut: all passes of transform/parallel keep their meaning, and leave the nests that stand
// before each entry. What is written there, for GPUs:
//
//   -- nests: grid 1 scan+2, grid 2 store add    those that the host runs, in their order: who shares the points of how many
//                                                dimensions, and what becomes of their values; `+2` is an epilogue of two statements
//   -- host: 2                                   so many operations on scalars stand between them; it need not be said
//   -- grid: library, additions copies           how these are computed: of each its additions and outs; it need not be said
//   -- workers: parts, direct                    the same on a cpu
//   -- tiles: x for all columns, y for all rows  what blocks can read once for a tile, of each nest that can be computed by tiles,
//                                                with `; ` between them, or none; rows that points store for themselves are not
//                                                there, and mean the same without; it need not be said
//   -- loops: 0                                  so many loops of the host have nests in them; it need not be said
//   -- joint: 2, 0                               how many sums of a point of each nest threads can compute jointly; it need not be said
//   -- parts: before and up to from end, none    the scans of each nest that the threads of a block can do together: of all elements of a
//                                                part, of those before a point, or of these and its own; it need not be said
//   -- input [1.0, 2.0] 3i64                     arguments, on which the evaluator computes the same before and after; with
//   -- failing input [] 3i64                     these both fail
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/values/read.hpp"
#include "tests/dumps/read_dump.hpp"
#include "tests/source_folder.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/facts/joint_sums.hpp"
#include "transform/facts/part_scans.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/without_rows.hpp"
#include "transform/pipeline.hpp"

namespace programs_tests {

using namespace boustro;
using namespace boustro::ir::testing;
using ir::Level;
using parallel::Machine;
namespace fs = std::filesystem;

namespace {

/// An entry of a file, and what is said of it.
struct Expected {
  std::string entry, nests, host, loops, grid, workers, tiles, joint, parts;
  std::vector<std::string> inputs, failing;
};

std::vector<Expected> expected_in(const std::string& text) {
  std::vector<Expected> result;
  Expected next;
  const auto behind = [](const std::string& line, const std::string& start, std::string& rest) {
    if (!line.starts_with(start)) return false;
    rest = line.substr(start.size());
    return true;
  };
  std::istringstream lines(text);
  for (std::string line, rest; std::getline(lines, line);) {
    if (behind(line, "-- nests: ", rest)) next.nests = rest;
    if (behind(line, "-- host: ", rest)) next.host = rest;
    if (behind(line, "-- loops: ", rest)) next.loops = rest;
    if (behind(line, "-- grid: ", rest)) next.grid = rest;
    if (behind(line, "-- workers: ", rest)) next.workers = rest;
    if (behind(line, "-- tiles: ", rest)) next.tiles = rest;
    if (behind(line, "-- joint: ", rest)) next.joint = rest;
    if (behind(line, "-- parts: ", rest)) next.parts = rest;
    if (behind(line, "-- input ", rest)) next.inputs.push_back(rest);
    if (behind(line, "-- failing input ", rest)) next.failing.push_back(rest);
    if (!behind(line, "entry ", rest)) continue;
    next.entry = rest.substr(0, rest.find(' '));
    result.push_back(std::exchange(next, {}));
  }
  return result;
}

/// As it comes to the passes of the folder.
ir::Program prepared(const fs::path& path, Machine machine) {
  std::string reasons;
  auto program = tests::lowered(values::read_file(path.string()), path.string(), false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = machine;
  for (const auto& pass : translate_passes(options)) {
    if (pass.name == "inwards") break;
    *program = pass.function(std::move(*program));
  }
  return *program;
}

ir::Program parallelised(ir::Program program, Machine machine) {
  PipelineOptions options;
  options.machine = machine;
  for (const auto& pass : translate_passes(options))
    if (pass.name == "inwards") program = pass.function(std::move(program));
  program = parallel::combine_in_order(std::move(program), machine);
  if (machine == Machine::gpu) program = parallel::bound_thread_sizes(std::move(program));
  return parallel::choose(parallel::flatten(std::move(program), machine));
}

std::string in_words(const ir::Nest& nest) {
  std::string text = nest.over == Level::grid ? "grid" : nest.over == Level::thread ? "thread" : "other";
  text += " " + std::to_string(nest.space.size());
  for (std::size_t i = 0; i < nest.accumulators.size(); ++i) text += " add";
  for (const ir::Out& out : nest.outs) {
    const char* const kinds[] = {" store", " reduce", " scan", " histogram", " scatter"};
    text += kinds[static_cast<std::size_t>(out.kind)];
    if (out.epilogue) text += "+" + std::to_string(out.epilogue->body.stms.size());
  }
  return text;
}

std::string in_words(const ir::Body& body) {
  std::string text;
  for (const ir::Stm& stm : body.stms) {
    const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : ", ") + part; };
    if (const auto* nest = std::get_if<ir::Nest>(&stm.exp)) add(in_words(*nest));
    else ir::for_each_body(stm.exp, [&](const ir::Body& inner) { add(in_words(inner)); });
  }
  return text;
}

/// What there is to say of the outermost nests; nothing of those for which there is no word.
std::string of_nests(const ir::Body& body, const std::string& separator, const std::function<std::string(const ir::Nest&)>& say) {
  std::vector<std::string> words;
  const std::function<void(const ir::Body&)> visit = [&](const ir::Body& inner) {
    for (const ir::Stm& stm : inner.stms) {
      const auto* nest = std::get_if<ir::Nest>(&stm.exp);
      if (!nest) ir::for_each_body(stm.exp, visit);
      else if (std::string text = say(*nest); !text.empty()) words.push_back(std::move(text));
    }
  };
  visit(body);
  return fmt::format("{}", fmt::join(words, separator));
}

/// How a nest is computed: its additions and outs.
std::string methods(const ir::Nest& nest) {
  std::vector<std::string> words;
  if (!nest.accumulators.empty()) words.push_back("additions " + std::string(ir::text_of(nest.additions)));
  for (const ir::Out& out : nest.outs) words.emplace_back(ir::text_of(out.method));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// What tiles of a nest need once.
std::string tiles(const ir::Nest& nest) {
  const auto tiling = facts::tiling_of(nest);
  return tiling ? facts::reason_for(*tiling).substr(std::string("tiles: ").size()) : "";
}

/// As tiles have it.
ir::Program rowless(ir::Program program) {
  ir::Names names(program);
  const std::function<void(ir::Body&)> visit = [&](ir::Body& body) {
    for (ir::Stm& stm : body.stms) {
      const auto* nest = std::get_if<ir::Nest>(&stm.exp);
      if (!nest || nest->over != Level::grid) ir::map_bodies(stm.exp, visit);
      else if (auto without = parallel::without_rows(*nest, names, stm.origin)) stm.exp = std::move(*without);
    }
  };
  for (ir::Function& function : program.functions) visit(function.body);
  return program;
}

/// How many sums of a point threads can compute jointly.
std::string joint_sums(const ir::Nest& nest) {
  const auto joint = facts::joint_sums_of(nest);
  return std::to_string(joint ? joint->sums.size() : 0);
}

/// The scans of a nest that blocks do part by part.
std::string part_scans(const ir::Nest& nest) {
  const auto parts = facts::part_scans_of(nest);
  if (!parts) return "none";
  std::vector<std::string> words;
  for (const facts::PartScan& scan : parts->scans)
    words.push_back(std::string(parts->totals ? "all" : scan.inclusive ? "up to" : "before") + (scan.from_end ? " from end" : ""));
  return fmt::format("{}", fmt::join(words, " and "));
}

/// Operations on scalars outside of nests.
int operations_of_host(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    if (std::holds_alternative<ir::Nest>(stm.exp)) continue;
    count += ir::is_scalar_operation(stm.exp);
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += operations_of_host(inner); });
  }
  return count;
}

/// Loops outside of nests that have nests in them.
int loops_of_host(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    if (std::holds_alternative<ir::Nest>(stm.exp)) continue;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) {
      count += std::holds_alternative<ir::Loop>(stm.exp) && !in_words(inner).empty();
      count += loops_of_host(inner);
    });
  }
  return count;
}

void compare(const ir::Program& before, const ir::Program& after, const Expected& expected) {
  for (const std::string& input : expected.inputs) {
    const Arguments args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, expected.entry, args) == ir::run_entry(after, expected.entry, args)),
               input << ": other values than before");
  }
  for (const std::string& input : expected.failing) {
    const Arguments args = values::read_values(input);
    BOOST_CHECK_THROW(ir::run_entry(before, expected.entry, args), ir::RuntimeFailure);
    BOOST_CHECK_THROW(ir::run_entry(after, expected.entry, args), ir::RuntimeFailure);
  }
}

const ir::Function& function_of(const ir::Program& program, const std::string& entry) {
  return *std::find_if(program.functions.begin(), program.functions.end(),
                       [&](const ir::Function& function) { return function.entry && function.entry->name == entry; });
}

/// Only operators that commute may combine from the last to the first.
void compare_backwards(const ir::Program& program, const Expected& expected) {
  ir::EvaluateOptions options;
  options.adversary = 0;
  for (const std::string& input : expected.inputs) {
    const Arguments args = values::read_values(input);
    BOOST_TEST((ir::run_entry(program, expected.entry, args, options) == ir::run_entry(program, expected.entry, args)), input << ": other values from the last point to the first");
  }
}

void check_file(const fs::path& path) {
  const auto entries = expected_in(values::read_file(path.string()));
  for (const Machine machine : {Machine::gpu, Machine::cpu}) {
    const ir::Program before = prepared(path, machine), after = parallelised(before, machine);
    check_verified(before);
    check_verified(after);
    const ir::Program without_rows = rowless(after);
    check_verified(without_rows);
    BOOST_TEST(count<ir::Map>(after) + count<ir::Reduce>(after) + count<ir::Scan>(after) + count<ir::MapReduce>(after) +
                   count<ir::MapScan>(after) + count<ir::ReduceByIndex>(after) + count<ir::Scatter>(after) == 0);
    for (const Expected& expected : entries) {
      BOOST_TEST_CONTEXT(expected.entry) {
        compare(before, after, expected);
        compare(before, without_rows, expected);
        if (path.stem() == "reductions") compare_backwards(after, expected);
        for (const ir::Function& function : after.functions) {
          if (!function.entry || function.entry->name != expected.entry) continue;
          const std::string& chosen = machine == Machine::gpu ? expected.grid : expected.workers;
          if (!chosen.empty()) BOOST_TEST(of_nests(function.body, ", ", methods) == chosen);
          if (machine != Machine::gpu) continue;
          BOOST_TEST(in_words(function.body) == expected.nests);
          if (!expected.tiles.empty()) {
            const std::string found = of_nests(function_of(without_rows, expected.entry).body, "; ", tiles);
            BOOST_TEST((found.empty() ? "none" : found) == expected.tiles);
          }
          if (!expected.joint.empty()) BOOST_TEST(of_nests(function.body, ", ", joint_sums) == expected.joint);
          if (!expected.parts.empty()) BOOST_TEST(of_nests(function.body, ", ", part_scans) == expected.parts);
          if (!expected.loops.empty()) BOOST_TEST(std::to_string(loops_of_host(function.body)) == expected.loops);
          if (!expected.host.empty()) BOOST_TEST(std::to_string(operations_of_host(function.body)) == expected.host);
        }
      }
    }
  }
}

/// One test case a file, made before the tests start.
[[maybe_unused]] const bool registered = [] {
  auto* suite = BOOST_TEST_SUITE("programs");
  std::vector<fs::path> paths;
  for (const auto& file : fs::directory_iterator(fs::path(tests::source_folder) / "tests/unit/transform/parallel/programs"))
    paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths)
    suite->add(boost::unit_test::make_test_case([path] { check_file(path); }, path.stem().string(), __FILE__, __LINE__));
  boost::unit_test::framework::master_test_suite().add(suite);
  return true;
}();

}  // namespace

}  // namespace programs_tests
