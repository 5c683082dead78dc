#include "emit/driver/workload.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "frontend/source/messages.hpp"
#include "transform/ad/derivative_entry.hpp"

namespace boustro::driver {
namespace {

using values::PrimValue;
using values::Value;

test_blocks::Specification read_specification(const std::string& path) {
  if (path == "-") return {};
  try {
    return test_blocks::read_test_blocks(values::read_file(path));
  } catch (const test_blocks::TestBlockError& error) {
    throw WorkloadError(fmt::format("{}:{}: {}", path, error.line, error.what()));
  } catch (const std::system_error&) {
    return {};  // who loads the program will say so
  }
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// The functions that the options name, other than those that are derivatives of others.
std::vector<std::string> named_functions(const WorkloadOptions& options) {
  std::vector<std::string> names = options.entries;
  for (const Derivative& derivative : options.derivatives) add_once(names, derivative.function);
  for (const auto& [function, derivative] : options.pairs) add_once(names, function);
  return names;
}

const ir::Function* find_entry(const ir::Program& program, const std::string& name) {
  for (const ir::Function& function : program.functions) {
    if (function.entry && function.entry->name == name) return &function;
  }
  return nullptr;
}

/// The function and what is to stand beside it; adds derivatives to the program.
Subject make_subject(ir::Program& program, const std::string& name, const WorkloadOptions& options) {
  const ir::Function function = *find_entry(program, name);  // derivatives move what the program has
  Subject subject{function, {{"primal", name}}, {std::nullopt}, {}};
  for (const Derivative& derivative : options.derivatives) {
    if (derivative.function != name) continue;
    const std::string entry = ad::add_derivative_entry(program, name, derivative.wrt, derivative.reverse);
    subject.variants.push_back({derivative.reverse ? "vjp" : "jvp", entry});
    subject.derivatives.emplace_back(derivative);
  }
  for (const auto& [primal, derivative] : options.pairs) {
    if (primal != name) continue;
    subject.variants.push_back({derivative, derivative});
    subject.derivatives.emplace_back();
  }
  return subject;
}

std::string name_of_random(const Sizes& sizes) {
  std::string name;
  for (const auto& [size, value] : sizes) name += fmt::format("{}{}={}", name.empty() ? "" : " ", size, value);
  return name;
}

/// Names that are made of input have its line breaks.
std::string in_one_line(const std::string& name) {
  std::string line;
  for (const char c : name) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

/// Names that are made of input are cut off, and may be the same then.
std::string unused_name(const std::string& name, const std::vector<DataSet>& data_sets) {
  const auto is_used = [&](const std::string& candidate) {
    return std::any_of(data_sets.begin(), data_sets.end(), [&](const DataSet& other) { return other.name == candidate; });
  };
  std::string candidate = name;
  for (int number = 2; is_used(candidate); ++number) candidate = fmt::format("{} #{}", name, number);
  return candidate;
}

/// Cases that must fail say nothing about time.
std::vector<DataSet> data_sets_of(const std::string& entry, const test_blocks::Specification& specification,
                                  const WorkloadOptions& options) {
  if (!options.sizes.empty()) return {{name_of_random(options.sizes)}};
  std::vector<DataSet> data_sets;
  for (const EntryCase& each : cases_of(specification)) {
    if (each.entry != entry || std::holds_alternative<test_blocks::RuntimeError>(each.test->expected)) continue;
    if (excluding_tag(each.test->tags, options.target, options.excluded)) continue;
    data_sets.push_back({unused_name(in_one_line(each.test->name), data_sets), each.test});
  }
  return data_sets;
}

/// Others stay, for the subjects to call.
void hide_other_entries(ir::Program& program, const std::vector<Subject>& subjects) {
  for (ir::Function& function : program.functions) {
    if (!function.entry) continue;
    const bool is_variant = std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) {
      return std::any_of(subject.variants.begin(), subject.variants.end(),
                         [&](const bench::Variant& variant) { return variant.entry == function.entry->name; });
    });
    if (!is_variant) function.entry.reset();
  }
}

std::vector<std::string> all_entries(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Function& function : program.functions)
    if (function.entry) names.push_back(function.entry->name);
  return names;
}

/// A misspelt name is not to pass for nothing to do.
void check_names(const Workload& workload) {
  for (const EntryCase& each : cases_of(workload.specification)) {
    if (find_entry(workload.core, each.entry) == nullptr)
      throw WorkloadError(fmt::format("{}:{}: there is no entry point `{}`", workload.path.string(), each.test->line, each.entry));
  }
}

/// Programs that must be rejected, those that a tag excludes, and in folders those without data are not even loaded.
bool is_left_out(const test_blocks::Specification& specification, const WorkloadOptions& options) {
  const bool has_data = specification.has_cases() || !options.sizes.empty();
  return specification.compile_error || excluding_tag(specification.tags, options.target, options.excluded) ||
         (options.entries_with_data_sets && !has_data);
}

/// Throws source::Refusal, too.
void choose_subjects(Workload& workload, const std::vector<std::string>& named) {
  for (const std::string& name : named.empty() ? all_entries(workload.core) : named) {
    std::vector<DataSet> data_sets = data_sets_of(name, workload.specification, workload.options);
    if (data_sets.empty() && named.empty()) continue;
    if (data_sets.empty())
      throw WorkloadError(fmt::format("{}: `{}` has no data sets\nhint: a test block may list some, or --size n=10 makes random ones",
                                      workload.path.string(), name));
    check_sizes(*find_entry(workload.core, name), name, workload.options.sizes);
    workload.subjects.push_back(make_subject(workload.core, name, workload.options));
    workload.subjects.back().data_sets = std::move(data_sets);
  }
  hide_other_entries(workload.core, workload.subjects);
}

Value ones_like(const Value& value) {
  Value result = Value::zeros(value.type, value.shape);
  for (std::int64_t i = 0; i < result.size(); ++i) result.set_element(i, PrimValue::one(value.type));
  return result;
}

void append_ones(std::vector<Value>& arguments, const std::vector<Value>& like, const std::vector<int>& positions,
                 int sizes) {
  for (const int position : positions)
    arguments.push_back(ones_like(like.at(static_cast<std::size_t>(position - sizes))));
}

}  // namespace

