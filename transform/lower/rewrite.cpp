#include "transform/lower/rewrite.hpp"

#include <fmt/format.h>

#include "transform/lower/application.hpp"
#include "transform/lower/mentions.hpp"

namespace boustro::lower {

Size Rewrite::size(const Size& size) {
  if (size) return on_size(*size);
  key += '?';
  return std::nullopt;
}

Type Rewrite::type(const Type& type) {
  return ir::match(
      type.node,  //
      [&](const PrimType& prim) {
        key += values::name_of(prim);
        key += ' ';
        return Type{prim};
      },
      [&](const ArrayType& array) {
        key += '[';
        Size outer = size(array.size);
        key += ']';
        return array_of(std::move(outer), this->type(*array.row));
      },
      [&](const RecordType& record) {
        RecordType result;
        key += '{';
        for (const FieldType& f : record.fields) {
          key += f.name + ':';
          result.fields.push_back({f.name, this->type(f.type)});
        }
        key += '}';
        return Type{std::move(result)};
      },
      [&](const SumType& sum) {
        SumType result;
        key += '<';
        for (const ConstructorType& c : sum.constructors) {
          ConstructorType constructor{c.name, {}};
          key += '#' + c.name + ' ';
          for (const Type& payload : c.payload) constructor.payload.push_back(this->type(payload));
          result.constructors.push_back(std::move(constructor));
        }
        key += '>';
        return Type{std::move(result)};
      },
      [&](const FunctionType&) {
        key += "-> ";
        return Type{FunctionType{}};
      },
      [&](const AccumulatorType& accumulator) {
        key += "acc ";
        return Type{AccumulatorType{this->type(*accumulator.array)}};
      });
}

Value Rewrite::value(const Value& value) {
  return ir::match(
      value.node,  //
      [&](const Atom& atom) { return Value{on_atom(atom)}; },
      [&](const RecordValue& record) {
        RecordValue result;
        key += '{';
        for (const FieldValue& f : record.fields) {
          key += f.name + '=';
          result.fields.push_back({f.name, this->value(f.value)});
        }
        key += '}';
        return Value{std::move(result)};
      },
      [&](const KnownSum& sum) {
        KnownSum result{std::get<SumType>(type({sum.type}).node), sum.constructor, {}};
        key += fmt::format("known {}(", sum.constructor);
        for (const Value& payload : sum.payload) result.payload.push_back(this->value(payload));
        key += ')';
        return Value{std::move(result)};
      },
      [&](const DynamicSum& sum) {
        DynamicSum result{std::get<SumType>(type({sum.type}).node), on_atom(sum.tag), {}};
        for (const Atom& slot : sum.slots) result.slots.push_back(on_atom(slot));
        return Value{std::move(result)};
      },
      [&](const ClosureRef& closure) { return Value{shared_closure(closure)}; });
}

ClosureRef Rewrite::shared_closure(const ClosureRef& closure) {
  if (const auto found = seen_.find(closure.get()); found != seen_.end()) {
    key += fmt::format("closure {} ", found->second.first);
    return found->second.second;
  }
  const std::size_t number = seen_.size();
  auto result = std::make_shared<const Closure>(this->closure(*closure));
  alive_.push_back(closure);
  seen_.emplace(closure.get(), std::pair(number, result));
  return result;
}

Closure Rewrite::closure(const Closure& original) {
  const Closure closure = evaluate_instance(context, original);
  Closure result;
  result.code = closure.code;
  result.unsafe = closure.unsafe;
  ++closures;
  ir::match(
      closure.code,  //
      [&](const check::Intrinsic& intrinsic) {
        key += fmt::format("{} ", check::name_of(intrinsic));
      },
      [&](const auto* code) { key += fmt::format("{} ", static_cast<const void*>(code)); });
  if (closure.unsafe) key += "unsafe ";
  for (const Type& t : closure.type_args) result.type_args.push_back(type(t));
  for (const Size& s : closure.size_args) result.size_args.push_back(size(s));
  result.scope = captured(closure);
  --closures;
  key += '(';
  for (const Value& arg : closure.args) result.args.push_back(value(arg));
  key += ')';
  return result;
}

Scope* Rewrite::captured(const Closure& closure) {
  if (!closure.scope) return nullptr;
  Scope* scope = context.new_scope(nullptr);
  const Mentions& mentions = mentions_in(context, closure);
  key += "in (";
  for (const check::Name& name : mentions.types) {
    const Type* known = closure.scope->find_type(name.id);
    if (known) scope->types.insert_or_assign(name.id, type(*known));
  }
  const auto capture = [&](int id, const std::string& text) {
    const Value* known = closure.scope->find_value(id);
    if (!known) return;
    key += fmt::format("{}=", id);
    scope->bind({text, id}, value(*known));
  };
  for (const check::Name& name : mentions.values) capture(name.id, name.text);
  for (const std::string& text : mentions.texts)
    if (const int id = closure.scope->find_id(text); id >= 0 && !scope->values.contains(id)) capture(id, text);
  key += ')';
  return scope;
}

}  // namespace boustro::lower
