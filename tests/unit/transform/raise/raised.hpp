// Programs as people would write them, from Futhark text.
#pragma once

#include <stdexcept>
#include <string>

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/ad/programs.hpp"
#include "transform/pipeline.hpp"
#include "transform/raise/raise.hpp"

namespace boustro::raise::testing {

/// The text of a program after the passes of `boustro derive`, without comments on where lines come from.
inline std::string raised(const std::string& text) {
  const Raised result = raise(run_pipeline(derive_passes(), ad::testing::compiled(text)));
  BOOST_TEST(result.complaints == "", result.complaints << result.text);
  return result.text;
}

/// The same program lowered alone: nothing is simplified.
inline std::string raised_as_lowered(const std::string& text) { return raise(ad::testing::compiled(text)).text; }

/// The text that is expected begins with a line break.
inline void becomes(const std::string& text, const std::string& expected) { BOOST_TEST("\n" + raised(text) == expected); }

}  // namespace boustro::raise::testing
