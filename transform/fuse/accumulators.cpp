// Accumulators to reductions and plain updates (AD paper, section 6.1).
//
// Rule      map over i: acc[c] += v(i)          gives    acc[c] += sum over i of v(i)
//           map over i: acc[i] += v(i)          gives    acc[] += vs, where i takes each index once
//           with_acc xs: acc[c] += v            gives    xs[c] += v, without an accumulator
// Applies   c does not depend on i, and v is a scalar; the accumulator adds. The second and third
//           directly inside of the with_acc. Whole rows (v an array) stay additions into the accumulator: a
//           reduction would store all rows first, and a row's cells are contended by rows alone.
// Cost      the same additions, without contention for a cell
// Source    [Schenck et al. 2022], section 6.1
//
// Before:  with_acc xs (\acc -> map (\acc y -> update_acc acc [3] (f y)) ys acc)
// After:   xs with [3] = xs[3] + f64.sum (map f ys)
#include <algorithm>

#include "transform/facts/history.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

constexpr const char* rule_name = "reduce_accumulators";

class Reducer {
 public:
  explicit Reducer(Names& names) : names_(names) {}

  void body(Body& body);

 private:
  void statement(Stm stm, std::vector<Stm>& out);
  void note_adding(const Exp& exp);
  void note_results(const Stm& stm);

  void reduce_in_map(Stm stm, const NameSet& direct, std::vector<Stm>& out);
  bool extract(Stm& stm, Map& map, std::size_t position, const NameSet& direct,
               std::vector<Stm>& after);
  void update_plainly(Stm stm, std::vector<Stm>& out);
  void add_plainly(Builder& builder, const Name& array, const UpdateAcc& update);
  Lambda adder(PrimType type, const Shape& shape);

  Names& names_;
  NameSet adding_;                              // accumulators that add
  NameSet direct_;                              // those at the level of their with_acc
  std::unordered_map<Name, Atom> iota_widths_;  // of iotas
};

void Reducer::body(Body& body) {
  std::vector<Stm> out;
  for (Stm& stm : body.stms) statement(std::move(stm), out);
  body.stms = std::move(out);
}

/// Inside first: what leaves an inner map may go on to leave the outer one.
void Reducer::statement(Stm stm, std::vector<Stm>& out) {
  if (const auto* iota = std::get_if<Iota>(&stm.exp)) {
    iota_widths_.emplace(stm.pattern[0].name, iota->width);
  }
  note_adding(stm.exp);
  const NameSet direct = direct_;
  if (!std::holds_alternative<WithAcc>(stm.exp)) direct_.clear();
  map_bodies(stm.exp, [&](Body& inner) { body(inner); });
  direct_ = direct;
  note_results(stm);
  if (std::holds_alternative<Map>(stm.exp)) return reduce_in_map(std::move(stm), direct, out);
  if (std::holds_alternative<WithAcc>(stm.exp)) return update_plainly(std::move(stm), out);
  out.push_back(std::move(stm));
}

// ---- Which accumulators add

void Reducer::note_adding(const Exp& exp) {
  if (const auto* e = std::get_if<WithAcc>(&exp)) {
    for (std::size_t i = 0; i < e->inputs.size(); ++i) {
      if (!std::holds_alternative<AddUp>(e->inputs[i].kind)) continue;
      adding_.insert(e->fn.params[i].name);
      direct_.insert(e->fn.params[i].name);
    }
  }
  facts::accumulators_into(exp, [&](const Name& from, const Name& to) {
    if (adding_.contains(from)) adding_.insert(to);
  });
}

void Reducer::note_results(const Stm& stm) {
  facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) {
    if (adding_.contains(from)) adding_.insert(to);
    if (direct_.contains(from)) direct_.insert(to);
  });
}

// ---- Out of maps

