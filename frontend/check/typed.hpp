// The typed syntax tree: what the checker makes of a parsed program, fully elaborated, so that
// nothing is inferred again later.
//
//   - Names are resolved: every binding has its own id, uses refer to it. Intrinsics are names too.
//   - Every use of a polymorphic name carries the types and sizes it is instantiated with.
//   - Operators, sections and pipes are applications; `&&` and `||` are If; overloads are resolved:
//   an
//     operator is an intrinsic with the operand type as its type argument.
//   - Tuples are records with fields "0", "1", ...; abbreviations of types are expanded.
//   - Ascriptions are gone, coercions (`:>`) are explicit.
//   - Sizes in types are constants, names of i64 values in scope, or typed expressions over those.
//     An existential size is bound by the expression that makes it (Apply, If, Loop, ...):
//     `existentials`.
//   - A name that is used as a size stays visible from where it is bound, outward through Let,
//   Apply and so on, to the
//     end of the enclosing definition, lambda, loop body, branch or case: `let ys = (let k = f x in
//     iota k) in e` has
//     `[k]i64` for the type of ys. What leaves one of those scopes mentions outer names and its
//     `existentials` alone. An argument that no size can spell is named: `iota (f x)[0]` becomes
//     `let k = (f x)[0] in iota k`.
//   - Intrinsics are used directly: names of the prelude that merely rename one (`map`, `f64.sin`)
//   are looked through.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/ast/box.hpp"
#include "frontend/source/source.hpp"
#include "frontend/values/primitive.hpp"

