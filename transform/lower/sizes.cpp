#include "transform/lower/sizes.hpp"

#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/lower/arrays.hpp"
#include "transform/lower/constants.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/mentions.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {

using source::internal_check;
using source::Message;

// ---- Evaluating

namespace {

/// The top-level constant whose value decides a size that its type leaves open; null for other
/// names.
const check::Definition* constant_of_size(const Context& context, const check::Name& size) {
  for (const check::Definition& definition : context.source.definitions) {
    if (!definition.params.empty() || !definition.type_params.empty()) continue;
    for (const check::Name& own : definition.existentials) {
      if (own.id == size.id) return &definition;
    }
  }
  return nullptr;
}

bool is_bound(Context& context, const Scope& scope, const check::Name& name) {
  return check::is_intrinsic(name) || context.definition(name) || scope.find_value(name.id) ||
         constant_of_size(context, name);
}

/// A size in the type of a top-level constant that only its value tells.
Size size_of_constant(Context& context, const check::Definition& constant,
                      const check::Name& size) {
  Scope& sizes = *context.new_scope(nullptr);
  bind_sizes(context, sizes, constant.existentials, constant.result,
             constant_value(context, constant));
  const Value* value = sizes.find_value(size.id);
  return value ? Size(atom_of(*value)) : std::nullopt;
}

Size evaluate_name(Context& context, const Scope& scope, const check::Name& name) {
  if (const Value* value = scope.find_value(name.id)) return atom_of(*value);
  if (const check::Definition* definition = context.definition(name)) {
    return atom_of(constant_value(context, *definition, {}));
  }
  if (const check::Definition* constant = constant_of_size(context, name))
    return size_of_constant(context, *constant, name);
  return std::nullopt;
}

/// A printed program computes nothing for the sake of types: what it says of a size is the value of one of its statements.
Size size_computed_before(Context& context, const Scope& scope, const check::Exp& exp) {
  const Setting recalls(context.recalls, true);
  const Setting computes(context.printed, false);
  context.open_block();
  const Atom result = atom_of(lower_exp(context, *context.new_scope(&scope), exp));
  const ir::Body needed = context.close_block({});
  return needed.stms.empty() ? Size(result) : std::nullopt;
}

/// Unknown if it mentions a name that is not bound yet. Computed once for the same atoms, so that
/// it is equal to itself.
Size evaluate_expression(Context& context, const Scope& scope, const check::Exp& exp) {
  Context::SizeKey key{&exp, {}};
  for (const check::Name& name : mentioned_values(exp)) {
    if (!is_bound(context, scope, name)) return std::nullopt;
    const Value* value = scope.find_value(name.id);
    if (value && std::holds_alternative<Atom>(value->node))
      key.second.push_back(std::get<Atom>(value->node));
  }
  if (const auto known = context.known_size(key)) return known;
  if (context.printed) return size_computed_before(context, scope, exp);
  const Atom result = atom_of(lower_exp(context, *context.new_scope(&scope), exp));
  context.block().size_exps.emplace(std::move(key), result);
  return result;
}

}  // namespace

Size evaluate_size(Context& context, const Scope& scope, const check::Size& size) {
  return ir::match(
      size,  //
      [](const check::SizeConstant& constant) -> Size { return ir::int_atom(constant); },
      [&](const check::Name& name) { return evaluate_name(context, scope, name); },
      [&](const check::SizeExp& e) { return evaluate_expression(context, scope, *e.exp); },
      [](const check::AnySize&) -> Size { return std::nullopt; });
}

