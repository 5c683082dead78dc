// Loops run their body more than once.
#include <algorithm>

#include "frontend/check/consumption.hpp"
#include "frontend/check/match.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

using source::Message;

// A loop parameter that the body consumes consumes the initial value, and its next value must be
// its own. So does one that is said to be unique, unless the body only reads it and makes the next:
// then the initial value is merely what the loop yields if it does not run.
Sharing Consumption::visit_loop(const Loop& loop) {
  const Sharing initial = visit(*loop.initial);
  match(
      loop.form, [&](const ForLoop& form) { visit(*form.bound); },
      [&](const ForInLoop& form) {
        const Sharing array = visit(*form.array);
        bind(form.element, everywhere(form.element.type, all_roots(array)));
      },
      [](const WhileLoop&) {});
  ++depth_;
  const std::size_t first_use = uses_.size();
  bind(loop.pattern, {});
  if (const auto* form = std::get_if<WhileLoop>(&loop.form)) visit(*form->condition);
  const Sharing next = visit(*loop.body);
  const int inner = depth_--;
  const LoopBody body{loop, inner, first_use, all_roots(next), shared_by_parts(next)};
  std::map<int, int> renewed;
  return loop_result(loop.pattern, initial, next, body, renewed);
}

// `renewed` has the roots that stand for those of the body after the loop.
Sharing Consumption::loop_result(const Pattern& pattern, const Sharing& initial,
                                 const Sharing& next, const LoopBody& body,
                                 std::map<int, int>& renewed) {
  if (!holds_arrays(pattern.type)) return {};
  if (const auto* record = std::get_if<RecordPattern>(&pattern.node)) {
    Sharing result;
    for (const PatternField& field : record->fields) {
      Pattern inner_pattern = field.pattern;
      inner_pattern.unique = inner_pattern.unique || pattern.unique;
      result.fields[field.name] = loop_result(inner_pattern, part(initial, field.name),
                                              part(next, field.name), body, renewed);
    }
    return result;
  }
  const auto* name = std::get_if<NamePattern>(&pattern.node);
  const bool consumed = name && is_consumed(name->name);
  if (pattern.unique || consumed) {
    const bool renewed_at_once = !consumed && !(name && body.yields(own_roots_[name->name.id]));
    if (!renewed_at_once) consume_initial(body, initial);
    for (const int root : all_roots(next)) {
      if (roots_[root].depth >= body.depth && !body.shared.count(root)) continue;
      diagnostics_.report(Message::loop_result_shares, body.loop.body->at,
                          name ? name->name.text : "_", roots_[root].text);
      break;
    }
    return everywhere(pattern.type, renewed_at_once ? all_roots(initial) : Roots());
  }
  Roots outer = all_roots(initial);
  for (const int root : all_roots(next)) {
    if (roots_[root].depth < body.depth)
      outer.insert(root);
    else if (body.shared.count(root))
      outer.insert(renewed.try_emplace(root, 0).first->second
                       ? renewed[root]
                       : renewed[root] = new_root(roots_[root].text));
  }
  return everywhere(pattern.type, outer);
}

bool Consumption::LoopBody::yields(const Roots& roots) const {
  return std::any_of(roots.begin(), roots.end(), [&](int root) { return yielded.count(root) > 0; });
}

bool Consumption::is_consumed(const Name& name) {
  const Roots& roots = own_roots_[name.id];
  return std::any_of(roots.begin(), roots.end(),
                     [&](int root) { return consumed_.count(root) > 0; });
}

// What the loop consumes at its first iteration is used by none.
void Consumption::consume_initial(const LoopBody& body, const Sharing& initial) {
  use(initial, "the initial value", body.loop.initial->at);
  consume(initial, body.loop.initial->at);
  const Roots roots = all_roots(initial);
  for (std::size_t i = body.first_use; i < uses_.size(); ++i) {
    const Use& use = uses_[i];
    if (!roots.count(use.root) || use.at == body.loop.initial->at) continue;
    diagnostics_.report(Message::use_after_consumption, use.at, use.text)
        .notes.push_back(
            {body.loop.initial->at, "`" + roots_[use.root].text + "` is consumed here"});
    return;
  }
}

}  // namespace boustro::check
