// Branches and loops of the host, with kernels inside.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/params.hpp"
#include "transform/ir/print.hpp"

namespace boustro::plan::planner {

/// Plans a body apart; `finish` adds what follows it there.
Stms Host::block(const ir::Body& body, const std::function<void()>& finish,
                 const Destinations& destinations) {
  const std::size_t fetched = fetched_.size();
  Stms result = code_.collect([&] {
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      if (destinations[i]) code_.claim(body.stms, body.result[i], *destinations[i]);
    }
    ++depth_;
    stms(body.stms);
    flush();
    finish();
    --depth_;
  });
  forget_fetched(fetched);
  return result;
}

/// A scalar that a block computes as its result goes there at once.
void Host::made_at(const ir::Atom& result, const Value& place) {
  const ir::Name* name = ir::name_in(result);
  if (name && !code_.knows(*name)) cells_.emplace(*name, std::get<Cell>(place).pointer);
}

/// A scalar for the host's control flow.
Expr Host::read(const ir::Atom& atom) {
  return fetch(atom).expr;
}

/// Copies a value to the place of a loop parameter or branch result.
void Host::set(const Value& place, const ir::Atom& atom) {
  const Value value = value_of(atom);
  ir::match(
      place,
      [&](const Scalar& s) {
        fetch(atom);
        code_.assign(s.expr, code_.value(atom));
      },
      [&](const Cell& cell) {
        if (const auto* from = std::get_if<Cell>(&value)) {
          if (!(from->pointer == cell.pointer))
            code_.emit(plan::Copy{cell.pointer, from->pointer, lit(1), "a state or result that is another variable"});
          return;
        }
        const Expr known = code_.value(atom);
        const auto* literal = std::get_if<Literal>(&known.head);
        if (literal && literal->value.bits == 0) return code_.emit(plan::Fill{cell.pointer, lit(1)});
        launch({.base = "value",
                .extents = {},
                .index_bases = {},
                .stm = nullptr,
                .grid = "one thread"},
               [&](Code& code, Capture& capture, const std::vector<Scalar>&) {
                 code.assign(capture.written(cell), capture.import(known, "value"));
               });
      },
      [&](const View& to) { moved(to, std::get<View>(value), "result", nullptr, "a state or result that is another array, or a part of one"); },
      [](const Accumulator&) {});
}

// ---- Branches

void Host::if_(const ir::Stm& stm, const ir::If& e) {
  const Expr condition = read(e.condition);
  const ir::NameSet sizes = ir::mentioned_sizes(stm.pattern);
  std::vector<Value> places;
  Destinations destinations;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const ir::Param& param = stm.pattern[i];
    destinations.emplace_back();
    if (sizes.contains(param.name) || needed_.contains(param.name)) {
      for (const ir::Body* body : {&e.then_body, &e.else_body})
        if (const ir::Name* result = ir::name_in(body->result[i])) needed_.insert(*result);
      places.push_back(Scalar{late_variable(param, std::nullopt)});
      continue;
    }
    if (!param.type.accumulator && ir::mentions_any(param.type, sizes)) {
      const auto claimed = code_.destination(param.name);
      destinations[i] =
          claimed && claimed->late ? *claimed : code_.buffer(param.name.base, param.type.elem);
      places.push_back(*destinations[i]);
      continue;
    }
    if (param.type.accumulator) {
      const ir::Name& yes = std::get<ir::Name>(e.then_body.result[i]);
      places.push_back(code_.accumulator(code_.origin_of_accumulator(e.then_body.stms, yes)));
      continue;
    }
    if (param.type.is_scalar()) {
      places.push_back(cell_for(param.name, param.type.elem));
      made_at(e.then_body.result[i], places.back());
      made_at(e.else_body.result[i], places.back());
      continue;
    }
    const ir::Name* yes = ir::name_in(e.then_body.result[i]);
    const ir::Name* no = ir::name_in(e.else_body.result[i]);
    const bool same = yes && no && !code_.destination(param.name) &&
                      code_.origin(e.then_body.stms, *yes) == code_.origin(e.else_body.stms, *no);
    const ir::Name from = same ? code_.origin(e.then_body.stms, *yes) : param.name;
    const bool in_place = same && code_.knows(from) && is_updatable(code_.view(from));
    places.push_back(in_place ? code_.view(from) : place(param));
    if (!in_place) destinations[i] = std::get<View>(places.back());
  }
  const auto branch = [&](const ir::Body& body) {
    return block(
        body,
        [&] {
          for (std::size_t i = 0; i < places.size(); ++i) set(places[i], body.result[i]);
        },
        destinations);
  };
  Stms yes = branch(e.then_body);
  Stms no = branch(e.else_body);
  if (yes.empty() && !no.empty()) {
    code_.emit(If{opposite(condition), std::move(no)});
  } else if (!yes.empty()) {
    code_.emit(If{condition, std::move(yes), std::move(no), ir::has_attribute(stm, "versions")});
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ir::Param& param = stm.pattern[i];
    if (destinations[i] && destinations[i]->late) {
      const Expr base = destinations[i]->memory()->base;
      places[i] = dense_view(base, param.type.elem, code_.extents(param.type.shape));
    }
    code_.bind(param.name, places[i]);
  }
}

