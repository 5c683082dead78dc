#include "emit/driver/random.hpp"

#include <charconv>
#include <cmath>

#include "frontend/values/read.hpp"

namespace boustro::driver {

using values::PrimType;
using values::PrimValue;
using values::Value;

/// 53 random bits as a fraction: unlike std::uniform_real_distribution the same with every standard
/// library.
double RandomValues::unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

Value RandomValues::uniform(PrimType type, std::vector<std::int64_t> shape) {
  if (values::is_float(type)) return between(type, std::move(shape), 0, 1);
  Value value = Value::zeros(type, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const auto bits = static_cast<std::int64_t>(engine_());
    value.set_element(i, type == PrimType::boolean ? PrimValue::of_bool(bits & 1)
                                                   : PrimValue::of_int(type, bits));
  }
  return value;
}

Value RandomValues::between(PrimType type, std::vector<std::int64_t> shape, double low,
                            double high) {
  Value value = Value::zeros(type, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const double x = low + (high - low) * unit();
    value.set_element(i, values::is_float(type) ? PrimValue::of_float(type, x)
                         : type == PrimType::boolean
                             ? PrimValue::of_bool(2 * x >= low + high)
                             : PrimValue::of_int(type, static_cast<std::int64_t>(std::floor(x))));
  }
  return value;
}

Value random_item(RandomValues& random, const std::string& item) {
  const std::size_t type_at = item.rfind(']') == item.npos ? 0 : item.rfind(']') + 1;
  const auto type = values::prim_type_named(std::string_view(item).substr(type_at));
  if (!type) return values::read_values(item).at(0);
  std::vector<std::int64_t> shape;
  for (std::size_t at = 0; at < type_at;) {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(item.data() + at + 1, item.data() + type_at, size);
    if (item[at] != '[' || error != std::errc() || *end != ']')
      throw values::ReadError("expected a type with constant sizes", at);
    shape.push_back(size);
    at = static_cast<std::size_t>(end - item.data()) + 1;
  }
  return random.uniform(*type, shape);
}

}  // namespace boustro::driver
