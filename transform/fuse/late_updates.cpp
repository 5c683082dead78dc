// Updates of rows wait for the traversals behind them.
//
//   let xs = map f ..                        let xs = map f ..
//   let log = log with [i] = xs        =>    let ys = map g ..
//   let ys = map g ..                        let log = log with [i] = xs
//
// An update consumes, and what reads an array that is consumed anywhere is not moved past it: with the update out of their way the
// traversals merge, and one kernel computes both. Rows of the array that the update does not write (constant indices tell) are read
// from the version before it. Where a loop keeps its state, the array that it carries is wanted longer then, so that the next one is not made
// in its memory: on a CPU that costs a copy, and such updates stay.
#include <algorithm>

#include "transform/facts/access.hpp"
#include "transform/facts/aliases.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/fuse/row_updates.hpp"
#include "transform/fuse/traversal_form.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {
namespace {

using namespace ir;

bool is_of_row(const Stm& stm) {
  const auto* update = std::get_if<Update>(&stm.exp);
  if (!update) return false;
  const auto fixed = std::count_if(update->indices.begin(), update->indices.end(),
                                   [](const DimIndex& index) { return std::holds_alternative<Atom>(index); });
  return static_cast<std::size_t>(fixed) < stm.pattern[0].type.shape.size();
}

class Putter {
 public:
  Putter(const Program& program, bool states) : callees_(program), aliases_(program), states_(states) {}

  /// A body that the host runs.
  void body(Body& body) {
    for (Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<Loop>(&stm.exp))
        for (const LoopParam& p : loop->params) carried_.insert(p.param.name);
      if (std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<If>(stm.exp) || std::holds_alternative<WithAcc>(stm.exp))
        map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
    }
    for (Position at = body.stms.size(); at-- > 0;)  // what an update has in its way may be another one
      if (is_of_row(body.stms[at]) && may_wait(std::get<Update>(body.stms[at].exp))) put_off(body, at);
  }

 private:
  bool may_wait(const Update& update) const {
    const Name* value = name_in(update.value);
    return states_ || !value || !carried_.contains(*value);
  }

  void put_off(Body& body, Position at) {
    Position last = last_passed(body.stms, at, body.stms.size());
    while (const auto reader = outlives(body, at, last)) last = last_passed(body.stms, at, *reader);
    const auto update = std::get<Update>(body.stms[at].exp);
    const Name updated = body.stms[at].pattern[0].name;
    for (Position i = at + 1; i <= last; ++i) {
      auto* read = std::get_if<Index>(&body.stms[i].exp);
      if (!read || read->array != updated) continue;
      read->array = update.array;
      aliases_.unite(body.stms[i].pattern[0].name, update.array);
    }
    const auto first = body.stms.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(first, first + 1, body.stms.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }

  /// The last traversal before `end` that the update may come behind; itself if there is none.
  Position last_passed(const std::vector<Stm>& stms, Position at, Position end) const {
    Position last = at;
    for (Position i = at + 1; i < end && passes(stms[at], stms[i]); ++i)
      if (is_traversal(stms[i].exp)) last = i;
    return last;
  }

  bool passes(const Stm& stm, const Stm& next) const {
    const auto& update = std::get<Update>(stm.exp);
    const Name& updated = stm.pattern[0].name;
    if (free_names(next).contains(updated)) {
      const auto* read = std::get_if<Index>(&next.exp);
      if (!read || !facts::are_disjoint(read->indices, update.indices)) return false;
    }
    const auto consumed = facts::consumed_by(next.exp, callees_);
    return std::none_of(consumed.begin(), consumed.end(), [&](const Name& name) {
      return aliases_.may_alias(name, std::get<Name>(update.value)) || aliases_.may_alias(name, updated);
    });
  }

  /// The first that sees an array from before the update which is used behind it, when it is consumed.
  std::optional<Position> outlives(const Body& body, Position at, Position last) const {
    NameSet used;
    for (Position i = last + 1; i < body.stms.size(); ++i) used.merge(free_names(body.stms[i]));
    for (const Atom& atom : body.result)
      if (const Name* name = name_in(atom)) used.insert(*name);
    for (Position i = at + 1; i <= last; ++i) {
      for (const Param& param : body.stms[i].pattern)
        if (used.contains(param.name) && aliases_.may_alias(param.name, body.stms[at].pattern[0].name)) return i;
    }
    return std::nullopt;
  }

  facts::Callees callees_;
  facts::Aliases aliases_;
  bool states_;
  NameSet carried_;  // by loops
};

}  // namespace

Program late_updates(Program program, bool states) {
  const Program before = program;
  Putter putter(before, states);
  for (Function& function : program.functions) putter.body(function.body);
  return program;
}

}  // namespace boustro::fuse
