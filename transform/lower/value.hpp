// Values and types during lowering. Closures, records and sums exist only here; what reaches the
// core program are their leaves, which are atoms.
//
// The shape of a value follows its element type: an array of records is a record of arrays, an
// array of sums is a sum whose tag and slots are arrays. A record without fields is a leaf of its
// own, a bool that is false: an array of those holds no data, but has a size.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/check/intrinsics.hpp"
#include "frontend/check/typed.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::lower {

using ast::Box;
using ir::Atom;
using source::SourceRange;
using values::PrimType;
using values::PrimValue;

// ---- Types

/// A size: an atom in scope, or nothing if it is not known before the value is.
using Size = std::optional<Atom>;

struct Type;
struct FieldType;
struct ConstructorType;

struct ArrayType {
  Size size;
  Box<Type> row;
};
struct RecordType {
  std::vector<FieldType> fields;
};
struct SumType {
  std::vector<ConstructorType> constructors;
};
/// Closures know their own types.
struct FunctionType {};

/// An accumulator for each leaf of an array.
struct AccumulatorType {
  Box<Type> array;
};

/// A checked type without variables, its sizes evaluated.
struct Type {
  std::variant<PrimType, ArrayType, RecordType, SumType, FunctionType, AccumulatorType> node;
};
struct FieldType {
  std::string name;
  Type type;
};
struct ConstructorType {
  std::string name;
  std::vector<Type> payload;
};

/// The type of one leaf, in the order in which `leaves` lists them.
struct Leaf {
  PrimType elem;
  std::vector<Size> shape;
  bool accumulator = false;
  bool blank = false;  // stands for a record without fields
};
std::vector<Leaf> leaves_of(const Type& type);
/// [size]row
Type array_of(Size size, const Type& row);
/// The type under all array dimensions.
const Type& element_of(const Type& type);

// ---- Values

struct Value;
struct FieldValue;
struct Scope;

struct RecordValue {
  std::vector<FieldValue> fields;  // in the order of the type's; without fields its leaf is `false`
};
/// A sum value whose constructor is known.
struct KnownSum {
  SumType type;
  int constructor = 0;  // its place in the type
  std::vector<Value> payload;
};
/// A tag and the payloads of all constructors; see sums.hpp.
struct DynamicSum {
  SumType type;
  Atom tag;
  std::vector<Atom> slots;
};

/// A function and the arguments that it was applied to so far.
struct Closure {
  std::variant<const check::Lambda*, const check::Definition*, check::Intrinsic> code;
  /// What the free names of the code mean; null for top-level functions and intrinsics.
  Scope* scope = nullptr;
  /// The use that says which types and sizes a polymorphic name stands for. Evaluated when the
  /// closure is applied or leaves its scope, since the sizes may belong to an argument; null
  /// afterwards.
  const check::Var* use = nullptr;
  Scope* use_scope = nullptr;
  std::vector<Type> type_args;
  std::vector<Size> size_args;
  std::vector<Value> args;
  bool unsafe = false;  // made under #[unsafe]
};
using ClosureRef = std::shared_ptr<const Closure>;

struct Value {
  std::variant<Atom, RecordValue, KnownSum, DynamicSum, ClosureRef> node;
};
struct FieldValue {
  std::string name;
  Value value;
};

Value tuple(std::vector<Value> components);
const Value& field(const Value& record, std::string_view name);
/// The atom of a scalar or of an array of scalars.
const Atom& atom_of(const Value& value);
const ClosureRef& closure_of(const Value& value);

/// The leaves of a value that holds no closures and no known sums.
std::vector<Atom> leaves(const Value& value);
/// The value of that type with these leaves.
Value from_leaves(const Type& type, const std::vector<Atom>& leaves);

}  // namespace boustro::lower
