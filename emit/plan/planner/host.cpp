#include "emit/plan/planner/host.hpp"

#include <algorithm>

#include "emit/plan/planner/layout.hpp"
#include "emit/plan/planner/versions.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/messages.hpp"
#include "transform/facts/thread_rows.hpp"
#include "transform/ir/print.hpp"

namespace boustro::plan::planner {
namespace {

Identifiers host_identifiers(const Context& context) {
  Identifiers identifiers = context.file_names;
  identifiers.keep();
  return identifiers;
}

Surroundings host_surroundings(Context& context, Identifiers& identifiers, Code& code) {
  Surroundings around;
  around.import = [](const ir::Name& name) -> Value {
    source::internal_error("plan: not defined: " + ir::to_string(name));
  };
  around.allocate = [&](const std::string& base, PrimType elem,
                        const std::vector<Scalar>& extents) {
    return allocate_array(context, identifiers, code, base, elem, extents);
  };
  around.failure = [] { return var("failure", pointer_to(struct_type("Failure"))); };
  around.host = true;
  return around;
}

}  // namespace

bool is_pure_scalar_code(Context& context, const ir::Exp& exp) {
  if (ir::is_scalar_operation(exp)) return true;
  if (const auto* call = std::get_if<ir::Call>(&exp)) return context.is_device_function(context.function(call->function));
  if (!std::holds_alternative<ir::If>(exp) && !std::holds_alternative<ir::Loop>(exp)) return false;
  bool result = true;
  ir::for_each_body(exp, [&](const ir::Body& body) {
    for (const ir::Stm& stm : body.stms)
      result = result && ir::all_scalar(stm.pattern) && is_pure_scalar_code(context, stm.exp);
  });
  return result;
}

Host::Host(Context& context, const ir::Function& function)
    : context_(context),
      function_(function),
      identifiers_(host_identifiers(context)),
      interface_(plan_interface(context, function, identifiers_)),
      code_(context, identifiers_, host_surroundings(context, identifiers_, code_)) {}

void Host::run() {
  for (auto& [name, value] : interface_.values) code_.bind(name, value);
  code_.open_late_results(interface_);
  const ir::Body& body = function_.body;
  for (std::size_t i = 0; i < body.result.size(); ++i) {
    const ir::Name* name = ir::name_in(body.result[i]);
    if (interface_.destinations[i]) {
      code_.claim(body.stms, body.result[i], *interface_.destinations[i]);
    } else if (name && !(interface_.scalars[i] == Expr{})) {
      cells_.emplace(*name, interface_.scalars[i]);
      code_.claim_only_element(body.stms, *name, interface_.scalars[i]);
    }
  }
  stms(body.stms);
  flush();
  for (std::size_t i = 0; i < body.result.size(); ++i) {
    if (interface_.destinations[i] && interface_.destinations[i]->late) continue;
    if (interface_.destinations[i]) {
      const Value result = value_of(body.result[i]);
      const Param* output = nullptr;
      for (const Param& param : context_.entry.params) {
        const auto* base = std::get_if<Var>(&interface_.destinations[i]->memory()->base.head);
        if (base && base->name == param.name) output = &param;
      }
      copy(*interface_.destinations[i], std::get<View>(result), output->name, nullptr, "a result that is not made where the caller wants it");
    } else if (i >= static_cast<std::size_t>(function_.size_results) && !is_known(body.result[i])) {
      const Expr from = std::get<Cell>(value_of(body.result[i])).pointer, to = interface_.scalars[i];
      if (!(from == to)) code_.emit(plan::Copy{to, from, lit(1), "a result that is not made where the caller wants it"});
    }
  }
  if (const std::vector<Stored> known = known_results(); !known.empty()) {
    launch({.base = std::get<Var>(known.front().pointer.head).name, .grid = "one thread: the results do not depend on data"},
           [&](Code& code, Capture& capture, const std::vector<Scalar>&) { store(known, code, capture); });
  }
  hand_over_late_results();
  context_.entry.body = code_.take();
}

void plan_gpu_entry(Context& context, const ir::Function& function) {
  Host(context, function).run();
  choose_versions(context.entry, context.options.typical);
  hoist_prologue(context.entry);
}

// ---- Values

Value Host::value_of(const ir::Atom& atom) {
  const ir::Name* name = ir::name_in(atom);
  return name ? code_.value_of(*name) : Value(literal(*ir::literal_in(atom)));
}

Cell Host::cell_for(const ir::Name& name, PrimType elem) {
  const auto output = cells_.find(name);
  if (output != cells_.end()) return {output->second};
  const View cell = allocate_piece(context_, identifiers_, name.base, elem, {});
  return {cell.memory()->base};
}

View Host::place(const ir::Param& param) {
  const auto claimed = code_.destination(param.name);
  const std::vector<Scalar> extents = code_.extents(param.type.shape);
  if (claimed && !claimed->late) return code_.fitting(param.name, *claimed, extents);
  if (claimed) return code_.allocated(*claimed, extents);
  own_.insert(param.name);
  return allocate_array(context_, identifiers_, code_, param.name.base, param.type.elem, extents);
}

std::vector<Host::Stored> Host::known_results() {
  const std::vector<ir::Atom>& results = function_.body.result;
  stored_.resize(results.size());
  std::vector<Stored> known;
  for (auto i = static_cast<std::size_t>(function_.size_results); depth_ == 0 && i < results.size(); ++i) {
    if (interface_.destinations[i] || stored_[i] || !is_known(results[i])) continue;
    known.push_back({interface_.scalars[i], std::get<Scalar>(value_of(results[i]))});
    stored_[i] = true;
  }
  return known;
}

void Host::store(const std::vector<Stored>& known, Code& code, Capture& capture) {
  for (const auto& [pointer, scalar] : known)
    code.assign(capture.written(Cell{pointer}), capture.import(scalar.expr));
}

// ---- Statements

void Host::stms(const std::vector<ir::Stm>& stms) {
  const FinalPlaces final_places(stms, context_.uses, context_.callees);
  note_needs(stms);
  for (std::size_t i = 0; i < stms.size(); ++i) {
    const ir::Stm& stm = stms[i];
    if (compute_here(stm) || stays_in_array(stm)) continue;
    const bool host = is_host_scalar(stm);
    const auto* literal = std::get_if<ir::ArrayLiteral>(&stm.exp);
    if (literal && code_.table(stm, *literal)) continue;
    if (!host && is_glue(stm)) {
      defer(stm);
      continue;
    }
    if (!host && !is_view(stm)) {
      wait_before_flush(stm);
      flush();
    }
    code_.make_in_final_places(stms, i, final_places);
    for (const ir::Param& param : stm.pattern) {
      if (param.type.is_scalar() || param.type.accumulator || code_.destination(param.name)) continue;
      if (!code_.destination(param.name)) code_.claim_through_views(stms, i, param.name);
      if (!code_.destination(param.name)) lay_out(stms, i, param);
    }
    this->stm(stm);
  }
}

/// Only tells where elements lie, so that what is pending need not be done before.
bool Host::is_view(const ir::Stm& stm) {
  const bool of_known_sizes = std::all_of(
      stm.pattern.begin(), stm.pattern.end(), [&](const ir::Param& param) {
        return std::all_of(param.type.shape.begin(), param.type.shape.end(), [&](const ir::Atom& size) { return is_known(size); });
      });
  return of_known_sizes && ir::match(
      stm.exp, [](const ir::Rearrange&) { return true; },
      [&](const ir::Index& e) { return is_known(e.indices); }, [](const auto&) { return false; });
}

/// In an order of its dimensions that suits those who make and read it.
void Host::lay_out(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Param& made) {
  const auto order = facts::order_in_memory(stms, at, made.name, [&](const ir::Name& name) { return context_.uses.of(name).count; });
  if (!order || !std::all_of(made.type.shape.begin(), made.type.shape.end(), [&](const ir::Atom& size) { return is_known(size); })) return;
  const std::vector<Scalar> extents = code_.extents(made.type.shape);
  if (std::any_of(extents.begin(), extents.end(), [&](const Scalar& extent) { return context_.is_late(extent.expr); })) return;
  std::vector<Scalar> ordered;
  for (const int d : *order) ordered.push_back(extents[static_cast<std::size_t>(d)]);
  const View memory = allocate_array(context_, identifiers_, code_, made.name.base, made.type.elem, ordered);
  code_.claim({}, made.name, rearranged_back(memory, *order));
  own_.insert(made.name);
}

bool Host::is_host_scalar(const ir::Stm& stm) {
  if (!ir::all_scalar(stm.pattern)) return false;
  const bool assertion = std::holds_alternative<ir::Assert>(stm.exp);
  if (!assertion && !is_pure_scalar_code(context_, stm.exp)) return false;
  for (const ir::Name& name : ir::free_names(stm.exp)) {
    if (!is_known(name) && !compute(name)) return false;
  }
  return true;
}

void Host::stm(const ir::Stm& stm) {
  const OriginScope scope(context_, stm);
  context_.at(stm);
  if (is_host_scalar(stm)) {
    code_.stm(stm);
    // What is computed once, from what the caller gave, can size scratch memory.
    bool early = depth_ == 0;
    const ir::NameSet free = ir::free_names(stm.exp);
    for (const ir::Name& name : free) {
      early = early && std::get<Scalar>(code_.value_of(name)).exact;
    }
    for (const ir::Param& param : stm.pattern) {
      Scalar result = std::get<Scalar>(code_.value_of(param.name));
      if (!early || result.exact) continue;
      const bool late = std::any_of(free.begin(), free.end(), [&](const ir::Name& name) {
        return context_.is_late(std::get<Scalar>(code_.value_of(name)).expr);
      });
      if (!late) add_names(result.expr, context_.early_variables);
      result.upper = result.expr;
      result.exact = true;
      code_.bind(param.name, result);
    }
    return;
  }
  fetch_sizes(stm);
  work(stm);
}

/// A statement that is more than arithmetic of the host.
void Host::work(const ir::Stm& stm) {
  const auto view = [&](const auto&) { code_.stm(stm); };
  ir::match(
      stm.exp, [&](const ir::AtomExp& e) { code_.bind(stm.pattern[0].name, value_of(e.atom)); },
      [&](const ir::Iota& e) { is_known(e.width) ? code_.stm(stm) : sequential(stm); },
      [&](const ir::Replicate& e) { replicate(stm, e); },
      [&](const ir::Scratch& e) { view(e); },
      [&](const ir::Rearrange& e) {
        view(e);
        if (own_.contains(e.array) && context_.uses.once(e.array)) own_.insert(stm.pattern[0].name);
      },
      [&](const ir::Reshape& e) { reshape(stm, e); }, [&](const ir::Coerce& e) { view(e); },
      [&](const ir::Copy& e) {
        const View to = place(stm.pattern[0]);
        copy(to, code_.view(e.array), stm.pattern[0].name.base, &stm, "which the program or its derivative asks for");
        code_.bind(stm.pattern[0].name, to);
      },
      [&](const ir::Index& e) { index(stm, e); }, [&](const ir::Update& e) { update(stm, e); },
      [&](const ir::Sort& e) { sort(stm, e); }, [&](const ir::Concat& e) { concat(stm, e); },
      [&](const ir::ArrayLiteral& e) { array_literal(stm, e); },
      [&](const ir::If& e) { if_(stm, e); }, [&](const ir::Loop& e) { loop(stm, e); },
      [&](const ir::Call& e) {
        const ir::Body inlined = context_.inlined(e);
        for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
          const auto claimed = code_.destination(stm.pattern[i].name);
          if (claimed) code_.claim(inlined.stms, inlined.result[i], *claimed);
        }
        // The statements are needed until they have been planned.
        stms(inlined.stms);
        flush();
        for (std::size_t i = 0; i < stm.pattern.size(); ++i)
          code_.bind(stm.pattern[i].name, value_of(inlined.result[i]));
      },
      [&](const ir::Nest& e) { nest(stm, e); },
      [&](const ir::WithAcc& e) { with_acc(stm, e); },
      [&](const ir::UpdateAcc& e) { update_acc(stm, e); },
      [&](const ir::Assert&) { sequential(stm); },
      [&](const auto&) {
        source::internal_error("plan: statement on the host: " + ir::to_string(stm));
      });
}