Type evaluate_type(Context& context, const Scope& scope, const check::Type& type) {
  const auto evaluate = [&](const check::Type& part) {
    return evaluate_type(context, scope, part);
  };
  return ir::match(
      type.node,  //
      [](const PrimType& prim) { return Type{prim}; },
      [&](const check::ArrayType& array) {
        Size size = evaluate_size(context, scope, array.size);
        return array_of(std::move(size), evaluate(*array.row));
      },
      [&](const check::RecordType& record) {
        RecordType result;
        for (const check::Field& f : record.fields)
          result.fields.push_back({f.name, evaluate(f.type)});
        return Type{std::move(result)};
      },
      [&](const check::SumType& sum) {
        SumType result;
        for (const check::Constructor& c : sum.constructors) {
          ConstructorType constructor{c.name, {}};
          for (const check::Type& payload : c.payload)
            constructor.payload.push_back(evaluate(payload));
          result.constructors.push_back(std::move(constructor));
        }
        return Type{std::move(result)};
      },
      [](const check::FunctionType&) { return Type{FunctionType{}}; },
      [&](const check::TypeVariable& variable) {
        const Type* known = scope.find_type(variable.name.id);
        internal_check(known != nullptr,
                       "lower: type variable `" + variable.name.text + "` is not bound");
        return *known;
      },
      [&](const check::AccumulatorType& accumulator) {
        return Type{AccumulatorType{evaluate(*accumulator.array)}};
      });
}

ir::Type core_type(const Leaf& leaf) {
  ir::Type type{leaf.elem, {}, leaf.accumulator};
  for (const Size& size : leaf.shape) {
    internal_check(size.has_value(), "lower: a size is not known where it must be");
    type.shape.push_back(*size);
  }
  return type;
}

std::vector<ir::Type> core_types(const Type& type) {
  std::vector<ir::Type> result;
  for (const Leaf& leaf : leaves_of(type)) result.push_back(core_type(leaf));
  return result;
}

// ---- Coercing. A printed program says `:>` where there is a Coerce, so that nothing else needs one.

namespace {

Atom coerce_leaf(Context& context, const Atom& atom, const Leaf& leaf) {
  const ir::Name* array = ir::name_in(atom);
  if (!array || leaf.shape.empty() || context.printed) return atom;
  const ir::Shape actual = context.names.type_of(*array).shape;
  internal_check(actual.size() == leaf.shape.size(),
                 "lower: a value has another rank than its type");
  ir::Shape shape;
  for (std::size_t i = 0; i < actual.size(); ++i)
    shape.push_back(leaf.shape[i].value_or(actual[i]));
  if (shape == actual) return atom;
  if (context.names.type_of(*array).accumulator) {
    source::refuse(Message::lower_accumulator, context.at(),
                   "an accumulator whose size is equal to another only by what it is at run time");
  }
  const ir::Name result = context.emit(array->base, ir::Coerce{std::move(shape), *array});
  if (const auto name = context.preferred.find(*array); name != context.preferred.end()) {
    context.preferred.emplace(result, name->second);
  }
  return result;
}

Value coerce_leaves(Context& context, const Value& value, const Type& type) {
  std::vector<Atom> atoms = leaves(value);
  const std::vector<Leaf> wanted = leaves_of(type);
  internal_check(atoms.size() == wanted.size(), "lower: a value has other leaves than its type");
  for (std::size_t i = 0; i < atoms.size(); ++i)
    atoms[i] = coerce_leaf(context, atoms[i], wanted[i]);
  return from_leaves(type, atoms);
}

Value coerce_known(Context& context, const KnownSum& sum, const SumType& type) {
  KnownSum result{type, sum.constructor, {}};
  const auto& payload = type.constructors.at(static_cast<std::size_t>(sum.constructor)).payload;
  for (std::size_t i = 0; i < sum.payload.size(); ++i) {
    result.payload.push_back(coerce(context, sum.payload[i], payload.at(i)));
  }
  return {std::move(result)};
}

Value coerce_record(Context& context, const RecordValue& record, const RecordType& type) {
  RecordValue result;
  for (const FieldType& f : type.fields) {
    result.fields.push_back({f.name, coerce(context, field(Value{record}, f.name), f.type)});
  }
  return {std::move(result)};
}

}  // namespace

Value coerce(Context& context, const Value& value, const Type& type) {
  if (std::holds_alternative<ClosureRef>(value.node)) return value;
  const auto* known = std::get_if<KnownSum>(&value.node);
  const auto* sum = std::get_if<SumType>(&type.node);
  if (known && sum) return coerce_known(context, *known, *sum);
  const auto* record = std::get_if<RecordValue>(&value.node);
  const auto* fields = std::get_if<RecordType>(&type.node);
  if (record && fields) return coerce_record(context, *record, *fields);
  return coerce_leaves(context, value, type);
}

