// Making types equal: variables are bound, and what is known of them must hold for their solution.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/inference.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {

std::optional<std::string> Inference::unify(const Type& expected, const Type& actual) {
  reason_.clear();
  if (try_unify(expected, actual)) return std::nullopt;
  return reason_;
}

template <typename Attempt>
bool Inference::attempt(Attempt try_it) {
  if (trail_) return try_it();
  trail_.emplace();
  const bool success = try_it();
  if (!success) {
    for (auto change = trail_->rbegin(); change != trail_->rend(); ++change)
      variables_[std::size_t(change->first - first_variable)] = change->second;
  }
  trail_.reset();
  return success;
}
bool Inference::try_unify(const Size& a, const Size& b) {
  return attempt([&] { return unify_sizes(a, b); });
}
bool Inference::try_unify(const Type& a, const Type& b) {
  return attempt([&] { return unify_types(a, b); });
}
bool Inference::try_unify_branch_sizes(const Size& a, const Size& b) {
  const Size x = resolve(a), y = resolve(b);
  if (equal_sizes(x, y)) return true;
  for (const Size& size : {x, y}) {
    const auto* name = std::get_if<Name>(&size);
    if (name && is_variable(*name) && variable(*name).loop_size) return false;
  }
  return try_unify(x, y);
}

bool Inference::fail(std::string reason) {
  if (reason_.empty()) reason_ = std::move(reason);
  return false;
}

bool Inference::unify_types(const Type& expected, const Type& actual) {
  const Type a = resolve(expected), b = resolve(actual);
  const auto* a_variable = std::get_if<TypeVariable>(&a.node);
  const auto* b_variable = std::get_if<TypeVariable>(&b.node);
  if (a_variable && b_variable && a_variable->name == b_variable->name)
    return unify_arguments(*a_variable, *b_variable);
  // Of two variables the newer one goes, so that one that stays open is of no older type's concern.
  const bool a_open = a_variable && is_variable(a_variable->name);
  const bool b_open = b_variable && is_variable(b_variable->name);
  if (a_open && !(b_open && b_variable->name.id > a_variable->name.id))
    return bind(a_variable->name, b);
  if (b_open) return bind(b_variable->name, a);
  if (a.node.index() != b.node.index()) return false;
  return match(
      a.node, [&](PrimType prim) { return prim == std::get<PrimType>(b.node); },
      [&](const ArrayType& array) {
        const auto& other = std::get<ArrayType>(b.node);
        return unify_types(*array.row, *other.row) && unify_sizes(array.size, other.size);
      },
      [&](const RecordType& record) { return unify_records(record, std::get<RecordType>(b.node)); },
      [&](const SumType& sum) { return unify_sums(sum, std::get<SumType>(b.node)); },
      [&](const FunctionType& function) {
        return unify_functions(function, std::get<FunctionType>(b.node));
      },
      [](const TypeVariable&) { return false; },
      [&](const AccumulatorType& accumulator) {
        return unify_types(*accumulator.array, *std::get<AccumulatorType>(b.node).array);
      });
}

bool Inference::unify_arguments(const TypeVariable& a, const TypeVariable& b) {
  for (std::size_t i = 0; i < a.types.size(); ++i)
    if (!unify_types(a.types[i], b.types[i])) return false;
  for (std::size_t i = 0; i < a.sizes.size(); ++i)
    if (!unify_sizes(a.sizes[i], b.sizes[i])) return false;
  return true;
}

// What functions take is compared last: then more is known of it.
bool Inference::unify_records(const RecordType& a, const RecordType& b) {
  if (a.fields.size() != b.fields.size())
    return is_tuple(a) && is_tuple(b)
               ? fail(fmt::format("tuples of {} and {} values", a.fields.size(), b.fields.size()))
               : false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].name != b.fields[i].name)
      return fail(
          fmt::format("one has a field `{}`, the other `{}`", a.fields[i].name, b.fields[i].name));
  }
  const auto unify_those = [&](bool functions) {
    for (std::size_t i = 0; i < a.fields.size(); ++i)
      if (mentions_function(a.fields[i].type) == functions &&
          !unify_types(a.fields[i].type, b.fields[i].type))
        return false;
    return true;
  };
  return unify_those(false) && unify_those(true);
}

bool Inference::unify_sums(const SumType& a, const SumType& b) {
  if (a.constructors.size() != b.constructors.size()) return false;
  for (std::size_t i = 0; i < a.constructors.size(); ++i) {
    const Constructor& x = a.constructors[i];
    const Constructor& y = b.constructors[i];
    if (x.name != y.name) return fail(fmt::format("only one has a constructor `#{}`", x.name));
    if (x.payload.size() != y.payload.size())
      return fail(fmt::format("`#{}` has different numbers of values", x.name));
    for (std::size_t j = 0; j < x.payload.size(); ++j)
      if (!unify_types(x.payload[j], y.payload[j])) return false;
  }
  return true;
}

