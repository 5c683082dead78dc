#include "emit/driver/read_arguments.hpp"

#include <iostream>
#include <iterator>

#include "frontend/values/read.hpp"

namespace boustro::driver {

std::optional<std::vector<values::Value>> read_arguments() {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  try {
    return values::read_values(text);
  } catch (const values::ReadError& error) {
    std::cerr << "<stdin>: error: " << error.what() << " (at byte " << error.offset << ")\n";
    return std::nullopt;
  }
}

}  // namespace boustro::driver
