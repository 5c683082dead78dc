#include "transform/lower/value.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {

using source::internal_check;
using source::internal_error;

namespace {

void append_leaves(const Type& type, const std::vector<Size>& outer, std::vector<Leaf>& out) {
  ir::match(
      type.node,  //
      [&](const PrimType& prim) { out.push_back({prim, outer, false}); },
      [&](const ArrayType& array) {
        std::vector<Size> shape = outer;
        shape.push_back(array.size);
        append_leaves(*array.row, shape, out);
      },
      [&](const RecordType& record) {
        if (record.fields.empty()) out.push_back({PrimType::boolean, outer, false, /*blank=*/true});
        for (const FieldType& f : record.fields) append_leaves(f.type, outer, out);
      },
      [&](const SumType& sum) {
        out.push_back({tag_type, outer, false});
        for (const Leaf& slot : layout_of(sum).slots) {
          Leaf leaf{slot.elem, outer, false};
          leaf.shape.insert(leaf.shape.end(), slot.shape.begin(), slot.shape.end());
          out.push_back(std::move(leaf));
        }
      },
      [](const FunctionType&) { internal_error("lower: a function where only data can be"); },
      [&](const AccumulatorType& accumulator) {
        const std::size_t first = out.size();
        append_leaves(*accumulator.array, outer, out);
        for (std::size_t i = first; i < out.size(); ++i) out[i].accumulator = true;
      });
}

Value take_leaves(const Type& type, const std::vector<Atom>& leaves, std::size_t& next) {
  return ir::match(
      type.node,  //
      [&](const PrimType&) { return Value{leaves.at(next++)}; },
      [&](const ArrayType& array) { return take_leaves(*array.row, leaves, next); },
      [&](const RecordType& record) {
        if (record.fields.empty()) return Value{leaves.at(next++)};
        RecordValue result;
        for (const FieldType& f : record.fields) {
          result.fields.push_back({f.name, take_leaves(f.type, leaves, next)});
        }
        return Value{std::move(result)};
      },
      [&](const SumType& sum) {
        DynamicSum result{sum, leaves.at(next++), {}};
        for (std::size_t i = 0; i < layout_of(sum).slots.size(); ++i) {
          result.slots.push_back(leaves.at(next++));
        }
        return Value{std::move(result)};
      },
      [](const FunctionType&) -> Value {
        internal_error("lower: a function where only data can be");
      },
      [&](const AccumulatorType& accumulator) {
        return take_leaves(*accumulator.array, leaves, next);
      });
}

void collect_leaves(const Value& value, std::vector<Atom>& out) {
  ir::match(
      value.node,  //
      [&](const Atom& atom) { out.push_back(atom); },
      [&](const RecordValue& record) {
        if (record.fields.empty()) out.push_back(PrimValue::of_bool(false));
        for (const FieldValue& f : record.fields) collect_leaves(f.value, out);
      },
      [](const KnownSum&) { internal_error("lower: leaves of a known sum"); },
      [&](const DynamicSum& sum) {
        out.push_back(sum.tag);
        out.insert(out.end(), sum.slots.begin(), sum.slots.end());
      },
      [](const ClosureRef&) { internal_error("lower: leaves of a closure"); });
}

}  // namespace

std::vector<Leaf> leaves_of(const Type& type) {
  std::vector<Leaf> result;
  append_leaves(type, {}, result);
  return result;
}

Type array_of(Size size, const Type& row) { return {ArrayType{std::move(size), row}}; }

const Type& element_of(const Type& type) {
  const auto* array = std::get_if<ArrayType>(&type.node);
  return array ? element_of(*array->row) : type;
}

Value tuple(std::vector<Value> components) {
  RecordValue result;
  for (std::size_t i = 0; i < components.size(); ++i) {
    result.fields.push_back({std::to_string(i), std::move(components[i])});
  }
  return {std::move(result)};
}

const Value& field(const Value& record, std::string_view name) {
  const auto& fields = std::get<RecordValue>(record.node).fields;
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const FieldValue& f) { return f.name == name; });
  internal_check(found != fields.end(), "lower: a record lacks a field");
  return found->value;
}

const Atom& atom_of(const Value& value) {
  const auto* atom = std::get_if<Atom>(&value.node);
  internal_check(atom != nullptr, "lower: an atom was expected");
  return *atom;
}

const ClosureRef& closure_of(const Value& value) {
  const auto* closure = std::get_if<ClosureRef>(&value.node);
  internal_check(closure != nullptr, "lower: a function was expected");
  return *closure;
}

std::vector<Atom> leaves(const Value& value) {
  std::vector<Atom> result;
  collect_leaves(value, result);
  return result;
}

Value from_leaves(const Type& type, const std::vector<Atom>& leaves) {
  std::size_t next = 0;
  Value result = take_leaves(type, leaves, next);
  internal_check(next == leaves.size(), "lower: a value has other leaves than its type");
  return result;
}

}  // namespace boustro::lower
