#include "transform/ad/undo.hpp"

#include <algorithm>

#include "transform/ad/collect_writes.hpp"
#include "transform/ad/reverse/loop_bound.hpp"
#include "transform/ad/scope.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

void append(std::vector<Stm>& to, const std::vector<Stm>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Name name_of(const Atom& atom) { return std::get<Name>(atom); }

/// The array of which the expression is the same, under another name or with sizes spelt
/// differently.
const Name* respelt(const Exp& exp) {
  if (const auto* e = std::get_if<AtomExp>(&exp)) return name_in(e->atom);
  if (const auto* e = std::get_if<Coerce>(&exp)) return &e->array;
  return nullptr;
}

DimIndex substituted(const DimIndex& index, const Substitution& s) {
  if (const auto* atom = std::get_if<Atom>(&index)) return substitute(*atom, s);
  const auto& slice = std::get<Slice>(index);
  return Slice{substitute(slice.start, s), substitute(slice.count, s), substitute(slice.stride, s)};
}

std::vector<DimIndex> substituted(const std::vector<DimIndex>& indices, const Substitution& s) {
  std::vector<DimIndex> result;
  for (const DimIndex& index : indices) result.push_back(substituted(index, s));
  return result;
}

}  // namespace

Builder UndoMaker::saving(const Stm& stm) const {
  Provenance origin = stm.origin;
  origin.rule = "restore";
  origin.sweep = Sweep::forward;
  return Builder(r_.names, origin);
}

std::optional<Undo> UndoMaker::of_stms(const std::vector<Stm>& stms, const NameSet& versions,
                                       const Name& array, const Name& to) {
  Undo undo;
  NameSet current = versions;
  std::vector<TakeBack> steps;
  for (const Stm& stm : stms) {
    if (const Name* same = respelt(stm.exp); same && current.contains(*same))
      current.insert(stm.pattern.at(0).name);
    const auto consumed = facts::consumed_by(stm.exp, r_.derivation.callees);
    const auto found = std::find_if(consumed.begin(), consumed.end(),
                                    [&](const Name& x) { return current.contains(x); });
    if (found == consumed.end()) {
      undo.forward.push_back(stm);
      continue;
    }
    auto step = of_stm(stm, current, *found);
    if (!step) return std::nullopt;
    // Sizes that nothing here computes can be found earlier still.
    const NameSet bound = bound_names(undo.forward);
    const NameSet used = free_names(Body{step->before, {}});
    const bool movable =
        std::none_of(used.begin(), used.end(), [&](const Name& x) { return bound.contains(x); });
    append(movable ? undo.before : undo.forward, step->before);
    append(undo.forward, step->forward);
    undo.saved.insert(undo.saved.end(), step->saved.begin(), step->saved.end());
    steps.push_back(step->take_back);
    current = {step->later};
  }
  if (!current.contains(to)) return std::nullopt;
  undo.later = to;
  undo.take_back = [steps, type = r_.names.type_of(array)](Builder& b, const Name& later,
                                                           const Substitution& s) {
    Atom result = later;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      result = (*step)(b, name_of(result), s);
    return coerced(b, result, type);
  };
  return undo;
}

std::optional<Undo> UndoMaker::of_stm(const Stm& stm, const NameSet& versions, const Name& array) {
  return match(
      stm.exp,  //
      [&](const Update& e) { return of_update(stm, e); },
      [&](const Scatter& e) {
        const auto found = std::find(e.destinations.begin(), e.destinations.end(), array);
        return of_writes(
            stm, array,
            stm.pattern.at(static_cast<std::size_t>(found - e.destinations.begin())).name, e.width,
            e.indices);
      },
      [&](const ReduceByIndex& e) { return of_reduce_by_index(stm, e, array); },
      [&](const WithAcc& e) { return of_with_acc(stm, e, array); },
      [&](const If& e) { return of_if(stm, e, versions, array); },
      [&](const Loop& e) { return of_loop(stm, e, versions); },
      [](const auto&) { return std::optional<Undo>(); });
}

namespace {

/// Of several places that an array has for different things, as fields of a record, one is called after what is stored there.
std::string base_of_old(const Update& e) {
  const bool is_field = std::any_of(e.indices.begin(), e.indices.end(), [](const DimIndex& index) {
    const auto* atom = std::get_if<Atom>(&index);
    return atom && literal_in(*atom);
  });
  const Name* value = name_in(e.value);
  return (is_field && value ? value->base : e.array.base) + "_old";
}

}  // namespace

