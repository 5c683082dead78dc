#include "frontend/check/inference.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/match.hpp"
#include "frontend/check/polynomial.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {

PrimSet prims_of(TypeClass type_class) {
  constexpr PrimSet integers = 0xff,
                    floats = bit_of(PrimType::f16) | bit_of(PrimType::f32) | bit_of(PrimType::f64);
  switch (type_class) {
    case TypeClass::numeric:
      return integers | floats;
    case TypeClass::integral:
      return integers;
    case TypeClass::floating:
      return floats;
    case TypeClass::logical:
      return integers | bit_of(PrimType::boolean);
    case TypeClass::ordered:
      return integers | floats | bit_of(PrimType::boolean);
    default:
      return no_prims;
  }
}

// ---- Variables
// -----------------------------------------------------------------------------------

Name Inference::fresh_name(std::string text) {
  levels_.push_back(level_);
  return {std::move(text), static_cast<int>(levels_.size()) - 1};
}
Name Inference::name_of_calls(const std::string& text) const {
  levels_.push_back(level_of_calls);
  return {text, static_cast<int>(levels_.size()) - 1};
}
bool Inference::is_size_of_calls(const Name& name) const {
  return !is_variable(name) && name.id >= 0 && levels_[std::size_t(name.id)] == level_of_calls;
}

Name Inference::new_variable(Variable variable) {
  variable.level = level_;
  variables_.push_back(std::move(variable));
  return {variables_.back().text, first_variable + static_cast<int>(variables_.size()) - 1};
}
Type Inference::fresh_type(SourceRange at, Constraint constraint) {
  return variable_type(new_variable(
      {.text = "t", .at = at, .type = {}, .size = {}, .constraint = std::move(constraint)}));
}
Size Inference::fresh_size(const std::string& text, SourceRange at) {
  return new_variable({.text = text, .at = at, .type = {}, .size = {}, .constraint = {}});
}
Size Inference::fresh_loop_size(const std::string& text, SourceRange at) {
  return new_variable(
      {.text = text, .at = at, .loop_size = true, .type = {}, .size = {}, .constraint = {}});
}
Size Inference::fresh_unneeded_size() {
  return new_variable(
      {.text = "d", .at = {}, .unneeded = true, .type = {}, .size = {}, .constraint = {}});
}

const Constraint& Inference::constraint_of(const Name& name) const {
  return variable(name).constraint;
}
void Inference::add_constrained(const Name& name, std::set<int>& ids) const {
  const Type type = resolve(variable_type(name));
  const auto* open = std::get_if<TypeVariable>(&type.node);
  if (!open || !is_variable(open->name)) return;
  const auto add = [&](const Type& part) {
    for_each_variable(resolve_all(part), [&](const Name& mentioned) {
      if (is_variable(mentioned) && ids.insert(mentioned.id).second)
        add_constrained(mentioned, ids);
    });
  };
  const Constraint& constraint = variable(open->name).constraint;
  for (const Field& field : constraint.fields) add(field.type);
  for (const Constructor& constructor : constraint.constructors)
    for (const Type& payload : constructor.payload) add(payload);
}
bool Inference::is_loop_size(const Name& name) const { return variable(name).loop_size; }
SourceRange Inference::origin_of(const Name& name) const { return variable(name).at; }
const std::string& Inference::text_of(const Name& name) const { return variable(name).text; }
void Inference::solve(const Name& name, Type type) { change(name).type = std::move(type); }
void Inference::solve(const Name& name, Size size) { change(name).size = std::move(size); }

Inference::Variable& Inference::change(const Name& name) {
  Variable& changed = variable(name);
  if (trail_) trail_->emplace_back(name.id, changed);
  return changed;
}

Type Inference::resolve(const Type& type) const {
  const Type* at = &type;
  while (const auto* name = std::get_if<TypeVariable>(&at->node)) {
    if (!is_variable(name->name) || !variable(name->name).type) break;
    at = &*variable(name->name).type;
  }
  return *at;
}
Type Inference::resolve_all(const Type& type) const {
  std::vector<Name> existentials;
  TypeRewriter rewriter{.size = [&](const Size& size) { return resolve(size); },
                        .variable = {},
                        .existentials = has_existential_solutions_ ? &existentials : nullptr};
  rewriter.variable = [&](const Name& name) {
    if (!is_variable(name) || !variable(name).type) return variable_type(name);
    // Where the variable occurs several times, each value has sizes of its own.
    Substitution again;
    for (const Name& size : variable(name).existentials) {
      const bool is_first =
          std::find(existentials.begin(), existentials.end(), size) == existentials.end();
      existentials.push_back(is_first ? size : name_of_calls(size.text));
      if (!is_first) again.sizes.emplace(size.id, existentials.back());
    }
    return substitute(rewrite(*variable(name).type, rewriter), again);
  };
  return rewrite(type, rewriter);
}
Size Inference::resolve(const Size& size) const {
  return rewrite_names(size, [&](const Name& name) -> std::optional<Size> {
    if (!is_variable(name) || !variable(name).size) return std::nullopt;
    return resolve(*variable(name).size);
  });
}

