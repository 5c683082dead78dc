#include "emit/plan/planner/code.hpp"

#include "emit/plan/planner/layout.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

using source::internal_error;

Code::Code(Context& context, Identifiers& identifiers, Surroundings surroundings)
    : context_(context),
      identifiers_(identifiers),
      surroundings_(std::move(surroundings)),
      leave_(surroundings_.leave) {}

namespace {

bool stores_rows(const ir::Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const ir::Stm& stm) {
    const auto* update = std::get_if<ir::Update>(&stm.exp);
    return update && update->indices.size() < static_cast<std::size_t>(stm.pattern[0].type.rank());
  });
}

}  // namespace

Results Code::body(const ir::Body& body, const Destinations& destinations) {
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    if (!destinations[i]) continue;
    claim(body.stms, body.result[i], *destinations[i]);
    concat_parts_.merge(concat_parts(body, i, context_.callees));
    if (surroundings_.host && !context_.gpu() && depth_ == 0 && steps_ == 0)
      branch_results_.merge(branch_results(body, i, context_.callees));
  }
  if (surroundings_.host && !context_.gpu() && depth_ == 0 && steps_ == 0) taken_places_.merge(taken_places(body, context_.callees));
  std::optional<FinalPlaces> final_places;
  if (surroundings_.host && !context_.gpu() && stores_rows(body)) final_places.emplace(body.stms, context_.uses, context_.callees);
  const bool has_places = surroundings_.host && !context_.gpu() && !destinations.empty();
  for (std::size_t i = 0; i < body.stms.size(); ++i) {
    if (final_places) make_in_final_places(body.stms, i, *final_places);
    for (const ir::Param& param : body.stms[i].pattern)
      if (has_places && !param.type.is_scalar() && !destination(param.name)) claim_through_views(body.stms, i, param.name);
    stm(body.stms[i]);
  }

  Results results;
  for (std::size_t i = 0; i < body.result.size(); ++i) {
    const ir::Name* name = ir::name_in(body.result[i]);
    Value result = name ? value_of(*name) : Value(literal(*ir::literal_in(body.result[i])));
    const View* view = std::get_if<View>(&result);
    if (view && i < destinations.size() && destinations[i]) {
      result = moved(*destinations[i], *view);
    }
    results.push_back(std::move(result));
  }
  return results;
}

void Code::bind(const ir::Name& name, Value value) {
  values_.insert_or_assign(name, std::move(value));
}

bool Code::is_known(const ir::Atom& atom) const {
  const ir::Name* name = ir::name_in(atom);
  const auto found = name ? values_.find(*name) : values_.end();
  return !name || (found != values_.end() && std::holds_alternative<Scalar>(found->second));
}

bool Code::is_known(const std::vector<ir::DimIndex>& indices) const {
  return std::all_of(indices.begin(), indices.end(), [&](const ir::DimIndex& dim) {
    return ir::match(
        dim, [&](const ir::Atom& atom) { return is_known(atom); },
        [&](const ir::Slice& s) { return is_known(s.start) && is_known(s.count) && is_known(s.stride); });
  });
}

void Code::rebind(const ir::Name& name, Value value) {
  rebound_.emplace_back(name, value_of(name));
  bind(name, std::move(value));
}

