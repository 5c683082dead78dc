// Walks over statements and expressions of a plan.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Calls `visit` with the statements right inside of this one, body by body.
void for_each_body(const Stm& stm, const std::function<void(const Stms&)>& visit);
void for_each_body(Stm& stm, const std::function<void(Stms&)>& visit);
/// Calls `visit` with the bodies of an entry's functions, functors and kernels, and with its own if `with_own`.
void for_each_code(Entry& entry, bool with_own, const std::function<void(Stms&)>& visit);
/// Calls `visit` with every statement, inner ones included.
void for_each_stm(const Stms& stms, const std::function<void(const Stm&)>& visit);
/// Calls `visit` with the expressions of one statement, but not with those of statements inside of
/// it.
void for_each_expr(const Stm& stm, const std::function<void(const Expr&)>& visit);
/// The same, for changing them.
void for_each_stm(std::span<Stm> stms, const std::function<void(Stm&)>& visit);
void for_each_expr(Stm& stm, const std::function<void(Expr&)>& visit);

/// The expression is the operator, between two operands.
bool is_op(const Expr& expr, Op op);
/// Sums, differences and products of variables and literals, also as other integers: the expression reads no memory, and can be computed where
/// it is not needed.
bool is_index_arithmetic(const Expr& expr);
/// The expression is this variable, and nothing more.
bool is_variable(const Expr& expr, const std::string& name);
/// min or max of two, as a call or as the language's.
std::optional<ir::BinOpKind> extremum_of(const Expr& expr);
/// Whether the expression, or the statement and those inside of it, mention the variable.
bool uses_variable(const Expr& expr, const std::string& name);
bool uses_variable(const Stm& stm, const std::string& name);
/// How often the statements from number `from` on, and those inside of them, mention the variable.
int uses_of(const std::string& name, const Stms& stms, std::size_t from);
/// Whether the statement, or one inside of it, assigns to one of the variables as a whole.
bool assigns_any(const Stm& stm, const std::set<std::string>& names);
/// The variables that an expression or the statements mention.
void add_names(const Expr& expr, std::set<std::string>& names);
void add_names(const Stm& stm, std::set<std::string>& names);
std::set<std::string> names_in(const Stms& stms);

}  // namespace boustro::plan
