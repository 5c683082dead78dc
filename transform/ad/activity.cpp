#include "transform/ad/activity.hpp"

#include "frontend/source/diagnostics.hpp"
#include "transform/ad/scalar.hpp"
#include "transform/ad/shifts.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Calls `edge(from, to)` for every differentiable dependence that statements establish. An accumulator is one thing under many
/// names, so these depend on each other: what is written last makes the first one varied.
class EdgeFinder {
 public:
  using Edge = std::function<void(const Atom& from, const Name& to)>;

  EdgeFinder(FunctionTable& functions, NameSet& accumulators, Edge edge)
      : functions_(functions), accumulators_(accumulators), edge_(std::move(edge)) {}

  void stms(const std::vector<Stm>& stms) {
    for (const Stm& stm : stms) this->stm(stm);
  }

 private:
  void edge(const Atom& from, const Name& to) {
    edge_(from, to);
    const Name* name = name_in(from);
    if (name && accumulators_.contains(*name) && accumulators_.contains(to)) edge_(to, *name);
  }

  void note(const Param& param) {
    if (param.type.accumulator) accumulators_.insert(param.name);
  }

  void stm(const Stm& stm) {
    for (const Param& param : stm.pattern) note(param);
    for_each_lambda(stm.exp, [&](const Lambda& lambda) {
      for (const Param& param : lambda.params) note(param);
    });
    if (const auto* e = std::get_if<Loop>(&stm.exp))
      for (const LoopParam& p : e->params) note(p.param);
    for_each_body(stm.exp, [&](const Body& body) { stms(body.stms); });
    const auto& pattern = stm.pattern;
    const auto all_to_all = [&](const std::vector<Atom>& from) {
      for (const Atom& atom : from)
        for (const Param& to : pattern) edge(atom, to.name);
    };
    const auto scalar = [&](const std::vector<Atom>& operands) {
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (!is_locally_constant(stm.exp, i)) edge(operands[i], pattern.at(0).name);
    };
    match(
        stm.exp,  //
        [&](const AtomExp& e) { all_to_all({e.atom}); },
        [&](const UnOp& e) { scalar({e.operand}); },
        [&](const BinOp& e) { scalar({e.lhs, e.rhs}); },
        [&](const CmpOp&) {},
        [&](const Convert& e) { scalar({e.operand}); },
        [&](const MathOp& e) { scalar(e.args); },
        [&](const If& e) {
          to_pattern(e.then_body.result, pattern);
          to_pattern(e.else_body.result, pattern);
        },
        [&](const Loop& e) { loop(e, pattern); },
        [&](const Call& e) { call(e, pattern); },
        [&](const Assert&) {},
        [&](const ArrayLiteral& e) { all_to_all(e.elements); },
        [&](const Iota& e) { all_to_all({e.width}); },
        [&](const Replicate& e) { all_to_all({e.value}); },
        [&](const Scratch&) {},
        [&](const Copy& e) { all_to_all({e.array}); },
        [&](const Sort&) {},
        [&](const Concat& e) { all_to_all(atoms(e.arrays)); },
        [&](const Rearrange& e) { all_to_all({e.array}); },
        [&](const Reshape& e) { all_to_all({e.array}); },
        [&](const Coerce& e) { all_to_all({e.array}); },
        [&](const Index& e) { all_to_all({e.array}); },
        [&](const Update& e) { all_to_all({e.array, e.value}); },
        [&](const Map& e) {
          to_params(atoms(e.accumulators), e.fn.params, 0);
          to_params(atoms(e.arrays), e.fn.params, e.accumulators.size());
          to_pattern(e.fn.body.result, pattern);
        },
        [&](const Reduce& e) { fold(e.op, atoms(e.arrays), e.neutral, pattern, 0); },
        [&](const Scan& e) { fold(e.op, atoms(e.arrays), e.neutral, pattern, 0); },
        [&](const MapReduce&) { source::internal_error("ad: fused map-reduce before differentiation"); },
        [&](const MapScan&) { source::internal_error("ad: fused map-scan before differentiation"); },
        [&](const Nest&) { source::internal_error("ad: a nest before differentiation"); },
        [&](const ReduceByIndex& e) { reduce_by_index(e, pattern); },
        [&](const Scatter& e) {
          to_pattern(atoms(e.destinations), pattern);
          to_pattern(atoms(e.values), pattern);
        },
        [&](const WithAcc& e) {
          for (std::size_t i = 0; i < e.inputs.size(); ++i)
            edge(e.inputs[i].destination, e.fn.params[i].name);
          to_pattern(e.fn.body.result, pattern);
        },
        [&](const UpdateAcc& e) { all_to_all({e.accumulator, e.value}); },
        [&](const Jvp&) { source::internal_error("ad: a derivative inside the innermost one"); },
        [&](const Vjp&) { source::internal_error("ad: a derivative inside the innermost one"); },
        [&](const WithVjp& e) { all_to_all(e.args); });
  }

  static std::vector<Atom> atoms(const std::vector<Name>& names) {
    return {names.begin(), names.end()};
  }

