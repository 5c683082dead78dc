#include "transform/ad/iteration_log.hpp"

#include <algorithm>

#include "transform/ad/scope.hpp"
#include "transform/ad/tensor.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// The whole of an entry, or of the part of it that is used.
std::vector<DimIndex> place(const LogEntry& entry, const Atom& position, const Substitution& s) {
  std::vector<DimIndex> place{position};
  if (!entry.padded) return place;
  for (const Atom& size : entry.type.shape)
    place.push_back(Slice{int_atom(0), substitute(size, s), int_atom(1)});
  return place;
}

/// One step, or made here for an inner loop.
bool is_single_step(const Stm& stm) {
  if (stm.origin.rule == "restore") return true;
  bool has_bodies = false;
  for_each_body(stm.exp, [&](const Body&) { has_bodies = true; });
  return !has_bodies && !std::holds_alternative<Call>(stm.exp) && all_scalar(stm.pattern);
}

}  // namespace

Atom as_i64(Builder& b, const Atom& x) {
  return b.names.type_of(x).elem == PrimType::i64 ? x : b.convert("i", PrimType::i64, x);
}

std::vector<Name> LogMaker::varying_sizes(const Name& name) const {
  std::vector<Name> result;
  for (const Atom& size : sizes_.names.type_of(name).shape) {
    const Name* n = name_in(size);
    if (n && bound_.contains(*n) && *n != form().index) result.push_back(*n);
  }
  return result;
}

std::optional<LogMaker::Stored> LogMaker::store(const Name& name) {
  LogEntry entry{name, {}, sizes_.names.type_of(name), false};
  Type row = entry.type;
  for (Atom& size : row.shape) {
    const Name* n = name_in(size);
    if (!n || !bound_.contains(*n)) continue;
    const auto most = largest(size);
    if (!most) return std::nullopt;
    size = *most;
    entry.padded = true;
  }
  if (!position_) position_ = as_i64(store_, form().index);
  const Type type = array_of(count(), row);
  const std::string base = with_ending(name.base, "_kept");
  const Param log = sizes_.names.fresh_param(base, type, true);
  const Name start = start_.let(base, Scratch{type.elem, type.shape});
  const Name after = store_.let(base, Update{log.name, place(entry, *position_, {}), name, false});
  return Stored{{log, start}, after, std::move(entry)};
}

Atom LogMaker::count() {
  if (!count_)
    count_ = sizes_.binop("steps", BinOpKind::max, as_i64(sizes_, form().bound), int_atom(0));
  return *count_;
}

/// The largest that this size is in any iteration.
std::optional<Atom> LogMaker::largest(const Atom& size) {
  if (!stops_) return std::nullopt;
  const Name& name = std::get<Name>(size);
  if (const auto found = largest_.find(name); found != largest_.end()) return found->second;
  NameSet free{name};
  const std::vector<Stm> slice = needed_part(stms_, free);
  const auto most =
      is_found_by_number(slice, free) ? largest_by_number(slice, size) : largest_by_running(size);
  if (most) largest_.insert_or_assign(name, *most);
  return most;
}

Atom LogMaker::largest_by_number(const std::vector<Stm>& slice, const Atom& size) {
  const Type number = scalar(PrimType::i64);
  const PrimType type = form().type;
  const Name i = type == PrimType::i64 ? form().index : sizes_.names.bind_fresh("i", number);
  Lambda size_of{{{i, number, false}}, {{}, {size}}, {number}};
  if (i != form().index)
    size_of.body.stms.push_back({{{form().index, scalar(type), false}},
                                 Convert{PrimType::i64, type, i},
                                 sizes_.origin,
                                 {}});
  size_of.body.stms.insert(size_of.body.stms.end(), slice.begin(), slice.end());
  const Name numbers = sizes_.let("is", Iota{count()});
  const Name sizes =
      sizes_.let("sizes", Map{count(), rename(size_of, sizes_.names), {numbers}, {}});
  return sizes_.let(
      "largest",
      Reduce{count(), operator_on(sizes_, BinOpKind::max, number), {int_atom(0)}, {sizes}, true});
}

/// The loop, on copies of what it consumes. Of what it computes, the size is all that is used.
std::optional<Atom> LogMaker::largest_by_running(const Atom& size) {
  const auto is_accumulator = [&](const Name& name) {
    return sizes_.names.type_of(name).accumulator;
  };
  const NameSet free = free_names(Body{stms_, {}});
  if (std::any_of(free.begin(), free.end(), is_accumulator)) return std::nullopt;
  Loop running = loop_;
  running.body.stms = stms_;
  Stm inspector{{}, {}, sizes_.origin, {}};
  for (LoopParam& p : running.params) {
    if (p.param.unique) p.init = fresh_copy(sizes_, p.param.name.base, p.init);
    inspector.pattern.push_back(sizes_.names.fresh_param(p.param.name.base, p.param.type));
  }
  const Param most = sizes_.names.fresh_param("largest", scalar(PrimType::i64));
  Builder last(sizes_.names, sizes_.origin);
  running.body.result.push_back(last.binop("largest", BinOpKind::max, most.name, size));
  running.body.stms.insert(running.body.stms.end(), last.stms.begin(), last.stms.end());
  running.params.push_back({most, int_atom(0)});
  inspector.pattern.push_back(sizes_.names.fresh_param("largest", most.type));
  inspector.exp = std::move(running);
  const Body renamed = rename(Body{{std::move(inspector)}, {}}, sizes_.names);
  sizes_.add(renamed.stms.at(0));
  return Atom(renamed.stms.at(0).pattern.back().name);
}

bool LogMaker::is_found_by_number(const std::vector<Stm>& slice, const NameSet& free) const {
  const bool varies_otherwise = std::any_of(free.begin(), free.end(), [&](const Name& name) {
    return bound_.contains(name) && name != form().index;
  });
  return !varies_otherwise && std::all_of(slice.begin(), slice.end(), is_single_step);
}

void load_entries(Builder& builder, const std::vector<LogEntry>& entries, const Atom& position,
                  Substitution& substitution) {
  for (const LogEntry& entry : entries) {
    const Name log = std::get<Name>(substitute(Atom(entry.log), substitution));
    const Name saved =
        builder.let(entry.name.base, Index{log, place(entry, position, substitution), false});
    substitution.insert_or_assign(entry.name, saved);
  }
}

}  // namespace boustro::ad