void Code::stm(const ir::Stm& stm) {
  const OriginScope scope(context_, stm);
  context_.at(stm);
  claim_part(stm);
  claim_branch_result(stm);
  claim_taken_place(stm);
  const auto scalar = [&](const auto&) { bind_scalar(stm.pattern[0].name, scalar_exp(stm.exp)); };
  ir::match(
      stm.exp,
      [&](const ir::AtomExp& e) {
        const ir::Name* name = ir::name_in(e.atom);
        bind(stm.pattern[0].name, name ? value_of(*name) : Value(scalar_exp(stm.exp)));
      },
      [&](const ir::UnOp& e) { scalar(e); }, [&](const ir::BinOp& e) { note_shift(stm.pattern[0].name, e), binary(stm, e); },
      [&](const ir::CmpOp& e) { scalar(e); }, [&](const ir::Convert& e) { scalar(e); },
      [&](const ir::MathOp& e) { scalar(e); }, [&](const ir::If& e) { if_(stm, e); },
      [&](const ir::Loop& e) { loop_(stm, e); }, [&](const ir::Call& e) { call(stm, e); },
      [&](const ir::Assert& e) { assert_(stm, e); },
      [&](const ir::ArrayLiteral& e) { array_literal(stm, e); },
      [&](const ir::Iota& e) {
        check_sizes(stm, {e.width});
        bind(stm.pattern[0].name,
             View{PrimType::i64, extents({e.width}), Counting{lit(0), lit(1), indices_below(size_range)}});
      },
      [&](const ir::Replicate& e) { replicate(stm, e); },
      [&](const ir::Scratch&) { bind(stm.pattern[0].name, place(stm.pattern[0])); },
      [&](const ir::Copy& e) {
        const View to = place(stm.pattern[0]);
        copy(to, view(e.array));
        bind(stm.pattern[0].name, to);
      },
      [&](const ir::Sort& e) { sort(stm, e); }, [&](const ir::Concat& e) { concat(stm, e); },
      [&](const ir::Rearrange& e) { rearrange(stm, e); },
      [&](const ir::Reshape& e) {
        check_sizes(stm, e.shape);
        bind(stm.pattern[0].name, reshaped(view(e.array), e.shape, stm.pattern[0].name.base));
      },
      [&](const ir::Coerce& e) { coerce(stm, e); }, [&](const ir::Index& e) { index_(stm, e); },
      [&](const ir::Update& e) { update(stm, e); }, [&](const ir::Nest& e) { nest(stm, e); },
      [&](const ir::WithAcc& e) { with_acc(stm, e); },
      [&](const ir::UpdateAcc& e) { update_acc(stm, e); },
      [&](const auto&) { internal_error("plan: this is removed before: " + ir::to_string(stm)); });
}

void Code::bind_results(const std::vector<ir::Param>& pattern, const Results& results) {
  source::internal_check(pattern.size() == results.size(), "plan: number of results");
  for (std::size_t i = 0; i < pattern.size(); ++i) bind(pattern[i].name, results[i]);
}

// ---- Where results are stored

namespace {

/// The statement among these that binds the name, and at which place of its pattern.
std::pair<const ir::Stm*, std::size_t> definition(const std::vector<ir::Stm>& stms,
                                                  const ir::Name& name) {
  for (const ir::Stm& stm : stms) {
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      if (stm.pattern[i].name == name) return {&stm, i};
    }
  }
  return {nullptr, 0};
}

}  // namespace

std::optional<ir::Name> updated_in_place(const ir::Exp& exp, std::size_t place) {
  if (const auto* e = std::get_if<ir::Update>(&exp)) return e->array;
  if (const auto* e = std::get_if<ir::Nest>(&exp)) return ir::destination_of(*e, place);
  if (const auto* e = std::get_if<ir::Coerce>(&exp)) return e->array;
  if (const auto* e = std::get_if<ir::AtomExp>(&exp)) {
    const ir::Name* name = ir::name_in(e->atom);
    return name ? std::optional(*name) : std::nullopt;
  }
  if (const auto* e = std::get_if<ir::WithAcc>(&exp)) {
    return place < e->inputs.size() ? std::optional(e->inputs[place].destination) : std::nullopt;
  }
  return std::nullopt;
}

