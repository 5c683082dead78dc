// Runs of hand-made programs, which must obey the rules.
#pragma once

#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/verify.hpp"

namespace boustro::ir::testing {

inline std::vector<values::Value> run(const TestProgram& p, std::vector<values::Value> args) {
  for (const std::string& violation : verify(p.program)) BOOST_ERROR(violation);
  return run_entry(p.program, "main", std::move(args));
}

}  // namespace boustro::ir::testing
