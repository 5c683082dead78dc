#include "emit/run/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "emit/run/harness.hpp"
#include "frontend/source/diagnostics.hpp"
#include "frontend/values/read.hpp"
#include "templates/harness/exchange.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/scalar.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::run {
namespace fs = std::filesystem;
using values::PrimValue;
using values::Value;

namespace {

const ir::Function& function_of(const ir::Program& program, const std::string& entry) {
  const auto found =
      std::find_if(program.functions.begin(), program.functions.end(),
                   [&](const ir::Function& f) { return f.entry && f.entry->name == entry; });
  if (found == program.functions.end())
    throw std::invalid_argument("there is no entry point `" + entry + "`");
  return *found;
}

const plan::Entry& plan_of(const plan::Program& program, const ir::Program& core,
                           const std::string& entry) {
  // Entries keep their order; their names may have been changed to C++ identifiers.
  std::size_t position = 0;
  for (const ir::Function& function : core.functions) {
    if (!function.entry) continue;
    if (function.entry->name == entry) return program.entries.at(position);
    ++position;
  }
  source::internal_error("run: entry is missing in the plan");
}

// ---- Values to bytes and back

void append_count(std::string& bytes, std::uint64_t count) {
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
}

void append_value(std::string& bytes, const Value& value) {
  append_count(bytes, value.data.size());
  bytes.append(reinterpret_cast<const char*>(value.data.data()), value.data.size());
}

/// The numbers that a function's parameters have in this call, and what sizes are computed of them.
using Numbers = std::unordered_map<ir::Name, PrimValue>;

std::optional<PrimValue> number_of(const ir::Atom& atom, const Numbers& numbers) {
  if (const auto* literal = ir::literal_in(atom)) return *literal;
  const auto found = numbers.find(std::get<ir::Name>(atom));
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PrimValue> computed(const ir::Exp& exp, const Numbers& numbers) {
  if (!ir::is_size_arithmetic(exp)) return std::nullopt;
  if (const auto* copy = std::get_if<ir::AtomExp>(&exp)) return number_of(copy->atom, numbers);
  if (const auto* conversion = std::get_if<ir::Convert>(&exp)) {
    const auto x = number_of(conversion->operand, numbers);
    return x ? std::optional(ir::convert(conversion->to, *x)) : std::nullopt;
  }
  const auto& op = std::get<ir::BinOp>(exp);
  const auto x = number_of(op.lhs, numbers), y = number_of(op.rhs, numbers);
  return x && y ? ir::apply(op.kind, *x, *y) : std::nullopt;
}

void add_computed_sizes(const ir::Function& function, Numbers& numbers) {
  for (const ir::Stm& stm : function.body.stms)
    if (const auto value = computed(stm.exp, numbers)) numbers.emplace(stm.pattern[0].name, *value);
}

/// What entries tell of the extents of results that they allocate, by the names of these outputs.
using LateExtents = std::map<std::string, std::int64_t>;

/// Where a size is negative the entry fails, and writes nothing.
Value blank_of(const ir::Type& type, const plan::Param& output, const Numbers& numbers,
               const LateExtents& late) {
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    const auto told = late.find(output.shape[i]);
    shape.push_back(told != late.end() ? told->second
                                       : number_of(type.shape[i], numbers).value().as_int());
  }
  for (std::int64_t& extent : shape) extent = std::max<std::int64_t>(extent, 0);
  return Value::zeros(type.elem, shape);
}

bool is_output(const plan::Param& param) {
  return param.type.pointer && param.access == plan::Access::written;
}

/// Of an entry's outputs, not a result but an extent of one.
bool is_late_extent(const plan::Param& param) { return param.late && param.shape.empty(); }

/// One call: the parameters' values in the order of the core function, and what sizes follow from
/// them.
struct Call {
  const ir::Function& function;
  std::vector<Value> params;
  Numbers numbers;

  Call(const ir::Function& function, const std::vector<Value>& args)
      : function(function), params(ir::bind_arguments(function, args)) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (params[i].rank() == 0 && values::is_integer(params[i].type)) {
        numbers.emplace(function.params[i].name, params[i].element(0));
      }
    }
    add_computed_sizes(function, numbers);
  }

  /// Room for the result behind an output; results are counted without sizes.
  Value blank(const plan::Param& output, std::size_t result, const LateExtents& late) const {
    const std::size_t at = static_cast<std::size_t>(function.size_results) + result;
    return blank_of(function.result_types.at(at), output, numbers, late);
  }

  /// The product of those extents of a result that are known before.
  std::uint64_t known_elements(std::size_t result) const {
    const std::size_t at = static_cast<std::size_t>(function.size_results) + result;
    std::uint64_t count = 1;
    for (const ir::Atom& size : function.result_types.at(at).shape) {
      const auto known = number_of(size, numbers);
      if (known) count *= static_cast<std::uint64_t>(std::max<std::int64_t>(known->as_int(), 0));
    }
    return count;
  }

  /// The parameters in the order of the emitted function: sizes last.
  std::vector<const Value*> in_emitted_order() const {
    std::vector<const Value*> order;
    const auto sizes = static_cast<std::size_t>(function.size_params);
    for (std::size_t i = sizes; i < params.size(); ++i) order.push_back(&params[i]);
    for (std::size_t i = 0; i < sizes; ++i) order.push_back(&params[i]);
    return order;
  }
};

/// Arguments as the harness reads them. An entry's outputs stand for the results in order.
std::string argument_bytes(const plan::Entry& entry, const Call& call) {
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

std::vector<Value> read_results(const fs::path& path, const plan::Entry& entry, const Call& call) {
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
  const Call call(function_of(core_, entry), args);
  const plan::Entry& planned = plan_of(emitted_.plan, core_, entry);
  const TemporaryFolder exchange;
  write_file(exchange.path() / "arguments", argument_bytes(planned, call));
  const Outcome outcome = execute_limited(executable().string(),
                                          {planned.name, (exchange.path() / "arguments").string(),
                                           (exchange.path() / "results").string()},
                                          environment(settings), mode_, settings.limit_seconds);
  if (ran_out_of_memory(outcome)) throw std::bad_alloc();
  if (outcome.status == -2 && outcome.output.find("timed out") != std::string::npos)
    throw RunTimeout(fmt::format("takes longer than {} s", settings.limit_seconds));
  if (!outcome.ok()) throw RunFailure(outcome.output);
  return read_results(exchange.path() / "results", planned, call);
}

}  // namespace boustro::run
