// What the solution of a variable may mention and hold: names of the scopes that it belongs to,
// and, unless it is lifted, neither functions nor sizes that differ from call to call.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/inference.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {

// ---- Scopes

// A type that a function's result stands for may have sizes that differ from call to call, if it is
// lifted. They must be sizes of arrays, so that they can be read off the value. Nothing if there
// are some that may not be.
std::optional<std::vector<Name>> Inference::sizes_of_calls(const Name& name, const Type& type) {
  std::vector<Name> found;
  const Type resolved = resolve_all(type);
  std::vector<Name> bound;
  for_each_function(resolved, [&](const FunctionType& function) {
    if (function.param) bound.push_back(*function.param);
    bound.insert(bound.end(), function.existentials.begin(), function.existentials.end());
  });
  const auto contains = [](const std::vector<Name>& names, const Name& one) {
    return std::find(names.begin(), names.end(), one) != names.end();
  };
  for_each_size(resolved, [&](const Size& part) {
    for_each_name(part, [&](const Name& mentioned) {
      if (is_variable(mentioned) && variable(mentioned).level == level_of_calls)
        solve(mentioned, Size(name_of_calls(mentioned.text)));
    });
    const Size size = resolve(part);
    for_each_name(size, [&](const Name& mentioned) {
      if (!is_size_of_calls(mentioned) || contains(bound, mentioned)) return;
      if (!contains(found, mentioned)) found.push_back(mentioned);
    });
  });
  for (const Name& size : found) {
    if (variable(name).constraint.lift != Lift::plain && tells_size(resolve_all(type), size))
      continue;
    fail(fmt::format("the size `{}` of the result differs from call to call", size.text));
    return std::nullopt;
  }
  return found;
}

// What was made in an outer scope must not come to mention a name of an inner one. Variables in the
// solution move outwards.
bool Inference::leaves_scope(const Name& name, const Type& type,
                             const std::vector<Name>& existentials) {
  const Type resolved = resolve_all(type);
  std::vector<Name> inside = existentials;
  for_each_function(resolved, [&](const FunctionType& function) {
    if (function.param) inside.push_back(*function.param);
    inside.insert(inside.end(), function.existentials.begin(), function.existentials.end());
  });
  bool leaves = false;
  for_each_size(resolved, [&](const Size& size) {
    for_each_name(size, [&](const Name& other) {
      if (std::find(inside.begin(), inside.end(), other) == inside.end())
        leaves = leaves_scope(name, other) || leaves;
    });
  });
  for_each_variable(resolved,
                    [&](const Name& other) { leaves = leaves_scope(name, other) || leaves; });
  return leaves;
}
bool Inference::leaves_scope(const Name& name, const Name& mentioned) {
  const int level = variable(name).level;
  if (is_variable(mentioned)) {
    if (variable(mentioned).level > level) change(mentioned).level = level;
    return false;
  }
  if (mentioned.id < 0 || levels_[std::size_t(mentioned.id)] <= level) return false;
  return !fail(
      is_size_of_calls(mentioned)
          ? fmt::format("the size `{}` of the result differs from call to call", mentioned.text)
          : fmt::format("`{}` is bound inside of what would have to mention it", mentioned.text));
}

// ---- What types may hold

Lift lift_of(TypeParam::Kind kind) {
  switch (kind) {
    case TypeParam::Kind::lifted:
      return Lift::functions;
    case TypeParam::Kind::size_lifted:
      return Lift::sizes;
    default:
      return Lift::plain;
  }
}
TypeParam::Kind kind_of(Lift lift) {
  switch (lift) {
    case Lift::functions:
      return TypeParam::Kind::lifted;
    case Lift::sizes:
      return TypeParam::Kind::size_lifted;
    default:
      return TypeParam::Kind::type;
  }
}

std::optional<std::string> Inference::restrict(const Type& type, Lift lift) {
  reason_.clear();
  if (restrict_type(type, lift)) return std::nullopt;
  return reason_;
}

bool Inference::restrict_type(const Type& type, Lift lift) {
  if (lift == Lift::functions) return true;
  const auto inside = [&](const Type& part) { return restrict_type(part, lift); };
  return match(
      type.node, [](PrimType) { return true; },
      [&](const ArrayType& array) { return inside(*array.row); },
      [&](const RecordType& record) {
        return std::all_of(record.fields.begin(), record.fields.end(),
                           [&](const Field& field) { return inside(field.type); });
      },
      [&](const SumType& sum) {
        return std::all_of(
            sum.constructors.begin(), sum.constructors.end(), [&](const Constructor& constructor) {
              return std::all_of(constructor.payload.begin(), constructor.payload.end(), inside);
            });
      },
      [&](const FunctionType&) { return fail("functions may not stand here"); },
      [&](const TypeVariable& open) {
        if (!is_variable(open.name)) {
          const auto found = lifts_.find(open.name.id);
          if (found == lifts_.end() || found->second <= lift) return true;
          return fail(fmt::format(
              "the type `{}` may hold {}", open.name.text,
              found->second == Lift::functions ? "functions" : "arrays whose sizes differ"));
        }
        const Variable& variable = this->variable(open.name);
        if (variable.type && lift == Lift::plain && !variable.existentials.empty())
          return fail(fmt::format("the size `{}` differs from call to call",
                                  variable.existentials[0].text));
        if (variable.type) return inside(*variable.type);
        if (variable.constraint.lift > lift) change(open.name).constraint.lift = lift;
        return true;
      },
      [](const AccumulatorType&) { return true; });
}

}  // namespace boustro::check
