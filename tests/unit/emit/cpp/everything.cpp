// A program that has every function of every type. Its text must compile without a warning.
#include "../scalars.hpp"
#include "../written.hpp"
#include "emit/cpp/write.hpp"

namespace exemplars::everything_tests {

BOOST_AUTO_TEST_CASE(prints_every_function_of_every_type) {
  const Program program = scalars(Target::cpu);
  write(program, boustro::cpp::write_cpp(program), ".cpp");
}

}  // namespace exemplars::everything_tests
