// Any bytes are values, or malformed. Values that were read print as text that reads back as the
// same.

#include <cstdlib>
#include <string>
#include <string_view>

#include "frontend/values/read.hpp"
#include "frontend/values/write.hpp"
#include "target.hpp"

using namespace boustro;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const values::Value& value : values::read_values(text)) {
      const auto again = values::read_values(values::to_text(value));
      if (again.size() != 1 || again[0].shape != value.shape) std::abort();
    }
  } catch (const values::ReadError&) {
  }
  return 0;
}
