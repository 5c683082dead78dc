// A test program as it is emitted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <boost/test/unit_test.hpp>

#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"

namespace boustro::tests {

/// A program, translated for one target.
struct Translation {
  driver::Session session;
  ir::Program core;
  run::EmittedProgram emitted;

  Translation(const std::filesystem::path& path, plan::Target target, const std::string& name_space = "", bool deterministic = false) {
    auto loaded = driver::load_core(session, path.string());
    if (loaded)
      loaded = driver::run_passes(session, std::move(*loaded), driver::goal_of(target),
                                  {.verify_each = true}, {.fixed = deterministic});
    std::optional<run::EmittedProgram> text;
    if (loaded) {
      text =
          driver::emit(session, *loaded,
                       {.target = target, .name = path.stem().string(), .name_space = name_space, .deterministic = deterministic});
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