namespace {

/// Whether the statement reads the whole array, the last element first.
bool is_reversal(const ir::Index& index, const Context& context) {
  const auto* slice = !index.checked && index.indices.size() == 1 ? std::get_if<ir::Slice>(&index.indices[0]) : nullptr;
  const PrimValue* stride = slice ? ir::literal_in(slice->stride) : nullptr;
  return stride && stride->as_int() == -1 && slice->count == context.names.type_of(index.array).shape[0];
}

/// An array has other sizes, of which it is still to be checked that they are the same.
bool changes_sizes(const ir::Stm& stm, const Context& context) {
  const auto* coerce = std::get_if<ir::Coerce>(&stm.exp);
  return coerce && coerce->shape != context.names.type_of(coerce->array).shape;
}

/// An earlier statement has found that these sizes are the same, where it says the opposite: what is given as [n * m] is [l], and is handed
/// back as such.
bool is_checked_before(const std::vector<ir::Stm>& stms, const ir::Stm& stm, const Context& context) {
  const auto& later = std::get<ir::Coerce>(stm.exp);
  const ir::Shape& from = context.names.type_of(later.array).shape;
  for (const ir::Stm& other : stms) {
    if (&other == &stm) return false;
    const auto* coerce = std::get_if<ir::Coerce>(&other.exp);
    if (coerce && coerce->shape == from && context.names.type_of(coerce->array).shape == later.shape) return true;
  }
  return false;
}

bool cannot_check_before(const ir::Stm& stm) {
  return std::holds_alternative<ir::If>(stm.exp) || std::holds_alternative<ir::Loop>(stm.exp) ||
         std::holds_alternative<ir::Call>(stm.exp) || std::holds_alternative<ir::WithAcc>(stm.exp) ||
         ir::viewed_operand(stm.exp);
}

/// The array that a loop fills, which nobody but updates right before it wrote to.
std::optional<ir::Name> undefined_start(const std::vector<ir::Stm>& stms, const ir::Stm& stm, std::size_t place) {
  const auto* loop = std::get_if<ir::Loop>(&stm.exp);
  const ir::Name* start = loop && loop->params[place].param.unique ? ir::name_in(loop->params[place].init) : nullptr;
  const ir::Stm* made = start ? definition(stms, *start).first : nullptr;
  for (const ir::Stm* behind = &stm; made && made + 1 == behind && std::holds_alternative<ir::Update>(made->exp);) {
    behind = made;
    made = definition(stms, std::get<ir::Update>(made->exp).array).first;
  }
  return made && std::holds_alternative<ir::Scratch>(made->exp) ? std::optional(*start) : std::nullopt;
}

/// The same elements, the last one first.
View reversed(View array) {
  Memory memory = *array.memory();
  memory.offset = plus(memory.offset, times(minus(array.extents[0].expr, lit(1)), memory.strides[0]));
  memory.strides[0] = times(lit(-1), memory.strides[0]);
  array.data = std::move(memory);
  return array;
}

/// The only row of an array.
bool is_only_row(const ir::Index& e, const Context& context) {
  const auto* at = e.indices.size() == 1 ? std::get_if<ir::Atom>(&e.indices[0]) : nullptr;
  const auto number = [](const ir::Atom& atom) {
    const PrimValue* value = ir::literal_in(atom);
    return value ? std::optional(value->as_int()) : std::nullopt;
  };
  return at && number(*at) == 0 && number(context.names.type_of(e.array).shape[0]) == 1;
}

/// The array whose only row this is.
View of_one_row(View row) {
  Memory memory = *row.memory();
  Expr size = lit(1);
  for (const Scalar& extent : row.extents) size = times(size, extent.expr);
  row.extents.insert(row.extents.begin(), literal(PrimValue::of_int(PrimType::i64, 1)));
  memory.strides.insert(memory.strides.begin(), size);
  row.data = std::move(memory);
  return row;
}

/// All elements of a dense array in a row.
View flattened(const View& array) {
  Memory memory = *array.memory();
  Expr size = lit(1);
  for (const Scalar& extent : array.extents) size = times(size, extent.expr);
  memory.strides = {memory.strides.empty() ? lit(1) : memory.strides.back()};
  return {array.elem, {Scalar{size}}, std::move(memory)};
}

}  // namespace

