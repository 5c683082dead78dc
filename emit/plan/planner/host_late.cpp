// Sizes that only the device knows: the host waits for them, and what they are the sizes of comes from the allocator.
#include <algorithm>
#include <utility>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/memory_sizes.hpp"

namespace boustro::plan::planner {

// ---- Waiting

Scalar Host::fetch(const ir::Atom& atom) {
  if (const ir::Name* name = ir::name_in(atom)) compute(*name);
  const Value value = value_of(atom);
  if (const auto* known = std::get_if<Scalar>(&value)) return *known;
  const ir::Name& name = std::get<ir::Name>(atom);
  const Expr pointer = std::get<Cell>(value).pointer;
  const Type type = elem_of(pointer.type);
  const Expr here = var(identifiers_.fresh(name.base + "_now"), type);
  context_.entry.waits = true;
  ++waits_;
  code_.emit(Read{std::get<Var>(here.head).name, type, pointer});
  const Scalar result{.expr = here, .upper = here, .exact = true};
  fetched_.emplace_back(name, value);
  code_.bind(name, result);
  return result;
}

namespace {

/// On any processor the same.
bool is_exact(const ir::Exp& exp, const ir::Names& names) {
  bool result = ir::is_scalar_operation(exp) && !ir::may_fail(exp);
  ir::for_each_atom(exp, [&](const ir::Atom& atom) {
    result = result && !values::is_float(names.type_of(atom).elem);
  });
  return result && !values::is_float(names.types_of(exp)[0].elem);
}

}  // namespace

/// What a kernel was to compute of numbers that the host did not know then.
void Host::note_arithmetic(const ir::Stm& stm) {
  if (is_exact(stm.exp, context_.names)) arithmetic_.emplace(stm.pattern[0].name, Arithmetic{stm});
}

/// Whether the host knows the number now, if need be since it computes it from numbers that it has waited for.
bool Host::compute(const ir::Name& name) {
  std::optional<Value> before;
  if (code_.knows(name)) before = code_.value_of(name);
  if (before && std::holds_alternative<Scalar>(*before)) return true;
  const auto found = arithmetic_.find(name);
  // Nothing is tried again before something more is known.
  if (found == arithmetic_.end() || std::exchange(found->second.tried, waits_) == waits_) return false;
  const ir::Stm stm = found->second.stm;
  for (const ir::Name& operand : ir::free_names(stm.exp))
    if (!compute(operand)) return false;
  code_.stm(stm);
  fetched_.emplace_back(name, before);
  return true;
}

/// Behind a block its variables are gone.
void Host::forget_fetched(std::size_t count) {
  for (; fetched_.size() > count; fetched_.pop_back()) {
    const auto& [name, before] = fetched_.back();
    before ? code_.bind(name, *before) : code_.forget(name);
  }
}

void add_own_sizes(const ir::Stm& stm, std::vector<ir::Atom>& sizes) {
  for (const ir::Param& param : stm.pattern)
    sizes.insert(sizes.end(), param.type.shape.begin(), param.type.shape.end());
  const auto shape = [&](const auto& e) {
    sizes.insert(sizes.end(), e.shape.begin(), e.shape.end());
  };
  ir::match(
      stm.exp, [&](const ir::Iota& e) { sizes.push_back(e.width); }, [&](const ir::Replicate& e) { shape(e); },
      [&](const ir::Scratch& e) { shape(e); }, [&](const ir::Reshape& e) { shape(e); },
      [&](const ir::Coerce& e) { shape(e); },
      [&](const ir::Nest& e) { sizes.insert(sizes.end(), e.space.begin(), e.space.end()); },
      [](const auto&) {});
}

namespace {

/// Where a slice begins, once the host waits for how long it is.
void add_slices(const ir::Stm& stm, std::vector<ir::Atom>& sizes) {
  const auto* index = std::get_if<ir::Index>(&stm.exp);
  if (!index) return;
  for (const ir::DimIndex& dim : index->indices) {
    const auto* slice = std::get_if<ir::Slice>(&dim);
    if (slice) sizes.insert(sizes.end(), {slice->start, slice->stride});
  }
}

}  // namespace

void Host::fetch_sizes(const ir::Stm& stm) {
  std::vector<ir::Atom> sizes;
  add_own_sizes(stm, sizes);
  const auto on_device = [&](const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    return name && code_.knows(*name) && std::holds_alternative<Cell>(code_.value_of(*name));
  };
  if (std::none_of(sizes.begin(), sizes.end(), on_device)) return;
  add_slices(stm, sizes);
  for (const ir::Atom& size : sizes)
    if (on_device(size)) fetch(size);
}

/// If the host has to wait for sizes of the statement anyway, what is pending may be its own work then: checks of these sizes.
void Host::wait_before_flush(const ir::Stm& stm) {
  const int before = waits_;
  if (glue_.empty()) return;
  fetch_sizes(stm);
  if (waits_ == before) return;
  for (const ir::Stm* pending : std::exchange(glue_, {}))
    is_host_scalar(*pending) ? this->stm(*pending) : glue_.push_back(pending);
}

/// The host has to know how large what each thread makes in memory of its own can be.
void Host::bound_thread_memory(const ir::Stm& stm) {
  const auto bounded = [&](const ir::Name& name) {
    if (!code_.knows(name)) return true;
    const Value value = code_.value_of(name);
    const auto* known = std::get_if<Scalar>(&value);
    return known ? known->upper.has_value() : !std::holds_alternative<Cell>(value);
  };
  for (const ir::Name& name : needed_bounds(stm, context_.callees, bounded)) {
    const Value value = code_.value_of(name);
    const auto* known = std::get_if<Scalar>(&value);
    known ? settle(name, *known) : static_cast<void>(fetch(name));
  }
}

/// A number of the host that changes from step to step bounds what is made in this one.
void Host::settle(const ir::Name& name, Scalar scalar) {
  fetched_.emplace_back(name, scalar);
  scalar.upper = scalar.expr;
  scalar.exact = true;
  code_.bind(name, scalar);
}

// ---- Memory

View Host::moved(const View& destination, const View& array, const std::string& base,
                 const ir::Stm* stm, std::string why) {
  const bool there = destination.late && array.memory() &&
                     array.memory()->base == destination.memory()->base;
  if (there) return array;
  const View to = code_.settled(destination, array.extents);
  copy(to, array, base, stm, std::move(why));
  return to;
}

/// A size that branches or iterations set.
Expr Host::late_variable(const ir::Param& param, std::optional<Expr> value) {
  return code_.variable(param.name.base, scalar_type(param.type.elem), std::move(value));
}

/// As in a thread.
View Host::late_start(const ir::Stm& stm, const ir::Loop& loop, std::size_t i) {
  const auto& [param, init, true_dep] = loop.params[i];
  const View start = code_.view(std::get<ir::Name>(init));
  const auto claimed = code_.destination(stm.pattern[i].name);
  const View place =
      claimed && claimed->late ? *claimed : code_.buffer(param.name.base, param.type.elem);
  moved(place, start, param.name.base, &stm, "the first state, whose size changes");
  return dense_view(place.memory()->base, param.type.elem, code_.extents(param.type.shape));
}

void Host::hand_over_late_results() {
  Results results(function_.body.result.size());
  for (const LateResult& late : interface_.late) {
    const View array = std::get<View>(value_of(function_.body.result[late.result]));
    results[late.result] =
        moved(*interface_.destinations[late.result], array, late.param.name, nullptr, "a result that is not made where the caller gets it");
  }
  code_.close_late_results(interface_, results);
}

}  // namespace boustro::plan::planner
