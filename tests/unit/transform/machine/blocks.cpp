// What passes and emitted code both know of blocks.
#include <boost/test/unit_test.hpp>

#include "templates/block_size.cuh"
#include "templates/max_shared_bytes.cuh"
#include "transform/machine/machine.hpp"

namespace boustro::machine {

BOOST_AUTO_TEST_CASE(blocks_are_those_of_emitted_code) {
  BOOST_TEST(block_threads == block_size);
  BOOST_TEST(block_shared_bytes == static_cast<int>(max_shared_bytes));
}

}  // namespace boustro::machine