void Host::replicate(const ir::Stm& stm, const ir::Replicate& e) {
  const Value value = value_of(e.value);
  if (const auto* cell = std::get_if<Cell>(&value)) {
    const PrimType elem = stm.pattern[0].type.elem;
    return code_.bind(stm.pattern[0].name,
                      View{elem, code_.extents(stm.pattern[0].type.shape), Constant{cell->pointer[lit(0, PrimType::i32)]}});
  }
  const auto* row = std::get_if<View>(&value);
  if (!row || row->rank() == 0) return code_.stm(stm);
  const ir::Name& name = std::get<ir::Name>(e.value);
  // All rows of a counted one are one that lies somewhere; what else the name stands for is still counted.
  const bool is_counted = std::holds_alternative<Counting>(row->data);
  const View made = is_counted ? in_memory(*row, stm.pattern[0].name.base, &stm) : *row;
  if (!made.memory() || context_.settled(name)) {
    code_.bind(name, made);
    code_.stm(stm);
    return code_.bind(name, value);
  }
  code_.check_sizes(stm, e.shape);
  const View to = place(stm.pattern[0]);
  copy(to, code_.repeated(made, to.extents), stm.pattern[0].name.base, &stm, "of a row that is updated while others need what it was");
  code_.bind(stm.pattern[0].name, to);
}

void Host::index(const ir::Stm& stm, const ir::Index& e) {
  const View array = code_.view(e.array);
  if (!is_known(e.indices)) return copy_part(stm, e);
  if (e.checked) code_.check_access(e.indices, array, stm.origin);
  code_.bind(stm.pattern[0].name, code_.slice(array, e.indices));
}

}  // namespace boustro::plan::planner
