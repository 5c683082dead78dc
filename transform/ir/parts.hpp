// What an expression consists of, said once: every walk (free names, substitution, renaming, ...) is a
// visitor of these parts. Internal to transform/ir; passes use traversal.hpp.
//
// A visitor has
//   use(name or atom)   an occurrence, sizes included
//   bind(name)          a binding, before anything that may mention it
//   typed(name, type)   optional: after the sizes in the type of a binding were visited
//   lambda(lambda), body(body)
// One that takes them by const reference may visit const expressions.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::ir::parts {

template <typename T, typename Visitor>
void use_all(std::vector<T>& names_or_atoms, Visitor& v) {
  for (T& operand : names_or_atoms) v.use(operand);
}

template <typename Visitor>
void tell_type(const Name& name, const Type& type, Visitor& v) {
  if constexpr (requires { v.typed(name, type); }) v.typed(name, type);
}

/// A list of parameters or a pattern: all names first, since types mention other names of the list.
template <typename Visitor>
void bind_all(std::vector<Param>& params, Visitor& v) {
  for (Param& param : params) v.bind(param.name);
  for (Param& param : params) {
    use_all(param.type.shape, v);
    tell_type(param.name, param.type, v);
  }
}

template <typename Visitor>
void use_indices(std::vector<DimIndex>& indices, Visitor& v) {
  for (DimIndex& index : indices) {
    match(
        index, [&](Atom& i) { v.use(i); },
        [&](Slice& slice) {
          v.use(slice.start);
          v.use(slice.count);
          v.use(slice.stride);
        });
  }
}

template <typename Visitor>
void visit_loop(Loop& loop, Visitor& v) {
  for (LoopParam& p : loop.params) v.use(p.init);
  auto* for_loop = std::get_if<ForLoop>(&loop.form);
  if (for_loop) v.use(for_loop->bound);
  for (LoopParam& p : loop.params) v.bind(p.param.name);
  for (LoopParam& p : loop.params) {
    use_all(p.param.type.shape, v);
    tell_type(p.param.name, p.param.type, v);
  }
  if (for_loop) {
    v.bind(for_loop->index);
    tell_type(for_loop->index, scalar(for_loop->type), v);
  } else {
    v.use(std::get<WhileLoop>(loop.form).condition);
  }
  v.body(loop.body);
}

template <typename Visitor>
void visit_operators(std::vector<Operator>& operators, Visitor& v) {
  for (Operator& op : operators) {
    v.lambda(op.op);
    use_all(op.neutral, v);
  }
}

template <typename Visitor>
void visit_histograms(std::vector<Histogram>& histograms, Visitor& v) {
  for (Histogram& histogram : histograms) {
    use_all(histogram.shape, v);
    use_all(histogram.destinations, v);
    v.lambda(histogram.op);
    use_all(histogram.neutral, v);
  }
}

template <typename Visitor>
void visit_inputs(std::vector<AccumulatorInput>& inputs, Visitor& v) {
  for (AccumulatorInput& input : inputs) {
    v.use(input.destination);
    if (auto* combine = std::get_if<Combine>(&input.kind)) {
      v.lambda(combine->op);
      v.use(combine->neutral);
    }
  }
}

template <typename Visitor>
void visit_outs(std::vector<Out>& outs, Visitor& v) {
  for (Out& out : outs) {
    use_all(out.bins, v);
    use_all(out.destinations, v);
    if (!out.op) continue;
    v.lambda(out.op->op);
    use_all(out.op->neutral, v);
    if (out.epilogue) v.lambda(*out.epilogue);
  }
}

