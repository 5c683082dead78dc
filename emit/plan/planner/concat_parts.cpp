#include "emit/plan/planner/concat_parts.hpp"

#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/repeated_rows.hpp"

namespace boustro::plan::planner {
namespace {

const ir::Stm* definition(const ir::Body& body, const ir::Name& name) {
  const auto found = std::find_if(body.stms.begin(), body.stms.end(), [&](const ir::Stm& stm) {
    return stm.pattern.size() == 1 && stm.pattern[0].name == name;
  });
  return found == body.stms.end() ? nullptr : &*found;
}

/// What the array is a view of that has the same elements in the same order.
ir::Name made_as(const ir::Body& body, ir::Name name) {
  for (;;) {
    const ir::Stm* stm = definition(body, name);
    const auto* reshape = stm ? std::get_if<ir::Reshape>(&stm->exp) : nullptr;
    if (!reshape) return name;
    name = reshape->array;
  }
}

class PartsFinder {
 public:
  PartsFinder(const ir::Body& body, const facts::Callees& callees) : body_(body), aliases_(planned_aliases(body.stms, callees)) {
    for (const ir::Stm& stm : body.stms)
      for (const ir::Param& param : stm.pattern) made_here_.insert(param.name);
  }

  void parts_of(const ir::Name& whole) {
    const ir::Stm* stm = definition(body_, whole);
    const auto* concat = stm ? std::get_if<ir::Concat>(&stm->exp) : nullptr;
    if (!concat) return;
    for (std::size_t i = 0; i < concat->arrays.size(); ++i) {
      const ir::Name name = made_as(body_, concat->arrays[i]);
      if (!made_here_.contains(name) || is_wanted_elsewhere(name)) continue;
      if (parts.emplace(name, ConcatPart{whole, concat->arrays, i}).second) parts_of(name);
    }
  }

  ConcatParts parts;

 private:
  bool is_wanted_elsewhere(const ir::Name& array) const {
    return aliases_.is_consumed(array) ||
           std::any_of(body_.result.begin(), body_.result.end(), [&](const ir::Atom& result) {
             const ir::Name* name = ir::name_in(result);
             return name && aliases_.may_alias(*name, array);
           });
  }

  const ir::Body& body_;
  facts::Aliases aliases_;
  ir::NameSet made_here_;
};

}  // namespace

ConcatParts concat_parts(const ir::Body& body, std::size_t result, const facts::Callees& callees) {
  const ir::Name* whole = ir::name_in(body.result[result]);
  const ir::Stm* stm = whole ? definition(body, *whole) : nullptr;
  if (!stm || !std::holds_alternative<ir::Concat>(stm->exp)) return {};
  PartsFinder finder(body, callees);
  finder.parts_of(*whole);
  return std::move(finder.parts);
}

// ---- Their places

/// Parts are written before all sizes have been checked: those of all parts must be known, and not be negative, and their
/// sum must be what there is room for.
std::optional<View> Code::place_of(const ir::Param& made, const ConcatPart& part) {
  const auto found = destinations_.find(part.whole);
  if (found == destinations_.end() || found->second.late || !is_dense(found->second)) return std::nullopt;
  if (coerced_.contains(part.whole)) return std::nullopt;
  const View& whole = found->second;
  Expr start = lit(0);
  for (std::size_t i = 0; i < part.arrays.size(); ++i) {
    const auto sizes = known_sizes(context_.names.type_of(part.arrays[i]).shape);
    if (!sizes) return std::nullopt;
    if (i < part.index) start = plus(start, sizes->front().expr);
  }
  auto extents = known_sizes(made.type.shape);
  if (!extents) return std::nullopt;
  const Memory& memory = *whole.memory();
  const std::vector<Expr> strides = dense_strides(*extents, memory.strides.back());
  const Expr offset = plus(memory.offset, times(start, memory.strides[0]));
  return View{whole.elem, std::move(*extents), Memory{memory.base, offset, strides}};
}

std::optional<std::vector<Scalar>> Code::known_sizes(const ir::Shape& shape) {
  for (const ir::Atom& size : shape) {
    const ir::Name* name = ir::name_in(size);
    const Scalar* value = name && knows(*name) ? std::get_if<Scalar>(&value_of(*name)) : nullptr;
    if (name && (!value || (!not_negative(value->range) && !sizes_.contains(value->expr)))) return std::nullopt;
  }
  return extents(shape);
}

void Code::claim_part(const ir::Stm& stm) {
  for (const ir::Param& param : stm.pattern) {
    const auto part = concat_parts_.find(param.name);
    if (part == concat_parts_.end() || destinations_.contains(param.name)) continue;
    // What a thread of a gpu reads again is nearer in memory of its own.
    if (context_.gpu() && context_.uses.of(param.name).count > 1) continue;
    if (auto place = place_of(param, part->second)) destinations_.emplace(param.name, std::move(*place));
  }
}

}  // namespace boustro::plan::planner
