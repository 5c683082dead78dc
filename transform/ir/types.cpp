// The types of an expression's results. Declared in builder.hpp as Names::types_of.
#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir {

Type array_of(const Atom& width, const Type& row) {
  Type type = row;
  type.shape.insert(type.shape.begin(), width);
  return type;
}

Type array_of(const Shape& shape, const Type& row) {
  Type type = row;
  type.shape.insert(type.shape.begin(), shape.begin(), shape.end());
  return type;
}

Type row_type(const Type& type, int dimensions) {
  source::internal_check(dimensions <= type.rank(), "row_type: more indices than dimensions");
  Type row = type;
  row.shape.erase(row.shape.begin(), row.shape.begin() + dimensions);
  return row;
}

namespace {

using Types = std::vector<Type>;

void append(Types& to, const Types& more) { to.insert(to.end(), more.begin(), more.end()); }

Type permuted(const Type& type, const std::vector<int>& permutation) {
  Type result = type;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    result.shape.at(i) = type.shape.at(static_cast<std::size_t>(permutation[i]));
  }
  return result;
}

Type indexed(const Type& array, const std::vector<DimIndex>& indices) {
  Type result = row_type(array, static_cast<int>(indices.size()));
  Shape counts;
  for (const DimIndex& index : indices) {
    if (const auto* slice = std::get_if<Slice>(&index)) counts.push_back(slice->count);
  }
  return array_of(counts, result);
}

/// Results number `begin` and on, as rows of arrays of that width.
Types arrays_of_rest(const Atom& width, const Types& results, std::size_t begin) {
  Types types;
  for (std::size_t i = begin; i < results.size(); ++i) types.push_back(array_of(width, results[i]));
  return types;
}

Types types_of_loop(const Loop& loop) {
  Types types;
  for (const LoopParam& p : loop.params) {
    for (const Atom& size : p.param.type.shape) {
      const bool is_param = std::any_of(loop.params.begin(), loop.params.end(), [&](const LoopParam& q) {
        return Atom(q.param.name) == size;
      });
      source::internal_check(!is_param, "types_of: a loop whose parameters carry sizes");
    }
    types.push_back(p.param.type);
  }
  return types;
}

/// Accumulators, results of the operators (rows or arrays of them), then the mapped arrays.
Types types_of_fused(const Names& names, const Atom& width, const std::vector<Operator>& operators,
                     const Lambda& fn, const std::vector<Name>& accumulators, bool scan) {
  Types types;
  for (const Name& name : accumulators) types.push_back(names.type_of(name));
  std::size_t operands = 0;
  for (const Operator& op : operators) {
    operands += op.neutral.size();
    append(types, scan ? arrays_of_rest(width, op.op.result_types, 0) : op.op.result_types);
  }
  append(types, arrays_of_rest(width, fn.result_types, accumulators.size() + operands));
  return types;
}

Types types_of_map(const Names& names, const Map& map) {
  return types_of_fused(names, map.width, {}, map.fn, map.accumulators, false);
}

Types types_of_histograms(const Names& names, const ReduceByIndex& e) {
  Types types;
  for (const Histogram& histogram : e.histograms) {
    for (const Name& name : histogram.destinations) types.push_back(names.type_of(name));
  }
  return types;
}

Types types_of_with_acc(const Names& names, const WithAcc& e) {
  Types types;
  for (const AccumulatorInput& input : e.inputs) types.push_back(names.type_of(input.destination));
  types.insert(types.end(), e.fn.result_types.begin() + static_cast<std::ptrdiff_t>(types.size()),
               e.fn.result_types.end());
  return types;
}

Types types_of_nest(const Names& names, const Nest& e) {
  Types types;
  for (const Name& name : e.accumulators) types.push_back(names.type_of(name));
  std::size_t next = types.size();
  for (const Out& out : e.outs) {
    const std::size_t first = next + out.indices();
    next = first + out.values();
    const auto kept = e.space.begin() + (out.kind == OutKind::reduce ? out.rank : static_cast<std::ptrdiff_t>(e.space.size()));
    for (std::size_t i = 0; i < out.results(); ++i) {
      const Type& row = out.epilogue ? out.epilogue->result_types[i] : e.point.result_types.at(first + i);
      types.push_back(out.destinations.empty() ? array_of(Shape(e.space.begin(), kept), row)
                                               : names.type_of(out.destinations.at(i)));
    }
  }
  return types;
}

