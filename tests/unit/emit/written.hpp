// Programs that have everything, for the compilers that tests/golden/compile_everything asks about them.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "emit/plan/plan.hpp"
#include "emit/text/file.hpp"

namespace exemplars {

/// There is a text; it goes into the folder that BOUSTRO_WRITE_TO names, if it does.
inline void write(const boustro::plan::Program& program, const boustro::text::Emitted& emitted,
                  const std::string& extension) {
  BOOST_TEST(!emitted.source.empty());
  const char* folder = std::getenv("BOUSTRO_WRITE_TO");
  if (!folder) return;
  std::ofstream(std::string(folder) + "/" + program.name + extension) << emitted.source;
  std::ofstream(std::string(folder) + "/" + program.name + ".hpp") << emitted.header;
}

}  // namespace exemplars
