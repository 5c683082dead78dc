// The surface syntax tree: a Futhark program as it was written, after operators were resolved by
// precedence. Plain values in variants; `std::visit` over `node` dispatches.
//
//   - Parentheses that only group are gone; print() puts back the ones that are needed.
//   - Nothing is resolved: `m.x` may be a member of a module or a field of a record (see Var).
//   - Every node knows its range in the source. Equality ignores ranges: it compares what was
//     written, not where.
//   - One file, since the kinds of node hold each other.
//   - Sequences that are long in practice (let bindings, arguments, array elements) are flat lists;
//     trees are at most 1,000 levels high (parse/parse.hpp), so recursion over them is safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/ast/box.hpp"
#include "frontend/source/source.hpp"
#include "frontend/values/primitive.hpp"

namespace boustro::ast {

using source::SourceRange;
using values::PrimType;

/// A SourceRange that equals any other.
struct Place : SourceRange {
  Place() = default;
  Place(SourceRange range) : SourceRange(range) {}
  bool operator==(const Place&) const { return true; }
};

/// What printing puts before something, as a line `-- text`. Parsing makes none. A Comment equals any other.
struct Comment {
  std::string text;
  bool operator==(const Comment&) const { return true; }
};

/// A name that is bound or selected here: `x`, `+^` (an operator, without parentheses), a field `x`
/// or `0`.
struct Identifier {
  std::string text;
  Place at;
  bool operator==(const Identifier&) const = default;
};

/// x, f64.sum, M.N.+: a name that refers to something. No white space occurs in it.
struct QualifiedName {
  std::vector<std::string> qualifiers;
  std::string name;
  Place at;
  bool operator==(const QualifiedName&) const = default;
};

/// True for `+`, `|>`, ...; false for names. Infix uses of names are written in backticks.
bool is_operator(const std::string& name);
/// "f64.sum", "M.+"
std::string to_string(const QualifiedName& name);

/// name, 42, name(argument, ...)
struct Attribute {
  std::string name;  // or the digits of a number
  std::vector<Attribute> args;
  Place at;
  bool operator==(const Attribute&) const = default;
};

struct Exp;
struct Type;
struct Pattern;

// ---- Types

/// [n], [n * m]; nothing for the anonymous size [].
using Size = std::optional<Box<Exp>>;

/// t, M.t, vec [n] i32: arguments are sizes in brackets or types.
using TypeArg = std::variant<Size, Box<Type>>;
struct NamedType {
  QualifiedName name;
  std::vector<TypeArg> args;
  bool operator==(const NamedType&) const = default;
};
/// [n]t
struct ArrayType {
  Size size;
  Box<Type> element;
  bool operator==(const ArrayType&) const = default;
};
/// (), (t, u)
struct TupleType {
  std::vector<Type> elements;
  bool operator==(const TupleType&) const = default;
};
struct FieldType;
/// {x: t, 0: u}
struct RecordType {
  std::vector<FieldType> fields;
  bool operator==(const RecordType&) const = default;
};
struct ConstructorType;
/// #a t u | #b
struct SumType {
  std::vector<ConstructorType> constructors;
  bool operator==(const SumType&) const = default;
};
/// t -> u, (n: t) -> u
struct FunctionType {
  std::optional<Identifier> param;
  Box<Type> from;
  Box<Type> to;
  bool operator==(const FunctionType&) const = default;
};
/// *t
struct UniqueType {
  Box<Type> type;
  bool operator==(const UniqueType&) const = default;
};
/// ?[n][m].t
struct ExistentialType {
  std::vector<Identifier> sizes;
  Box<Type> type;
  bool operator==(const ExistentialType&) const = default;
};
struct Type {
  std::variant<NamedType, ArrayType, TupleType, RecordType, SumType, FunctionType, UniqueType,
               ExistentialType>
      node;
  Place at;
  bool operator==(const Type&) const = default;
};
struct FieldType {
  Identifier name;
  Type type;
  bool operator==(const FieldType&) const = default;
};
struct ConstructorType {
  Identifier name;  // without `#`
  std::vector<Type> payload;
  bool operator==(const ConstructorType&) const = default;
};

/// [n], 't, '~t, '^t
struct TypeParam {
  enum class Kind { size, type, size_lifted, lifted } kind;
  Identifier name;
  bool operator==(const TypeParam&) const = default;
};

// ---- Literals, in expressions and patterns

/// 42, 0x2A, 42u8. Without suffix its type is inferred and may turn out to be a float type.
struct IntLiteral {
  std::uint64_t value = 0;
  std::optional<PrimType> suffix;  // an integer type
  bool operator==(const IntLiteral&) const = default;
};
/// 1.5, 1e3f32, 1f32, 0x1.8p3. With suffix f32, `value` is exactly a float.
struct FloatLiteral {
  double value = 0;
  std::optional<PrimType> suffix;  // a float type
  bool operator==(const FloatLiteral&) const = default;
};
struct BoolLiteral {
  bool value = false;
  bool operator==(const BoolLiteral&) const = default;
};
/// 'x': the integer that is its code point.
struct CharLiteral {
  std::uint32_t value = 0;
  bool operator==(const CharLiteral&) const = default;
};
/// "text": an array of u8.
struct StringLiteral {
  std::string bytes;
  bool operator==(const StringLiteral&) const = default;
};

// ---- Patterns

/// x; also an operator, (+).
struct NamePattern {
  Identifier name;
  bool operator==(const NamePattern&) const = default;
};
/// _
struct WildcardPattern {
  bool operator==(const WildcardPattern&) const = default;
};
/// 1, -1.5, 'c', true
struct LiteralPattern {
  std::variant<IntLiteral, FloatLiteral, BoolLiteral, CharLiteral> literal;
  bool negated = false;
  bool operator==(const LiteralPattern&) const = default;
};
/// (), (p, q)
struct TuplePattern {
  std::vector<Pattern> elements;
  bool operator==(const TuplePattern&) const = default;
};
struct FieldPattern;
/// {x, y = p}
struct RecordPattern {
  std::vector<FieldPattern> fields;
  bool operator==(const RecordPattern&) const = default;
};
/// #name p q
struct ConstructorPattern {
  Identifier constructor;  // without `#`
  std::vector<Pattern> payload;
  bool operator==(const ConstructorPattern&) const = default;
};
/// p: t
struct AscribedPattern {
  Box<Pattern> pattern;
  Type type;
  bool operator==(const AscribedPattern&) const = default;
};
/// #[a] p
struct AttributedPattern {
  Attribute attribute;
  Box<Pattern> pattern;
  bool operator==(const AttributedPattern&) const = default;
};
struct Pattern {
  std::variant<NamePattern, WildcardPattern, LiteralPattern, TuplePattern, RecordPattern,
               ConstructorPattern, AscribedPattern, AttributedPattern>
      node;
  Place at;
  bool operator==(const Pattern&) const = default;
};
struct FieldPattern {
  Identifier name;
  std::optional<Pattern> pattern;  // nothing: binds the field's name
  bool operator==(const FieldPattern&) const = default;
};

// ---- Expressions

/// x, f64.sum, (+), (f64.+), p.x: a value, a member of a module, or a field, several of them in a
/// row: the leading qualifiers that name modules select from those, all further names are fields.
struct Var {
  QualifiedName name;
  bool operator==(const Var&) const = default;
};
/// ???
struct Hole {
  bool operator==(const Hole&) const = default;
};
/// (), (a, b)
struct Tuple {
  std::vector<Exp> elements;
  bool operator==(const Tuple&) const = default;
};
struct FieldExp;
/// {x, y = e}
struct Record {
  std::vector<FieldExp> fields;
  bool operator==(const Record&) const = default;
};
/// [a, b]
struct ArrayLiteral {
  std::vector<Exp> elements;
  bool operator==(const ArrayLiteral&) const = default;
};
/// M.(e)
struct LocalOpen {
  QualifiedName module;
  Box<Exp> body;
  bool operator==(const LocalOpen&) const = default;
};
/// e.x where e is not a name, or x is a number: (f a).x, p.0
struct Project {
  Box<Exp> record;
  Identifier field;
  bool operator==(const Project&) const = default;
};

/// i, or a slice start:end:stride with each part optional.
struct SliceIndex {
  std::optional<Box<Exp>> start, end, stride;
  bool operator==(const SliceIndex&) const = default;
};
using DimIndex = std::variant<Box<Exp>, SliceIndex>;
/// xs[i, a:b]
struct Index {
  Box<Exp> array;
  std::vector<DimIndex> indices;
  bool operator==(const Index&) const = default;
};
/// One step into a value: a field, or indices of an array.
using Access = std::variant<Identifier, std::vector<DimIndex>>;

/// (x +), (x `f`)
struct LeftSection {
  Box<Exp> operand;
  QualifiedName op;
  bool operator==(const LeftSection&) const = default;
};
/// (+ x), (`f` x)
struct RightSection {
  QualifiedName op;
  Box<Exp> operand;
  bool operator==(const RightSection&) const = default;
};
/// (.x.y), (.[i]), (.x[i].y)
struct AccessSection {
  std::vector<Access> path;
  bool operator==(const AccessSection&) const = default;
};
/// f x y
struct Apply {
  Box<Exp> function;
  std::vector<Exp> args;  // at least one
  bool operator==(const Apply&) const = default;
};
/// #name x y
struct Construct {
  Identifier constructor;  // without `#`
  std::vector<Exp> payload;
  bool operator==(const Construct&) const = default;
};
/// x + y, x M.+ y, x `f` y (then `op` is a name)
struct Binary {
  Box<Exp> lhs;
  QualifiedName op;
  Box<Exp> rhs;
  bool operator==(const Binary&) const = default;
};
enum class UnaryOp { negate, complement };  // -x, !x
struct Unary {
  UnaryOp op;
  Box<Exp> operand;
  bool operator==(const Unary&) const = default;
};
/// e : t
struct Ascribe {
  Box<Exp> exp;
  Type type;
  bool operator==(const Ascribe&) const = default;
};
/// e :> t
struct Coerce {
  Box<Exp> exp;
  Type type;
  bool operator==(const Coerce&) const = default;
};
enum class RangeEnd { inclusive, below, above };
/// a...b, a..<b, a..>b; a..s...b
struct Range {
  Box<Exp> first;
  std::optional<Box<Exp>> second;
  RangeEnd kind;
  Box<Exp> last;
  bool operator==(const Range&) const = default;
};
struct If {
  Box<Exp> condition, then_branch, else_branch;
  bool operator==(const If&) const = default;
};
/// \p q : t -> e
struct Lambda {
  std::vector<Pattern> params;
  std::optional<Type> result;
  Box<Exp> body;
  bool operator==(const Lambda&) const = default;
};
/// let [n] p = e
struct LetPattern {
  std::vector<Identifier> sizes;
  Pattern pattern;  // `let x: t = e` has an AscribedPattern
  Box<Exp> bound;
  bool operator==(const LetPattern&) const = default;
};
/// let f [n] 't p q : t = e
struct LetFunction {
  Identifier name;
  std::vector<TypeParam> type_params;
  std::vector<Pattern> params;
  std::optional<Type> result;
  Box<Exp> body;
  bool operator==(const LetFunction&) const = default;
};
/// let x[i].y = e
struct LetUpdate {
  Identifier name;
  std::vector<Access> path;
  Box<Exp> value;
  bool operator==(const LetUpdate&) const = default;
};
struct LetBinding {
  std::variant<LetPattern, LetFunction, LetUpdate> node;
  Place at;
  Comment comment = {};
  bool operator==(const LetBinding&) const = default;
};
/// let .. let .. in e: each binding is in scope of those that follow. A body that is a Let itself
/// is merged into this list, so that a long function body is a list and not a deep tree.
struct Let {
  std::vector<LetBinding> bindings;
  Box<Exp> body;
  Comment comment = {};  // on the body
  bool operator==(const Let&) const = default;
};
/// for i < n
struct ForLoop {
  Identifier index;
  Box<Exp> bound;
  bool operator==(const ForLoop&) const = default;
};
/// for p in xs
struct ForInLoop {
  Pattern element;
  Box<Exp> array;
  bool operator==(const ForInLoop&) const = default;
};
/// while c
struct WhileLoop {
  Box<Exp> condition;
  bool operator==(const WhileLoop&) const = default;
};
/// loop [n] p = e for .. do body; without `= e` the pattern's names are also the initial values.
struct Loop {
  std::vector<Identifier> sizes;
  Pattern pattern;
  std::optional<Box<Exp>> initial;
  std::variant<ForLoop, ForInLoop, WhileLoop> form;
  Box<Exp> body;
  bool operator==(const Loop&) const = default;
};
struct Case;
/// match e case p -> e case ..
struct Match {
  Box<Exp> scrutinee;
  std::vector<Case> cases;
  bool operator==(const Match&) const = default;
};
/// assert c e
struct Assert {
  Box<Exp> condition;
  Box<Exp> exp;
  bool operator==(const Assert&) const = default;
};
/// e with [i].x = v
struct With {
  Box<Exp> exp;
  std::vector<Access> path;
  Box<Exp> value;
  bool operator==(const With&) const = default;
};
/// #[a] e
struct Attributed {
  Attribute attribute;
  Box<Exp> exp;
  bool operator==(const Attributed&) const = default;
};
/// What an expression is. A class of its own, so that copying and destroying its alternatives is
/// compiled once.
struct ExpNode
    : std::variant<IntLiteral, FloatLiteral, BoolLiteral, CharLiteral, StringLiteral, Var, Hole,
                   Tuple, Record, ArrayLiteral, LocalOpen, Project, Index, LeftSection,
                   RightSection, AccessSection, Apply, Construct, Binary, Unary, Ascribe, Coerce,
                   Range, If, Lambda, Let, Loop, Match, Assert, With, Attributed> {
  using variant::variant;
  ExpNode(const ExpNode& other);
  ExpNode(ExpNode&& other) noexcept;
  ExpNode& operator=(const ExpNode& other);
  ExpNode& operator=(ExpNode&& other) noexcept;
  ~ExpNode();
  bool operator==(const ExpNode& other) const;
};

struct Exp {
  ExpNode node;
  Place at;
  bool operator==(const Exp&) const = default;
};
struct FieldExp {
  Identifier name;
  std::optional<Exp> value;  // nothing: the variable of that name
  bool operator==(const FieldExp&) const = default;
};
struct Case {
  Pattern pattern;
  Exp body;
  Place at;
  bool operator==(const Case&) const = default;
};

// ---- Module types

struct ModuleType;
struct Spec;
enum class Liftedness { plain, size_lifted, lifted };  // type, type~, type^

struct ModuleTypeName {
  QualifiedName name;
  bool operator==(const ModuleTypeName&) const = default;
};
/// { specs }
struct Signature {
  std::vector<Spec> specs;
  bool operator==(const Signature&) const = default;
};
/// mt with M.t 'a = type
struct ModuleTypeWith {
  Box<ModuleType> module_type;
  QualifiedName name;
  std::vector<TypeParam> params;
  Type type;
  bool operator==(const ModuleTypeWith&) const = default;
};
/// mt -> mt, (p: mt) -> mt
struct ModuleArrow {
  std::optional<Identifier> param;
  Box<ModuleType> from;
  Box<ModuleType> to;
  bool operator==(const ModuleArrow&) const = default;
};
struct ModuleType {
  std::variant<ModuleTypeName, Signature, ModuleTypeWith, ModuleArrow> node;
  Place at;
  bool operator==(const ModuleType&) const = default;
};

/// val f [n] 't : type
struct ValueSpec {
  Identifier name;
  std::vector<TypeParam> params;
  Type type;
  bool operator==(const ValueSpec&) const = default;
};
/// type t 'a, type t 'a = type
struct TypeSpec {
  Liftedness liftedness;
  Identifier name;
  std::vector<TypeParam> params;
  std::optional<Type> type;
  bool operator==(const TypeSpec&) const = default;
};
/// module m : mt
struct ModuleSpec {
  Identifier name;
  ModuleType type;
  bool operator==(const ModuleSpec&) const = default;
};
/// include mt
struct IncludeSpec {
  ModuleType type;
  bool operator==(const IncludeSpec&) const = default;
};
struct Spec {
  std::variant<ValueSpec, TypeSpec, ModuleSpec, IncludeSpec> node;
  std::string doc;
  std::vector<Attribute> attributes;
  Place at;
  bool operator==(const Spec&) const = default;
};

// ---- Module expressions

struct ModuleExp;
struct Definition;

struct ModuleName {
  QualifiedName name;
  bool operator==(const ModuleName&) const = default;
};
/// M N
struct ModuleApply {
  Box<ModuleExp> function;
  Box<ModuleExp> arg;
  bool operator==(const ModuleApply&) const = default;
};
/// M : mt
struct ModuleAscribe {
  Box<ModuleExp> exp;
  ModuleType type;
  bool operator==(const ModuleAscribe&) const = default;
};
/// { definitions }
struct ModuleBody {
  std::vector<Definition> definitions;
  bool operator==(const ModuleBody&) const = default;
};
/// import "path"
struct ModuleImport {
  std::string path;
  bool operator==(const ModuleImport&) const = default;
};
/// (name : mt)
struct ModuleParam {
  Identifier name;
  ModuleType type;
  bool operator==(const ModuleParam&) const = default;
};
/// \(p: mt) : mt -> M
struct ModuleLambda {
  ModuleParam param;
  std::optional<ModuleType> result;
  Box<ModuleExp> body;
  bool operator==(const ModuleLambda&) const = default;
};
struct ModuleExp {
  std::variant<ModuleName, ModuleApply, ModuleAscribe, ModuleBody, ModuleImport, ModuleLambda> node;
  Place at;
  bool operator==(const ModuleExp&) const = default;
};

// ---- Definitions

/// def f [n] 't p q : t = e, entry ..; without parameters a constant. A top-level `let` reads as
/// `def`, `def x + y = e` as `def (+) x y = e`.
struct ValueDefinition {
  bool is_entry = false;
  Identifier name;
  std::vector<TypeParam> type_params;
  std::vector<Pattern> params;
  std::optional<Type> result;
  Exp body;
  bool operator==(const ValueDefinition&) const = default;
};
/// type t [n] 'a = type
struct TypeDefinition {
  Liftedness liftedness;
  Identifier name;
  std::vector<TypeParam> params;
  Type type;
  bool operator==(const TypeDefinition&) const = default;
};
/// module m (p: mt) : mt = M
struct ModuleDefinition {
  Identifier name;
  std::vector<ModuleParam> params;
  std::optional<ModuleType> type;
  ModuleExp body;
  bool operator==(const ModuleDefinition&) const = default;
};
/// module type mt = ..
struct ModuleTypeDefinition {
  Identifier name;
  ModuleType type;
  bool operator==(const ModuleTypeDefinition&) const = default;
};
/// open M
struct Open {
  ModuleExp module;
  bool operator==(const Open&) const = default;
};
/// import "path", which means `local open import "path"`
struct Import {
  std::string path;
  bool operator==(const Import&) const = default;
};
/// local definition
struct Local {
  Box<Definition> definition;
  bool operator==(const Local&) const = default;
};
struct Definition {
  std::variant<ValueDefinition, TypeDefinition, ModuleDefinition, ModuleTypeDefinition, Open,
               Import, Local>
      node;
  std::string doc;  // of `-- |`, without dashes; lines end in '\n'
  std::vector<Attribute> attributes;
  Place at;
  bool operator==(const Definition&) const = default;
};

struct Program {
  std::vector<Definition> definitions;
  bool operator==(const Program&) const = default;
};

}  // namespace boustro::ast
