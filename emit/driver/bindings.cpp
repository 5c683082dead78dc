#include "emit/driver/bindings.hpp"

#include <algorithm>

#include "emit/bindings/write.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ad/derivative_entry.hpp"

namespace boustro::driver {
namespace {

bindings::Kind kind_named(const std::string& name) {
  if (name == "python") return bindings::Kind::python;
  return name == "torch" ? bindings::Kind::torch : bindings::Kind::jax;
}

bool have_derivatives(const TranslateOptions& options) {
  return std::any_of(options.bindings.begin(), options.bindings.end(), [](const std::string& kind) { return kind != "python"; });
}

/// Positions behind the sizes, which callers do not see.
std::vector<std::size_t> behind(const std::vector<int>& positions, int sizes) {
  std::vector<std::size_t> result;
  for (const int position : positions) result.push_back(static_cast<std::size_t>(position - sizes));
  return result;
}

const ir::Function& entry_named(const ir::Program& core, const std::string& name) {
  return *std::find_if(core.functions.begin(), core.functions.end(),
                       [&](const ir::Function& function) { return function.entry && function.entry->name == name; });
}

/// Nothing if there is nothing to differentiate.
std::optional<bindings::Derivative> add_derivative(ir::Program& core, const std::string& of, const std::vector<std::string>& wrt,
                                                   bool reverse) {
  const ir::Function& function = entry_named(core, of);
  bindings::Derivative result{of,
                              {},
                              reverse,
                              behind(ad::differentiable_params(function, wrt), function.size_params),
                              behind(ad::differentiable_results(function), function.size_results)};
  if (result.params.empty() || result.results.empty()) return std::nullopt;
  result.by = ad::add_derivative_entry(core, of, wrt, reverse);
  return result;
}

/// Those that are asked for, else one of every entry.
std::vector<Derivative> wanted_derivatives(const ir::Program& core, const TranslateOptions& options) {
  if (!options.derivatives.empty()) return options.derivatives;
  std::vector<Derivative> wanted;
  for (const ir::Function& function : core.functions)
    if (function.entry) wanted.push_back({.reverse = true, .function = function.entry->name, .wrt = {}});
  return wanted;
}

}  // namespace

LoadSettings load_settings(const TranslateOptions& options) {
  LoadSettings settings{.entries = options.entries, .printed = !options.look.start_after.empty()};
  if (!have_derivatives(options)) {
    settings.derivatives = options.derivatives;
    return settings;
  }
  for (const Derivative& derivative : options.derivatives) settings.extra_entries.push_back(derivative.function);
  return settings;
}

/// Functions whose results have sizes that depend on data are differentiated once at most.
std::vector<bindings::Derivative> add_derivatives(ir::Program& core, const TranslateOptions& options) {
  std::vector<bindings::Derivative> result;
  if (!have_derivatives(options)) return result;
  for (const auto& [reverse, name, wrt] : wanted_derivatives(core, options)) {
    auto first = add_derivative(core, name, wrt, reverse);
    if (!first) continue;
    const bool twice = options.differentiate_twice && entry_named(core, name).size_results == 0;
    auto second = twice ? add_derivative(core, first->by, {}, reverse) : std::nullopt;
    result.push_back(std::move(*first));
    if (second) result.push_back(std::move(*second));
  }
  return result;
}

std::optional<std::vector<OutputFile>> binding_files(Session& session, const TranslateOptions& options,
                                                     const std::vector<bindings::Derivative>& derivatives, const Translation& cpu,
                                                     const std::optional<Translation>& gpu, const std::filesystem::path& output) {
  std::vector<OutputFile> files;
  try {
    const bindings::Interface on_cpu = bindings::interface_of(cpu.core, cpu.emitted.plan, derivatives);
    std::optional<bindings::Interface> on_gpu;
    if (gpu) on_gpu = bindings::interface_of(gpu->core, gpu->emitted.plan, derivatives);
    for (const std::string& name : options.bindings)
      for (bindings::File& file : bindings::write(kind_named(name), on_cpu, on_gpu ? &*on_gpu : nullptr))
        files.push_back({output.parent_path() / file.name, std::move(file.text)});
    return files;
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
}

}  // namespace boustro::driver
