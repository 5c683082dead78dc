#include "tests/source_folder.hpp"

namespace boustro::tests {

const char* const source_folder = BOUSTRO_SOURCE_DIR;

}  // namespace boustro::tests
