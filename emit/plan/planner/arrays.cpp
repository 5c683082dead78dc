// Arrays inside a thread: literals, copies, indices and updates in place.
#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

void Code::array_literal(const ir::Stm& stm, const ir::ArrayLiteral& literal) {
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

void Code::check_sizes(const ir::Stm& stm, const ir::Shape& shape) {
  for (const ir::Atom& size : shape) {
    const Scalar extent = scalar(size);
    if (!context_.options.checks || not_negative(extent.range)) continue;
    const Expr negative = extent.expr < 0;
    const bool on_host = surroundings_.host && context_.gpu();
    if (on_host && !context_.is_late(extent.expr)) {
      emit(RejectIf{negative});
    } else {
      const int site = context_.check_site(stm.origin, "negative array size {}");
      Stms failed{Fail{surroundings_.failure(), site, {cast(PrimType::i64, extent.expr)}}};
      if (on_host) failed.push_back(Return{});
      emit(If{negative, std::move(failed)});
    }
  }
}

void Code::replicate(const ir::Stm& stm, const ir::Replicate& replicate) {
  check_sizes(stm, replicate.shape);
  View result{stm.pattern[0].type.elem, extents(stm.pattern[0].type.shape), {}};
  const ir::Name* name = ir::name_in(replicate.value);
  const View* array = name ? std::get_if<View>(&value_of(*name)) : nullptr;
  if (!array || array->rank() == 0) {
    result.data = Constant{named(stm.pattern[0].name.base, value(replicate.value))};
  } else if (const Memory* memory = array->memory()) {
    // Every row is the same memory.
    Memory rows{memory->base, memory->offset, std::vector<Expr>(replicate.shape.size(), lit(0))};
    rows.strides.insert(rows.strides.end(), memory->strides.begin(), memory->strides.end());
    result.data = rows;
  } else if (std::holds_alternative<Constant>(array->data)) {
    result.data = array->data;
  } else {
    const View to = place(stm.pattern[0]);
    loop(to.extents[0], "i", [&](const Scalar& i) { copy(row(to, i.expr), *array); });
    result = to;
  }
  bind(stm.pattern[0].name, result);
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
  if (context_.options.checks) {
    std::optional<Expr> differs;
    std::vector<Expr> values;
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      const Expr x = result.extents[i].expr, y = claimed[i].expr;
      if (x == y || (int_value(x) && int_value(x) == int_value(y))) continue;
      const Expr unequal = not_equal(cast(PrimType::i64, x), cast(PrimType::i64, y));
      differs = differs ? *differs || unequal : unequal;
      values = {cast(PrimType::i64, x), cast(PrimType::i64, y)};
    }
    if (differs) {
      const int site = context_.check_site(stm.origin, "size is {} instead of {}");
      check(!*differs, Fail{surroundings_.failure(), site, values});
    }
  }
  result.extents = claimed;
  bind(stm.pattern[0].name, result);
}

// ---- Indices

std::optional<Expr> Code::bounds(const std::vector<Expr>& indices,
                                 const std::vector<Scalar>& extents, const ir::Provenance* origin,
                                 const std::vector<Scalar>& scalars) {
  std::optional<Expr> inside;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Scalar& extent = extents[i];
    const auto& range = scalars[i].range;
    const auto size = int_value(extent.expr);
    if (size && range && range->low >= 0 && range->high < *size) continue;
    if (origin && !context_.options.checks) continue;
    const Expr at = cast(PrimType::i64, indices[i]), end = cast(PrimType::i64, extent.expr);
    Expr test = not_negative(range) ? indices[i] < extent.expr
                                    : indices[i] >= 0 && indices[i] < extent.expr;
    if (origin) {
      const int site = context_.check_site(*origin, "index {} is out of bounds for size {}");
      test = runtime::check_index(surroundings_.failure(), site, at, end);
    }
    inside = inside ? *inside && test : test;
  }
  return inside;
}

namespace {

/// The element that is read instead of one out of bounds.
Expr zero(PrimType elem) { return lit(PrimValue::zero(elem)); }

}  // namespace

std::optional<Expr> Code::in_bounds(const std::vector<ir::DimIndex>& indices, const View& array,
                                    const ir::Provenance& origin) {
  std::vector<Scalar> scalars, sizes;
  std::vector<Expr> at;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const ir::Atom* atom = std::get_if<ir::Atom>(&indices[i]);
    if (!atom) continue;
    Scalar here = scalar(*atom);
    here.expr = named("index", here.expr);  // the check is its second use
    if (const ir::Name* name = ir::name_in(*atom)) rebind(*name, here);
    scalars.push_back(here);
    at.push_back(here.expr);
    sizes.push_back(array.extents[i]);
  }
  const std::optional<Expr> inside = bounds(at, sizes, &origin, scalars);
  if (!context_.options.checks) return inside;
  const std::optional<Expr> ranges = slice_checks(indices, array, origin);
  return inside && ranges ? *inside && *ranges : inside ? inside : ranges;
}

void Code::index_(const ir::Stm& stm, const ir::Index& e) {
  const View array = view(e.array);
  std::optional<Expr> inside;
  if (e.checked) inside = in_bounds(e.indices, array, stm.origin);
  View part = slice(array, e.indices);
  if (part.rank() == 0) {
    Scalar loaded = load(part);
    if (inside) loaded = {select(*inside, loaded.expr, zero(part.elem))};
    return bind_scalar(stm.pattern[0].name, std::move(loaded));
  }
  // Nothing can be read where the row would be: it becomes the first one, or empty.
  if (inside && part.memory()) {
    const Expr ok = named("inside", *inside);
    Memory memory = *part.memory();
    memory.offset = named("offset", select(ok, cast(PrimType::i64, memory.offset), lit(0)));
    part.data = memory;
  }
  bind_row(stm.pattern[0].name, part);
}

std::optional<Expr> Code::slice_checks(const std::vector<ir::DimIndex>& indices, const View& array,
                                       const ir::Provenance& origin) {
  std::optional<Expr> result;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto* range = std::get_if<ir::Slice>(&indices[i]);
    if (!range) continue;
    const Expr start = value(range->start), count = value(range->count),
               step = value(range->stride);
    const Expr size = cast(PrimType::i64, array.extents[i].expr);
    if (is_zero(start) && is_one(step) && count == size) continue;
    const Expr last = plus(start, times(minus(count, lit(1)), step));
    const Expr inside = equal(count, lit(0)) ||
                        (start >= 0 && start < size && last >= 0 && last < size && count > 0);
    const Expr ok = named("inside", inside);
    const int site =
        context_.check_site(origin, "slice from {} of {} elements is out of bounds for size {}");
    check(ok, Fail{surroundings_.failure(), site, {start, count, size}});
    result = result ? *result && ok : ok;
  }
  return result;
}

void Code::update(const ir::Stm& stm, const ir::Update& e) {
  const View whole = consumed(e.array);
  std::optional<Expr> inside;
  if (e.checked) inside = in_bounds(e.indices, whole, stm.origin);
  const View part = slice(whole, e.indices);
  guarded(inside, [&] {
    if (part.rank() == 0) return store(part, value(e.value));
    copy(part, view(std::get<ir::Name>(e.value)));
  });
  bind(stm.pattern[0].name, whole);
}

}  // namespace boustro::plan::planner