// The result types are compared with their own bound names: a parameter and the sizes that the
// actual function makes are fixed but unknown, those that the expected one allows may be anything.
// See leaves_scope.
bool Inference::unify_functions(const FunctionType& a, const FunctionType& b) {
  if (!unify_types(*b.from, *a.from)) return false;
  const FunctionType expected =
      has_existential_solutions_ ? std::get<FunctionType>(resolve_all({a}).node) : a;
  const FunctionType actual =
      has_existential_solutions_ ? std::get<FunctionType>(resolve_all({b}).node) : b;
  if (actual.consumes && !expected.consumes)
    return fail("the function consumes its argument, which is not expected here");

  Substitution in_expected, in_actual;
  const Name param = name_of_calls(actual.param     ? actual.param->text
                                   : expected.param ? expected.param->text
                                                    : "_");
  if (actual.param) in_actual.sizes.emplace(actual.param->id, param);
  if (expected.param) in_expected.sizes.emplace(expected.param->id, param);
  for (const Name& name : actual.existentials)
    in_actual.sizes.emplace(name.id, name_of_calls(name.text));
  for (const Name& name : expected.existentials) {
    const Size open = fresh_size(name.text, {});
    variable(std::get<Name>(open)).level = level_of_calls;
    in_expected.sizes.emplace(name.id, open);
  }
  return unify_types(substitute(*expected.to, in_expected), substitute(*actual.to, in_actual));
}

bool Inference::bind(const Name& name, const Type& type) {
  if (occurs_in(name, type)) return fail("the type would contain itself");
  const Constraint constraint = variable(name).constraint;
  change(name).type = type;
  const auto* other = std::get_if<TypeVariable>(&type.node);
  if (other && is_variable(other->name)) return merge_constraints(name, other->name);
  if (!satisfies(constraint, type)) return false;
  const auto existentials = sizes_of_calls(name, type);
  if (!existentials || leaves_scope(name, type, *existentials)) return false;
  variable(name).existentials = *existentials;
  has_existential_solutions_ = has_existential_solutions_ || !existentials->empty();
  return true;
}

bool Inference::merge_constraints(const Name& from, const Name& into) {
  const Constraint added = variable(from).constraint;
  Variable& target = change(into);
  Constraint& constraint = target.constraint;
  target.level = std::min(target.level, variable(from).level);
  constraint.lift = std::min(constraint.lift, added.lift);
  constraint.equality = constraint.equality || added.equality;
  if (added.prims && constraint.prims && !(added.prims & constraint.prims))
    return fail("no type of numbers fits both");
  constraint.prims = added.prims && constraint.prims ? added.prims & constraint.prims
                                                     : added.prims | constraint.prims;
  if ((constraint.prims && !added.constructors.empty()) ||
      (!constraint.constructors.empty() && added.prims))
    return fail("sums are no numbers");
  std::vector<std::pair<Type, Type>> to_unify;
  for (const Field& field : added.fields) {
    const auto same = std::find_if(constraint.fields.begin(), constraint.fields.end(),
                                   [&](const Field& f) { return f.name == field.name; });
    if (same == constraint.fields.end())
      constraint.fields.push_back(field);
    else
      to_unify.emplace_back(same->type, field.type);
  }
  for (const Constructor& added_constructor : added.constructors) {
    const auto same =
        std::find_if(constraint.constructors.begin(), constraint.constructors.end(),
                     [&](const Constructor& c) { return c.name == added_constructor.name; });
    if (same == constraint.constructors.end()) {
      constraint.constructors.push_back(added_constructor);
      continue;
    }
    if (same->payload.size() != added_constructor.payload.size())
      return fail(fmt::format("`#{}` has different numbers of values", same->name));
    for (std::size_t i = 0; i < same->payload.size(); ++i)
      to_unify.emplace_back(same->payload[i], added_constructor.payload[i]);
  }
  return std::all_of(to_unify.begin(), to_unify.end(),
                     [&](const auto& pair) { return unify_types(pair.first, pair.second); });
}

// Open variables inside of the type must be comparable too.
bool Inference::compares(const Type& type) {
  bool all = true;
  for_each_variable(resolve_all(type), [&](const Name& name) {
    if (is_variable(name))
      change(name).constraint.equality = true;
    else
      all = false;
  });
  return all;
}

bool Inference::satisfies(const Constraint& constraint, const Type& type) {
  if (!restrict_type(type, constraint.lift)) return false;
  if (constraint.prims) {
    const auto* prim = std::get_if<PrimType>(&type.node);
    if (!prim || !(constraint.prims & bit_of(*prim))) return false;
  }
  if (constraint.equality && mentions_function(resolve_all(type)))
    return fail("functions cannot be compared");
  if (constraint.equality && !compares(type))
    return fail("what a type parameter stands for cannot be compared");
  if (constraint.equality && mentions_accumulator(resolve_all(type)))
    return fail("accumulators cannot be compared");
  if (!constraint.fields.empty()) {
    const auto* record = std::get_if<RecordType>(&type.node);
    for (const Field& field : constraint.fields) {
      const Field* found = record ? find_field(*record, field.name) : nullptr;
      if (!found) return fail(fmt::format("there is no field `{}`", field.name));
      if (!unify_types(found->type, field.type)) return false;
    }
  }
  if (constraint.constructors.empty()) return true;
  const auto* sum = std::get_if<SumType>(&type.node);
  for (const Constructor& constructor : constraint.constructors) {
    const Constructor* found = sum ? find_constructor(*sum, constructor.name) : nullptr;
    if (!found) return fail(fmt::format("there is no constructor `#{}`", constructor.name));
    if (found->payload.size() != constructor.payload.size())
      return fail(fmt::format("`#{}` has {} values", constructor.name, found->payload.size()));
    for (std::size_t i = 0; i < found->payload.size(); ++i)
      if (!unify_types(found->payload[i], constructor.payload[i])) return false;
  }
  return true;
}

bool Inference::occurs_in(const Name& name, const Type& type) const {
  bool found = false;
  for_each_variable(resolve_all(type), [&](const Name& other) { found = found || other == name; });
  return found;
}

}  // namespace boustro::check
