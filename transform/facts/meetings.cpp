#include "transform/facts/meetings.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/access.hpp"
#include "transform/facts/history.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::facts {
namespace {

using namespace ir;

/// All statements of a point, those inside of others before these; and what loops and inner points are told, which may differ from one
/// point to the next.
void collect_told(const Body& body, std::vector<Stm>& stms, NameSet& told) {
  for (const Stm& stm : body.stms) {
    if (const auto* loop = std::get_if<Loop>(&stm.exp))
      for (const LoopParam& param : loop->params) told.insert(param.param.name);
    if (const auto* nest = std::get_if<Nest>(&stm.exp))
      for (const Out& out : nest->outs) {
        if (out.op) for (const Param& param : out.op->op.params) told.insert(param.name);
        if (out.epilogue) for (const Param& param : out.epilogue->params) told.insert(param.name);
      }
    for_each_body(stm.exp, [&](const Body& inner) { collect_told(inner, stms, told); });
    stms.push_back(stm);
  }
}

class MeetingFinder {
 public:
  MeetingFinder(const Nest& nest, std::size_t dimension)
      : nest_(nest), dimension_(dimension), accesses_(accesses_of(nest)), meetings_(nest.accumulators.size() + nest.outs.size(), Meeting::never) {}

  std::vector<Meeting> run() {
    for (std::size_t i = 0; i < nest_.accumulators.size(); ++i) numbers_.emplace(nest_.point.params[i].name, i);
    body(nest_.point.body);
    std::size_t value = nest_.accumulators.size();
    for (std::size_t k = 0; k < nest_.outs.size(); ++k) {
      const Out& out = nest_.outs[k];
      const auto first = nest_.point.body.result.begin() + static_cast<std::ptrdiff_t>(value);
      if (out.kind == OutKind::histogram) add(nest_.accumulators.size() + k, {first, first + static_cast<std::ptrdiff_t>(out.indices())});
      value += out.indices() + out.values();
    }
    return std::move(meetings_);
  }

 private:
  static Accesses accesses_of(const Nest& nest) {
    std::vector<IndexRange> ranges;
    for (std::size_t d = 0; d < nest.space.size(); ++d) ranges.push_back({nest.point.params[nest.accumulators.size() + d].name, nest.space[d]});
    std::vector<Stm> stms;
    NameSet told;
    collect_told(nest.point.body, stms, told);
    return Accesses(ranges, stms, {}, told);
  }

  void body(const Body& body) {
    for (const Stm& stm : body.stms) {
      const Flow flow = [&](const Name& from, const Name& to) {
        if (const auto found = numbers_.find(from); found != numbers_.end()) numbers_.emplace(to, std::size_t(found->second));
      };
      accumulators_into(stm.exp, flow);
      if (const auto* update = std::get_if<UpdateAcc>(&stm.exp))
        if (const auto found = numbers_.find(update->accumulator); found != numbers_.end()) add(found->second, update->indices);
      for_each_body(stm.exp, [&](const Body& inner) { this->body(inner); });
      accumulators_out_of(stm, flow);
    }
  }

  void add(std::size_t to, const std::vector<Atom>& indices) { meetings_[to] = std::max(meetings_[to], meeting_at(indices)); }

  Meeting meeting_at(const std::vector<Atom>& indices) const {
    Meeting result = Meeting::always;
    for (const Atom& index : indices) {
      const Along along = accesses_.along(index)[dimension_];
      if (along.kind == Along::Kind::linear) return Meeting::never;
      if (along.kind == Along::Kind::other) result = Meeting::by_data;
    }
    return result;
  }

  const Nest& nest_;
  std::size_t dimension_;
  Accesses accesses_;
  std::vector<Meeting> meetings_;
  std::unordered_map<Name, std::size_t> numbers_;  // of accumulators, under all of their names in the point
};

}  // namespace

std::vector<Meeting> meetings_along(const Nest& nest, std::size_t dimension) { return MeetingFinder(nest, dimension).run(); }

}  // namespace boustro::facts