/// An array that is made only to be seen as what this statement makes of it, and where it is to lie if that lies in the place.
/// Nothing if it has sizes that the statements around are still to compute, unless it decides itself how large the place is.
std::optional<std::pair<ir::Name, View>> Code::viewed_alone(const std::vector<ir::Stm>& stms, const ir::Stm& stm, const View& place) {
  const ir::Name* array = ir::viewed_operand(stm.exp);
  if (!array || context_.uses.of(*array).count != 1) return std::nullopt;
  using Result = std::optional<std::pair<ir::Name, View>>;
  const auto* index = std::get_if<ir::Index>(&stm.exp);
  const bool as_many = (!context_.gpu() && std::holds_alternative<ir::Reshape>(stm.exp)) || (index && is_only_row(*index, context_));
  if (place.late) return as_many ? Result({*array, place}) : Result();
  return ir::match(
      stm.exp,
      [&](const ir::Index& e) {
        if (is_only_row(e, context_)) return Result({*array, of_one_row(place)});
        return is_reversal(e, context_) ? Result({*array, reversed(place)}) : Result();
      },
      [&](const ir::Rearrange& e) { return Result({*array, rearranged_back(place, e.permutation)}); },
      [&](const ir::Reshape&) {
        const ir::Shape& shape = context_.names.type_of(*array).shape;
        const bool known = std::all_of(shape.begin(), shape.end(), [&](const ir::Atom& size) {
          const ir::Name* name = ir::name_in(size);
          return !name || knows(*name) || !definition(stms, *name).first;
        });
        if (!is_dense(place)) return Result();
        if (known) return Result({*array, reshaped(place, shape, "")});
        return shape.size() == 1 ? Result({*array, flattened(place)}) : Result();
      },
      [](const auto&) { return Result(); });
}

void Code::claim(const std::vector<ir::Stm>& stms, const ir::Atom& result,
                 const View& destination, const ir::Stm* coerce) {
  const ir::Name* name = ir::name_in(result);
  if (!name || destinations_.contains(*name)) return;
  const auto [stm, place] = definition(stms, *name);
  const auto array = stm ? updated_in_place(stm->exp, place) : std::nullopt;
  const bool unchecked = array && changes_sizes(*stm, context_) && !is_checked_before(stms, *stm, context_);
  if (array) return claim(stms, *array, destination, unchecked ? stm : coerce);
  if (coerce) {
    // Who makes the array checks its sizes before. Branches and loops find them out only while they make it, and a view
    // of an array is not made.
    if (!stm || cannot_check_before(*stm)) return;
    coerced_.insert_or_assign(*name, coerce);
  }
  // What has to be copied for another shape is written row after row.
  if (stm && std::holds_alternative<ir::Reshape>(stm->exp) && !destination.late && !is_dense(destination)) return;
  if (const auto viewed = stm ? viewed_alone(stms, *stm, destination) : std::nullopt) claim(stms, viewed->first, viewed->second);
  if (const auto start = stm ? undefined_start(stms, *stm, place) : std::nullopt) claim(stms, *start, destination);
  destinations_.insert_or_assign(*name, destination);
}

void Code::claim_only_element(const std::vector<ir::Stm>& stms, const ir::Name& result, const Expr& pointer) {
  const auto [stm, place] = definition(stms, result);
  const auto* element = stm ? std::get_if<ir::Index>(&stm->exp) : nullptr;
  if (!element || !is_only_row(*element, context_) || context_.uses.of(element->array).count != 1) return;
  claim(stms, element->array, dense_view(pointer, context_.names.type_of(result).elem, {literal(PrimValue::of_int(PrimType::i64, 1))}));
}

void Code::make_there(const std::vector<ir::Stm>& stms, const ir::Name& made, const FinalPlaces::Stored& stored) {
  if (!knows(stored.into) || !is_known(stored.update->indices)) return;
  const View whole = view(stored.into);
  if (!is_updatable(whole) || whole.late || needs_check(*stored.update, whole)) return;
  const bool apart = std::none_of(stored.used.begin(), stored.used.end(), [&](const ir::Name& name) {
    const View* other = knows(name) ? std::get_if<View>(&value_of(name)) : nullptr;
    return other && name != stored.into && other->memory() && other->memory()->base == whole.memory()->base;
  });
  if (!apart) return;
  const View part = slice(whole, stored.update->indices);
  stored.is_seen_otherwise ? claim(stms, stored.update->value, part) : claim({}, made, part);
}

