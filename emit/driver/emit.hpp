// From a core program to the text of a file: planning, printing, verifying.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "emit/driver/load.hpp"
#include "emit/driver/passes.hpp"
#include "emit/run/program.hpp"
#include "emit/verify/verify.hpp"

namespace boustro::driver {

/// How far the passes go for a program that is planned for this target.
inline Goal goal_of(plan::Target target) { return target == plan::Target::gpu ? Goal::gpu : Goal::cpu; }

struct EmitSettings {
  plan::Target target = plan::Target::gpu;
  std::string name = {};        // of the file, without extension
  std::string name_space = {};  // empty: from the name
  bool checks = true;
  bool deterministic = false;
  bool reassociate = true;
  bool vector_math = true;  // of the cpp target
  bool origins = false;     // of lines, too
  std::map<std::string, std::int64_t> typical = {};  // sizes to choose kernels for
};

/// Plans and prints a program that the passes are through with. Nothing if something is refused;
/// the session has the reason.
std::optional<run::EmittedProgram> emit(Session& session, const ir::Program& core,
                                        const EmitSettings& settings);

/// Clang's and our own objections to an emitted file: there must be none.
verify::Verdict verify_emitted(const run::EmittedProgram& emitted);

}  // namespace boustro::driver