/// The parts of one expression.
template <typename Visitor>
void visit(Exp& exp, Visitor& v) {
  match(
      exp,  //
      [&](AtomExp& e) { v.use(e.atom); },
      [&](UnOp& e) { v.use(e.operand); },
      [&](BinOp& e) { v.use(e.lhs), v.use(e.rhs); },
      [&](CmpOp& e) { v.use(e.lhs), v.use(e.rhs); },
      [&](Convert& e) { v.use(e.operand); },
      [&](MathOp& e) { use_all(e.args, v); },
      [&](If& e) { v.use(e.condition), v.body(e.then_body), v.body(e.else_body); },
      [&](Loop& e) { visit_loop(e, v); },
      [&](Call& e) { use_all(e.args, v); },
      [&](Assert& e) { v.use(e.condition), use_all(e.args, v); },
      [&](ArrayLiteral& e) { use_all(e.row.shape, v), use_all(e.elements, v); },
      [&](Iota& e) { v.use(e.width); },
      [&](Replicate& e) { use_all(e.shape, v), v.use(e.value); },
      [&](Scratch& e) { use_all(e.shape, v); },
      [&](Copy& e) { v.use(e.array); },
      [&](Sort& e) { v.use(e.first_bit), v.use(e.end_bit), v.use(e.array); },
      [&](Concat& e) { v.use(e.width), use_all(e.arrays, v); },
      [&](Rearrange& e) { v.use(e.array); },
      [&](Reshape& e) { use_all(e.shape, v), v.use(e.array); },
      [&](Coerce& e) { use_all(e.shape, v), v.use(e.array); },
      [&](Index& e) { v.use(e.array), use_indices(e.indices, v); },
      [&](Update& e) { v.use(e.array), use_indices(e.indices, v), v.use(e.value); },
      [&](Map& e) {
        v.use(e.width), v.lambda(e.fn), use_all(e.arrays, v), use_all(e.accumulators, v);
      },
      [&](Reduce& e) {
        v.use(e.width), v.lambda(e.op), use_all(e.neutral, v), use_all(e.arrays, v);
      },
      [&](Scan& e) { v.use(e.width), v.lambda(e.op), use_all(e.neutral, v), use_all(e.arrays, v); },
      [&](MapReduce& e) {
        v.use(e.width), visit_operators(e.operators, v), v.lambda(e.fn);
        use_all(e.arrays, v), use_all(e.accumulators, v);
      },
      [&](MapScan& e) {
        v.use(e.width), visit_operators(e.operators, v), v.lambda(e.fn), use_all(e.arrays, v);
      },
      [&](ReduceByIndex& e) {
        v.use(e.width), visit_histograms(e.histograms, v), v.lambda(e.fn), use_all(e.arrays, v);
      },
      [&](Scatter& e) {
        v.use(e.width), use_all(e.indices, v), use_all(e.destinations, v), use_all(e.values, v);
      },
      [&](WithAcc& e) { visit_inputs(e.inputs, v), v.lambda(e.fn); },
      [&](UpdateAcc& e) { v.use(e.accumulator), use_all(e.indices, v), v.use(e.value); },
      [&](Nest& e) {
        use_all(e.space, v), v.lambda(e.point), use_all(e.accumulators, v), visit_outs(e.outs, v);
      },
      [&](Jvp& e) {
        v.lambda(e.fn), use_all(e.args, v), use_all(e.tangents, v), use_all(e.seed_shape, v);
      },
      [&](Vjp& e) {
        v.lambda(e.fn), use_all(e.args, v), use_all(e.adjoints, v), use_all(e.seed_shape, v);
      },
      [&](WithVjp& e) { v.lambda(e.fn), v.lambda(e.vjp), use_all(e.args, v); });
}

template <typename Visitor>
void visit(Stm& stm, Visitor& v) {
  visit(stm.exp, v);
  for (Attribute& attribute : stm.attributes) use_all(attribute.args, v);
  bind_all(stm.pattern, v);
}

template <typename Visitor>
void visit(Body& body, Visitor& v) {
  for (Stm& stm : body.stms) visit(stm, v);
  use_all(body.result, v);
}

template <typename Visitor>
void visit(Lambda& lambda, Visitor& v) {
  bind_all(lambda.params, v);
  v.body(lambda.body);
  for (Type& type : lambda.result_types) use_all(type.shape, v);
}

template <typename Visitor>
void visit(Function& function, Visitor& v) {
  bind_all(function.params, v);
  v.body(function.body);
  for (Type& type : function.result_types) use_all(type.shape, v);
}

/// For visitors that only look: they take const references, so nothing is written.
template <typename Node, typename Visitor>
void visit(const Node& node, Visitor& v) {
  visit(const_cast<Node&>(node), v);
}

/// A visitor of everything inside, at any depth.
template <typename Derived>
struct Deep {
  void lambda(Lambda& lambda) { visit(lambda, self()); }
  void body(Body& body) { visit(body, self()); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace boustro::ir::parts
