// Generic walks over the core IR, for passes that treat most expressions alike.
#pragma once

#include <functional>
#include <set>
#include <unordered_set>
#include <vector>

#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// Calls `visit` with every atom that stands in the expression itself, sizes in types and shapes included,
/// but not inside its bodies and lambdas.
void for_each_atom(const Exp& exp, const std::function<void(const Atom&)>& visit);
/// The same for changing them; arrays, which must stay names, included, and those that a loop binds itself.
void map_atoms(Exp& exp, const std::function<Atom(const Atom&)>& change);

/// Calls `visit` with each body directly inside of the expression: branches, loop bodies, lambdas' bodies.
void for_each_body(const Exp& exp, const std::function<void(const Body&)>& visit);
void map_bodies(Exp& exp, const std::function<void(Body&)>& change);
/// Each lambda directly inside of the expression.
void for_each_lambda(const Exp& exp, const std::function<void(const Lambda&)>& visit);
void map_lambdas(Exp& exp, const std::function<void(Lambda&)>& change);

using NameSet = std::unordered_set<Name>;
/// Names used but not bound inside, sizes in types included.
NameSet free_names(const Exp& exp);
NameSet free_names(const Stm& stm);
NameSet free_names(const Body& body);
NameSet free_names(const Lambda& lambda);
/// In the order of their first use, for results that must not depend on hashing.
std::vector<Name> free_names_in_order(const Lambda& lambda);
std::vector<Name> free_names_in_order(const Body& body);
/// Names that the statements bind themselves, not inside of their bodies.
NameSet bound_names(const std::vector<Stm>& stms);

/// Replaces names everywhere inside, bodies and types included.
void substitute(Exp& exp, const Substitution& substitution);
void substitute(Stm& stm, const Substitution& substitution);
void substitute(Body& body, const Substitution& substitution);
void substitute(Lambda& lambda, const Substitution& substitution);
Atom substitute(const Atom& atom, const Substitution& substitution);
void substitute(Type& type, const Substitution& substitution);

/// Replaces every name in the function, where it is bound and where it is used; names of functions stay.
void change_names(Function& function, const std::function<Name(const Name&)>& change);

/// Whether the elements of such a slice are inside of a dimension. An empty one may start anywhere between its ends.
bool slice_fits(std::int64_t start, std::int64_t count, std::int64_t stride, std::int64_t size);

/// One operation on scalars, or another name for something: AtomExp, UnOp, BinOp, CmpOp, Convert or MathOp.
bool is_scalar_operation(const Exp& exp);
bool all_scalar(const std::vector<Type>& types);
bool all_scalar(const std::vector<Param>& params);
/// The points of a parallel operator, a nest apart, or the elements of an iota or concat.
std::optional<Atom> operator_width(const Exp& exp);
/// True if the value may fail at run time: division by zero, index out of bounds, Assert, Coerce, ...
bool may_fail(const Exp& exp);
/// Scalars alone are computed, in branches too, without loops, and by expressions that are allowed.
bool is_scalar_code(const Body& body, const std::function<bool(const Exp&)>& is_allowed);
/// By any expressions; by those that cannot fail.
bool is_scalar_code(const Body& body);
bool is_safe_scalar_code(const Body& body);
/// Arithmetic of integers that cannot fail: who calls an entry can do it before, and so knows the
/// sizes of results that are made by it.
bool is_size_arithmetic(const Exp& exp);

/// Recognises `\x y -> x op y` on scalars, of commuted operands too where the operator commutes, and the Ifs
/// that stand for && (bit_and) and || (bit_or). Copies of names are seen through.
std::optional<BinOpKind> as_binop(const Lambda& op);
/// Recognises `map2 (+)` nested to any depth: the operator and how many maps are around it, 0 for (+) itself.
struct VectorisedOp { BinOpKind kind; int depth; };
std::optional<VectorisedOp> as_vectorised_binop(const Lambda& op);
bool is_identity(const Lambda& fn);

}  // namespace boustro::ir
