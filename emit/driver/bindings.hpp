// Files for Python beside an emitted pair.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/bindings/interface.hpp"
#include "emit/driver/load.hpp"
#include "emit/driver/merge_files.hpp"
#include "emit/driver/options.hpp"
#include "emit/run/program.hpp"

namespace boustro::driver {

/// Adds the entries that compute derivatives of the others, `f_vjp` or `f_jvp`, for the bindings that have derivatives: of the function that
/// the options name, or of all entries that have floats to differentiate; with `--double` derivatives of these, too. Throws
/// source::Refusal.
std::vector<bindings::Derivative> add_derivatives(ir::Program& core, const TranslateOptions& options);

/// What is loaded of the program: a function that bindings differentiate is an entry as well.
LoadSettings load_settings(const TranslateOptions& options);

/// A program as it is emitted.
struct Translation {
  const ir::Program& core;
  const run::EmittedProgram& emitted;
};

/// The files that the options ask for, to lie in the folder of `output`, for a program that is emitted for a CPU, and perhaps for a GPU
/// as well. Nothing if a kind of bindings cannot pass what an entry takes or returns; the session has the reason.
std::optional<std::vector<OutputFile>> binding_files(Session& session, const TranslateOptions& options,
                                                     const std::vector<bindings::Derivative>& derivatives, const Translation& cpu,
                                                     const std::optional<Translation>& gpu, const std::filesystem::path& output);

}  // namespace boustro::driver
