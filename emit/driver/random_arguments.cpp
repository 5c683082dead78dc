#include "emit/driver/random_arguments.hpp"

#include <fmt/format.h>

#include "frontend/source/messages.hpp"

namespace boustro::driver {

using values::PrimType;
using values::PrimValue;
using values::Value;

namespace {

[[noreturn]] void refuse_value(const ir::Param& param, const std::string& kind,
                               std::int64_t value) {
  source::refuse(source::Message::value_out_of_range, {}, param.name.base, kind, value);
}

/// Sizes that differ from each other, so that mixing up two of them is noticed.
constexpr std::int64_t default_sizes[] = {5, 3, 4, 2, 6, 7};

/// Whether it is the extent of some parameter, as a size is that is a parameter in the source, too.
bool is_extent(const ir::Function& function, const ir::Name& name) {
  for (const ir::Param& param : function.params)
    for (const ir::Atom& size : param.type.shape)
      if (const auto* const other = ir::name_in(size); other && *other == name) return true;
  return false;
}

std::map<ir::Name, std::int64_t> choose_sizes(const ir::Function& function, const Sizes& sizes) {
  std::map<ir::Name, std::int64_t> chosen;
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    const ir::Name& name = function.params[i].name;
    if (static_cast<int>(i) >= function.size_params && !is_extent(function, name)) continue;
    const auto given = sizes.find(name.base);
    chosen[name] = given != sizes.end() ? given->second : default_sizes[i % std::size(default_sizes)];
  }
  return chosen;
}

Value random_argument(RandomValues& random, const ir::Param& param,
                      const std::map<ir::Name, std::int64_t>& chosen, const Sizes& sizes) {
  std::vector<std::int64_t> shape;
  for (const ir::Atom& size : param.type.shape) {
    const auto* const literal = ir::literal_in(size);
    shape.push_back(literal ? literal->as_int() : chosen.at(*ir::name_in(size)));
  }
  if (const auto extent = chosen.find(param.name); extent != chosen.end())
    return Value::of(PrimValue::of_int(param.type.elem, extent->second));
  const auto given = sizes.find(param.name.base);
  if (shape.empty() && given != sizes.end())
    return Value::of(PrimValue::of_int(param.type.elem, given->second));
  // Integers may be indices or trip counts: small ones are most likely to be meant.
  if (!values::is_float(param.type.elem)) return random.between(param.type.elem, shape, 0, 3);
  return random.between(param.type.elem, shape, -1, 1);
}

}  // namespace

void check_sizes(const ir::Function& function, const std::string& entry, const Sizes& sizes) {
  for (const auto& [name, value] : sizes) {
    bool found = false;
    for (std::size_t i = 0; i < function.params.size(); ++i) {
      const ir::Param& param = function.params[i];
      const PrimType type = param.type.elem;
      if (param.name.base != name || !param.type.is_scalar() || !values::is_integer(type)) continue;
      found = true;
      if (static_cast<int>(i) < function.size_params && value < 0)
        refuse_value(param, "a size", value);
      if (PrimValue::of_int(type, value).as_int() != value)
        refuse_value(param, fmt::format("of type `{}`", values::name_of(type)), value);
    }
    if (!found) source::refuse(source::Message::no_such_size, function.at, entry, name);
  }
}

std::vector<Value> random_arguments(RandomValues& random, const ir::Function& function,
                                    const Sizes& sizes) {
  const auto chosen = choose_sizes(function, sizes);
  std::vector<Value> arguments;
  for (auto i = static_cast<std::size_t>(function.size_params); i < function.params.size(); ++i)
    arguments.push_back(random_argument(random, function.params[i], chosen, sizes));
  return arguments;
}

}  // namespace boustro::driver
