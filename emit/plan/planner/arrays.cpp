// Arrays inside a thread: literals, copies, indices and updates in place.
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/layout.hpp"

namespace boustro::plan::planner {

bool Code::table(const ir::Stm& stm, const ir::ArrayLiteral& literal) {
  const auto& [name, type, unique] = stm.pattern[0];
  if (destinations_.contains(name) || context_.uses.of(name).consumed) return false;
  const auto row = [&](const ir::Name& array) { return knows(array) ? std::get_if<View>(&value_of(array)) : nullptr; };
  const auto values = context_.tables.values_of(literal, row);
  if (!values) return false;
  View array{type.elem, extents(type.shape), {}};
  const std::vector<std::string> shape = shape_text(array);
  const Table* table = context_.tables.find(type.elem, *values, shape);
  if (!table)
    table = &context_.tables.add({context_.file_name(name.base + "_table"), type.elem, *values, shape, context_.line_of(stm.origin)});
  array.data = Memory{var(table->name, const_pointer_to(scalar_type(type.elem))), lit(0), dense_strides(array.extents)};
  bind(name, std::move(array));
  return true;
}

void Code::array_literal(const ir::Stm& stm, const ir::ArrayLiteral& literal) {
  if (table(stm, literal)) return;
  const View to = place(stm.pattern[0]);
  for (std::size_t i = 0; i < literal.elements.size(); ++i) {
    const View cell = row(to, lit(static_cast<std::int64_t>(i), PrimType::i32));
    if (cell.rank() == 0) {
      store(cell, value(literal.elements[i]));
    } else {
      copy(cell, view(std::get<ir::Name>(literal.elements[i])));
    }
  }
  bind(stm.pattern[0].name, to);
}

void Code::replicate(const ir::Stm& stm, const ir::Replicate& replicate) {
  check_sizes(stm, replicate.shape);
  View result{stm.pattern[0].type.elem, extents(stm.pattern[0].type.shape), {}};
  const ir::Name* name = ir::name_in(replicate.value);
  const View* array = name ? std::get_if<View>(&value_of(*name)) : nullptr;
  if (!array || array->rank() == 0) {
    const auto range = array ? std::nullopt : scalar(replicate.value).range;
    result.data = Constant{named(stm.pattern[0].name.base, value(replicate.value)), range};
  } else if (std::holds_alternative<Constant>(array->data)) {
    result.data = array->data;
  } else if (array->memory() && context_.settled(*name)) {
    result = repeated(*array, result.extents);
  } else {
    result = place(stm.pattern[0]);
    copy_to_each(result, *array);
  }
  bind(stm.pattern[0].name, result);
}

/// Every row is the same memory.
View Code::repeated(const View& row, const std::vector<Scalar>& extents) const {
  const Memory& memory = *row.memory();
  Memory rows{memory.base, memory.offset, std::vector<Expr>(extents.size() - row.extents.size(), lit(0))};
  rows.strides.insert(rows.strides.end(), memory.strides.begin(), memory.strides.end());
  return {row.elem, extents, std::move(rows)};
}

void Code::copy_to_each(const View& rows, const View& row) {
  if (rows.rank() == row.rank()) return copy(rows, row);
  loop(rows.extents[0], letter_of(context_.letters, rows.extents[0].expr), [&](const Scalar& i) { copy_to_each(this->row(rows, i.expr), row); });
}

void Code::concat(const ir::Stm& stm, const ir::Concat& concat) {
  const View to = place(stm.pattern[0]);
  Scalar start = size_literal(0);
  for (const ir::Name& name : concat.arrays) {
    const View from = view(name);
    View part{to.elem, to.extents, to.data};
    Memory memory = *to.memory();
    memory.offset = plus(memory.offset, times(start.expr, memory.strides[0]));
    part.extents[0] = from.extents[0];
    part.data = memory;
    copy(part, from);
    start.expr = plus(start.expr, from.extents[0].expr);
  }
  bind(stm.pattern[0].name, to);
}

void Code::rearrange(const ir::Stm& stm, const ir::Rearrange& rearrange) {
  View from = view(rearrange.array);
  if (std::holds_alternative<Counting>(from.data)) return bind(stm.pattern[0].name, from);
  View result{from.elem, {}, from.data};
  Memory memory{};
  if (from.memory()) memory = Memory{from.memory()->base, from.memory()->offset, {}};
  for (const int dim : rearrange.permutation) {
    const auto place = static_cast<std::size_t>(dim);
    result.extents.push_back(from.extents[place]);
    if (from.memory()) memory.strides.push_back(from.memory()->strides[place]);
  }
  if (from.memory()) result.data = memory;
  bind(stm.pattern[0].name, result);
}

void Code::coerce(const ir::Stm& stm, const ir::Coerce& coerce) {
  View result = view(coerce.array);
  const std::vector<Scalar> claimed = extents(coerce.shape);
  check_equal(result.extents, claimed, stm);
  // From here on both are the same sizes: in their terms it can be seen that the array can be reshaped where it is.
  if (is_dense(result) && result.rank() > 0 && !destination(stm.pattern[0].name)) {
    Memory memory = *result.memory();
    memory.strides = dense_strides(claimed, memory.strides.back());
    result.data = std::move(memory);
  }
  result.extents = claimed;
  bind(stm.pattern[0].name, result);
}

void Code::check_equal(const std::vector<Scalar>& sizes, const std::vector<Scalar>& claimed, const ir::Stm& stm) {
  if (!checks()) return;
  std::optional<Expr> rejected;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    const Expr x = sizes[i].expr, y = claimed[i].expr;
    if (x == y || (int_value(x) && int_value(x) == int_value(y))) continue;
    const Expr size = cast(PrimType::i64, x), other = cast(PrimType::i64, y), differs = not_equal(size, other);
    // A return sweep makes of an array what it was.
    if (checked_.contains(differs) || checked_.contains(not_equal(other, size))) continue;
    checked_.add(differs);
    if (rejects() && !context_.is_late(differs)) {
      rejected = rejected ? *rejected || differs : differs;
    } else {
      fail_if(differs, stm.origin, "size is {} instead of {}", {size, other});
    }
  }
  if (rejected) emit(RejectIf{*rejected});
}

// ---- Indices

void Code::index_(const ir::Stm& stm, const ir::Index& e) {
  const View array = view(e.array);
  if (e.checked) check_access(e.indices, array, stm.origin);
  View part = slice(array, e.indices);
  if (part.rank() == 0) return bind_scalar(stm.pattern[0].name, load(part));
  bind_row(stm.pattern[0].name, part);
}

void Code::index_at(const ir::Stm& stm, const ir::Index& e, const View& to, const Scalar& at) {
  const View array = view(e.array);
  if (e.checked) check_access(e.indices, array, stm.origin);
  copy(row(to, at.expr), row(slice(array, e.indices), at.expr));
}

void Code::update_at(const ir::Stm& stm, const ir::Update& e, const Scalar& at) {
  const View whole = consumed(e.array);
  if (e.checked) check_access(e.indices, whole, stm.origin);
  copy(row(slice(whole, e.indices), at.expr), row(view(std::get<ir::Name>(e.value)), at.expr));
}

void Code::update(const ir::Stm& stm, const ir::Update& e) {
  const View whole = consumed(e.array);
  if (e.checked) check_access(e.indices, whole, stm.origin);
  const View part = slice(whole, e.indices);
  if (part.rank() == 0) {
    store(part, value(e.value));
  } else {
    copy(part, view(std::get<ir::Name>(e.value)));
  }
  bind(stm.pattern[0].name, whole);
}

}  // namespace boustro::plan::planner
