// What callers from Python see of an emitted file: one description for all kinds of bindings.
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::bindings {

/// A scalar or a dense array that goes in or comes out. A record or tuple of the source is several of them, and so is a sum type.
struct Value {
  std::string name;               // in Python
  std::string source_type;        // "[n][d]f32"; of a part of a record that of the record, with its name: "point.x"
  const plan::Param* param = {};  // of the emitted function

  plan::PrimType type() const { return param->type.prim; }
  bool is_array() const { return !param->shape.empty(); }
};

/// Which entry computes the derivative of which. In reverse mode `by` takes the parameters of `of` and an adjoint for each of `results`,
/// which are floats, and returns one for each of `params`; in forward mode a tangent for each of `params`, and returns those of `results`.
struct Derivative {
  std::string of, by;
  bool reverse = true;
  std::vector<std::size_t> params, results;  // by their numbers in Function
};

/// An entry point.
struct Function {
  std::string name;       // in Python
  std::string in_source;  // by which derivatives know it
  source::SourceRange at;
  const plan::Entry* entry = {};
  std::vector<Value> params, results;
  std::vector<const plan::Param*> sizes;  // that follow from shapes

  bool checks() const { return entry->can_fail; }
};

/// An emitted file. It points into the plan that it was made of.
struct Interface {
  const plan::Program* plan = {};
  std::vector<Function> functions;
  std::vector<Derivative> derivatives;
};

/// The derivative of a function; null if there is none.
const Derivative* derivative_of(const Interface& interface, const Function& function);

/// The function that the source, or whoever has added it, calls so.
const Function& function_named(const Interface& interface, const std::string& in_source);

/// Whether a variable of that name is in an expression.
bool mentions(const plan::Expr& expr, const std::string& name);

/// Integers that the shapes of parameters or results depend on.
bool decides_shapes(const Function& function, const Value& value);

/// `core` is the program that was planned: it tells what the source calls its values, and their types there.
Interface interface_of(const ir::Program& core, const plan::Program& plan, const std::vector<Derivative>& derivatives);

/// A name that the entry has none of: `base`, or with underscores behind it.
std::string free_name(const Function& function, std::string base);

}  // namespace boustro::bindings
