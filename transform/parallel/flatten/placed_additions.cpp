#include "transform/parallel/flatten/placed_additions.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"

namespace boustro::parallel {

using namespace ir;

namespace {

/// An accumulator that a point makes for itself.
constexpr std::size_t own = static_cast<std::size_t>(-1);

}  // namespace

bool PlacedAdditions::find(const Nest& nest) {
  for (std::size_t i = 0; i < nest.accumulators.size(); ++i) inputs_.emplace(nest.point.params[i].name, i);
  note(nest);
  return body(nest.point.body) && facts::keeps_places(nest, [&](const Atom& atom) { return input_of(atom); });
}

void PlacedAdditions::note(const Nest& nest) {
  for (std::size_t d = 0; d < nest.space.size(); ++d) extents.emplace(nest.point.params[nest.accumulators.size() + d].name, nest.space[d]);
}

bool PlacedAdditions::body(const Body& body) {
  bodies_.push_back(&body);
  const bool known = std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) { return this->stm(stm); });
  bodies_.pop_back();
  return known;
}

bool PlacedAdditions::stm(const Stm& stm) {
  if (const auto* update = std::get_if<UpdateAcc>(&stm.exp)) {
    const auto input = inputs_.find(update->accumulator);
    if (input == inputs_.end()) return false;
    if (input->second != own) all.push_back({input->second, update, bodies_, iterations_, branches_});
  }
  if (const auto* call = std::get_if<Call>(&stm.exp))
    if (std::any_of(call->args.begin(), call->args.end(), [&](const Atom& arg) { return input_of(arg).has_value(); })) return false;
  if (const auto* nest = std::get_if<Nest>(&stm.exp)) note(*nest);
  if (const auto* loop = std::get_if<Loop>(&stm.exp))
    if (const auto* form = std::get_if<ForLoop>(&loop->form); form && form->type == PrimType::i64) extents.emplace(form->index, form->bound);
  if (const auto* with = std::get_if<WithAcc>(&stm.exp))
    for (std::size_t i = 0; i < with->inputs.size(); ++i) inputs_.emplace(with->fn.params[i].name, own);
  const auto same = [&](const Name& from, const Name& to) {
    if (const auto input = inputs_.find(from); input != inputs_.end()) inputs_.insert_or_assign(to, std::size_t(input->second));
  };
  facts::accumulators_into(stm.exp, same);
  const std::size_t around = iterations_.size();
  add_iterations(stm.exp);
  const bool known = bodies_of(stm.exp);
  iterations_.resize(around);
  facts::accumulators_out_of(stm, same);
  return known && facts::keeps_places(stm.exp, [&](const Atom& atom) { return input_of(atom); });
}

bool PlacedAdditions::bodies_of(const Exp& exp) {
  if (const auto* branch = std::get_if<If>(&exp)) {
    const auto taken = [&](bool holds, const Body& body) {
      branches_.push_back({branch->condition, holds});
      const bool known = this->body(body);
      branches_.pop_back();
      return known;
    };
    return taken(true, branch->then_body) && taken(false, branch->else_body);
  }
  bool known = true;
  for_each_body(exp, [&](const Body& inner) { known = known && body(inner); });
  return known;
}

void PlacedAdditions::add_iterations(const Exp& exp) {
  match(
      exp,  //
      [&](const Nest& e) {
        for (const Param& param : e.point.params)
          if (!param.type.accumulator) iterations_.push_back(param.name);
      },
      [&](const Loop& e) {
        const auto* form = std::get_if<ForLoop>(&e.form);
        iterations_.push_back(form ? form->index : std::get<WhileLoop>(e.form).condition);  // which is the same in many
      },
      [](const If&) {}, [](const WithAcc&) {},
      [&](const auto& e) { for_each_lambda(Exp(e), [&](const Lambda&) { iterations_.emplace_back(); }); });  // nothing tells them
}

std::optional<std::size_t> PlacedAdditions::input_of(const Atom& atom) const {
  const Name* name = name_in(atom);
  const auto found = name ? inputs_.find(*name) : inputs_.end();
  return found == inputs_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace boustro::parallel
