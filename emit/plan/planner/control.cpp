// Branches, loops, calls and assertions inside a thread.
#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/entry.hpp"
#include "emit/plan/planner/final_places.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/params.hpp"

namespace boustro::plan::planner {

void Code::guarded(const std::optional<Expr>& condition, const std::function<void()>& fill) {
  if (!condition) return fill();
  if (*condition == false_lit()) return;
  Stms body = collect([&] {
    nonzero_.assume(*condition);
    fill();
  });
  if (!body.empty()) emit(If{*condition, std::move(body)});
}

// ---- Branches

void Code::if_(const ir::Stm& stm, const ir::If& branch) {
  const Expr condition = value(branch.condition);
  const ir::NameSet sizes = ir::mentioned_sizes(stm.pattern);
  const std::size_t count = stm.pattern.size();

  // Arrays that both branches update in place stay where they are; others get one place for both.
  Destinations destinations(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Param& param = stm.pattern[i];
    if (param.type.is_scalar() || param.type.accumulator) continue;
    if (ir::mentions_any(param.type, sizes)) {
      const auto claimed = destination(param.name);
      destinations[i] =
          claimed && claimed->late ? *claimed : buffer(param.name.base, param.type.elem);
      continue;
    }
    const ir::Name* yes = ir::name_in(branch.then_body.result[i]);
    const ir::Name* no = ir::name_in(branch.else_body.result[i]);
    const bool same = yes && no && !destinations_.contains(param.name) &&
                      origin(branch.then_body.stms, *yes) == origin(branch.else_body.stms, *no);
    const ir::Name from = same ? origin(branch.then_body.stms, *yes) : param.name;
    // What cannot be updated where it is, each branch would put elsewhere.
    const bool unchanged = same && *yes == from && *no == from;
    const bool in_place = same && (unchanged || (knows(from) && is_updatable(view(from))));
    if (in_place) continue;
    const auto claimed = destination(param.name);
    const bool has_memory = claimed && claimed->late && made_in_place_.contains(param.name);
    destinations[i] = has_memory ? dense_view(claimed->memory()->base, param.type.elem, extents(param.type.shape)) : place(param);
  }

  // The variables stand before the branches, so that no name inside may hide theirs; what comes
  // from outside keeps its name.
  for (const ir::Name& name : ir::free_names(stm.exp)) {
    const bool clashes = std::any_of(stm.pattern.begin(), stm.pattern.end(),
                                     [&](const ir::Param& p) { return p.name.base == name.base; });
    if (clashes) value_of(name);
  }
  std::vector<std::string> variables;
  for (const ir::Param& param : stm.pattern)
    variables.push_back(identifiers_.fresh(param.name.base));

  Results yes, no;
  std::vector<Expr> yes_values, no_values;
  const auto fill = [&](const ir::Body& body, Results& results, std::vector<Expr>& values) {
    return collect([&] {
      nonzero_.assume(condition, &body == &branch.then_body);
      for (std::size_t i = 0; i < count; ++i) {
        const auto made = made_in_place_.find(stm.pattern[i].name);
        if (made != made_in_place_.end() && made->second.on_true == (&body == &branch.then_body) && is_where_claimed(made->second))
          rebind(made->second.array, *destinations[i]);
      }
      results = this->body(body, destinations);
      for (std::size_t i = 0; i < count; ++i) {
        if (stm.pattern[i].type.is_scalar()) values.push_back(value(body.result[i]));
      }
    });
  };
  Stms then_stms = fill(branch.then_body, yes, yes_values);
  Stms else_stms = fill(branch.else_body, no, no_values);

  const auto small = [](const std::vector<Expr>& values) {
    int nodes = 0;
    for (const Expr& value : values) nodes += node_count(value);
    return nodes <= 16;
  };
  const bool pure = then_stms.empty() && else_stms.empty() && small(yes_values) && small(no_values);
  for (std::size_t i = 0; i < count; ++i) {
    if (pure || !stm.pattern[i].type.is_scalar()) identifiers_.release(variables[i]);
  }
  const Expr decided = pure && yes_values.size() > 1 ? named("chosen", condition) : condition;

  Results results;
  std::size_t scalars = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Param& param = stm.pattern[i];
    if (!param.type.is_scalar()) {
      const bool late = destinations[i] && destinations[i]->late;
      results.push_back(late ? dense_view(destinations[i]->memory()->base, param.type.elem,
                                          extents(param.type.shape))
                             : yes[i]);
      continue;
    }
    const Expr& x = yes_values[scalars];
    const Expr& y = no_values[scalars++];
    const auto* a = std::get_if<Scalar>(&yes[i]);
    const auto* b = std::get_if<Scalar>(&no[i]);
    const auto range = a && b ? join(a->range, b->range) : std::nullopt;
    std::optional<Expr> upper;
    if (param.type.elem == PrimType::i64 && a && b && a->upper && b->upper)
      upper = runtime::max(*a->upper, *b->upper);
    if (pure) {
      const Scalar test = scalar(branch.condition);
      const bool early = surroundings_.host && a && b && test.exact && a->exact && b->exact;
      if (early) upper = chosen(decided, x, y);
      bind_scalar(param.name, Scalar{chosen(decided, x, y), upper, range, early});
      results.push_back(value_of(param.name));
      continue;
    }
    // The value of an empty branch is the start value.
    const bool starts = else_stms.empty() && node_count(y) <= 3;
    const Expr target = var(variables[i], param.type.elem);
    emit(Let{.name = variables[i],
             .type = target.type,
             .value = starts ? std::optional(cast(target.type, y)) : std::nullopt,
             .changes = true});
    then_stms.push_back(Assign{target, x});
    if (!starts) else_stms.push_back(Assign{target, y});
    results.push_back(Scalar{target, upper, range});
    bind(param.name, results.back());  // it may be the size of another one
  }
  if (then_stms.empty() && !else_stms.empty()) {
    emit(If{opposite(condition), std::move(else_stms)});
  } else if (!then_stms.empty()) {
    emit(If{condition, std::move(then_stms), std::move(else_stms)});
  }
  bind_results(stm.pattern, results);
}

