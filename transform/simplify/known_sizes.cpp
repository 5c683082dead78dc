#include "transform/simplify/known_sizes.hpp"

#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

using namespace ir;

void KnownSizes::declare(const Atom& number, std::int64_t least) {
  const Name* name = name_in(number);
  if (!name) return;
  const std::optional<std::int64_t> known = this->least(*name);
  if (known && *known >= least) return;
  log_.emplace_back(*name, known);
  least_.insert_or_assign(*name, least);
}

void KnownSizes::declare(const Type& type) {
  for (const Atom& size : type.shape) {
    declare(size);
    const PrimValue* literal = literal_in(size);
    const bool has_rows = literal ? literal->as_int() > 0 : least(*name_in(size)) > 0;
    if (!has_rows) return;
  }
}

void KnownSizes::declare_all(const Type& type) {
  for (const Atom& size : type.shape) declare(size);
}

void KnownSizes::define(const Stm& stm) {
  // An extent of a nest may be negative behind one that is 0.
  if (!std::holds_alternative<Nest>(stm.exp))
    for (const Atom& size : sizes_made_by(stm.exp)) declare(size);
  // Behind an extent of 0 there may be a negative one, which comes first when the array is transposed.
  if (std::holds_alternative<Rearrange>(stm.exp)) return;
  for (const Param& param : stm.pattern) declare(param.type);
}

void KnownSizes::enter(const Exp& exp) {
  match(
      exp,
      [&](const Loop& e) {
        const auto* form = std::get_if<ForLoop>(&e.form);
        if (form) declare(form->bound, 1);
        for (const LoopParam& p : e.params) declare(p.param.type);
      },
      [&](const Map& e) { declare(e.width, 1); }, [&](const Reduce& e) { declare(e.width, 1); },
      [&](const Scan& e) { declare(e.width, 1); }, [&](const MapReduce& e) { declare(e.width, 1); },
      [&](const MapScan& e) { declare(e.width, 1); }, [&](const ReduceByIndex& e) { declare(e.width, 1); }, [](const auto&) {});
  for_each_lambda(exp, [&](const Lambda& lambda) {
    for (const Param& param : lambda.params) declare(param.type);
  });
}

std::optional<std::int64_t> KnownSizes::least(const Name& name) const {
  const auto found = least_.find(name);
  return found == least_.end() ? std::nullopt : std::optional(found->second);
}

void KnownSizes::leave_scope(std::size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) {
    const auto& [name, before] = log_.back();
    if (before) least_.insert_or_assign(name, *before);
    else least_.erase(name);
  }
}

Shape sizes_made_by(const Exp& exp) {
  const auto width_without_arrays = [](const auto& e) { return e.arrays.empty() ? Shape{e.width} : Shape{}; };
  return match(
      exp, [](const Iota& e) { return Shape{e.width}; }, [](const Replicate& e) { return e.shape; },
      [](const Scratch& e) { return e.shape; }, [](const Reshape& e) { return e.shape; },
      [](const ArrayLiteral& e) { return e.row.shape; }, [&](const Map& e) { return width_without_arrays(e); },
      [&](const MapReduce& e) { return width_without_arrays(e); }, [&](const MapScan& e) { return width_without_arrays(e); },
      [&](const ReduceByIndex& e) { return width_without_arrays(e); }, [](const Nest& e) { return e.space; },
      [](const auto&) { return Shape{}; });
}

}  // namespace boustro::simplify
