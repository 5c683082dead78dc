#include "transform/lower/arrays.hpp"

#include <algorithm>

#include "transform/lower/expression.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

/// The sum types in a value keep their types; only the atoms change.
Value with_leaves(const Value& like, const std::vector<Atom>& atoms, std::size_t& next) {
  return ir::match(
      like.node,  //
      [&](const Atom&) { return Value{atoms.at(next++)}; },
      [&](const RecordValue& record) {
        RecordValue result;
        for (const FieldValue& f : record.fields)
          result.fields.push_back({f.name, with_leaves(f.value, atoms, next)});
        return Value{std::move(result)};
      },
      [&](const DynamicSum& sum) {
        DynamicSum result{sum.type, atoms.at(next++), {}};
        for (std::size_t i = 0; i < sum.slots.size(); ++i) result.slots.push_back(atoms.at(next++));
        return Value{std::move(result)};
      },
      [](const auto&) -> Value {
        source::internal_error("lower: an array of closures or known sums");
      });
}

Value same_structure(const Value& like, const std::vector<Atom>& atoms) {
  std::size_t next = 0;
  return with_leaves(like, atoms, next);
}

}  // namespace

Atom size_of(const Context& context, const Value& array, std::size_t d) {
  return context.names.type_of(leaves(array).front()).shape.at(d);
}

Value index_value(Context& context, const Value& array, const std::vector<ir::DimIndex>& indices,
                  bool checked) {
  std::vector<Atom> atoms = leaves(array);
  // Bounds of slices have been checked where they were computed.
  const bool only_slices = std::all_of(
      indices.begin(), indices.end(),
      [](const ir::DimIndex& index) { return std::holds_alternative<ir::Slice>(index); });
  for (Atom& atom : atoms) {
    const ir::Name& name = std::get<ir::Name>(atom);
    const bool scalar = context.names.type_of(name).rank() == static_cast<int>(indices.size());
    const std::string base = scalar ? "x" : context.called(name);
    atom = context.emit(base, ir::Index{name, indices, checked && !only_slices});
  }
  return same_structure(array, atoms);
}

Atom to_i64(Context& context, const Atom& atom) {
  const PrimType type = context.names.type_of(atom).elem;
  if (type == PrimType::i64) return atom;
  if (const PrimValue* literal = ir::literal_in(atom)) return ir::int_atom(literal->as_int());
  return context.emit("i", ir::Convert{type, PrimType::i64, atom});
}

Value array_of_values(Context& context, const Type& row, const std::vector<Value>& values) {
  std::vector<Leaf> wanted = leaves_of(row);
  std::vector<ir::ArrayLiteral> literals(wanted.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::vector<Atom> atoms = leaves(coerce(context, values[v], row));
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      // A size that the type does not name is that of the first element.
      const ir::Type actual = context.names.type_of(atoms[i]);
      for (std::size_t d = 0; d < wanted[i].shape.size(); ++d) {
        if (!wanted[i].shape[d]) wanted[i].shape[d] = actual.shape.at(d);
      }
      literals[i].elements.push_back(atoms[i]);
    }
  }
  std::vector<Atom> result;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    for (Size& size : wanted[i].shape) size = size.value_or(ir::int_atom(0));
    literals[i].row = core_type(wanted[i]);
    for (Atom& element : literals[i].elements) {
      const ir::Name* name = ir::name_in(element);
      if (!name || context.names.type_of(*name) == literals[i].row) continue;
      element = context.emit(name->base, ir::Coerce{literals[i].row.shape, *name});
    }
    result.push_back(context.emit("xs", std::move(literals[i])));
  }
  return from_leaves(row, result);
}

Value lower_array_literal(Context& context, Scope& scope, const check::Exp& exp,
                          const check::ArrayLiteral& e) {
  std::vector<Value> elements;
  for (const check::Exp& element : e.elements) {
    elements.push_back(make_dynamic(context, lower_exp(context, scope, element)));
  }
  const Type type = evaluate_type(context, scope, exp.type);
  return array_of_values(context, *std::get<ArrayType>(type.node).row, elements);
}

Value lower_string(Context& context, const check::StringLiteral& e) {
  ir::ArrayLiteral literal{ir::scalar(PrimType::u8), {}};
  for (const char byte : e.bytes) {
    literal.elements.push_back(PrimValue::of_int(PrimType::u8, static_cast<unsigned char>(byte)));
  }
  return {context.emit("text", std::move(literal))};
}

Value lower_index(Context& context, Scope& scope, const check::Exp& exp, const check::Index& e) {
  const Value array = lower_exp(context, scope, *e.array);
  const auto indices = lower_indices(context, scope, e.indices, array);
  const Value result = index_value(context, array, indices, !context.unsafe);
  bind_sizes(context, scope, e.existentials, exp.type, result);
  return result;
}

namespace {

/// The shape of what an update writes: the slices, then the dimensions that no index mentions.
ir::Shape written_shape(const ir::Type& array, const std::vector<ir::DimIndex>& indices) {
  ir::Shape shape;
  for (const ir::DimIndex& index : indices) {
    if (const auto* slice = std::get_if<ir::Slice>(&index)) shape.push_back(slice->count);
  }
  for (std::size_t d = indices.size(); d < array.shape.size(); ++d) shape.push_back(array.shape[d]);
  return shape;
}

}  // namespace

Value lower_update(Context& context, Scope& scope, const check::Update& e) {
  const Value array = lower_exp(context, scope, *e.array);
  const auto indices = lower_indices(context, scope, e.indices, array);
  const Value value = make_dynamic(context, lower_exp(context, scope, *e.value));
  std::vector<Atom> arrays = leaves(array);
  const std::vector<Atom> written = leaves(value);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const ir::Name name = std::get<ir::Name>(arrays[i]);
    Atom part = written.at(i);
    const ir::Shape shape = written_shape(context.names.type_of(name), indices);
    if (context.names.type_of(part).shape != shape) {
      part = context.emit("part", ir::Coerce{shape, std::get<ir::Name>(part)});
    }
    arrays[i] =
        context.emit(context.called(name), ir::Update{name, indices, part, !context.unsafe});
    context.call({arrays[i]}, context.called(name));
  }
  return same_structure(array, arrays);
}

}  // namespace boustro::lower