// ---- Loops

namespace {

/// The statement `j = last - i` of a loop `for i < n` that uses i for nothing else, where last is
/// n - 1: j counts down from last.
std::optional<std::size_t> reversed_index(const Uses& uses, const ir::Loop& loop) {
  const auto& form = std::get<ir::ForLoop>(loop.form);
  if (form.type != PrimType::i64 || uses.of(form.index).count != 1) return std::nullopt;
  for (std::size_t at = 0; at < loop.body.stms.size(); ++at) {
    const auto* op = std::get_if<ir::BinOp>(&loop.body.stms[at].exp);
    if (!op || op->kind != ir::BinOpKind::sub || op->rhs != ir::Atom(form.index)) continue;
    if (uses.is_last_of(op->lhs, form.bound)) return at;
  }
  return std::nullopt;
}

ir::Body without(ir::Body body, std::size_t stm) {
  body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(stm));
  return body;
}

}  // namespace

void Code::loop_(const ir::Stm& stm, const ir::Loop& loop) {
  const ir::NameSet sizes = ir::mentioned_sizes(ir::params_of(loop));

  // Each parameter's place: a variable, or memory for an array. An array that the body replaces as
  // a whole has a second place, since the body still reads the first one.
  const std::size_t count = loop.params.size();
  Results places;
  Destinations next(count);
  std::vector<Expr> starts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ir::LoopParam& p = loop.params[i];
    if (p.param.type.is_scalar()) starts[i] = value(p.init);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [param, init, true_dep] = loop.params[i];
    if (param.type.accumulator) {
      places.push_back(accumulator(std::get<ir::Name>(init)));
    } else if (param.type.is_scalar()) {
      places.push_back(Scalar{variable(param.name.base, type(param.type.elem), starts[i])});
    } else {
      if (ir::mentions_any(param.type, sizes)) {
        places.emplace_back();  // below, when its sizes have places
        continue;
      }
      const ir::Name& array = std::get<ir::Name>(init);
      const ir::Name* result = ir::name_in(loop.body.result[i]);
      const bool remade = is_remade_in_place(loop, i, context_.callees);
      const bool in_place = remade || (result && origin(loop.body.stms, *result) == param.name);
      View start = view(array);
      const bool own = in_place && param.unique && is_updatable(start) &&
                       !destinations_.contains(stm.pattern[i].name);
      if (!own) {
        // Steps of a point change what is the point's own, in the cache or in lanes: what it comes to is stored at last.
        const bool apart = remade && depth_ > 0 && !context_.gpu();
        const View buffer = apart ? temporary(param.name.base, param.type.elem, start.extents) : place(stm.pattern[i]);
        copy(buffer, start);
        start = buffer;
      }
      places.push_back(start);
      if (remade) next[i] = start;
      if (!in_place) next[i] = temporary(param.name.base + "_next", param.type.elem, start.extents);
    }
    bind(param.name, places.back());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Param& param = loop.params[i].param;
    if (param.type.accumulator || !ir::mentions_any(param.type, sizes)) continue;
    places[i] = late_start(stm, loop, i);
    bind(param.name, places[i]);
    const ir::Name* result = ir::name_in(loop.body.result[i]);
    const bool in_place = result && origin(loop.body.stms, *result) == param.name;
    if (!in_place) next[i] = buffer(param.name.base + "_next", param.type.elem);
  }

  const auto* for_loop = std::get_if<ir::ForLoop>(&loop.form);
  const auto fill = [&](const ir::Body& inside) {
    const Results results = body(inside, next);
    // All next values are known before the first variable changes.
    std::vector<Expr> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (loop.params[i].param.type.is_scalar()) values[i] = value(loop.body.result[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!loop.params[i].param.type.is_scalar()) continue;
      for (std::size_t earlier = 0; earlier < i; ++earlier) {
        const auto* target = std::get_if<Scalar>(&places[earlier]);
        if (!target || !mentions(values[i], std::get<Var>(target->expr.head).name)) continue;
        const std::string name = identifiers_.fresh("next_" + loop.params[i].param.name.base);
        // Before all assignments: these are emitted below.
        emit(Let{.name = name, .type = values[i].type, .value = values[i]});
        values[i] = var(name, values[i].type);
        break;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (next[i] && next[i]->late) {
        emit(Swap{buffer_of(std::get<View>(places[i])), buffer_of(*next[i])});
      } else if (next[i]) {
        copy(std::get<View>(places[i]), *next[i]);  // nothing to do if it is the same place
      }
      if (loop.params[i].param.type.is_scalar())
        assign(std::get<Scalar>(places[i]).expr, values[i]);
    }
  };

  if (for_loop) {
    const Scalar bound = scalar(for_loop->bound);
    const auto reversed = reversed_index(context_.uses, loop);
    const bool narrow =
        for_loop->type == PrimType::i64 &&
        (bound.expr.type.prim == PrimType::i32 || (int_value(bound.expr) && fits_int(bound.range)));
    const bool down = reversed && bound.range && bound.range->low > (narrow ? std::int64_t{INT32_MIN} : INT64_MIN);  // it starts one below
    const Type index_type = type(narrow ? PrimType::i32 : for_loop->type);
    std::string name;
    Stms stms = collect_loop(false, [&] {
      assume_nonzero(bound.expr);
      const ir::Name& counted = down ? loop.body.stms[*reversed].pattern[0].name : for_loop->index;
      name = identifiers_.fresh(identifiers_.letter_for(counted.base, context_.entry_sizes));
      Scalar index{var(name, index_type)};
      index.end = bound.expr;
      if (for_loop->type == PrimType::i64) {
        index.range = indices_below(bound.range.value_or(size_range));
        if (bound.upper) index.upper = minus(*bound.upper, lit(1));
        index.at_most = bound.below;
      }
      bind(counted, index);
      const LoopScope scope(context_, name);
      fill(down ? without(loop.body, *reversed) : loop.body);
    }, true);
    const Expr to = int_value(bound.expr) ? lit(*int_value(bound.expr), index_type.prim)
                                          : (narrow ? bound.expr : value(for_loop->bound));
    const Expr zero = lit(0, index_type.prim);
    const Expr last = int_value(to) ? lit(*int_value(to) - 1, index_type.prim) : minus(to, lit(1));
    emit_loop(For{.name = name,
                  .type = index_type,
                  .from = down ? last : zero,
                  .to = down ? zero : to,
                  .down = down,
                  .in_turn = true,
                  .unrolled = context_.gpu() && ir::has_attribute(stm, "unroll"),
                  .body = std::move(stms)});
  } else {
    const ir::Name& condition = std::get<ir::WhileLoop>(loop.form).condition;
    const Expr test = scalar(condition).expr;
    const auto* variable = std::get_if<Var>(&test.head);
    const LoopScope scope(context_, variable ? variable->name : "");
    emit_loop(While{test, collect_loop(false, [&] { fill(loop.body); }, true)});
  }
  bind_results(stm.pattern, places);
}