// ---- Loops

/// Which scalar parameters the host has: sizes and the condition, which it needs in each iteration, and those that it can compute
/// itself, from others of these and what it knows, or is `assumed` to know.
std::vector<bool> Host::host_params(const ir::Loop& loop, const ir::NameSet& assumed) {
  ir::NameSet needed = ir::mentioned_sizes(ir::params_of(loop));
  if (const auto* form = std::get_if<ir::WhileLoop>(&loop.form)) needed.insert(form->condition);
  ir::NameSet names = assumed;
  const auto is_host = [&](const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    return !name || names.contains(*name) || (code_.knows(*name) && is_known(atom));
  };
  std::vector<bool> known;
  for (const ir::LoopParam& p : loop.params)
    known.push_back(needed.contains(p.param.name) || (p.param.type.is_scalar() && is_host(p.init)));
  for (bool changed = true; changed;) {
    changed = false;
    names = assumed;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i]) names.insert(loop.params[i].param.name);
    }
    if (const auto* form = std::get_if<ir::ForLoop>(&loop.form)) names.insert(form->index);
    for (const ir::Stm& stm : loop.body.stms) {
      const bool scalar = ir::all_scalar(stm.pattern) && is_pure_scalar_code(context_, stm.exp);
      const auto* inner = std::get_if<ir::Loop>(&stm.exp);
      const ir::NameSet free = scalar ? ir::free_names(stm.exp) : ir::NameSet();
      const bool host = scalar && std::all_of(free.begin(), free.end(), [&](const ir::Name& name) { return is_host(name); });
      const std::vector<bool> results = scalar ? std::vector<bool>(stm.pattern.size(), host) : inner ? host_params(*inner, names) : std::vector<bool>();
      for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i]) names.insert(stm.pattern[i].name);
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
      const bool given = needed.contains(loop.params[i].param.name);
      if (known[i] && !given && !is_host(loop.body.result[i])) known[i] = false, changed = true;
    }
  }
  return known;
}

namespace {

/// The variable that says where it is.
const std::string& holder_of(const Value& place) {
  const Cell* cell = std::get_if<Cell>(&place);
  return cell ? std::get<Var>(cell->pointer.head).name : buffer_of(std::get<View>(place));
}

}  // namespace