namespace boustro::check {

using source::SourceRange;
using values::PrimType;
using values::PrimValue;

using ast::Box;

/// A resolved name: of a value, a size, a type variable or a module. Equal ids, equal binding.
struct Name {
  std::string text;
  int id = -1;
  bool operator==(const Name& other) const { return id == other.id; }
  auto operator<=>(const Name& other) const { return id <=> other.id; }
};

struct Exp;
struct Type;

// ---- Types

using SizeConstant = std::int64_t;
struct SizeExp {
  std::shared_ptr<const Exp> exp;  // of type i64: arithmetic over names and constants
};
/// Unknown and of no concern (`[]` of a local type, never of a value whose shape matters).
struct AnySize {};
using Size = std::variant<SizeConstant, Name, SizeExp, AnySize>;

struct ArrayType {
  Size size;
  Box<Type> row;
};
struct Field;
struct RecordType {
  std::vector<Field> fields;  // sorted by name, numbers by value; tuples are "0", "1", ...
};
struct Constructor;
struct SumType {
  std::vector<Constructor> constructors;  // sorted by name
};
/// (param: from) -> ?[existentials]. to. `to` may mention the parameter's name as a size.
struct FunctionType {
  std::optional<Name> param;
  Box<Type> from;
  std::vector<Name> existentials;
  Box<Type> to;
  bool consumes = false;       // *from
  bool unique_result = false;  // *to
  std::vector<std::string>
      unique_fields;  // (*t, u): the fields of `to` that are unique, if not all
};
/// A type parameter, or an abstract type with its arguments in the order of its parameters. The latter only occurs while a
/// program that has module types is judged; see frontend/modules.
struct TypeVariable {
  Name name;
  std::vector<Type> types;
  std::vector<Size> sizes;
};
/// core.acc t: an accumulator for an array of type t; see transform/ir/core_module.hpp.
struct AccumulatorType {
  Box<Type> array;
};
struct Type {
  std::variant<PrimType, ArrayType, RecordType, SumType, FunctionType, TypeVariable,
               AccumulatorType>
      node;
};
struct Field {
  std::string name;
  Type type;
};
struct Constructor {
  std::string name;
  std::vector<Type> payload;
};

inline Type unit_type() { return {RecordType{}}; }
/// True if the fields are "0", "1", ... (two or more), so that it prints as a tuple.
bool is_tuple(const RecordType& record);
std::string to_string(const Type& type);

// ---- Patterns

struct Pattern;
struct NamePattern {
  Name name;
};
struct WildcardPattern {};
struct LiteralPattern {
  PrimValue value;
};
struct PatternField;
struct RecordPattern {
  std::vector<PatternField> fields;  // tuples too
};
struct ConstructorPattern {
  std::string constructor;
  std::vector<Pattern> payload;
};
struct Pattern {
  std::variant<NamePattern, WildcardPattern, LiteralPattern, RecordPattern, ConstructorPattern>
      node;
  Type type;
  bool unique = false;  // parameter with `*`
  SourceRange at;
  bool true_dep = false;  // loop parameter with #[true_dep]
};
struct PatternField {
  std::string name;
  Pattern pattern;
};

// ---- Expressions

/// #[name], #[name(argument, ...)], arguments as written.
struct Attribute {
  std::string name;
  std::vector<std::string> args;
  SourceRange at;
};

struct Literal {
  PrimValue value;
};
/// A string literal: an array of u8. Character literals are Literal.
struct StringLiteral {
  std::string bytes;
};
/// A use of a name, local, top-level or intrinsic. `type_args` and `size_args` stand in the order
/// of the definition's type and size parameters.
struct Var {
  Name name;
  std::vector<Type> type_args;
  std::vector<Size> size_args;
  bool is_top_level = false;  // a definition of the program, not an intrinsic
  bool of_prelude = false;    // not one of the user's, whatever its name
};
struct RecordField;
/// {x = 1, y = 2}, (1, 2), ().
struct Record {
  std::vector<RecordField> fields;  // in the order of evaluation
};
/// [a, b, c]
struct ArrayLiteral {
  std::vector<Exp> elements;
};
/// e.x
struct Project {
  Box<Exp> record;
  std::string field;
};
/// e with x.y = v
struct RecordUpdate {
  Box<Exp> record;
  std::vector<std::string> path;
  Box<Exp> value;
};
/// #name payload
struct Construct {
  std::string constructor;
  std::vector<Exp> payload;
};
/// \p1 p2 -> body, with the result type that its sizes are to be evaluated from.
struct Lambda {
  std::vector<Pattern> params;
  Box<Exp> body;
  Type result;
  std::vector<Name> existentials;  // sizes of `result` that the body makes
};
/// f x: one argument at a time. The names in `existentials` are bound from here on to sizes of the
/// result.
struct Apply {
  Box<Exp> function;
  Box<Exp> argument;
  std::vector<Name> existentials;
};
/// let [sizes] pattern = bound in body; sizes are bound to those of the bound value.
struct Let {
  std::vector<Name> sizes;
  Pattern pattern;
  Box<Exp> bound;
  Box<Exp> body;
};
struct Definition;
/// let f [n] 't x = .. in body
struct LetFunction {
  Box<Definition> definition;
  Box<Exp> body;
};
struct If {
  Box<Exp> condition, then_branch, else_branch;
  std::vector<Name> existentials;
};
struct Case;
/// match scrutinee case p -> e ...; exhaustive.
struct Match {
  Box<Exp> scrutinee;
  std::vector<Case> cases;
  std::vector<Name> existentials;
};
struct ForLoop {
  Pattern index;  // for i < bound; a name or wildcard of integer type
  Box<Exp> bound;
};
struct ForInLoop {
  Pattern element;
  Box<Exp> array;
};
struct WhileLoop {
  Box<Exp> condition;
};
/// loop [sizes] pattern = initial for .. do body. `sizes` change with the iterations: they are
/// bound to those of the pattern's value. `existentials`: sizes of the result that are only known
/// after the loop.
struct Loop {
  std::vector<Name> sizes;
  Pattern pattern;
  Box<Exp> initial;
  std::variant<ForLoop, ForInLoop, WhileLoop> form;
  Box<Exp> body;
  std::vector<Name> existentials;
};
/// One index, or a slice start:end:stride, each part optional.
struct SliceIndex {
  std::optional<Box<Exp>> start, end, stride;
};
using DimIndex = std::variant<Box<Exp>, SliceIndex>;
/// xs[i, a:b]; indices may be of any integer type. Slices bind existential sizes.
struct Index {
  Box<Exp> array;
  std::vector<DimIndex> indices;
  std::vector<Name> existentials;
};
/// xs with [i] = v, and `let xs[i] = v in ..`
struct Update {
  Box<Exp> array;
  std::vector<DimIndex> indices;
  Box<Exp> value;
};
enum class RangeEnd { inclusive, below, above };  // a...b, a..<b, a..>b
struct Range {
  Box<Exp> first;
  std::optional<Box<Exp>> second;
  RangeEnd kind;
  Box<Exp> last;
  std::vector<Name> existentials;  // the size, unless the type spells it out
};
/// e :> t: fails at run time if sizes differ. Existentials of t (`[]`) are bound to those of e.
struct Coerce {
  Box<Exp> exp;
  Type type;
  std::vector<Name> existentials;
};
/// assert c e; `text` is the source of the condition, for the message.
struct Assert {
  Box<Exp> condition;
  Box<Exp> exp;
  std::string text;
};
struct Attributed {
  Attribute attribute;
  Box<Exp> exp;
};
/// ???: fails when evaluated.
struct Hole {};

/// What an expression is. A class of its own, so that copying and destroying its alternatives is
/// compiled once.
struct ExpNode : std::variant<Literal, StringLiteral, Var, Record, ArrayLiteral, Project,
                              RecordUpdate, Construct, Lambda, Apply, Let, LetFunction, If, Match,
                              Loop, Index, Update, Range, Coerce, Assert, Attributed, Hole> {
  using variant::variant;
  ExpNode(const ExpNode& other);
  ExpNode(ExpNode&& other) noexcept;
  ExpNode& operator=(const ExpNode& other);
  ExpNode& operator=(ExpNode&& other) noexcept;
  ~ExpNode();
};

/// A member of a module is a Var like any other.
struct Exp {
  ExpNode node;
  Type type;
  SourceRange at;
};
struct RecordField {
  std::string name;
  Exp value;
};
struct Case {
  Pattern pattern;
  Exp body;
  SourceRange at;
};

// ---- Definitions

struct TypeParam {
  Name name;
  enum class Kind { size, type, size_lifted, lifted } kind;  // [n], 't, '~t, '^t
  SourceRange at;
};
/// def f [n] 't (p: ..) : .. = body; without parameters a constant.
struct Definition {
  Name name;
  std::vector<TypeParam>
      type_params;  // sizes in the order of Var::size_args, types of Var::type_args
  std::vector<Pattern> params;
  Type result;
  std::vector<Name> existentials;  // ?[n]. of the result
  bool unique_result = false;
  std::vector<std::string> unique_fields;  // of the result, if not all of it is unique
  Exp body;
  bool is_entry = false;
  /// Of an entry: each parameter's name and type, and each result's type, as in the source.
  std::vector<std::string> param_types_as_written;
  std::string result_type_as_written;
  std::string doc;
  std::vector<Attribute> attributes;
  SourceRange at;  // the whole definition
  SourceRange name_at;
};

/// Names of intrinsics have ids below zero (other than -1) and are found by text: see
/// intrinsics.hpp.
inline bool is_intrinsic(const Name& name) { return name.id < -1; }

/// A checked program: every definition that the program and the prelude make, callees first.
struct TypedProgram {
  std::vector<Definition> definitions;
};

}  // namespace boustro::check