/// The place of an array that changes its shape, with what it starts from: to the body its extents
/// are variables.
View Code::late_start(const ir::Stm& stm, const ir::Loop& loop, std::size_t i) {
  const auto& [param, init, true_dep] = loop.params[i];
  const View start = view(std::get<ir::Name>(init));
  const auto claimed = destination(stm.pattern[i].name);
  const View place = claimed && claimed->late ? *claimed : buffer(param.name.base, param.type.elem);
  moved(place, start);
  return dense_view(place.memory()->base, param.type.elem, extents(param.type.shape));
}

// ---- Calls

void Code::call(const ir::Stm& stm, const ir::Call& call) {
  if (!context_.is_device_function(context_.function(call.function))) {
    const ir::Body inlined = context_.inlined(call);
    Destinations destinations;
    for (const ir::Param& param : stm.pattern) {
      const auto claimed = destinations_.find(param.name);
      destinations.push_back(claimed == destinations_.end() ? std::nullopt
                                                            : std::optional(claimed->second));
    }
    return bind_results(stm.pattern, body(inlined, destinations));
  }
  const Function& function = context_.device_function(call.function);
  std::vector<Expr> args;
  for (const ir::Atom& arg : call.args) args.push_back(value(arg));
  const Expr result = plan::call(function.name, *function.result, std::move(args));
  if (stm.pattern.size() == 1) return bind_scalar(stm.pattern[0].name, {result});
  const Expr record = named(function.name + "_result", result);
  const std::vector<std::string> fields = field_names(context_.function(call.function));
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const ir::Param& param = stm.pattern[i];
    bind(param.name, Scalar{field(record, fields[i], type(param.type.elem))});
  }
}

}  // namespace boustro::plan::planner
