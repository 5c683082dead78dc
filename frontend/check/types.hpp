// Building, rewriting and printing types and the size expressions in them.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/typed.hpp"

namespace boustro::check {

// ---- Building

Type prim_type(PrimType prim);
Type array_type(Size size, Type row);
/// The record with fields "0", "1", ...; of one type that type itself.
Type tuple_type(std::vector<Type> elements);
Type function_type(Type from, Type to);
Type variable_type(Name name);
Type accumulator_type(Type array);

/// Fields in the order in which types hold them: numbers by value, then names.
void sort_fields(std::vector<Field>& fields);
bool field_before(const std::string& a, const std::string& b);

const Field* find_field(const RecordType& record, const std::string& name);
const Constructor* find_constructor(const SumType& sum, const std::string& name);
bool is_prim(const Type& type, PrimType prim);
bool mentions_function(const Type& type);
bool mentions_accumulator(const Type& type);

// ---- Rewriting

/// What names of types and sizes stand for. A size may stand for an expression of another type than
/// i64: then it only occurs inside size expressions.
struct Substitution {
  std::unordered_map<int, Type> types;
  std::unordered_map<int, Size> sizes;
  bool empty() const { return types.empty() && sizes.empty(); }
};
Type substitute(const Type& type, const Substitution& substitution);
Size substitute(const Size& size, const Substitution& substitution);
Exp substitute(const Exp& size_expression, const Substitution& substitution);

/// A copy of the type with every size (outermost first) and every type variable replaced. The
/// binders of function types are left as they are.
struct TypeRewriter {
  std::function<Size(const Size&)> size;
  std::function<Type(const Name&)> variable;
  /// If not null: sizes that `variable` leaves here become existential ones of the function whose
  /// result they are in.
  std::vector<Name>* existentials = nullptr;
};
Type rewrite(const Type& type, const TypeRewriter& rewriter);

/// Calls `visit` for every size of the type, outermost first.
void for_each_size(const Type& type, const std::function<void(const Size&)>& visit);
/// The sizes that a value of the type tells: those outside of functions.
void for_each_witness(const Type& type, const std::function<void(const Size&)>& visit);
/// Can the size be read off each value of the type, or off what it yields if it is a function?
bool tells_size(const Type& type, const Name& name);
void for_each_variable(const Type& type, const std::function<void(const Name&)>& visit);
/// The function types in a type, outermost first.
void for_each_function(const Type& type, const std::function<void(const FunctionType&)>& visit);

}  // namespace boustro::check
