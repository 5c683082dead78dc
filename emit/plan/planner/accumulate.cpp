// Accumulators inside a thread. Additions by several threads are atomic.
#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/walk.hpp"
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
  const auto add = [&] { add_to(with_peers(accumulator, cell, e.indices), cell, added); };
  const bool is_sum = std::holds_alternative<ir::AddUp>(accumulator.kind) && std::holds_alternative<Scalar>(added);
  is_sum ? add_inside(inside, e.indices, add) : guarded(inside, add);
}

void Code::add_inside(const std::optional<Expr>& condition, const std::vector<ir::Atom>& indices, const std::function<void()>& add) {
  if (!condition) return add();
  if (*condition == false_lit()) return;
  const bool again = guard_ && guard_->condition == *condition && (!guard_->peers || differ_by_constants(guard_->peers->indices, indices));
  if (!again) {
    std::optional<Peers> peers;
    guarded(condition, [&] { add(), peers = peers_; });
    guard_ = Guard{*condition, peers};
    return;
  }
  Guard guard = *guard_;
  Stms body = collect([&] {
    nonzero_.assume(*condition);
    peers_ = guard.peers;
    add();
    guard.peers = peers_;
  });
  Stms& before = std::get<If>(out_.back().what).then_body;
  before.insert(before.end(), std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
  guard_ = std::move(guard);
}

// ---- Lanes of a warp that add to the same cell

void Code::note_shift(const ir::Name& sum, const ir::BinOp& e) {
  const ir::Name* name = ir::name_in(e.lhs);
  if (!name || !ir::literal_in(e.rhs) || !values::is_integer(e.type) || (e.kind != ir::BinOpKind::add && e.kind != ir::BinOpKind::sub)) return;
  const auto before = shifted_.find(*name);
  shifted_.insert_or_assign(sum, before == shifted_.end() ? *name : ir::Name(before->second));
}

bool Code::differ_by_constants(const std::vector<ir::Atom>& x, const std::vector<ir::Atom>& y) const {
  const auto root = [&](const ir::Atom& atom) -> ir::Atom {
    const ir::Name* name = ir::name_in(atom);
    if (!name) return PrimValue::zero(PrimType::i64);
    const auto found = shifted_.find(*name);
    return found == shifted_.end() ? *name : found->second;
  };
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [&](const ir::Atom& a, const ir::Atom& b) { return root(a) == root(b); });
}

bool Code::may_leave(const Stms& stms) {
  bool leaves = false;
  for_each_stm(stms, [&](const Stm& stm) {
    leaves = leaves || std::holds_alternative<Return>(stm.what) || std::holds_alternative<Continue>(stm.what) || std::holds_alternative<Break>(stm.what);
  });
  return leaves;
}

Accumulator Code::with_peers(const Accumulator& accumulator, const View& cell, const std::vector<ir::Atom>& indices) {
  if (!accumulator.by_warp) return accumulator;
  Accumulator result = accumulator;
  if (!peers_ || !differ_by_constants(peers_->indices, indices)) {
    const Memory& memory = *cell.memory();
    peers_ = {indices, named("peers", runtime::warp_peers(plus(memory.base, memory.offset)))};
  }
  result.peers = peers_->expr;
  return result;
}

void Code::add_to(const Accumulator& accumulator, const View& cell, const Value& value) {
  if (cell.rank() > 0) {
    return loop(cell.extents[0], letter_of(context_.letters, cell.extents[0].expr), [&](const Scalar& i) {
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
    if (kind) return emit(Atomic{*kind, target, element, {}, accumulator.peers});
    const auto callee = [&](const ir::Name& name) -> const ir::Function& { return context_.function(name); };
    source::internal_check(ir::is_closed(op, callee), "plan: an operator that threads cannot share should have become a loop");
    return emit(
        Atomic{AtomicKind::combine, target, element, context_.functor_for(op, true, simple ? operator_name(op, "") : "Combine"), accumulator.peers});
  }
  context_.uses.add(op);
  bind(op.params[0].name, Scalar{target});
  bind(op.params[1].name, Scalar{value});
  body(op.body);
  assign(target, final_value(op.body.result[0]));
}

}  // namespace boustro::plan::planner