void Code::claim_through_views(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Name& made) {
  if (ir::viewed_operand(stms[at].exp)) return;  // a view makes nothing; copied for another shape, it is written row after row
  std::vector<const ir::Stm*> views;
  ir::Name name = made;
  for (std::size_t k = at + 1; k < stms.size() && !destination(name); ++k) {
    const ir::Name* viewed = ir::viewed_operand(stms[k].exp);
    if (!viewed || *viewed != name || !context_.uses.once(name)) continue;
    views.push_back(&stms[k]);
    name = stms[k].pattern[0].name;
  }
  auto place = destination(name);
  for (; place && !views.empty(); views.pop_back()) {
    const auto viewed = place->late ? std::nullopt : viewed_alone(stms, *views.back(), *place);
    place = viewed ? std::optional(viewed->second) : std::nullopt;
  }
  if (place && !(name == made)) claim({}, made, *place);
}

void Code::make_in_final_places(const std::vector<ir::Stm>& stms, std::size_t at, const FinalPlaces& places) {
  for (const ir::Param& param : stms[at].pattern) {
    if (param.type.is_scalar() || param.type.accumulator || destination(param.name)) continue;
    if (const auto stored = places.of(at, param.name)) make_there(stms, param.name, *stored);
  }
}

void Code::claim_taken_place(const ir::Stm& stm) {
  const auto found = stm.pattern.size() == 1 ? taken_places_.find(stm.pattern[0].name) : taken_places_.end();
  if (found == taken_places_.end() || destinations_.contains(found->first)) return;
  const View array = view(found->second);
  const Field* scratch = array.memory() ? std::get_if<Field>(&array.memory()->base.head) : nullptr;
  if (scratch && !array.late && is_dense(array) && is_updatable(array)) destinations_.emplace(found->first, array);
}

std::optional<View> Code::destination(const ir::Name& name) const {
  const auto found = destinations_.find(name);
  return found == destinations_.end() ? std::nullopt : std::optional(found->second);
}

ir::Name Code::origin(const std::vector<ir::Stm>& stms, const ir::Name& name) const {
  const auto [stm, place] = definition(stms, name);
  if (!stm) return name;
  if (const auto array = updated_in_place(stm->exp, place)) return origin(stms, *array);
  if (const auto* branch = std::get_if<ir::If>(&stm->exp)) {
    const ir::Name* yes = ir::name_in(branch->then_body.result[place]);
    const ir::Name* no = ir::name_in(branch->else_body.result[place]);
    if (!yes || !no) return name;
    const ir::Name from = origin(branch->then_body.stms, *yes);
    return from == origin(branch->else_body.stms, *no) ? origin(stms, from) : name;
  }
  if (const auto* loop = std::get_if<ir::Loop>(&stm->exp)) {
    const ir::Name* next = ir::name_in(loop->body.result[place]);
    const ir::Name* init = ir::name_in(loop->params[place].init);
    const bool in_place =
        next && init && origin(loop->body.stms, *next) == loop->params[place].param.name;
    return in_place ? origin(stms, *init) : name;
  }
  return name;
}

ir::Name Code::origin_of_accumulator(const std::vector<ir::Stm>& stms, const ir::Name& name) const {
  const auto [stm, place] = definition(stms, name);
  if (!stm) return name;
  const std::size_t at = place;
  const auto from = ir::match(
      stm->exp, [](const ir::UpdateAcc& e) { return e.accumulator; },
      [at](const ir::Nest& e) { return e.accumulators[at]; },
      [at](const ir::Loop& e) { return std::get<ir::Name>(e.params[at].init); },
      [&](const ir::If& e) {
        return origin_of_accumulator(e.then_body.stms, std::get<ir::Name>(e.then_body.result[at]));
      },
      [](const ir::AtomExp& e) { return std::get<ir::Name>(e.atom); },
      [&](const auto&) -> ir::Name {
        source::internal_error("plan: where an accumulator comes from");
      });
  return origin_of_accumulator(stms, from);
}

void Code::refuse(const ir::Stm& stm, std::string_view construct) {
  const source::SourceRange at = context_.options.sources
                                     ? context_.options.sources->shown(stm.origin.at)
                                     : source::SourceRange{};
  source::refuse(source::Message::plan_cannot_translate, at, construct);
}

}  // namespace boustro::plan::planner