std::optional<Undo> UndoMaker::of_update(const Stm& stm, const Update& e) {
  Builder b = saving(stm);
  const std::string base = e.array.base;
  const Name read = b.let(base_of_old(e), Index{e.array, e.indices, e.checked});
  const Name old = name_of(fresh_copy(b, read.base, read));
  Undo undo{{}, std::move(b.stms), {old}, stm.pattern.at(0).name, {}};
  undo.forward.push_back(stm);
  for (const Name& name :
       free_names_in_order(Body{{{{}, Index{e.array, e.indices, false}, {}, {}}}, {}}))
    if (name != e.array) undo.saved.push_back(name);
  undo.take_back = [indices = e.indices, old, base](Builder& inner, const Name& later,
                                                    const Substitution& s) {
    return Atom(inner.let(base, Update{later, substituted(indices, s), substitute(old, s), false}));
  };
  return undo;
}

/// Cells at computed indices; those out of bounds were not written.
std::optional<Undo> UndoMaker::of_writes(const Stm& stm, const Name& array, const Name& later,
                                         const Atom& width, const std::vector<Name>& indices) {
  Builder b = saving(stm);
  const Type type = r_.names.type_of(array);
  const Type row = row_type(type, static_cast<int>(indices.size()));
  const std::vector<std::pair<std::string, Type>> params(indices.size(),
                                                         {"i", scalar(PrimType::i64)});
  const Lambda read = b.lambda(params, [&](Builder& inner, const std::vector<Name>& i) {
    const std::vector<Atom> at(i.begin(), i.end());
    return std::vector<Atom>{
        value_or_zero(inner, "old", all_in_bounds(inner, at, type.shape), row,
                      [&](Builder& cell) { return cell.index("old", array, at); })};
  });
  const Name old = b.let(array.base + "_old", Map{width, read, indices, {}});
  Undo undo{{}, std::move(b.stms), {old}, later, {}};
  undo.forward.push_back(stm);
  undo.saved.insert(undo.saved.end(), indices.begin(), indices.end());
  if (const Name* name = name_in(width)) undo.saved.push_back(*name);
  undo.take_back = [=, base = array.base](Builder& inner, const Name& later_version,
                                          const Substitution& s) {
    std::vector<Name> at;
    for (const Name& index : indices) at.push_back(name_of(substitute(index, s)));
    return Atom(inner.let(
        base, Scatter{substitute(width, s), at, {later_version}, {name_of(substitute(old, s))}}));
  };
  return undo;
}

std::optional<Undo> UndoMaker::of_reduce_by_index(const Stm& stm, const ReduceByIndex& e,
                                                  const Name& array) {
  if (e.histograms.size() != 1 || !is_identity(e.fn)) return std::nullopt;
  const Histogram& histogram = e.histograms[0];
  const auto found = std::find(histogram.destinations.begin(), histogram.destinations.end(), array);
  const auto rank = static_cast<std::ptrdiff_t>(histogram.shape.size());
  return of_writes(
      stm, array,
      stm.pattern.at(static_cast<std::size_t>(found - histogram.destinations.begin())).name,
      e.width, {e.arrays.begin(), e.arrays.begin() + rank});
}

/// The places of all writes, unless these are so many that a copy of the array is less.
std::optional<Undo> UndoMaker::of_with_acc(const Stm& stm, const WithAcc& e, const Name& array) {
  const auto input = std::find_if(e.inputs.begin(), e.inputs.end(), [&](const auto& i) { return i.destination == array; });
  if (input == e.inputs.end()) return std::nullopt;  // the body consumes it
  const auto number = static_cast<std::size_t>(input - e.inputs.begin());
  const auto collected = collect_writes(saving(stm), e);
  if (!collected || !collected->written[number] || !consumed_from_outside(r_, collected->stms).empty()) return std::nullopt;
  const Written& written = *collected->written[number];
  if (written.dimensions > written.indices.size()) return std::nullopt;
  auto undo = of_writes(stm, array, stm.pattern.at(number).name, written.width, written.indices);
  undo->forward.insert(undo->forward.begin(), collected->stms.begin(), collected->stms.end());
  return undo;
}