Call Workload::call(const Subject& subject, const DataSet& data_set) const {
  if (data_set.test != nullptr) return {read_input(path, options.folders, data_set.test->input), data_set.test};
  RandomValues random(options.seed);
  return {random_arguments(random, subject.function, options.sizes)};
}

Call Workload::derivative_call(const Subject& subject, std::size_t variant, const DataSet& data_set,
                               std::vector<Value> arguments, const std::vector<Value>& primal_results) const {
  const std::string& entry = subject.variants.at(variant).entry;
  const ir::Function& primal = subject.function;
  const std::vector<Value> primal_arguments = arguments;
  const auto& derivative = subject.derivatives.at(variant);
  if (derivative && derivative->reverse) {
    append_ones(arguments, primal_results, ad::differentiable_results(primal), primal.size_results);
  } else if (derivative) {
    append_ones(arguments, primal_arguments, ad::differentiable_params(primal, derivative->wrt), primal.size_params);
  } else if (data_set.test != nullptr) {
    for (const EntryCase& own : cases_of(specification))
      if (own.entry == entry && own.test->name == data_set.test->name) return {read_input(path, options.folders, own.test->input), own.test};
  }
  return {std::move(arguments)};
}

std::optional<Workload> load_workload(Session& session, const std::string& path, const WorkloadOptions& options) {
  Workload workload{path, options, read_specification(path), {}, {}};
  std::vector<std::string> named = named_functions(options);
  if (is_left_out(workload.specification, options)) return workload;
  if (options.entries_with_data_sets && !named.empty()) {
    std::erase_if(named, [&](const std::string& name) { return data_sets_of(name, workload.specification, options).empty(); });
    if (named.empty()) return workload;
  }
  std::vector<std::string> wanted = named;
  for (const auto& [function, derivative] : options.pairs) add_once(wanted, derivative);
  session.folders = options.folders;
  auto core = load_core(session, path, {.extra_entries = wanted});
  if (!core) return std::nullopt;
  workload.core = std::move(*core);
  if (named.empty()) check_names(workload);
  try {
    choose_subjects(workload, named);
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
  return workload;
}

}  // namespace boustro::driver