  void to_pattern(const std::vector<Atom>& from, const std::vector<Param>& pattern) {
    for (std::size_t i = 0; i < from.size() && i < pattern.size(); ++i)
      edge(from[i], pattern[i].name);
  }

  void to_params(const std::vector<Atom>& from, const std::vector<Param>& params,
                 std::size_t first) {
    for (std::size_t i = 0; i < from.size(); ++i) edge(from[i], params.at(first + i).name);
  }

  void loop(const Loop& loop, const std::vector<Param>& pattern) {
    for (std::size_t i = 0; i < loop.params.size(); ++i) {
      const Name& param = loop.params[i].param.name;
      edge(loop.params[i].init, param);
      edge(loop.body.result.at(i), param);
      edge(param, pattern.at(i).name);
    }
  }

  void call(const Call& call, const std::vector<Param>& pattern) {
    const Dependences depends = functions_.dependences_of(call.function);
    for (std::size_t i = 0; i < call.args.size(); ++i)
      for (std::size_t j = 0; j < pattern.size(); ++j)
        if (depends[i][j]) edge(call.args[i], pattern[j].name);
  }

  /// An operator whose operands are elements or earlier results.
  void fold(const Lambda& op, const std::vector<Atom>& elements, const std::vector<Atom>& neutral,
            const std::vector<Param>& pattern, std::size_t first_result) {
    const std::size_t width = elements.size();
    for (std::size_t i = 0; i < width; ++i) {
      for (const std::size_t side : {i, width + i}) {
        const Name& param = op.params.at(side).name;
        edge(elements[i], param);
        edge(neutral.at(i), param);
        edge(op.body.result.at(i), param);
      }
      const Name& result = pattern.at(first_result + i).name;
      edge(op.body.result.at(i), result);
      edge(neutral.at(i), result);
      edge(elements[i], result);
    }
  }

  void reduce_by_index(const ReduceByIndex& e, const std::vector<Param>& pattern) {
    to_params(atoms(e.arrays), e.fn.params, 0);
    std::size_t operand = 0, result = 0;
    for (const Histogram& histogram : e.histograms) {
      operand += histogram.shape.size();  // the indices
      std::vector<Atom> values;
      for (std::size_t i = 0; i < histogram.destinations.size(); ++i)
        values.push_back(e.fn.body.result.at(operand++));
      fold(histogram.op, values, histogram.neutral, pattern, result);
      fold(histogram.op, atoms(histogram.destinations), histogram.neutral, pattern, result);
      result += values.size();
    }
  }

  FunctionTable& functions_;
  NameSet& accumulators_;
  Edge edge_;
};

}  // namespace

void Activity::reach(const Edges& edges, NameSet& reached, std::vector<Name> pending) {
  while (!pending.empty()) {
    const Name name = std::move(pending.back());
    pending.pop_back();
    if (!reached.insert(name).second) continue;
    if (const auto found = edges.find(name); found != edges.end())
      pending.insert(pending.end(), found->second.begin(), found->second.end());
  }
}

void Activity::analyse(const Body& body) {
  constants_.merge(cancelling_shifts(body));
  add_edges(body.stms);
}

void Activity::analyse(const std::vector<Stm>& stms) {
  constants_.merge(cancelling_shifts(stms));
  add_edges(stms);
}

void Activity::add_edges(const std::vector<Stm>& stms) {
  std::vector<Name> newly_varied, newly_useful;
  EdgeFinder(*functions_, accumulators_, [&](const Atom& from_atom, const Name& to) {
    const Name* from = name_in(from_atom);
    if (!from || constants_.contains(to)) return;
    successors_[*from].push_back(to);
    predecessors_[to].push_back(*from);
    if (varied_.contains(*from)) newly_varied.push_back(to);
    if (useful_.contains(to)) newly_useful.push_back(*from);
  }).stms(stms);
  reach(successors_, varied_, std::move(newly_varied));
  reach(predecessors_, useful_, std::move(newly_useful));
}

void Activity::add_input(const Name& name) { reach(successors_, varied_, {name}); }

void Activity::add_result(const Atom& atom) {
  if (const Name* name = name_in(atom)) reach(predecessors_, useful_, {*name});
}

const Function& FunctionTable::at(const Name& name) const {
  const auto found = functions_.find(name);
  source::internal_check(found != functions_.end(), "ad: call of an unknown function");
  return found->second;
}

const Dependences& FunctionTable::dependences_of(const Name& name) {
  if (const auto found = dependences_.find(name); found != dependences_.end()) return found->second;
  const Function& function = at(name);
  Dependences depends;
  Activity all(*this);
  all.analyse(function.body);
  for (const Param& param : function.params) {
    Activity from_param = all;
    from_param.add_input(param.name);
    std::vector<bool>& row = depends.emplace_back();
    for (const Atom& result : function.body.result) {
      const Name* result_name = name_in(result);
      row.push_back(result_name && from_param.varied(*result_name));
    }
  }
  return dependences_.emplace(name, std::move(depends)).first->second;
}

}  // namespace boustro::ad
