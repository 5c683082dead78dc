// Applying functions.
#pragma once

#include "transform/lower/context.hpp"
#include "transform/lower/mentions.hpp"

namespace boustro::lower {

/// The function applied to one more argument; evaluated if that was the last one.
Value apply(Context& context, const Value& function, const Value& argument);
Value apply(Context& context, const Value& function, const std::vector<Value>& arguments);

/// A core lambda that applies the function to parameters of these types. The result is brought to
/// the type `result`, whose sizes are those of the scope outside.
ir::Lambda lower_to_lambda(Context& context, const Value& function, const std::vector<Type>& params,
                           const Type& result);

/// Types for these results of a lambda whose block is open. Sizes of `type` that are known outside stand for those that
/// the lambda computes; the program is refused if there is none.
std::vector<ir::Type> result_types(Context& context, const std::vector<Atom>& results, const Type& type);

/// Whether a definition is evaluated when it is applied: it has parameters, or is a polymorphic
/// function.
bool is_function(const check::Definition& definition);

/// The closure with its type and size arguments evaluated.
Closure evaluate_instance(Context& context, const Closure& closure);

/// A scope in which the code of the closure is evaluated: type and size parameters are bound.
Scope* instance_scope(Context& context, const Closure& instance);

/// Evaluates the code of a closure that has all of its arguments, in the block that is open.
Value evaluate_body(Context& context, const Closure& instance);

const Mentions& mentions_in(Context& context, const Closure& closure);

}  // namespace boustro::lower
