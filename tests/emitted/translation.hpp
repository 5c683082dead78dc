// A test program as it is emitted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <boost/test/unit_test.hpp>

#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"

namespace boustro::tests {

/// `size` for each size of an entry.
inline std::map<std::string, std::int64_t> sizes_of(const ir::Program& core, std::int64_t size) {
  std::map<std::string, std::int64_t> sizes;
  for (const ir::Function& function : core.functions)
    for (int i = 0; function.entry && i < function.size_params; ++i) sizes[function.params[static_cast<std::size_t>(i)].name.base] = size;
  return sizes;
}

/// A program, translated for one target; with kernels for what its sizes typically are, if that is said.
struct Translation {
  driver::Session session;
  ir::Program core;
  run::EmittedProgram emitted;

  Translation(const std::filesystem::path& path, plan::Target target, const std::string& name_space = "", bool deterministic = false,
              std::optional<std::int64_t> typical_size = {}) {
    auto loaded = driver::load_core(session, path.string());
    if (loaded)
      loaded = driver::run_passes(session, std::move(*loaded), driver::goal_of(target),
                                  {.verify_each = true}, {.fixed = deterministic});
    std::optional<run::EmittedProgram> text;
    if (loaded) {
      text =
          driver::emit(session, *loaded,
                       {.target = target, .name = path.stem().string(), .name_space = name_space, .deterministic = deterministic,
                        .typical = typical_size ? sizes_of(*loaded, *typical_size) : std::map<std::string, std::int64_t>()});
    }
    std::string reasons;
    for (const auto& diagnostic : session.diagnostics.all())
      reasons += to_string(diagnostic, session.sources);
    BOOST_REQUIRE_MESSAGE(text.has_value(), reasons);
    core = std::move(*loaded);
    emitted = std::move(*text);
  }
};

}  // namespace boustro::tests
