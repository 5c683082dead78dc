// What one thread does in order: scalars that are computed from what the device knows, elements that are written one by
// one. Statements in a row are done by one kernel, which also stores results that the host knows by then.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

constexpr std::int64_t max_sequential_width = 64;

std::vector<ir::Atom> extents_of(const ir::Exp& exp) {
  if (const auto* nest = std::get_if<ir::Nest>(&exp)) return nest->space;
  if (const auto* concat = std::get_if<ir::Concat>(&exp)) return {concat->width};
  if (const auto* iota = std::get_if<ir::Iota>(&exp)) return {iota->width};
  return {};
}

/// Work for one thread: scalars, and arrays of small constant size.
bool is_small(const Context& context, const ir::Exp& exp, const std::vector<ir::Param>& pattern) {
  if (std::holds_alternative<ir::WithAcc>(exp) || std::holds_alternative<ir::UpdateAcc>(exp) || std::holds_alternative<ir::Sort>(exp))
    return false;
  if (const auto* nest = std::get_if<ir::Nest>(&exp); nest && nest->over != ir::Level::thread) return false;
  for (const ir::Param& param : pattern) {
    for (const ir::Atom& size : param.type.shape) {
      const PrimValue* value = ir::literal_in(size);
      if (!value || value->as_int() > max_sequential_width) return false;
    }
    if (param.type.accumulator) return false;
  }
  for (const ir::Atom& extent : extents_of(exp)) {
    const PrimValue* value = ir::literal_in(extent);
    if (!value || value->as_int() > max_sequential_width) return false;
  }
  if (const auto* call = std::get_if<ir::Call>(&exp)) {
    for (const ir::Stm& stm : context.function(call->function).body.stms) {
      if (!is_small(context, stm.exp, stm.pattern)) return false;
    }
  }
  bool result = true;
  const auto visit = [&](const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) result = result && is_small(context, stm.exp, stm.pattern);
  };
  ir::for_each_body(exp, visit);
  return result;
}

/// Writes one element.
bool is_element_update(const ir::Stm& stm) {
  const auto* update = std::get_if<ir::Update>(&stm.exp);
  return update && update->indices.size() == stm.pattern[0].type.shape.size() &&
         std::all_of(update->indices.begin(), update->indices.end(), [](const ir::DimIndex& index) {
           return std::holds_alternative<ir::Atom>(index);
         });
}

bool is_small_literal(const ir::Stm& stm) {
  const auto* literal = std::get_if<ir::ArrayLiteral>(&stm.exp);
  return literal && literal->row.is_scalar() &&
         static_cast<std::int64_t>(literal->elements.size()) <= max_sequential_width;
}

}  // namespace

bool Host::is_glue(const ir::Stm& stm) {
  if (is_element_update(stm) || is_small_literal(stm)) return true;
  if (stm.pattern.empty() && !std::holds_alternative<ir::Assert>(stm.exp)) return false;
  if (!ir::all_scalar(stm.pattern)) return false;
  if (std::holds_alternative<ir::Index>(stm.exp)) return true;
  return is_small(context_, stm.exp, stm.pattern);
}

/// Leaves the statement to the next kernel of one thread. What it writes has its place from now on.
void Host::defer(const ir::Stm& stm) {
  if (sees_what_is_pending(stm)) flush();
  context_.at(stm);
  if (const auto* update = std::get_if<ir::Update>(&stm.exp)) {
    code_.bind(stm.pattern[0].name, writable(update->array, &stm));
  } else if (std::holds_alternative<ir::ArrayLiteral>(stm.exp)) {
    code_.bind(stm.pattern[0].name, place(stm.pattern[0]));
  }
  note_arithmetic(stm);
  glue_.push_back(&stm);
}

/// Whether it reads or writes memory that pending statements know by another pointer, and one of them writes it: pointers of a
/// kernel to one element are one.
bool Host::sees_what_is_pending(const ir::Stm& stm) {
  struct Seen {
    Memory memory;
    bool written;
  };
  const auto seen_by = [&](const ir::Stm& one) {
    std::vector<Seen> seen;
    const auto add = [&](const ir::Name& name, bool written) {
      if (!code_.knows(name)) return;
      const View* view = std::get_if<View>(&code_.value_of(name));
      if (view && view->memory()) seen.push_back({*view->memory(), written});
    };
    for (const ir::Name& name : ir::free_names(one.exp)) add(name, false);
    if (const auto* update = std::get_if<ir::Update>(&one.exp)) add(update->array, true);
    for (const ir::Param& param : one.pattern) add(param.name, true);
    return seen;
  };
  const std::vector<Seen> here = seen_by(stm);
  for (const ir::Stm* pending : glue_) {
    for (const Seen& x : seen_by(*pending)) {
      for (const Seen& y : here) {
        const bool one_pointer = x.memory.offset == y.memory.offset;
        if (x.memory.base == y.memory.base && !one_pointer && (x.written || y.written)) return true;
      }
    }
  }
  return false;
}

