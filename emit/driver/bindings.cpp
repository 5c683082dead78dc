#include "emit/driver/bindings.hpp"

#include "emit/bindings/write.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::driver {
namespace {

bindings::Kind kind_named(const std::string& name) {
  if (name == "python") return bindings::Kind::python;
  return name == "torch" ? bindings::Kind::torch : bindings::Kind::jax;
}

}  // namespace

std::optional<std::vector<OutputFile>> binding_files(Session& session, const TranslateOptions& options, const ir::Program& core,
                                                     const run::EmittedProgram& emitted, const std::filesystem::path& output) {
  std::vector<OutputFile> files;
  if (options.bindings.empty()) return files;
  try {
    const bindings::Interface interface = bindings::interface_of(core, emitted.plan);
    for (const std::string& name : options.bindings)
      for (bindings::File& file : bindings::write(kind_named(name), interface))
        files.push_back({output.parent_path() / file.name, std::move(file.text)});
    return files;
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
}

}  // namespace boustro::driver
