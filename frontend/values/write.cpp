#include "frontend/values/write.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boustro::values {
namespace {

/// Writes the subarray of dimension `dimension` that begins at element `next`, and moves `next`
/// behind it.
void write_text(const Value& value, std::size_t dimension, std::int64_t& next, std::string& out) {
  if (dimension == value.shape.size()) {
    out += to_string(value.element(next++));
    return;
  }
  out += '[';
  for (std::int64_t i = 0; i < value.shape[dimension]; ++i) {
    if (i > 0) out += ", ";
    write_text(value, dimension + 1, next, out);
  }
  out += ']';
}

}  // namespace

std::string to_text(const Value& value) {
  if (value.rank() > 0 && value.size() == 0) return fmt::format("empty({})", type_string(value));
  std::string out;
  std::int64_t next = 0;
  write_text(value, 0, next, out);
  return out;
}

std::string to_binary(const Value& value) {
  std::string out =
      fmt::format("b{}{}{:>4}", '\2', static_cast<char>(value.rank()), name_of(value.type));
  for (const std::int64_t size : value.shape)
    out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(reinterpret_cast<const char*>(value.data.data()), value.data.size());
  return out;
}

}  // namespace boustro::values