void Host::flush() {
  if (glue_.empty()) return;
  const std::vector<const ir::Stm*> glue = std::exchange(glue_, {});
  ir::Body body;
  for (const ir::Stm* stm : glue) body.stms.push_back(*stm);
  Uses inside;
  inside.add(body);
  // What is used elsewhere gets a cell in device memory.
  std::vector<ir::Param> wanted;
  for (const ir::Stm* stm : glue) {
    for (const ir::Param& param : stm->pattern) {
      if (!param.type.is_scalar()) continue;
      if (context_.uses.of(param.name).count > inside.of(param.name).count) wanted.push_back(param);
    }
  }
  std::vector<Cell> cells;
  for (const ir::Param& param : wanted) cells.push_back(cell_for(param.name, param.type.elem));
  const std::vector<Stored> known = known_results();
  const std::vector<ir::Param>& last = glue.back()->pattern;
  const std::string base = !wanted.empty() ? wanted.back().name.base
                           : !last.empty() ? last[0].name.base
                                           : "check";
  launch({.base = base, .stm = glue.back(), .grid = "one thread"},
         [&](Code& code, Capture& capture, const std::vector<Scalar>&) {
           // The outputs first: their names are the ones that matter.
           std::vector<Expr> targets;
           for (const Cell& cell : cells) targets.push_back(capture.written(cell));
           for (const ir::Stm& stm : body.stms) {
             for (const ir::Param& param : stm.pattern) {
               if (param.type.is_scalar()) continue;
               const View array = capture.written(code_.view(param.name), param.name.base, Access::updated);
               const auto* update = std::get_if<ir::Update>(&stm.exp);
               update ? code.bind(update->array, array) : code.claim({stm}, param.name, array);
             }
           }
           for (const ir::Stm& stm : body.stms) code.stm(stm);
           for (std::size_t i = 0; i < wanted.size(); ++i)
             code.assign(targets[i], code.value(wanted[i].name));
           store(known, code, capture);
         });
  for (std::size_t i = 0; i < wanted.size(); ++i) code_.bind(wanted[i].name, cells[i]);
}

void Host::sequential(const ir::Stm& stm) {
  bound_thread_memory(stm);
  std::vector<Value> places;
  for (const ir::Param& param : stm.pattern) {
    if (param.type.accumulator) {
      source::refuse(source::Message::plan_cannot_translate,
                     stm.origin.at.empty() ? function_.at : stm.origin.at[0],
                     "an accumulator in this place");
    }
    const auto updated = updated_in_place(stm.exp, places.size());
    places.push_back(param.type.is_scalar() ? Value(cell_for(param.name, param.type.elem))
                     : updated              ? Value(writable(*updated, &stm))
                                            : Value(place(param)));
  }
  ir::Body body{{stm}, {}};
  for (const ir::Param& param : stm.pattern) body.result.push_back(param.name);
  const std::string base = stm.pattern.empty() ? "check" : stm.pattern.front().name.base;
  launch(
      {.base = base, .stm = &stm, .grid = "one thread: in order"},
      [&](Code& code, Capture& capture, const std::vector<Scalar>&) {
        Destinations destinations;
        for (const Value& place : places) {
          const View* view = std::get_if<View>(&place);
          const auto updated = updated_in_place(stm.exp, destinations.size());
          destinations.emplace_back();
          if (!view) continue;
          if (updated) {
            code.bind(*updated, capture.written(*view, updated->base, Access::updated));
          } else {
            destinations.back() = capture.written(*view, base);
          }
        }
        code.body(body, destinations);
        for (std::size_t i = 0; i < places.size(); ++i) {
          const Cell* cell = std::get_if<Cell>(&places[i]);
          if (cell) code.assign(capture.written(*cell), code.value(body.result[i]));
        }
      });
  for (std::size_t i = 0; i < places.size(); ++i) code_.bind(stm.pattern[i].name, places[i]);
}

}  // namespace boustro::plan::planner
