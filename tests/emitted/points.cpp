#include "points.hpp"

#include <limits>
#include <map>

#include <fmt/format.h>

#include "emit/driver/random.hpp"

namespace boustro::tests {
namespace {

using driver::RandomValues;
using values::PrimType;
using values::PrimValue;
using values::Value;

using Sizes = std::map<ir::Name, std::int64_t>;

/// Sizes that differ from each other, so that mixing up two of them is noticed.
Sizes default_sizes(const ir::Function& entry) {
  constexpr std::int64_t values[] = {5, 3, 4, 2, 6, 7};
  Sizes sizes;
  for (int i = 0; i < entry.size_params; ++i) {
    sizes[entry.params[static_cast<std::size_t>(i)].name] =
        values[static_cast<std::size_t>(i) % std::size(values)];
  }
  return sizes;
}

std::vector<Value> random_args(const ir::Function& entry, const Sizes& sizes,
                               RandomValues& random) {
  std::vector<Value> args;
  for (std::size_t i = static_cast<std::size_t>(entry.size_params); i < entry.params.size(); ++i) {
    const ir::Type& type = entry.params[i].type;
    std::vector<std::int64_t> shape;
    for (const ir::Atom& size : type.shape) {
      const auto* const literal = ir::literal_in(size);
      shape.push_back(literal ? literal->as_int() : sizes.at(*ir::name_in(size)));
    }
    const bool is_float = values::is_float(type.elem);
    args.push_back(random.between(type.elem, shape, is_float ? -1 : 0, is_float ? 1 : 4));
  }
  return args;
}

void fill(Value& value, double x) {
  for (std::int64_t i = 0; i < value.size(); ++i)
    value.set_element(i, PrimValue::of_float(value.type, x));
}

}  // namespace

std::vector<Point> points_for(const ir::Function& entry, std::uint64_t seed) {
  RandomValues random(seed);
  const Sizes sizes = default_sizes(entry);
  std::vector<Point> points = {{"small", random_args(entry, sizes, random)}};
  const auto changed = [&](const std::string& what, auto&& change) {
    std::vector<Value> args = points[0].args;
    change(args);
    points.push_back({what, std::move(args)});
  };
  for (const auto& [name, size] : sizes) {
    for (const std::int64_t other : {0, 1, 257}) {
      Sizes changed_sizes = sizes;
      changed_sizes[name] = other;
      points.push_back({fmt::format("size {} is {}", name.base, other),
                        random_args(entry, changed_sizes, random)});
    }
  }
  for (std::size_t i = 0; i < points[0].args.size(); ++i) {
    const Value like = points[0].args[i];
    if (values::is_integer(like.type) && like.rank() == 0) {
      for (const std::int64_t x : {-1, 0, 1, 10}) {
        changed(fmt::format("argument {} is {}", i, x),
                [&](auto& args) { args[i].set_element(0, PrimValue::of_int(like.type, x)); });
      }
    }
    if (!values::is_float(like.type) || like.size() == 0) continue;
    changed(fmt::format("argument {} has ties", i), [&](auto& args) { fill(args[i], 0.5); });
    changed(fmt::format("argument {} is zero", i), [&](auto& args) { fill(args[i], 0); });
    changed(fmt::format("argument {} has a NaN", i), [&](auto& args) {
      args[i].set_element(0,
                          PrimValue::of_float(like.type, std::numeric_limits<double>::quiet_NaN()));
    });
    changed(fmt::format("argument {} has an infinity", i), [&](auto& args) {
      args[i].set_element(like.size() - 1,
                          PrimValue::of_float(like.type, std::numeric_limits<double>::infinity()));
    });
  }
  return points;
}

}  // namespace boustro::tests