/// True if no element of the map has any say in it.
bool is_invariant(const Atom& atom, const Map& map, const NameSet& bound) {
  const Name* name = name_in(atom);
  return !name || (!bound.contains(*name) &&
                   std::none_of(map.fn.params.begin(), map.fn.params.end(),
                                [&](const Param& param) { return param.name == *name; }));
}

/// Which of the parameters the accumulator is after some additions.
std::optional<std::size_t> number_among(const std::vector<Param>& params, const Body& body,
                                        const Name& accumulator) {
  const auto origin = facts::History(facts::accumulator_before).origin(body.stms, accumulator);
  for (std::size_t i = 0; i < params.size(); ++i)
    if (params[i].name == origin) return i;
  return std::nullopt;
}

void Reducer::reduce_in_map(Stm stm, const NameSet& direct, std::vector<Stm>& out) {
  auto& map = std::get<Map>(stm.exp);
  std::vector<Stm> after;
  for (std::size_t i = 0; i < map.fn.body.stms.size();) {
    if (!extract(stm, map, i, direct, after)) ++i;
  }
  out.push_back(std::move(stm));
  for (Stm& added : after) out.push_back(std::move(added));
}

/// Takes the update at that position of the map's body, if it is one that the rule is for, out of
/// the map. The values become a result of the map, and what is added afterwards goes to `after`.
bool Reducer::extract(Stm& stm, Map& map, std::size_t position, const NameSet& direct,
                      std::vector<Stm>& after) {
  const auto* found = std::get_if<UpdateAcc>(&map.fn.body.stms[position].exp);
  if (!found || !adding_.contains(found->accumulator)) return false;
  const auto number = number_among(map.fn.params, map.fn.body, found->accumulator);
  if (!number) return false;
  const UpdateAcc update = *found;
  const Type value_type = names_.type_of(update.value);

  const NameSet bound = bound_names(map.fn.body.stms);
  const bool to_one_cell = value_type.is_scalar() &&
                           std::all_of(update.indices.begin(), update.indices.end(),
                                       [&](const Atom& i) { return is_invariant(i, map, bound); });
  const auto is_own_index = [&](const Atom& index) {
    for (std::size_t i = 0; i < map.arrays.size(); ++i) {
      const auto iota = iota_widths_.find(map.arrays[i]);
      const bool is_param = Atom(map.fn.params[map.accumulators.size() + i].name) == index;
      if (is_param && iota != iota_widths_.end()) return iota->second == map.width;
    }
    return false;
  };
  const Type& array = names_.type_of(map.accumulators[*number]);
  const bool to_each_cell = update.indices.size() == 1 && is_own_index(update.indices[0]) &&
                            array.shape[0] == map.width &&
                            direct.contains(map.accumulators[*number]);
  if (!to_one_cell && !to_each_cell) return false;

  const Name removed = map.fn.body.stms[position].pattern[0].name;
  Builder builder(names_, map.fn.body.stms[position].origin);
  builder.origin.rule = rule_name;
  map.fn.body.stms.erase(map.fn.body.stms.begin() + static_cast<std::ptrdiff_t>(position));
  substitute(map.fn.body, {{removed, update.accumulator}});
  map.fn.body.result.push_back(update.value);
  map.fn.result_types.push_back(value_type);
  const Param values = names_.fresh_param("contributions", array_of(map.width, value_type));
  stm.pattern.push_back(values);

  // The map's own result gets a new name, and the sum is added to that.
  Param& result = stm.pattern[*number];
  const Param last = result;
  result = names_.fresh_param(last.name.base, last.type);
  adding_.insert(result.name);
  if (to_each_cell) {
    builder.let({last}, UpdateAcc{result.name, {}, values.name, true});
  } else {
    // In an empty map the cell may not exist: `in_bounds` holds for the elements only.
    const Atom zero = PrimValue::zero(value_type.elem);
    const Name sum = builder.let(
        "sum", Reduce{map.width, adder(value_type.elem, {}), {zero}, {values.name}, true});
    builder.let({last}, UpdateAcc{result.name, update.indices, sum, false});
  }
  // What was taken out before adds to the name that this one now yields.
  after.insert(after.begin(), builder.stms.begin(), builder.stms.end());
  return true;
}