std::optional<Undo> UndoMaker::of_if(const Stm& stm, const If& e, const NameSet& versions,
                                     const Name& array) {
  for (std::size_t j = 0; j < stm.pattern.size(); ++j) {
    const Name *then_result = name_in(e.then_body.result[j]),
               *else_result = name_in(e.else_body.result[j]);
    if (!then_result || !else_result || stm.pattern[j].type.shape.empty()) continue;
    const auto then_undo = of_stms(e.then_body.stms, versions, array, *then_result);
    if (!then_undo) continue;
    const auto else_undo = of_stms(e.else_body.stms, versions, array, *else_result);
    if (!else_undo) continue;

    Undo undo{only_if(stm, e.condition, true, then_undo->before), {}, {}, stm.pattern[j].name, {}};
    append(undo.before, only_if(stm, e.condition, false, else_undo->before));
    Stm branches = stm;
    If& instrumented = std::get<If>(branches.exp);
    instrumented.then_body.stms = then_undo->forward;
    instrumented.else_body.stms = else_undo->forward;
    std::vector<std::pair<Name, Name>> yielded;  // what a branch saves, the result of that
    for (const bool in_then : {true, false}) {
      const Undo& one = in_then ? *then_undo : *else_undo;
      Body& own = in_then ? instrumented.then_body : instrumented.else_body;
      Body& other = in_then ? instrumented.else_body : instrumented.then_body;
      const NameSet bound = bound_names(one.forward);
      for (const Name& name : one.saved) {
        if (!bound.contains(name)) {
          undo.saved.push_back(name);
          continue;
        }
        const Type type = r_.names.type_of(name);
        if (!is_closed_type(type, bound)) return std::nullopt;
        Builder blank = saving(stm);
        other.result.push_back(type.is_scalar()
                                   ? Atom(PrimValue::zero(type.elem))
                                   : Atom(blank.let("blank", Scratch{type.elem, type.shape})));
        append(other.stms, blank.stms);
        own.result.push_back(name);
        branches.pattern.push_back(r_.names.fresh_param(name.base, type));
        yielded.emplace_back(name, branches.pattern.back().name);
        undo.saved.push_back(branches.pattern.back().name);
      }
    }
    if (const Name* condition = name_in(e.condition)) undo.saved.push_back(*condition);
    undo.forward = {std::move(branches)};
    undo.take_back = [yielded, condition = e.condition, then_back = then_undo->take_back,
                      else_back = else_undo->take_back,
                      base = array.base](Builder& b, const Name& later, const Substitution& s) {
      Substitution inner = s;
      for (const auto& [name, result] : yielded)
        inner.insert_or_assign(name, substitute(result, s));
      Builder then_builder(b.names, b.origin), else_builder(b.names, b.origin);
      const Atom then_array = then_back(then_builder, later, inner);
      const Atom else_array = else_back(else_builder, later, inner);
      return Atom(b.let(base, If{substitute(condition, s),
                                 {std::move(then_builder.stms), {then_array}},
                                 {std::move(else_builder.stms), {else_array}}}));
    };
    return undo;
  }
  return std::nullopt;
}

/// Sizes that one branch needs and that both are given: 0 where it is not taken, since what they are found from may then be
/// undefined, or fail.
std::vector<Stm> UndoMaker::only_if(const Stm& stm, const Atom& condition, bool holds, const std::vector<Stm>& sizes) {
  if (std::all_of(sizes.begin(), sizes.end(), [](const Stm& size) { return is_size_arithmetic(size.exp); })) return sizes;
  Substitution renamed;
  Body found{rename(sizes, r_.names, renamed), {}}, none;
  std::vector<Param> pattern;
  for (const Stm& size : sizes)
    for (const Param& p : size.pattern) {
      if (!p.type.is_scalar()) continue;
      pattern.push_back(p);
      found.result.push_back(substitute(p.name, renamed));
      none.result.emplace_back(PrimValue::zero(p.type.elem));
    }
  if (!holds) std::swap(found, none);
  Builder b = saving(stm);
  b.let(std::move(pattern), If{condition, std::move(found), std::move(none)});
  return std::move(b.stms);
}

