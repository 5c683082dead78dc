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

/// The files that the options ask for, of `core` as it is emitted, to lie in the folder of `output`. Nothing if a kind of bindings
/// cannot pass what an entry takes or returns; the session has the reason.
std::optional<std::vector<OutputFile>> binding_files(Session& session, const TranslateOptions& options, const ir::Program& core,
                                                     const run::EmittedProgram& emitted, const std::filesystem::path& output);

}  // namespace boustro::driver