void Host::loop(const ir::Stm& stm, const ir::Loop& e) {
  const std::size_t count = e.params.size();
  const std::vector<bool> on_host = host_params(e);
  const ir::NameSet sizes = ir::mentioned_sizes(ir::params_of(e));
  std::vector<Value> places(count, Value(Scalar{}));
  std::vector<std::optional<Value>> next(count);
  Destinations destinations(count);

  for (std::size_t i = 0; i < count; ++i) {
    const auto& [param, init, true_dep] = e.params[i];
    if (param.type.accumulator) {
      places[i] = code_.accumulator(std::get<ir::Name>(init));
    } else if (sizes.contains(param.name)) {
      fetch(init);
      places[i] = Scalar{late_variable(param, code_.value(init))};
    } else if (on_host[i]) {
      fetch(init);
      places[i] =
          Scalar{code_.variable(param.name.base, scalar_type(param.type.elem), code_.value(init))};
    } else if (param.type.is_scalar()) {
      const auto [here, there] = two_places(param, {});
      places[i] = Cell{here.memory()->base};
      next[i] = Cell{there.memory()->base};
      made_at(e.body.result[i], *next[i]);
      set(places[i], init);
    } else if (ir::mentions_any(param.type, sizes)) {
      continue;  // below, when its sizes have places
    } else {
      const ir::Name* result = ir::name_in(e.body.result[i]);
      const bool remade = is_remade_in_place(e, i, context_.callees);
      const bool in_place = remade || (result && code_.origin(e.body.stms, *result) == param.name);
      const View start = code_.view(std::get<ir::Name>(init));
      const bool own = only_starts(init);
      if (in_place && (param.unique || (remade && own)) && is_updatable(start) && !code_.destination(stm.pattern[i].name)) {
        places[i] = start;
      } else if (in_place) {
        const View buffer = place(stm.pattern[i]);
        copy(buffer, start, param.name.base, &stm, "the first state, which the loop updates");
        places[i] = buffer;
      } else {
        const auto around = taken_over(std::get<ir::Name>(init), stm.pattern[i].name);
        const auto [here, there] = around ? *around : two_places(param, start.extents, own ? &start : nullptr);
        if (!own && !around) copy(here, start, param.name.base, &stm, "the first state, which others need, too");
        places[i] = here;
        next[i] = there;
        destinations[i] = there;
        if (result) states_.insert_or_assign(param.name, State{here, there, *result});
      }
      if (remade) destinations[i] = std::get<View>(places[i]);
    }
    code_.bind(param.name, places[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Param& param = e.params[i].param;
    if (param.type.accumulator || !ir::mentions_any(param.type, sizes)) continue;
    places[i] = late_start(stm, e, i);
    code_.bind(param.name, places[i]);
    const ir::Name* result = ir::name_in(e.body.result[i]);
    if (result && code_.origin(e.body.stms, *result) == param.name) continue;
    destinations[i] = code_.buffer(param.name.base + "_next", param.type.elem);
    next[i] = *destinations[i];
  }

  for (std::size_t i = 0; i < count; ++i) {
    const ir::Name* result = ir::name_in(e.body.result[i]);
    if (on_host[i] && result) needed_.insert(*result);
  }
  // Whether the next value is what another parameter is now, which has a new value soon.
  const auto is_another = [&](const std::vector<Expr>& values, std::size_t i) {
    for (std::size_t j = 0; j < count; ++j)
      if (j != i && on_host[j] && std::get<Scalar>(places[j]).expr == values[i]) return true;
    return false;
  };
  const auto finish = [&] {
    // First all next values, then the parameters: one may be computed from another.
    for (std::size_t i = 0; i < count; ++i) {
      const auto state = states_.find(e.params[i].param.name);
      if (state != states_.end() && state->second.is_taken_over) next[i].reset();
      if (next[i]) set(*next[i], e.body.result[i]);
    }
    std::vector<Expr> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!on_host[i]) continue;
      fetch(e.body.result[i]);
      values[i] = code_.named("next_" + e.params[i].param.name.base, code_.value(e.body.result[i]));
    }
    for (std::size_t i = 0; i < count; ++i)
      if (on_host[i] && is_another(values, i)) values[i] = code_.variable("next_" + e.params[i].param.name.base, values[i].type, values[i]);
    for (std::size_t i = 0; i < count; ++i) {
      if (on_host[i]) code_.assign(std::get<Scalar>(places[i]).expr, values[i]);
      if (!next[i]) continue;
      const View* other = std::get_if<View>(&*next[i]);
      code_.emit(Swap{holder_of(places[i]), holder_of(*next[i]), !other || !other->late});
    }
  };

  if (const auto* form = std::get_if<ir::ForLoop>(&e.form)) {
    const Expr bound = cast(form->type, read(form->bound));
    const Value known = value_of(form->bound);
    const std::string name = identifiers_.fresh(form->index.base);
    Scalar index{var(name, form->type)};
    index.end = bound;
    if (form->type == PrimType::i64) {
      index.range = indices_below(size_range);
      const auto* scalar = std::get_if<Scalar>(&known);
      if (scalar && scalar->upper) index.upper = minus(*scalar->upper, lit(1));
    }
    code_.bind(form->index, index);
    const LoopScope scope(context_, name);
    Stms body = block(e.body, finish, destinations);
    code_.emit(Stm(For{.name = name,
                       .type = scalar_type(form->type),
                       .from = lit(0, form->type),
                       .to = bound,
                       .body = std::move(body)})
                   .after_gap());
  } else {
    const ir::Name& condition = std::get<ir::WhileLoop>(e.form).condition;
    const Expr test = std::get<Scalar>(code_.value_of(condition)).expr;
    const auto* variable = std::get_if<Var>(&test.head);
    const LoopScope scope(context_, variable ? variable->name : "");
    code_.emit(While{test, block(e.body, finish, destinations)});
  }
  for (std::size_t i = 0; i < count; ++i) code_.bind(stm.pattern[i].name, places[i]);
}

/// Where a state is, and where the next one is made: pointers, which change places after each iteration.
/// `start`: the first of the two, if nobody else needs it.
std::pair<View, View> Host::two_places(const ir::Param& param, const std::vector<Scalar>& extents, const View* start) {
  const auto pointer_to = [&](const std::string& base, const View& memory) {
    const Expr pointer = code_.variable(base, memory.memory()->base.type, memory.memory()->base);
    return dense_view(pointer, param.type.elem, extents);
  };
  const auto one = [&](const std::string& base) {
    return pointer_to(base, allocate_array(context_, identifiers_, code_, base + "_memory", param.type.elem, extents));
  };
  View here = start ? pointer_to(param.name.base, *start) : one(param.name.base);
  return {std::move(here), one(param.name.base + "_next")};
}

/// The places of a loop's state, for a loop inside of it that alone goes on from there to the next state.
std::optional<std::pair<View, View>> Host::taken_over(const ir::Name& init, const ir::Name& made) {
  const auto state = states_.find(init);
  if (state == states_.end() || state->second.next != made || !context_.uses.once(init) || !context_.uses.once(made)) return std::nullopt;
  state->second.is_taken_over = true;
  return std::pair(state->second.here, state->second.there);
}

/// The array was made to be the first state of a loop, in scratch memory of its own.
bool Host::only_starts(const ir::Atom& init) {
  const ir::Name& name = std::get<ir::Name>(init);
  if (!own_.contains(name) || !context_.uses.once(name)) return false;
  const View view = code_.view(name);
  const Memory* memory = view.memory();
  return is_contiguous(view) && std::holds_alternative<Field>(memory->base.head) && is_zero(memory->offset);
}

}  // namespace boustro::plan::planner
