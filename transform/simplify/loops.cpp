// Loops that do not loop, and parameters that do not vary.
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

std::optional<std::int64_t> constant_count(const Loop& loop) {
  if (const auto* form = std::get_if<ForLoop>(&loop.form)) {
    const PrimValue* bound = literal_in(form->bound);
    if (!bound) return std::nullopt;
    const bool is_none = values::is_signed(form->type) ? bound->as_int() <= 0 : bound->bits == 0;
    if (is_none) return 0;
    return is_literal(form->bound, 1) ? std::optional<std::int64_t>(1) : std::nullopt;
  }
  const Name& condition = std::get<WhileLoop>(loop.form).condition;
  for (const LoopParam& p : loop.params) {
    if (p.param.name != condition) continue;
    const PrimValue* first = literal_in(p.init);
    if (first && !first->as_bool()) return 0;
  }
  return std::nullopt;
}

}  // namespace

// Before:  loop x = x0 for i < 0 do ..    loop x = x0 for i < 1 do f x i
// After:   x0                             f x0 0
RuleResult loop_of_constant_count(Stm& stm, Context&) {
  auto* loop = std::get_if<Loop>(&stm.exp);
  const auto count = loop ? constant_count(*loop) : std::nullopt;
  if (!count) return std::nullopt;
  Rewrite result;
  if (*count == 0) {
    for (std::size_t i = 0; i < loop->params.size(); ++i) {
      result.push_back(let(stm.pattern[i], AtomExp{loop->params[i].init}, stm));
    }
    return result;
  }
  const auto& form = std::get<ForLoop>(loop->form);
  result.push_back(let({form.index, scalar(form.type)}, AtomExp{PrimValue::zero(form.type)}, stm));
  for (const LoopParam& p : loop->params) result.push_back(let(p.param, AtomExp{p.init}, stm));
  for (Stm& inner : loop->body.stms) result.push_back(std::move(inner));
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    result.push_back(let(stm.pattern[i], AtomExp{loop->body.result[i]}, stm));
  }
  return result;
}

// Before:  loop (x, y) = (x0, y0) for i < n do (x, f x y i)
// After:   x0 and loop y = y0 for i < n do f x0 y i
RuleResult invariant_loop_param(Stm& stm, Context&) {
  auto* loop = std::get_if<Loop>(&stm.exp);
  if (!loop) return std::nullopt;
  const auto* form = std::get_if<WhileLoop>(&loop->form);
  std::vector<bool> invariant;
  Rewrite result;
  for (std::size_t i = 0; i < loop->params.size(); ++i) {
    const LoopParam& p = loop->params[i];
    const Atom& next = loop->body.result[i];
    const bool decides = form && form->condition == p.param.name;
    invariant.push_back(!decides && (next == Atom(p.param.name) || next == p.init));
    if (!invariant.back()) continue;
    result.push_back(let(p.param, AtomExp{p.init}, stm));
    result.push_back(let(stm.pattern[i], AtomExp{p.init}, stm));
  }
  if (result.empty()) return std::nullopt;
  erase_flagged(loop->params, invariant);
  erase_flagged(loop->body.result, invariant);
  erase_flagged(stm.pattern, invariant);
  if (!stm.pattern.empty()) result.push_back(std::move(stm));
  return result;
}

}  // namespace boustro::simplify
