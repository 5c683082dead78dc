// The module `core`: array operations as the core programs have them, where the language has others. Their results
// have the types that are written at the use. See transform/ir/core_module.hpp.
#include <algorithm>

#include "transform/lower/arrays.hpp"
#include "transform/lower/intrinsics/outs.hpp"
#include "transform/lower/sizes.hpp"

namespace boustro::lower {
namespace {

/// The components of a tuple, or a single value.
std::vector<Value> components(const Value& value) {
  std::vector<Value> result;
  if (const auto* record = std::get_if<RecordValue>(&value.node))
    for (const FieldValue& f : record->fields) result.push_back(f.value);
  else
    result.push_back(value);
  return result;
}

/// An index i or a slice (start, count, stride) a dimension; one slice alone, since one of them is a slice.
std::vector<ir::DimIndex> indices_of(const Context& context, const Value& value) {
  std::vector<Value> parts = components(value);
  const bool is_one_slice = std::none_of(parts.begin(), parts.end(), [](const Value& part) {
    return std::holds_alternative<RecordValue>(part.node);
  });
  if (is_one_slice) parts = {value};
  std::vector<ir::DimIndex> result;
  for (const Value& part : parts) {
    const std::vector<Value> numbers = components(part);
    if (numbers.size() == 3)
      result.push_back(ir::Slice{atom_of(numbers[0]), atom_of(numbers[1]), atom_of(numbers[2])});
    else if (numbers.size() == 1)
      result.push_back(atom_of(part));
    else
      refuse_core(context, "an index is a number, or a start, a count and a stride");
  }
  return result;
}

/// The only array that a value consists of.
ir::Name array_of_value(const Context& context, const Value& value) {
  const auto* atom = std::get_if<Atom>(&value.node);
  const ir::Name* name = atom ? ir::name_in(*atom) : nullptr;
  if (!name) refuse_core(context, "the operand is not an array of numbers");
  return *name;
}

ir::Type type_of_result(const Context& context, const Type& type) {
  const std::vector<Leaf> leaves = leaves_of(type);
  if (leaves.size() != 1) refuse_core(context, "the result is not an array of numbers");
  return core_type(leaves[0]);
}

/// The text of the literal that was lowered last, which is taken away again.
std::string take_text(Context& context, const Value& value) {
  auto& stms = context.block().builder.stms;
  const auto* literal = stms.empty() ? nullptr : std::get_if<ir::ArrayLiteral>(&stms.back().exp);
  if (!literal || Atom(stms.back().pattern[0].name) != atom_of(value))
    refuse_core(context, "the message of a check is not a text");
  std::string text;
  for (const Atom& byte : literal->elements)
    text += static_cast<char>(ir::literal_in(byte)->as_int());
  stms.pop_back();
  return text;
}

}  // namespace

Value lower_check(Context& context, const Use& use) {
  const std::string message = take_text(context, use.arg(1));
  std::vector<Atom> args;
  for (const Value& arg : components(use.arg(2))) args.push_back(atom_of(arg));
  context.check(atom_of(use.arg(0)), message, std::move(args));
  return {RecordValue{}};
}

Value lower_core_slice(Context& context, const Use& use) {
  const ir::Name array = array_of_value(context, use.arg(0));
  const ir::Index index{array, indices_of(context, use.arg(1)), !context.unsafe};
  return {context.emit(context.called(array), index)};
}

Value lower_core_update(Context& context, const Use& use) {
  const ir::Name array = array_of_value(context, use.arg(0));
  const ir::Update update{array, indices_of(context, use.arg(1)), atom_of(use.arg(2)), !context.unsafe};
  return {context.emit(context.called(array), update)};
}

Value lower_core_concat(Context& context, const Use& use) {
  ir::Concat concat{type_of_result(context, use.type(1)).shape.at(0), {}};
  for (const Value& array : components(use.arg(0)))
    concat.arrays.push_back(array_of_value(context, array));
  return {context.emit("xs", std::move(concat))};
}

Value lower_core_replicate(Context& context, const Use& use) {
  const Atom& value = atom_of(use.arg(0));
  ir::Shape shape = type_of_result(context, use.type(1)).shape;
  const std::size_t inner = context.names.type_of(value).shape.size();
  if (shape.size() < inner) refuse_core(context, "the result has fewer dimensions than the value");
  shape.resize(shape.size() - inner);
  return {context.emit("xs", ir::Replicate{std::move(shape), value})};
}

Value lower_core_reshape(Context& context, const Use& use) {
  return {context.emit("xs", ir::Reshape{type_of_result(context, use.type(1)).shape,
                                         array_of_value(context, use.arg(0))})};
}

Value lower_core_sort(Context& context, const Use& use) {
  return {context.emit("xs", ir::Sort{atom_of(use.arg(0)), atom_of(use.arg(1)), array_of_value(context, use.arg(2))})};
}

Value lower_core_rearrange(Context& context, const Use& use) {
  std::vector<int> permutation;
  for (const Value& dimension : components(use.arg(0))) {
    const PrimValue* literal = ir::literal_in(atom_of(dimension));
    if (!literal) refuse_core(context, "the order of the dimensions is not a tuple of numbers");
    permutation.push_back(static_cast<int>(literal->as_int()));
  }
  std::vector<bool> seen(permutation.size());
  for (const int d : permutation) {
    if (d < 0 || d >= static_cast<int>(seen.size()) || seen[static_cast<std::size_t>(d)])
      refuse_core(context, "the order of the dimensions does not name each of them once");
    seen[static_cast<std::size_t>(d)] = true;
  }
  const ir::Name array = array_of_value(context, use.arg(1));
  if (context.names.type_of(array).shape.size() != permutation.size())
    refuse_core(context, "the order of the dimensions does not name each of them once");
  return {context.emit("xs", ir::Rearrange{std::move(permutation), array})};
}

}  // namespace boustro::lower
