// Programs from text, as they come to a pass.
#pragma once

#include "tests/dumps/read_dump.hpp"
#include "transform/pipeline.hpp"

namespace boustro::ir::testing {

inline Program before_pass(const std::string& pass, const std::string& text, parallel::Machine machine = parallel::Machine::gpu) {
  std::string reasons;
  auto program = tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = machine;
  for (const auto& step : translate_passes(options)) {
    if (step.name == pass) return *program;
    *program = step.function(std::move(*program));
  }
  throw std::logic_error("no pass " + pass);
}

}  // namespace boustro::ir::testing