/// \x y -> x + y for arrays of that shape.
Lambda Reducer::adder(PrimType type, const Shape& shape) {
  Builder builder(names_);
  return builder.lambda({{"x", array(type, shape)}, {"y", array(type, shape)}},
                        [&](Builder& inner, const std::vector<Name>& params) -> std::vector<Atom> {
                          if (shape.empty()) {
                            return {inner.binop("sum", BinOpKind::add, params[0], params[1])};
                          }
                          const Lambda row = adder(type, {shape.begin() + 1, shape.end()});
                          return {inner.let("sums", Map{shape[0], row, params, {}})};
                        });
}

// ---- Out of with_acc

/// Additions at the top of a with_acc happen once each: they are done to the array afterwards.
void Reducer::update_plainly(Stm stm, std::vector<Stm>& out) {
  auto& e = std::get<WithAcc>(stm.exp);
  Builder after(names_, stm.origin);
  auto& stms = e.fn.body.stms;
  for (std::size_t i = 0; i < stms.size();) {
    const Stm& inner = stms[i];
    const auto* update = std::get_if<UpdateAcc>(&inner.exp);
    const bool may_apply = update && adding_.contains(update->accumulator) &&
                           (update->in_bounds || update->indices.empty());
    const auto input = may_apply ? number_among(e.fn.params, e.fn.body, update->accumulator) : std::nullopt;
    if (!input) {
      ++i;
      continue;
    }
    UpdateAcc addition = *update;
    substitute(e.fn.body, {{inner.pattern[0].name, Atom(addition.accumulator)}});
    after.origin = inner.origin;
    stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
    // The value and the indices leave the scope as further results.
    const auto leave = [&](Atom& atom) {
      const Name* name = name_in(atom);
      if (!name || !bound_names(stms).contains(*name)) return;
      const Param param = names_.fresh_param(name->base, names_.type_of(*name));
      e.fn.body.result.push_back(atom);
      e.fn.result_types.push_back(param.type);
      stm.pattern.push_back(param);
      atom = param.name;
    };
    leave(addition.value);
    for (Atom& index : addition.indices) leave(index);
    Param& result = stm.pattern[*input];
    const Param last = result;
    result = names_.fresh_param(last.name.base, last.type);
    Builder step(names_, after.origin);
    add_plainly(step, result.name, addition);
    step.stms.back().pattern = {last};
    after.stms.insert(after.stms.begin(), step.stms.begin(), step.stms.end());
  }
  out.push_back(std::move(stm));
  for (Stm& added : after.stms) out.push_back(std::move(added));
}

/// array[indices] += value; the last statement binds the result.
void Reducer::add_plainly(Builder& builder, const Name& array, const UpdateAcc& update) {
  const Type type = names_.type_of(update.value);
  const auto sum_with = [&](const Name& old) -> Name {
    if (type.is_scalar()) {
      return std::get<Name>(builder.binop("sum", BinOpKind::add, old, update.value));
    }
    const Lambda add = adder(type.elem, {type.shape.begin() + 1, type.shape.end()});
    return builder.let("sums", Map{type.shape[0], add, {old, std::get<Name>(update.value)}, {}});
  };
  if (update.indices.empty()) {
    sum_with(array);
    return;
  }
  const std::vector<DimIndex> indices(update.indices.begin(), update.indices.end());
  const Name old = builder.let("old", Index{array, indices, false});
  builder.let("updated", Update{array, indices, sum_with(old), false});
}

}  // namespace

Program reduce_accumulators(Program program) {
  Names names(program);
  for (Function& function : program.functions) Reducer(names).body(function.body);
  return program;
}

}  // namespace boustro::fuse
