#include "transform/parallel/flatten/scatters.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/moves.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool shares_one_dimension(const Nest& nest) { return nest.over == Level::grid && nest.space.size() == 1; }

bool only_scatters(const Nest& nest) {
  return nest.accumulators.empty() && std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::scatter; });
}

/// What comes of a point for itself alone; scatters that have joined it before, too.
bool stores_and_scatters(const Nest& nest) {
  return std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store || out.kind == OutKind::scatter; });
}

/// The arrays that a nest stores, and which results of a point they are of.
std::unordered_map<Name, std::size_t> stored_by(const Stm& stm) {
  const Nest& nest = std::get<Nest>(stm.exp);
  std::unordered_map<Name, std::size_t> stored;
  std::size_t bound = nest.accumulators.size(), result = bound;
  for (const Out& out : nest.outs) {
    if (out.kind == OutKind::store) stored.emplace(stm.pattern[bound].name, result);
    bound += out.results();
    result += out.indices() + out.values();
  }
  return stored;
}

class ScatterJoiner {
 public:
  ScatterJoiner(Body& body, const facts::Callees& callees) : body_(body), callees_(callees) {}

  void run() {
    for (std::size_t j = 0; j < body_.stms.size(); ++j)
      while (join_before(j)) --j;
  }

 private:
  /// A nest that the scatter at j reads joins it, if there is one; it then stands one place further in front.
  bool join_before(std::size_t j) {
    const auto* scatter = std::get_if<Nest>(&body_.stms[j].exp);
    if (!scatter || !shares_one_dimension(*scatter) || !only_scatters(*scatter)) return false;
    for (std::size_t i = j; i-- > 0;) {
      if (!can_join(i, j)) continue;
      join(i, j);
      return true;
    }
    return false;
  }

  const Nest& nest(std::size_t i) const { return std::get<Nest>(body_.stms[i].exp); }

  bool can_join(std::size_t i, std::size_t j) const {
    const auto* source = std::get_if<Nest>(&body_.stms[i].exp);
    return source && shares_one_dimension(*source) && stores_and_scatters(*source) && source->space == nest(j).space &&
           source->each == nest(j).each && reads_only_its_elements(i, j) && can_move_down(body_, i, j, callees_) && writes_to_its_own(i, j);
  }

  /// Of what the nest stores, the scatter reads something, and at its own index.
  bool reads_only_its_elements(std::size_t i, std::size_t j) const {
    const Nest& scatter = nest(j);
    const auto stored = stored_by(body_.stms[i]);
    const Name& index = scatter.point.params[0].name;
    Nest rest = scatter;
    rest.point.body.stms.clear();
    bool reads = false;
    for (const Stm& stm : scatter.point.body.stms) {
      const auto* e = std::get_if<Index>(&stm.exp);
      const bool element = e && !e->checked && e->indices.size() == 1 && e->indices[0] == DimIndex(Atom(index));
      if (element && stored.contains(e->array)) {
        reads = true;
      } else {
        rest.point.body.stms.push_back(stm);
      }
    }
    const NameSet others = free_names(Exp(rest));
    return reads && std::none_of(others.begin(), others.end(), [&](const Name& name) { return is_result(i, name); });
  }

  bool is_result(std::size_t i, const Name& name) const {
    const std::vector<Param>& pattern = body_.stms[i].pattern;
    return std::any_of(pattern.begin(), pattern.end(), [&](const Param& param) { return param.name == name; });
  }

  /// To memory that statements of this body made, and that the nest does not read.
  bool writes_to_its_own(std::size_t i, std::size_t j) const {
    const facts::Aliases aliases(body_.stms, callees_);
    NameSet made;
    for (const Stm& stm : body_.stms)
      for (const Param& param : stm.pattern) made.insert(param.name);
    const NameSet reads = free_names(body_.stms[i].exp);
    for (const Out& out : nest(j).outs) {
      for (const Name& destination : out.destinations) {
        for (const Name& root : aliases.roots(destination))
          if (!made.contains(root)) return false;
        if (std::any_of(reads.begin(), reads.end(), [&](const Name& name) { return aliases.may_alias(name, destination); })) return false;
      }
    }
    return true;
  }

  /// The nest takes the place of the scatter; what it stored and nobody else needs is a value of its points alone.
  void join(std::size_t i, std::size_t j) {
    const Stm source = body_.stms[i], scatter = body_.stms[j];
    const Nest& writing = std::get<Nest>(scatter.exp);
    Nest both = std::get<Nest>(source.exp);
    Substitution values;
    const auto stored = stored_by(source);
    values.emplace(writing.point.params[0].name, both.point.params.back().name);
    std::vector<Stm> reads;
    for (const Stm& stm : writing.point.body.stms) {
      const auto* e = std::get_if<Index>(&stm.exp);
      const auto value = e ? stored.find(e->array) : stored.end();
      if (value == stored.end()) reads.push_back(stm);
      else values.emplace(stm.pattern[0].name, both.point.body.result[value->second]);
    }
    Body written{reads, writing.point.body.result};
    substitute(written, values);

    Stm joined{{}, {}, scatter.origin, scatter.attributes};
    Body rest{{body_.stms.begin() + static_cast<std::ptrdiff_t>(j) + 1, body_.stms.end()}, body_.result};
    const NameSet needed = free_names(rest);
    std::vector<bool> out_is_gone(both.outs.size()), result_is_gone(both.point.body.result.size());
    std::size_t bound = 0;
    const auto keep = [&](std::size_t count) { while (count-- > 0) joined.pattern.push_back(source.pattern[bound++]); };
    keep(both.accumulators.size());
    for (std::size_t k = 0; k < both.outs.size(); ++k) {
      const auto value = stored.find(source.pattern[bound].name);
      if (value == stored.end() || needed.contains(value->first)) {
        keep(both.outs[k].results());
      } else {
        out_is_gone[k] = result_is_gone[value->second] = true;
        ++bound;
      }
    }
    erase_where(both.outs, out_is_gone);
    erase_where(both.point.body.result, result_is_gone);
    erase_where(both.point.result_types, result_is_gone);
    both.point.body.stms.insert(both.point.body.stms.end(), written.stms.begin(), written.stms.end());
    both.point.body.result.insert(both.point.body.result.end(), written.result.begin(), written.result.end());
    both.point.result_types.insert(both.point.result_types.end(), writing.point.result_types.begin(), writing.point.result_types.end());
    both.outs.insert(both.outs.end(), writing.outs.begin(), writing.outs.end());
    joined.pattern.insert(joined.pattern.end(), scatter.pattern.begin(), scatter.pattern.end());
    joined.exp = std::move(both);
    body_.stms[j] = std::move(joined);
    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(i));
  }

  template <typename T>
  static void erase_where(std::vector<T>& list, const std::vector<bool>& flags) {
    std::size_t at = 0;
    std::erase_if(list, [&](const T&) { return flags[at++]; });
  }

  Body& body_;
  const facts::Callees& callees_;
};

}  // namespace

void join_scatters(Body& body, const facts::Callees& callees) { ScatterJoiner(body, callees).run(); }

}  // namespace boustro::parallel
