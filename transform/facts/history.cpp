#include "transform/facts/history.hpp"

#include <algorithm>

#include "transform/ir/nest.hpp"

namespace boustro::facts {

using namespace ir;

using Found = std::optional<Name>;

namespace {

Found found(const Atom& atom) {
  const Name* name = name_in(atom);
  return name ? Found(*name) : std::nullopt;
}

template <typename Params>
std::optional<std::size_t> place_of(const Params& params, const Found& name) {
  for (std::size_t i = 0; name && i < params.size(); ++i)
    if (params[i].name == *name) return i;
  return std::nullopt;
}

Found destination(const ReduceByIndex& e, std::size_t i) {
  for (const Histogram& histogram : e.histograms) {
    if (i < histogram.destinations.size()) return histogram.destinations[i];
    i -= histogram.destinations.size();
  }
  return std::nullopt;
}

/// What #[true_dep] speaks of: writes to elements, copies, and other names.
Found version_before(const Exp& exp, std::size_t i) {
  return match(
      exp, [](const AtomExp& e) { return found(e.atom); },
      [](const Coerce& e) { return Found(e.array); }, [](const Copy& e) { return Found(e.array); },
      [](const Update& e) { return Found(e.array); },
      [&](const Scatter& e) { return e.destinations.size() == 1 ? Found(e.destinations.at(i)) : Found(); },
      [](const auto&) { return Found(); });
}

}  // namespace

Found array_before(const Exp& exp, std::size_t i) {
  return match(
      exp, [](const AtomExp& e) { return found(e.atom); },
      [](const Coerce& e) { return Found(e.array); },
      [](const Update& e) { return Found(e.array); },
      [&](const Scatter& e) { return Found(e.destinations.at(i)); },
      [&](const ReduceByIndex& e) { return destination(e, i); },
      [&](const Nest& e) { return destination_of(e, i); },
      [&](const WithAcc& e) {
        return i < e.inputs.size() ? Found(e.inputs[i].destination) : std::nullopt;
      },
      [](const auto&) { return Found(); });
}

Found accumulator_before(const Exp& exp, std::size_t) {
  if (const auto* e = std::get_if<AtomExp>(&exp)) return found(e->atom);
  if (const auto* e = std::get_if<UpdateAcc>(&exp)) return e->accumulator;
  return std::nullopt;
}

Found History::origin(const std::vector<Stm>& stms, const Atom& last) {
  Found name = found(last);
  for (auto stm = stms.rbegin(); name && stm != stms.rend(); ++stm) {
    const auto i = place_of(stm->pattern, name);
    if (!i) continue;
    passed_.push_back(stm->pattern[*i]);
    name = before(stm->exp, *i);
  }
  return name;
}

Found History::before(const Exp& exp, std::size_t i) {
  if (const Found operand = step_(exp, i)) return operand;
  return match(
      exp,  //
      [&](const If& e) { return before_branches(e, i); },
      [&](const Loop& e) { return before_loop(e, i); },
      [&](const Map& e) { return before_map(e.fn, e.accumulators, i); },
      [&](const MapReduce& e) { return before_map(e.fn, e.accumulators, i); },
      [&](const Nest& e) { return before_map(e.point, e.accumulators, i); },
      [&](const WithAcc& e) {
        const bool passes = i >= e.inputs.size() && e.fn.result_types.at(i).accumulator;
        return passes ? origin(e.fn.body, i) : std::nullopt;
      },
      [&](const Call& e) { return before_call(e, i); }, [](const auto&) { return Found(); });
}

Found History::before_branches(const If& e, std::size_t i) {
  const Found first = origin(e.then_body, i), second = origin(e.else_body, i);
  return first == second ? first : std::nullopt;
}

Found History::before_loop(const Loop& e, std::size_t i) {
  const Param& param = e.params.at(i).param;
  if (origin(e.body, i) != param.name) return std::nullopt;
  passed_.push_back(param);
  return found(e.params[i].init);
}

Found History::before_map(const Lambda& fn, const std::vector<Name>& accumulators, std::size_t i) {
  if (i >= accumulators.size()) return std::nullopt;
  const auto place = place_of(fn.params, origin(fn.body, i));
  return place && *place < accumulators.size() ? Found(accumulators[*place]) : std::nullopt;
}

Found History::before_call(const Call& e, std::size_t i) {
  if (!callees_) return std::nullopt;
  const Function& function = callees_->function(e.function);
  const auto place = place_of(function.params, origin(function.body, i));
  return place ? found(e.args.at(*place)) : std::nullopt;
}

Found array_before_branches(const If& e, std::size_t i) {
  History history(array_before);
  const Found first = history.origin(e.then_body, i), second = history.origin(e.else_body, i);
  return first == second ? first : std::nullopt;
}

bool updates_in_place(const Loop& e, std::size_t i) {
  return History(array_before).origin(e.body, i) == e.params.at(i).param.name;
}

std::optional<NameSet> versions_of(const Loop& loop, std::size_t param) {
  const Param& array = loop.params.at(param).param;
  if (array.type.shape.empty() || array.type.accumulator) return std::nullopt;
  History history(version_before);
  if (history.origin(loop.body.stms, loop.body.result.at(param)) != array.name) return std::nullopt;
  NameSet versions{array.name};
  for (const Param& version : history.passed()) {
    if (version.type != array.type) return std::nullopt;
    versions.insert(version.name);
  }
  return versions;
}

// ---- Accumulators, forwards

namespace {

void pair_up(const std::vector<Name>& accumulators, const std::vector<Param>& with, const Flow& flow) {
  for (std::size_t i = 0; i < accumulators.size(); ++i) flow(accumulators[i], with.at(i).name);
}

void pass_on(const Atom& from, const Param& to, const Flow& flow) {
  if (const Name* name = name_in(from); name && to.type.accumulator) flow(*name, to.name);
}

}  // namespace

void accumulators_into(const Exp& exp, const Flow& flow) {
  match(
      exp,  //
      [&](const Map& e) { pair_up(e.accumulators, e.fn.params, flow); },
      [&](const MapReduce& e) { pair_up(e.accumulators, e.fn.params, flow); },
      [&](const Nest& e) { pair_up(e.accumulators, e.point.params, flow); },
      [&](const Loop& e) {
        for (const LoopParam& p : e.params) pass_on(p.init, p.param, flow);
      },
      [](const auto&) {});
}

void accumulators_out_of(const Stm& stm, const Flow& flow) {
  const auto& pattern = stm.pattern;
  match(
      stm.exp,  //
      [&](const AtomExp& e) { pass_on(e.atom, pattern.at(0), flow); },
      [&](const UpdateAcc& e) { flow(e.accumulator, pattern.at(0).name); },
      [&](const Map& e) { pair_up(e.accumulators, pattern, flow); },
      [&](const MapReduce& e) { pair_up(e.accumulators, pattern, flow); },
      [&](const Nest& e) { pair_up(e.accumulators, pattern, flow); },
      [&](const Loop& e) {
        for (std::size_t i = 0; i < pattern.size(); ++i) pass_on(e.params.at(i).init, pattern[i], flow);
      },
      [&](const If& e) {
        for (std::size_t i = 0; i < pattern.size(); ++i)
          pass_on(e.then_body.result.at(i), pattern[i], flow);
      },
      [](const auto&) {});
}

namespace {

bool yields_params(const Body& body, const std::vector<Param>& params, const Numbering& number) {
  for (std::size_t i = 0; i < params.size() && params[i].type.accumulator; ++i)
    if (number(body.result[i]) != number(params[i].name)) return false;
  return true;
}

}  // namespace

bool keeps_places(const Exp& exp, const Numbering& number) {
  return match(
      exp,  //
      [&](const Nest& e) { return yields_params(e.point.body, e.point.params, number); },
      [&](const Map& e) { return yields_params(e.fn.body, e.fn.params, number); },
      [&](const MapReduce& e) { return yields_params(e.fn.body, e.fn.params, number); },
      [&](const Loop& e) {
        for (std::size_t i = 0; i < e.params.size(); ++i)
          if (e.params[i].param.type.accumulator && number(e.body.result[i]) != number(e.params[i].param.name)) return false;
        return true;
      },
      [&](const If& e) {
        for (std::size_t i = 0; i < e.then_body.result.size(); ++i)
          if (number(e.then_body.result[i]) != number(e.else_body.result[i])) return false;
        return true;
      },
      [](const auto&) { return true; });
}

}  // namespace boustro::facts