// ---- Binding

namespace {

/// Walks a type and its value side by side.
class SizeBinder {
 public:
  SizeBinder(Context& context, Scope& scope, const std::vector<check::Name>& wanted)
      : context_(context), scope_(scope), open_(wanted) {}

  /// `value` has `depth` array dimensions outside of `type`.
  void visit(const check::Type& type, const Value& value, std::size_t depth) {
    ir::match(
        type.node,  //
        [&](const check::ArrayType& array) {
          bind(array.size, value, depth);
          visit(*array.row, value, depth + 1);
        },
        [&](const check::RecordType& record) {
          for (const check::Field& f : record.fields) visit(f.type, field(value, f.name), depth);
        },
        [&](const check::SumType& sum) { visit_sum(sum, value, depth); },
        [&](const check::AccumulatorType& accumulator) { visit(*accumulator.array, value, depth); },
        [](const auto&) {});
  }

  /// Sizes that only occur in payloads that the value does not have are those of its blanks.
  void bind_absent(const check::Type& type) {
    ir::match(
        type.node,  //
        [&](const check::ArrayType& array) {
          if (in_sum_) take(array.size, ir::int_atom(0));
          bind_absent(*array.row);
        },
        [&](const check::RecordType& record) {
          for (const check::Field& f : record.fields) bind_absent(f.type);
        },
        [&](const check::SumType& sum) {
          const Setting inside(in_sum_, true);
          for (const check::Constructor& c : sum.constructors) {
            for (const check::Type& payload : c.payload) bind_absent(payload);
          }
        },
        [](const auto&) {});
  }

 private:
  void visit_sum(const check::SumType& sum, const Value& value, std::size_t depth) {
    if (const auto* known = std::get_if<KnownSum>(&value.node)) {
      const auto& c = sum.constructors.at(static_cast<std::size_t>(known->constructor));
      for (std::size_t i = 0; i < c.payload.size(); ++i)
        visit(c.payload[i], known->payload.at(i), depth);
      return;
    }
    const auto& dynamic = std::get<DynamicSum>(value.node);
    for (std::size_t c = 0; c < sum.constructors.size(); ++c) {
      const std::vector<Value> payload = payload_of(dynamic, static_cast<int>(c));
      for (std::size_t i = 0; i < payload.size(); ++i)
        visit(sum.constructors[c].payload[i], payload[i], depth);
    }
  }

  void bind(const check::Size& size, const Value& value, std::size_t depth) {
    const auto* name = std::get_if<check::Name>(&size);
    if (!name || std::find(open_.begin(), open_.end(), *name) == open_.end()) return;
    take(size, size_of(context_, value, depth));
  }

  void take(const check::Size& size, const Atom& atom) {
    const auto* name = std::get_if<check::Name>(&size);
    if (!name) return;
    const auto found = std::find(open_.begin(), open_.end(), *name);
    if (found == open_.end()) return;
    scope_.bind(*name, {atom});
    context_.call({atom}, name->text);
    open_.erase(found);
  }

  Context& context_;
  Scope& scope_;
  std::vector<check::Name> open_;
  bool in_sum_ = false;
};

}  // namespace

void bind_sizes(Context& context, Scope& scope, const std::vector<check::Name>& wanted,
                const check::Type& type, const Value& value) {
  if (wanted.empty()) return;
  SizeBinder binder(context, scope, wanted);
  binder.visit(type, value, 0);
  binder.bind_absent(type);
}

Value blank_value(Context& context, const Type& type) {
  std::vector<Atom> atoms;
  for (const Leaf& leaf : leaves_of(type)) {
    const Atom zero = PrimValue::zero(leaf.elem);
    ir::Shape shape;
    for (const Size& size : leaf.shape) shape.push_back(size.value_or(ir::int_atom(0)));
    atoms.push_back(
        shape.empty() ? zero : Atom(context.emit("blank", ir::Replicate{std::move(shape), zero})));
  }
  return from_leaves(type, atoms);
}

}  // namespace boustro::lower
