#include "transform/ad/reverse/iteration_store.hpp"

#include <algorithm>

#include "transform/ad/iteration_log.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Behind the statement that binds the name; at the beginning if it is a parameter.
std::vector<Stm>::iterator behind_definition(std::vector<Stm>& stms, const Name& name) {
  const auto found = std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) {
    return std::any_of(stm.pattern.begin(), stm.pattern.end(),
                       [&](const Param& p) { return p.name == name; });
  });
  return found == stms.end() ? stms.begin() : found + 1;
}

/// Of states of an inner loop, or what it saved, those of all iterations have the same name. States of chunks are told from those of steps.
std::string base_of_states(const Param& value, const ForLoop& form) {
  const std::string& base = value.name.base;
  if (base.ends_with("_states") || base.ends_with("_kept")) return base;
  return (form.index.base == "chunk" ? "chunk_" : "") + base + "_states";
}

}  // namespace

IterationStore::IterationStore(Reverse& reverse, Builder& before, Stm& loop)
    : reverse_(reverse), before_(before), stm_(loop) {}

void IterationStore::keep(const Param& value) {
  Loop& loop = std::get<Loop>(stm_.exp);
  const ForLoop& form = std::get<ForLoop>(loop.form);
  std::vector<Stm>& stms = loop.body.stms;
  if (kept_.empty()) {
    count_ = before_.binop("steps", BinOpKind::max, as_i64(before_, form.bound), int_atom(0));
    Builder first(reverse_.names, before_.origin);
    position_ = as_i64(first, form.index);
    stms.insert(stms.begin(), first.stms.begin(), first.stms.end());
  }
  const Type type = array_of(count_, value.type);
  const std::string base = base_of_states(value, form);
  const Name init = before_.let(base, Scratch{type.elem, type.shape});
  const Param states = reverse_.names.fresh_param(base, type, true);
  Builder storing(reverse_.names, before_.origin);
  loop.body.result.push_back(
      storing.let(base, Update{states.name, {position_}, value.name, false}));
  auto at = behind_definition(stms, value.name);
  if (const Name* position = name_in(position_); position && at == stms.begin())
    at = behind_definition(stms, *position);
  stms.insert(at, storing.stms.begin(), storing.stms.end());
  loop.params.push_back({states, init});
  stm_.pattern.push_back(reverse_.names.fresh_param(base, type));
  kept_.emplace_back(value, stm_.pattern.back().name);
}

std::vector<Atom> IterationStore::load(Builder& body, const Name& index, const NameSet& consumed) const {
  if (kept_.empty()) return {};
  const Atom position = as_i64(body, index);
  for (const auto& [value, states] : kept_) {
    const Param param{value.name, value.type, false};
    if (value.unique || consumed.contains(value.name)) {
      const Name state = body.index(value.name.base, states, {position});
      body.let({param}, Copy{state});
    } else {
      body.let({param}, Index{states, {position}, false});
    }
  }
  return {};
}

}  // namespace boustro::ad
