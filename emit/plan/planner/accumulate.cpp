// Accumulators inside a thread. Additions by several threads are atomic.
#include "emit/plan/planner/code.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/closed.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

void Code::with_acc(const ir::Stm& stm, const ir::WithAcc& e) {
  for (std::size_t i = 0; i < e.inputs.size(); ++i) {
    const View destination = consumed(e.inputs[i].destination);
    bind(e.fn.params[i].name, Accumulator{destination, e.inputs[i].kind, false});
  }
  Results results = body(e.fn.body);
  for (std::size_t i = 0; i < e.inputs.size(); ++i) {
    results[i] = std::get<Accumulator>(results[i]).destination;
  }
  bind_results(stm.pattern, results);
}

void Code::update_acc(const ir::Stm& stm, const ir::UpdateAcc& e) {
  add_one(e, {});
  bind(stm.pattern[0].name, accumulator(e.accumulator));
}

void Code::add_one(const ir::UpdateAcc& e, const std::vector<Scalar>& index) {
  const Accumulator accumulator = this->accumulator(e.accumulator);
  std::vector<Scalar> scalars;
  std::vector<ir::DimIndex> indices;
  for (const ir::Atom& atom : e.indices) {
    Scalar here = scalar(atom);
    if (!e.in_bounds) {
      here.expr = named("cell", here.expr);
      if (const ir::Name* name = ir::name_in(atom)) rebind(*name, here);
    }
    scalars.push_back(here);
    indices.push_back(atom);
  }
  const std::optional<Expr> inside =
      e.in_bounds ? std::nullopt : Code::inside(scalars, accumulator.destination.extents);
  const ir::Name* name = ir::name_in(e.value);
  const View* array = name ? std::get_if<View>(&value_of(*name)) : nullptr;
  Value added = array && array->rank() > 0 ? Value(*array) : Value(Scalar{value(e.value)});
  View cell = slice(accumulator.destination, indices);
  if (!index.empty()) {
    const View part = row(*array, index[0].expr);
    added = part.rank() == 0 ? Value(load(part)) : Value(part);
    cell = row(cell, index[0].expr);
  }
  guarded(inside, [&] { add_to(accumulator, cell, added); });
}

void Code::add_to(const Accumulator& accumulator, const View& cell, const Value& value) {
  if (cell.rank() > 0) {
    return loop(cell.extents[0], "i", [&](const Scalar& i) {
      const View* rows = std::get_if<View>(&value);
      const View part = row(*rows, i.expr);
      add_to(accumulator, row(cell, i.expr), part.rank() == 0 ? Value(load(part)) : Value(part));
    });
  }
  const View* element = std::get_if<View>(&value);
  combine(accumulator, cell, element ? load(*element).expr : std::get<Scalar>(value).expr);
}

namespace {

std::optional<AtomicKind> atomic_kind(ir::BinOpKind kind, PrimType type) {
  // CUDA has no atomics on 8 and 16 bits, and its minimum of floats is another one.
  const bool machine_integer = values::is_integer(type) && values::byte_size(type) >= 4;
  if (kind == ir::BinOpKind::add &&
      (machine_integer || type == PrimType::f32 || type == PrimType::f64)) {
    return AtomicKind::add;
  }
  if (kind == ir::BinOpKind::min && machine_integer) return AtomicKind::min;
  if (kind == ir::BinOpKind::max && machine_integer) return AtomicKind::max;
  return std::nullopt;
}

}  // namespace

void Code::combine(const Accumulator& accumulator, const View& cell, const Expr& value) {
  const Expr target = cell.memory()->base[cell.memory()->offset];
  if (std::holds_alternative<ir::Overwrite>(accumulator.kind)) {
    if (accumulator.shared)
      return emit(Atomic{AtomicKind::exchange, target, cast(cell.elem, value)});
    return assign(target, value);
  }
  if (accumulator.once) return assign(target, cast(cell.elem, value));

  ir::Lambda op;
  if (const auto* combine = std::get_if<ir::Combine>(&accumulator.kind)) {
    op = combine->op;
    source::internal_check(op.params[0].type.is_scalar(), "plan: an operator on rows should have become a loop");
  } else {
    ir::Builder builder(context_.names);
    const ir::Type elem = ir::scalar(cell.elem);
    op = builder.lambda(
        {{"x", elem}, {"y", elem}}, [&](ir::Builder& b, const std::vector<ir::Name>& args) {
          return std::vector<ir::Atom>{b.binop("sum", ir::BinOpKind::add, args[0], args[1])};
        });
  }
  if (accumulator.shared) {
    const auto simple = ir::as_binop(op);
    const auto kind = simple ? atomic_kind(*simple, cell.elem) : std::nullopt;
    const Expr element = cast(cell.elem, value);  // a size may be narrower
    if (kind) return emit(Atomic{*kind, target, element});
    const auto callee = [&](const ir::Name& name) -> const ir::Function& { return context_.function(name); };
    source::internal_check(ir::is_closed(op, callee), "plan: an operator that threads cannot share should have become a loop");
    return emit(
        Atomic{AtomicKind::combine, target, element, context_.functor_for(op, true, "Combine")});
  }
  context_.uses.add(op);
  bind(op.params[0].name, Scalar{target});
  bind(op.params[1].name, Scalar{value});
  body(op.body);
  assign(target, final_value(op.body.result[0]));
}

}  // namespace boustro::plan::planner
