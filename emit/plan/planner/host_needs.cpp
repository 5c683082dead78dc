// Scalars of the device that the host needs anyway, as sizes and for its control flow: it waits for what they are computed from,
// and computes them itself, in place of a kernel of one thread before each wait.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/layout.hpp"

namespace boustro::plan::planner {
namespace {

/// One wait takes about as long as a kernel of one thread.
constexpr std::size_t max_waits = 2;

/// What the host asks for to plan the statement.
std::vector<ir::Atom> asked_by(const ir::Stm& stm) {
  std::vector<ir::Atom> asked;
  add_own_sizes(stm, asked);
  if (const auto* branch = std::get_if<ir::If>(&stm.exp)) asked.push_back(branch->condition);
  const auto* loop = std::get_if<ir::Loop>(&stm.exp);
  if (!loop) return asked;
  if (const auto* form = std::get_if<ir::ForLoop>(&loop->form)) asked.push_back(form->bound);
  if (const auto* form = std::get_if<ir::WhileLoop>(&loop->form)) {
    for (const ir::LoopParam& p : loop->params)
      if (p.param.name == form->condition) asked.push_back(p.init);
  }
  // Branches may not be taken, but a loop's body is run.
  for (const ir::Stm& inner : loop->body.stms) {
    const std::vector<ir::Atom> more = asked_by(inner);
    asked.insert(asked.end(), more.begin(), more.end());
  }
  return asked;
}

}  // namespace

/// Of statements of a block: what the host will ask for.
void Host::note_needs(const std::vector<ir::Stm>& stms) {
  std::unordered_map<ir::Name, const ir::Stm*> definitions;
  for (const ir::Stm& stm : stms)
    for (const ir::Param& param : stm.pattern) definitions.emplace(param.name, &stm);
  const ir::NameSet results = needed_;
  for (const ir::Name& name : results) need(name, definitions);
  for (const ir::Stm& stm : stms)
    for (const ir::Atom& atom : asked_by(stm)) need(atom, definitions);
  for (const ir::Stm& stm : stms)
    if (follows_from_needs(stm)) needed_.insert(stm.pattern[0].name);
}

/// Computed from numbers that the host waits for anyway, and no result, which somebody would have to store.
bool Host::follows_from_needs(const ir::Stm& stm) {
  if (!ir::is_scalar_operation(stm.exp) || !ir::all_scalar(stm.pattern) || cells_.contains(stm.pattern[0].name)) return false;
  const ir::NameSet used = ir::free_names(stm.exp);
  const auto is_needed = [&](const ir::Name& name) { return needed_.contains(name); };
  return std::any_of(used.begin(), used.end(), is_needed) &&
         std::all_of(used.begin(), used.end(), [&](const ir::Name& name) {
           return is_needed(name) || (code_.knows(name) && is_known(name));
         });
}

/// The scalar and what it is computed from, unless the host would wait too often for that.
void Host::need(const ir::Atom& atom, const std::unordered_map<ir::Name, const ir::Stm*>& definitions) {
  std::vector<ir::Name> computed;
  std::size_t waits = 0;
  std::vector<ir::Atom> open{atom};
  ir::NameSet seen;
  while (!open.empty()) {
    const ir::Name* name = ir::name_in(open.back());
    open.pop_back();
    if (!name || !seen.insert(*name).second) continue;
    if (seen.size() > 1 && needed_.contains(*name)) continue;  // is computed for somebody else
    const auto found = definitions.find(*name);
    if (found == definitions.end()) {
      if (code_.knows(*name) && !is_known(*name)) ++waits;
      continue;
    }
    const ir::Stm& stm = *found->second;
    computed.push_back(*name);
    if (is_pure_scalar_code(context_, stm.exp)) {
      for (const ir::Name& operand : ir::free_names(stm.exp)) open.push_back(operand);
    } else {
      ++waits;
      if (const auto* branch = std::get_if<ir::If>(&stm.exp)) open.push_back(branch->condition);
    }
  }
  if (waits > 0 && waits <= max_waits) needed_.insert(computed.begin(), computed.end());
}

/// Where the element is that the statement reads, if the host knows that.
std::optional<Cell> Host::element_cell(const ir::Stm& stm) {
  const auto* e = std::get_if<ir::Index>(&stm.exp);
  if (!e || !stm.pattern[0].type.is_scalar() || !is_known(e->indices)) return std::nullopt;
  const View array = code_.view(e->array);
  if (!array.memory() || contains_element(array.memory()->offset) || context_.tables.hold(array)) return std::nullopt;
  context_.at(stm);
  if (e->checked) code_.check_access(e->indices, array, stm.origin);
  const Memory memory = *code_.slice(array, e->indices).memory();
  return Cell{plus(memory.base, memory.offset)};
}

/// An element of an array that stays as it is needs no cell of its own, unless it is a result that lies elsewhere.
bool Host::stays_in_array(const ir::Stm& stm) {
  const auto* e = std::get_if<ir::Index>(&stm.exp);
  if (!e || !stm.pattern[0].type.is_scalar() || !context_.settled(e->array)) return false;
  if (const auto result = cells_.find(stm.pattern[0].name); result != cells_.end()) {
    const View array = code_.view(e->array);
    if (!array.memory() || !(array.memory()->base == result->second)) return false;
  }
  if (sees_what_is_pending(stm)) flush();
  const auto element = element_cell(stm);
  if (element) code_.bind(stm.pattern[0].name, *element);
  return element.has_value();
}

/// A scalar that the host needs, and that it can compute from what it waits for: does so.
bool Host::compute_here(const ir::Stm& stm) {
  if (!ir::all_scalar(stm.pattern) || stm.pattern.empty() || is_host_scalar(stm)) return false;
  for (const ir::Param& param : stm.pattern)
    if (!needed_.contains(param.name)) return false;
  if (is_pure_scalar_code(context_, stm.exp)) {
    for (const ir::Name& name : ir::free_names(stm.exp)) {
      if (!code_.knows(name)) return false;
    }
    for (const ir::Name& name : ir::free_names(stm.exp)) fetch(name);
  } else if (const auto element = element_cell(stm)) {
    flush();
    code_.bind(stm.pattern[0].name, *element);
    fetch(stm.pattern[0].name);
    return true;
  } else if (!std::holds_alternative<ir::If>(stm.exp)) {
    return false;
  }
  flush();
  this->stm(stm);
  return true;
}

}  // namespace boustro::plan::planner