Types types_of_jvp(const Jvp& e) {
  Types types = e.fn.result_types;
  for (const Type& type : e.fn.result_types) types.push_back(array_of(e.seed_shape, type));
  return types;
}

Types types_of_vjp(const Names& names, const Vjp& e) {
  Types types = e.fn.result_types;
  for (const Atom& arg : e.args) types.push_back(array_of(e.seed_shape, names.type_of(arg)));
  return types;
}

}  // namespace

std::vector<Type> Names::types_of(const Exp& exp) const {
  const auto of_name = [this](const Name& name) { return type_of(name); };
  const auto of_atoms = [this](const std::vector<Atom>& atoms) {
    Types types;
    for (const Atom& atom : atoms) types.push_back(type_of(atom));
    return types;
  };
  const auto of_names = [this](const std::vector<Name>& list) {
    Types types;
    for (const Name& name : list) types.push_back(type_of(name));
    return types;
  };
  const auto reshaped = [&](const Name& name, const Shape& shape) {
    return Types{array(of_name(name).elem, shape)};
  };
  return match(
      exp,  //
      [&](const AtomExp& e) { return Types{type_of(e.atom)}; },
      [](const UnOp& e) { return Types{scalar(e.type)}; },
      [](const BinOp& e) { return Types{scalar(e.type)}; },
      [](const CmpOp&) { return Types{scalar(PrimType::boolean)}; },
      [](const Convert& e) { return Types{scalar(e.to)}; },
      [](const MathOp& e) { return Types{scalar(result_type_of(e.fn, e.type))}; },
      [&](const If& e) { return of_atoms(e.then_body.result); },
      [](const Loop& e) { return types_of_loop(e); },
      [&](const Call& e) { return types_of_call(e); },
      [](const Assert&) { return Types{}; },
      [](const ArrayLiteral& e) {
        return Types{array_of(int_atom(static_cast<std::int64_t>(e.elements.size())), e.row)};
      },
      [](const Iota& e) { return Types{array(PrimType::i64, {e.width})}; },
      [&](const Replicate& e) { return Types{array_of(e.shape, type_of(e.value))}; },
      [](const Scratch& e) { return Types{array(e.elem, e.shape)}; },
      [&](const Copy& e) { return Types{of_name(e.array)}; },
      [&](const Sort& e) { return Types{of_name(e.array)}; },
      [&](const Concat& e) { return Types{array_of(e.width, row_type(of_name(e.arrays.at(0))))}; },
      [&](const Rearrange& e) { return Types{permuted(of_name(e.array), e.permutation)}; },
      [&](const Reshape& e) { return reshaped(e.array, e.shape); },
      [&](const Coerce& e) { return reshaped(e.array, e.shape); },
      [&](const Index& e) { return Types{indexed(of_name(e.array), e.indices)}; },
      [&](const Update& e) { return Types{of_name(e.array)}; },
      [&](const Map& e) { return types_of_map(*this, e); },
      [](const Reduce& e) { return e.op.result_types; },
      [](const Scan& e) { return arrays_of_rest(e.width, e.op.result_types, 0); },
      [&](const MapReduce& e) {
        return types_of_fused(*this, e.width, e.operators, e.fn, e.accumulators, false);
      },
      [&](const MapScan& e) { return types_of_fused(*this, e.width, e.operators, e.fn, {}, true); },
      [&](const ReduceByIndex& e) { return types_of_histograms(*this, e); },
      [&](const Scatter& e) { return of_names(e.destinations); },
      [&](const WithAcc& e) { return types_of_with_acc(*this, e); },
      [&](const UpdateAcc& e) { return Types{of_name(e.accumulator)}; },
      [&](const Nest& e) { return types_of_nest(*this, e); },
      [](const Jvp& e) { return types_of_jvp(e); },
      [&](const Vjp& e) { return types_of_vjp(*this, e); },
      [](const WithVjp& e) { return e.fn.result_types; });
}

std::vector<Type> Names::types_of_call(const Call& call) const {
  const auto found = functions_.find(call.function);
  source::internal_check(found != functions_.end(), "types_of: unknown function " + call.function.base);
  const Signature& signature = found->second;
  source::internal_check(signature.params.size() == call.args.size(), "types_of: count of arguments");
  Substitution args;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    args.emplace(signature.params[i].name, call.args[i]);
  }
  Types types = signature.result_types;
  for (Type& type : types) substitute(type, args);
  return types;
}

}  // namespace boustro::ir