std::optional<LoggedLoop> UndoMaker::of_iterations(const Stm& stm, std::size_t param) {
  const Loop& e = std::get<Loop>(stm.exp);
  const auto* form = std::get_if<ForLoop>(&e.form);
  const Param& array = e.params.at(param).param;
  const Name* result = name_in(e.body.result.at(param));
  if (!form || !result || array.type.shape.empty() || array.type.accumulator) return std::nullopt;
  auto body = of_stms(e.body.stms, {array.name}, array.name, *result);
  if (!body) return std::nullopt;

  NameSet params{form->index};
  for (const LoopParam& p : e.params) params.insert(p.param.name);
  LoggedLoop logged;
  const NameSet used = free_names(Body{body->before, {}});
  if (std::any_of(used.begin(), used.end(),
                  [&](const Name& name) { return params.contains(name); }))
    body->forward.insert(body->forward.begin(), body->before.begin(), body->before.end());
  else
    logged.before = body->before;
  NameSet bound = bound_names(body->forward);
  bound.merge(params);
  if (!is_closed_type(array.type, bound)) return std::nullopt;

  Stm looping = stm;
  Loop& loop = std::get<Loop>(looping.exp);
  loop.body.stms = body->forward;
  loop.params.at(param).true_dep = false;  // what is overwritten is read now, to be saved
  Builder sizes = saving(stm), start = saving(stm), store = saving(stm);
  LogMaker logs(sizes, start, store, e, body->forward, bound, bound_of(stm) == nullptr);
  const auto save = [&](const Name& name) {
    const auto known = [&](const LogEntry& entry) { return entry.name == name; };
    if (name == form->index || std::any_of(logged.logs.begin(), logged.logs.end(), known))
      return true;
    if (!bound.contains(name)) {
      logged.saved.push_back(name);
      return true;
    }
    auto stored = logs.store(name);
    if (!stored) return false;
    loop.params.push_back(stored->param);
    loop.body.result.push_back(stored->result);
    looping.pattern.push_back(r_.names.fresh_param(with_ending(name.base, "_kept"), stored->param.param.type));
    stored->entry.log = looping.pattern.back().name;
    logged.logs.push_back(std::move(stored->entry));
    return true;
  };
  for (const Name& name : body->saved) {
    for (const Name& size : logs.varying_sizes(name))
      if (!save(size)) return std::nullopt;
    if (!save(name)) return std::nullopt;
  }
  append(loop.body.stms, store.stms);
  append(logged.before, sizes.stms);
  logged.forward = std::move(start.stms);
  logged.forward.push_back(std::move(looping));
  logged.take_back = body->take_back;
  return logged;
}

std::optional<Undo> UndoMaker::of_loop(const Stm& stm, const Loop& e, const NameSet& versions) {
  const auto* going_on = std::get_if<WhileLoop>(&e.form);
  if (going_on && !bound_of(stm)) return std::nullopt;
  Builder sizes = saving(stm);
  const Stm iterating = going_on ? as_for_loop(sizes, stm) : stm;
  const ForLoop& form = std::get<ForLoop>(std::get<Loop>(iterating.exp).form);
  for (std::size_t j = 0; j < e.params.size(); ++j) {
    const Name* init = name_in(e.params[j].init);
    if (!init || !versions.contains(*init)) continue;
    auto logged = of_iterations(iterating, j);
    if (!logged) continue;
    const Atom bound = going_on ? counted(*logged, going_on->condition) : form.bound;
    Undo undo{sizes.stms, logged->forward, logged->saved, stm.pattern.at(j).name, {}};
    append(undo.before, logged->before);
    for (const LogEntry& entry : logged->logs) undo.saved.push_back(entry.log);
    if (const Name* name = name_in(bound)) undo.saved.push_back(*name);
    undo.take_back = [logs = logged->logs, back = logged->take_back, form, bound,
                      type = e.params[j].param.type, base = e.params[j].param.name.base](
                         Builder& b, const Name& later, const Substitution& s) {
      const Atom iterations = substitute(bound, s);
      const Name step = b.names.bind_fresh("step", scalar(form.type));
      const Param state = b.names.fresh_param(base, type, true);
      Builder body(b.names, b.origin);
      const Atom last = body.binop("last", BinOpKind::sub, iterations, PrimValue::one(form.type));
      const Atom index = body.binop("i", BinOpKind::sub, last, step);
      const Atom position = as_i64(body, index);
      Substitution inner = s;
      inner.insert_or_assign(form.index, index);
      load_entries(body, logs, position, inner);
      const Atom earlier = back(body, state.name, inner);
      const Atom start = coerced(b, later, type);
      return Atom(b.let(base, Loop{{{state, start}},
                                   ForLoop{step, form.type, iterations},
                                   {std::move(body.stms), {earlier}}}));
    };
    return undo;
  }
  return std::nullopt;
}

/// The number of iterations of a loop that stands for a while loop, which becomes one that counts.
Atom UndoMaker::counted(LoggedLoop& logged, const Name& condition) {
  Stm loop = std::move(logged.forward.back());
  logged.forward.pop_back();
  Builder start = saving(loop), after = saving(loop);
  const Counted counted = as_counting_loop(start, loop, condition);
  assert_bound(after, counted.is_bounded, *bound_of(loop));
  append(logged.forward, start.stms);
  logged.forward.push_back(std::move(loop));
  append(logged.forward, after.stms);
  return counted.iterations;
}

}  // namespace boustro::ad
