#include "points.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "emit/driver/random.hpp"
#include "frontend/test_blocks/test_blocks.hpp"
#include "frontend/values/read.hpp"

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

std::int64_t value_of(const ir::Atom& size, const Sizes& sizes) {
  const auto* const literal = ir::literal_in(size);
  return literal ? literal->as_int() : sizes.at(*ir::name_in(size));
}

std::vector<Value> random_args(const ir::Function& entry, const Sizes& sizes,
                               RandomValues& random) {
  std::vector<Value> args;
  for (std::size_t i = static_cast<std::size_t>(entry.size_params); i < entry.params.size(); ++i) {
    const ir::Type& type = entry.params[i].type;
    std::vector<std::int64_t> shape;
    for (const ir::Atom& size : type.shape) shape.push_back(value_of(size, sizes));
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

namespace {

std::vector<Value> values_of(const test_blocks::InlineValues& written) { return values::read_values(written.text); }

/// As `boustro test` makes them.
std::vector<Value> values_of(const test_blocks::RandomValues& made) {
  std::vector<Value> values;
  for (const std::string& item : made.items) {
    RandomValues random(1);
    values.push_back(driver::random_item(random, item));
  }
  return values;
}

/// The inputs that the program's test blocks write down for the entry, or have made at random: large ones.
template <typename Input>
std::vector<Point> points_of_blocks(const ir::Function& entry, std::string_view program) {
  std::vector<Point> points;
  for (const test_blocks::Block& block : test_blocks::read_test_blocks(program).blocks) {
    if (std::find(block.entries.begin(), block.entries.end(), entry.entry->name) ==
        block.entries.end())
      continue;
    for (const test_blocks::Case& test : block.cases) {
      const auto* const input = std::get_if<Input>(&test.input);
      if (input) points.push_back({"test block at line " + std::to_string(test.line), values_of(*input)});
    }
  }
  return points;
}

/// The elements of the largest argument.
std::int64_t most_elements(const ir::Function& entry, const Sizes& sizes) {
  std::int64_t most = 0;
  for (const ir::Param& param : entry.params) {
    std::int64_t elements = 1;
    for (const ir::Atom& size : param.type.shape) elements *= value_of(size, sizes);
    most = std::max(most, elements);
  }
  return most;
}

/// A size that takes more than a block of threads; more than two warps if arrays would have its square of elements, which the emulator
/// needs many seconds for.
std::int64_t large_size(const ir::Function& entry, Sizes sizes, const ir::Name& name) {
  constexpr std::int64_t many = 257, some = 70, too_many_elements = 50'000;
  sizes[name] = many;
  return most_elements(entry, sizes) > too_many_elements ? some : many;
}

/// Random arguments for sizes of all kinds.
std::vector<Point> points_of_sizes(const ir::Function& entry) {
  RandomValues random(1);
  const Sizes sizes = default_sizes(entry);
  std::vector<Point> points = {{"small", random_args(entry, sizes, random)}};
  for (const auto& [name, size] : sizes) {
    for (const std::int64_t other : {std::int64_t{0}, std::int64_t{1}, large_size(entry, sizes, name)}) {
      Sizes changed = sizes;
      changed[name] = other;
      points.push_back(
          {fmt::format("size {} is {}", name.base, other), random_args(entry, changed, random)});
    }
  }
  return points;
}

/// The arguments with one of them changed.
Point with_change(const Point& point, const std::string& what, std::size_t argument,
                  const std::function<void(Value&)>& change) {
  Point result{fmt::format("{}, argument {} {}", point.what, argument, what), point.args};
  change(result.args[argument]);
  return result;
}

void add_integers(const Point& base, std::vector<Point>& points) {
  for (std::size_t i = 0; i < base.args.size(); ++i) {
    const Value& like = base.args[i];
    if (!values::is_integer(like.type) || like.rank() != 0) continue;
    for (const std::int64_t x : {-1, 0, 1, 10}) {
      points.push_back(with_change(base, fmt::format("is {}", x), i, [&](Value& value) {
        value.set_element(0, PrimValue::of_int(value.type, x));
      }));
    }
  }
}

void add_floats(const Point& base, std::vector<Point>& points) {
  for (std::size_t i = 0; i < base.args.size(); ++i) {
    const Value& like = base.args[i];
    if (!values::is_float(like.type) || like.size() == 0) continue;
    const auto set = [](double x) { return [x](Value& value) { fill(value, x); }; };
    points.push_back(with_change(base, "has ties", i, set(0.5)));
    points.push_back(with_change(base, "is zero", i, set(0)));
    points.push_back(with_change(base, "has a NaN", i, [](Value& value) {
      value.set_element(0,
                        PrimValue::of_float(value.type, std::numeric_limits<double>::quiet_NaN()));
    }));
    points.push_back(with_change(base, "has an infinity", i, [](Value& value) {
      value.set_element(value.size() - 1,
                        PrimValue::of_float(value.type, std::numeric_limits<double>::infinity()));
    }));
  }
}

}  // namespace

std::vector<Point> points_for(const ir::Function& entry, std::string_view program) {
  std::vector<Point> points = points_of_blocks<test_blocks::InlineValues>(entry, program);
  const bool has_blocks = !points.empty();
  if (!has_blocks) points = points_of_sizes(entry);
  const Point base = points[0];
  if (!has_blocks) add_integers(base, points);
  add_floats(base, points);
  const std::vector<Point> large = points_of_blocks<test_blocks::RandomValues>(entry, program);
  points.insert(points.end(), large.begin(), large.end());
  return points;
}

}  // namespace boustro::tests
