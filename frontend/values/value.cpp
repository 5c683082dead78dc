#include "frontend/values/value.hpp"

#include <cstring>

#include "frontend/source/diagnostics.hpp"

namespace boustro::values {

std::int64_t Value::size() const {
  std::int64_t product = 1;
  for (const std::int64_t n : shape) product *= n;
  return product;
}

Value Value::zeros(PrimType type, std::vector<std::int64_t> shape) {
  Value value{type, std::move(shape), {}};
  value.data.resize(static_cast<std::size_t>(value.size()) *
                    static_cast<std::size_t>(byte_size(type)));
  return value;
}

Value Value::of(PrimValue scalar) {
  Value value = zeros(scalar.type, {});
  value.set_element(0, scalar);
  return value;
}

PrimValue Value::element(std::int64_t flat_index) const {
  const auto bytes = static_cast<std::size_t>(byte_size(type));
  const auto offset = static_cast<std::size_t>(flat_index) * bytes;
  source::internal_check(flat_index >= 0 && offset + bytes <= data.size(),
                         "Value::element: index out of bounds");
  PrimValue result{type, 0};
  std::memcpy(&result.bits, data.data() + offset, bytes);
  return result;
}

void Value::set_element(std::int64_t flat_index, PrimValue value) {
  const auto bytes = static_cast<std::size_t>(byte_size(type));
  const auto offset = static_cast<std::size_t>(flat_index) * bytes;
  source::internal_check(value.type == type, "Value::set_element: another type");
  source::internal_check(flat_index >= 0 && offset + bytes <= data.size(),
                         "Value::set_element: index out of bounds");
  std::memcpy(data.data() + offset, &value.bits, bytes);
}

std::string type_string(const Value& value) {
  std::string text;
  for (const std::int64_t n : value.shape) text += '[' + std::to_string(n) + ']';
  return text + std::string(name_of(value.type));
}

}  // namespace boustro::values
