// Copies of arrays at the host's level, and arrays put together from others.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/layout.hpp"

namespace boustro::plan::planner {
namespace {

Expr count_of(const View& view) {
  std::vector<Expr> factors;
  for (const Scalar& extent : view.extents) factors.push_back(extent.expr);
  return product(factors);
}

bool is_zero_constant(const View& view) {
  const auto* constant = std::get_if<Constant>(&view.data);
  const auto* literal = constant ? std::get_if<Literal>(&constant->value.head) : nullptr;
  return literal && literal->value.bits == 0;
}

/// Where the element is, of which the array has one copy.
const Expr* only_element(const View& view) {
  const auto* constant = std::get_if<Constant>(&view.data);
  const bool in_memory = constant && std::holds_alternative<Element>(constant->value.head) && is_zero(constant->value.args[1]);
  return in_memory && is_one(count_of(view)) ? &constant->value.args[0] : nullptr;
}

}  // namespace

void Host::copy(const View& to, const View& from, const std::string& base, const ir::Stm* stm, std::string why) {
  if (same_memory(to, from)) return;
  if (std::any_of(to.extents.begin(), to.extents.end(), [](const Scalar& extent) { return int_value(extent.expr) == 0; })) return;
  if (lies_dense(to, context_.tables) && is_zero_constant(from))
    return code_.emit(plan::Fill{start_of(to), count_of(to)});
  if (lies_dense(to, context_.tables) && lies_dense(from, context_.tables))
    return code_.emit(plan::Copy{start_of(to), start_of(from), count_of(to), std::move(why)});
  if (const Expr* element = only_element(from); element && lies_dense(to, context_.tables))
    return code_.emit(plan::Copy{start_of(to), *element, lit(1), std::move(why)});
  Space space{
      .base = base, .extents = {}, .index_bases = {}, .stm = stm, .grid = "one thread per element"};
  const auto add = [&](const Scalar& extent) {
    const std::string letter = letter_of(context_.letters, extent.expr);
    const bool is_taken = !space.index_bases.empty() && space.index_bases[0] == letter;
    space.extents.push_back(extent), space.index_bases.push_back(is_taken ? letter == "i" ? "j" : "i" : letter);
  };
  if (to.rank() > 0) add(to.extents.front());
  if (to.rank() > 1) add(to.extents.back());
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    const View target = capture.written(to, base);
    const View source = std::get<View>(capture.import(Value(from), "source"));
    const std::function<void(const View&, const View&, std::size_t)> level =
        [&](const View& x, const View& y, std::size_t at) {
          if (x.rank() == 0) return code.copy(x, y);
          const auto inside = [&](const Scalar& i) {
            level(code.row(x, i.expr), code.row(y, i.expr), at + 1);
          };
          if (at == 0) return inside(indices[0]);
          if (x.rank() == 1) return inside(indices[1]);
          code.loop(x.extents[0], "l", inside);
        };
    level(target, source, 0);
  });
}

/// The part at indices that the device knows.
void Host::copy_part(const ir::Stm& stm, const ir::Index& e) {
  if (stm.pattern[0].type.is_scalar()) return sequential(stm);
  const View to = place(stm.pattern[0]);
  launch({.base = stm.pattern[0].name.base,
          .extents = {to.extents[0]},
          .index_bases = {letter_of(context_.letters, to.extents[0].expr)},
          .stm = &stm,
          .grid = "one thread per {0}"},
         [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
           const View target = capture.written(to, stm.pattern[0].name.base);
           code.index_at(stm, e, target, indices[0]);
         });
  code_.bind(stm.pattern[0].name, to);
}

View Host::in_memory(const View& view, const std::string& base, const ir::Stm* stm) {
  const View to = allocate_array(context_, identifiers_, code_, base, view.elem, view.extents);
  copy(to, view, base, stm, "which is updated while others need what it was");
  return to;
}

/// An array that is consumed, as memory of the entry that may be written.
View Host::writable(const ir::Name& name, const ir::Stm* stm) {
  const View view = code_.view(name);
  if (is_updatable(view)) return view;
  if (const auto claimed = code_.destination(name)) {
    return moved(code_.fitting(name, *claimed, view.extents), view, name.base, stm, "which is updated while others need what it was");
  }
  return in_memory(view, name.base, stm);
}

/// Elements that do not lie one after the other are copied to where the result is to be.
void Host::reshape(const ir::Stm& stm, const ir::Reshape& e) {
  code_.check_sizes(stm, e.shape);
  const View from = code_.view(e.array);
  if (code_.can_be_reshaped(from, e.shape.size())) return code_.stm(stm);
  const View to = place(stm.pattern[0]);
  Memory memory = *to.memory();
  memory.strides = dense_strides(from.extents, lit(1));
  copy({to.elem, from.extents, std::move(memory)}, from, stm.pattern[0].name.base, &stm, "in another order than it lies");
  code_.bind(stm.pattern[0].name, to);
}

void Host::concat(const ir::Stm& stm, const ir::Concat& e) {
  const View to = place(stm.pattern[0]);
  Expr start = lit(0);
  for (const ir::Name& name : e.arrays) {
    const View from = code_.view(name);
    View part = to;
    Memory memory = *to.memory();
    memory.offset = plus(memory.offset, times(start, memory.strides[0]));
    part.data = memory;
    part.extents[0] = from.extents[0];
    copy(part, from, stm.pattern[0].name.base, &stm, "one part of an array");
    start = plus(start, from.extents[0].expr);
  }
  code_.bind(stm.pattern[0].name, to);
}

void Host::array_literal(const ir::Stm& stm, const ir::ArrayLiteral& e) {
  if (code_.table(stm, e)) return;
  if (e.row.is_scalar()) return sequential(stm);
  const View to = place(stm.pattern[0]);
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    const View row = code_.row(to, lit(static_cast<std::int64_t>(i)));
    copy(row, std::get<View>(value_of(e.elements[i])), stm.pattern[0].name.base, &stm, "one row of an array");
  }
  code_.bind(stm.pattern[0].name, to);
}

}  // namespace boustro::plan::planner