Size Inference::expanded(const Size& size) const {
  return rewrite_names(resolve(size), [&](const Name& name) -> std::optional<Size> {
    const auto found = definitions_.find(name.id);
    if (found == definitions_.end()) return std::nullopt;
    return expanded(found->second.size);
  });
}

// ---- Unification of types
// ------------------------------------------------------------------------

std::optional<std::string> Inference::unify(const Type& expected, const Type& actual) {
  reason_.clear();
  if (unify_types(expected, actual)) return std::nullopt;
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

// ---- Unification of sizes
// ------------------------------------------------------------------------

bool Inference::unify_sizes(const Size& left, const Size& right) {
  const Size a = resolve(left), b = resolve(right);
  if (std::holds_alternative<AnySize>(a) || std::holds_alternative<AnySize>(b)) return true;
  const auto* a_name = std::get_if<Name>(&a);
  const auto* b_name = std::get_if<Name>(&b);
  if (equal_sizes(a, b)) return true;
  const bool a_open = a_name && is_variable(*a_name), b_open = b_name && is_variable(*b_name);
  if (a_open && !(b_open && b_name->id > a_name->id)) return bind(*a_name, b);
  if (b_open) return bind(*b_name, a);
  if (!definitions_.empty() && equal_sizes(expanded(a), expanded(b))) return true;
  if (unify_computed_sizes(taken_apart(a), taken_apart(b))) return true;
  return fail(fmt::format("sizes `{}` and `{}` are not known to be equal", print(a), print(b)));
}

Size Inference::taken_apart(const Size& size) const {
  const auto* name = std::get_if<Name>(&size);
  const auto found = name ? definitions_.find(name->id) : definitions_.end();
  return found != definitions_.end() && found->second.lasts ? found->second.size : size;
}

bool Inference::unify_computed_sizes(const Size& a, const Size& b) {
  const auto* x = std::get_if<SizeExp>(&a);
  const auto* y = std::get_if<SizeExp>(&b);
  if (!x || !y) return false;
  const auto is_open = [&](const Name& name) { return is_variable(name); };
  if (const auto solution = Polynomial::solve(Polynomial(a), Polynomial(b), is_open))
    return bind(solution->first, solution->second);
  return unify_size_expressions(*x->exp, *y->exp);
}

bool Inference::unify_size_expressions(const Exp& a, const Exp& b) {
  const auto size_a = size_of_expression(a), size_b = size_of_expression(b);
  for (const auto* size : {&size_a, &size_b}) {
    if (!*size) continue;
    const auto* name = std::get_if<Name>(&**size);
    if (name && is_variable(*name) && size_a && size_b) return unify_sizes(*size_a, *size_b);
  }
  const auto* x = std::get_if<Apply>(&a.node);
  const auto* y = std::get_if<Apply>(&b.node);
  if (!x || !y) return equal_size_expressions(a, b);
  return unify_size_expressions(*x->function, *y->function) &&
         unify_size_expressions(*x->argument, *y->argument);
}

bool Inference::bind(const Name& name, const Size& size) {
  bool occurs = false, leaves = false;
  for_each_name(size, [&](const Name& other) { occurs = occurs || other == name; });
  if (occurs) return fail(fmt::format("the size `{}` would contain itself", print(size)));
  for_each_name(size, [&](const Name& other) { leaves = leaves_scope(name, other) || leaves; });
  if (leaves) return false;
  const Variable before = variable(name);
  change(name).size = size;
  const auto* other = std::get_if<Name>(&size);
  if (!other || !is_variable(*other)) return true;
  Variable& target = change(*other);
  target.loop_size = target.loop_size || before.loop_size;
  target.unneeded = target.unneeded && before.unneeded;
  return true;
}

// ---- Printing
// ------------------------------------------------------------------------------------

std::string Inference::print(const Type& type) const {
  const Type shown =
      rewrite(resolve_all(type), {.size = [&](const Size& size) -> Size {
                                    const auto* name = std::get_if<Name>(&size);
                                    return name && is_variable(*name) ? Size(AnySize{}) : size;
                                  },
                                  .variable = [&](const Name& name) -> Type {
                                    if (!is_variable(name)) return variable_type(name);
                                    const bool number = variable(name).constraint.prims != no_prims;
                                    return variable_type({number ? "number" : "_", -1});
                                  }});
  return to_string(shown);
}
std::string Inference::print(const Size& size) const { return to_string(resolve(size)); }

}  // namespace boustro::check
