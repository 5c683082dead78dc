#include "emit/run/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "emit/run/emitted_call.hpp"
#include "emit/run/harness.hpp"
#include "frontend/source/diagnostics.hpp"
#include "frontend/values/read.hpp"
#include "templates/harness/exchange.hpp"

namespace boustro::run {
namespace fs = std::filesystem;
using values::Value;

namespace {

// ---- Values to bytes and back

void append_count(std::string& bytes, std::uint64_t count) {
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
}

void append_value(std::string& bytes, const Value& value) {
  append_count(bytes, value.data.size());
  bytes.append(reinterpret_cast<const char*>(value.data.data()), value.data.size());
}

/// Arguments as the harness reads them. An entry's outputs stand for the results in order.
std::string argument_bytes(const plan::Entry& entry, const EmittedCall& call) {
  std::string bytes;
  std::size_t result = 0, next_param = 0;
  const std::vector<const Value*> params = call.in_emitted_order();
  for (const plan::Param& param : entry.params) {
    if (is_late_extent(param)) continue;
    if (param.late) {
      append_count(bytes, call.known_elements(result++));
    } else if (is_output(param)) {
      append_count(bytes, call.blank(param, result++, {}).data.size());
    } else {
      append_value(bytes, *params.at(next_param++));
    }
  }
  return bytes;
}

std::vector<Value> read_results(const fs::path& path, const plan::Entry& entry, const EmittedCall& call) {
  const std::string bytes = values::read_file(path.string());
  std::size_t offset = 0;
  const auto take = [&](void* to, std::size_t count) {
    source::internal_check(offset + count <= bytes.size(), "run: results are incomplete");
    if (count > 0) std::memcpy(to, bytes.data() + offset, count);
    offset += count;
  };
  LateExtents late;
  for (const plan::Param& param : entry.params) {
    if (is_late_extent(param)) take(&late[param.name], sizeof(std::int64_t));
  }
  std::vector<Value> results;
  for (const plan::Param& param : entry.params) {
    if (!is_output(param) || is_late_extent(param)) continue;
    results.push_back(call.blank(param, results.size(), late));
    take(results.back().data.data(), results.back().data.size());
  }
  return results;
}

std::map<std::string, std::string> environment(const RunSettings& settings) {
  std::map<std::string, std::string> result = {{"CUDA_EMULATION_ORDER", settings.order}};
  if (settings.fail_call > 0)
    result["CUDA_EMULATION_FAIL_CALL"] = result["HARNESS_FAIL_ALLOCATION"] =
        std::to_string(settings.fail_call);
  if (!settings.counts_file.empty())
    result["CUDA_EMULATION_COUNTS"] = settings.counts_file.string();
  if (!settings.watches_file.empty()) result["HARNESS_WATCHES"] = settings.watches_file.string();
  if (settings.times) {
    result["HARNESS_TIMES"] = settings.times->file.string();
    result["HARNESS_RUNS"] = std::to_string(settings.times->runs);
    result["HARNESS_SECONDS"] = fmt::format("{}", settings.times->seconds);
    result["HARNESS_CONVERGENCE"] = fmt::format("{}", settings.times->convergence);
  }
  return result;
}

/// AddressSanitizer reserves terabytes, so the memory limit is told to it instead.
Outcome execute_limited(const std::string& program, const std::vector<std::string>& args,
                        std::map<std::string, std::string> environment, Mode mode, int seconds) {
  const std::uint64_t limit = MemoryLimit::current();
  if (mode != Mode::asan || limit == MemoryLimit::none) return execute(program, args, environment, seconds);
  const MemoryLimit lifted(MemoryLimit::none);
  const char* const given = std::getenv("ASAN_OPTIONS");
  environment["ASAN_OPTIONS"] = fmt::format("{}:hard_rss_limit_mb={}", given ? given : "", limit >> 20);
  return execute(program, args, environment, seconds);
}

bool ran_out_of_memory(const Outcome& outcome) {
  return outcome.status == harness::exit_out_of_memory ||
         outcome.output.find("rss limit exhausted") != std::string::npos;
}

}  // namespace

CompiledProgram::CompiledProgram(ir::Program core, EmittedProgram emitted, Target target, Mode mode,
                                 const std::vector<std::string>& flags)
    : core_(std::move(core)), emitted_(std::move(emitted)), mode_(mode) {
  const fs::path folder = folder_.path();
  const fs::path main = folder / "harness.cpp", source = folder / emitted_.source_name;
  write_file(main, write_harness(emitted_.plan, emitted_.header_name));
  write_file(folder / emitted_.header_name, emitted_.header);
  write_file(source, emitted_.source);
  switch (target) {
    case Target::cpp:
      if (mode == Mode::counts) {
        compile_counted_cpp(source, main, executable());
      } else {
        compile_cpp({source, main}, mode, flags, executable());
      }
      break;
    case Target::cuda_on_cpu: {
      const verify::CudaText text{emitted_.source_name, emitted_.source, emitted_.header_name,
                                  emitted_.header};
      compile_cuda_for_cpu(text, mode, folder / "emitted.o");
      compile_cuda_host(main, mode, folder / "harness.o");
      link_for_cpu({folder / "emitted.o", folder / "harness.o"}, mode, executable());
      break;
    }
    case Target::cuda:
      compile_nvcc({source, main}, {"-O3", "-o", executable().string()});
      break;
  }
}

std::vector<Value> CompiledProgram::run(const std::string& entry, const std::vector<Value>& args,
                                        const RunSettings& settings) const {
  const EmittedCall call(function_of(core_, entry), args);
  const plan::Entry& planned = plan_of(emitted_.plan, core_, entry);
  const TemporaryFolder exchange;
  write_file(exchange.path() / "arguments", argument_bytes(planned, call));
  const Outcome outcome = execute_limited(executable().string(),
                                          {planned.name, (exchange.path() / "arguments").string(),
                                           (exchange.path() / "results").string()},
                                          environment(settings), mode_, settings.limit_seconds);
  if (ran_out_of_memory(outcome)) throw std::bad_alloc();
  if (outcome.out_of_time)
    throw RunTimeout(fmt::format("takes longer than {} s", settings.limit_seconds));
  if (!outcome.ok()) throw RunFailure(outcome.output);
  return read_results(exchange.path() / "results", planned, call);
}

}  // namespace boustro::run
