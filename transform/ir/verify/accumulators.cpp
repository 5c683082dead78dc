// Accumulators are linear: every one that is bound is used exactly once on every path, and not inside of a
// lambda or loop body that runs many times unless it is passed in.
#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/ir/verify/report.hpp"

namespace boustro::ir::verification {
namespace {

class AccumulatorChecker {
 public:
  explicit AccumulatorChecker(Report& report) : report_(report) {}

  void check(const Function& function) {
    report_.enter(function);
    open_.clear();
    check_scope(function.params, function.body);
  }

 private:
  void bind(const Param& param) {
    if (param.type.accumulator) open_.emplace(param.name, depth_), known_.insert(param.name);
  }

  void use(const Atom& atom) {
    const Name* name = name_in(atom);
    if (!name || !known_.contains(*name)) return;
    const auto found = open_.find(*name);
    if (found == open_.end()) {
      report_.add("the accumulator {} is used a second time", to_string(*name));
    } else if (found->second < depth_) {
      report_.add("the accumulator {} is captured by a loop or lambda", to_string(*name));
    }
    open_.erase(*name);
  }

  /// A body whose bindings are `params` and its own; all accumulators among them must be used up.
  void check_scope(const std::vector<Param>& params, const Body& body) {
    for (const Param& param : params) bind(param);
    for (const Stm& stm : body.stms) check_stm(stm);
    for (const Atom& atom : body.result) use(atom);
    for (const Param& param : params) close(param.name);
    for (const Stm& stm : body.stms) {
      for (const Param& param : stm.pattern) close(param.name);
    }
  }
  void close(const Name& name) {
    if (open_.erase(name)) report_.add("the accumulator {} is never used", to_string(name));
  }

  void check_repeated(const std::vector<Param>& params, const Body& body) {
    ++depth_;
    check_scope(params, body);
    --depth_;
  }

  void check_stm(const Stm& stm) {
    const At at(report_, stm);
    for_each_atom(stm.exp, [&](const Atom& atom) { use(atom); });
    match(
        stm.exp,  //
        [&](const If& e) { check_if(e); },
        [&](const Loop& e) {
          std::vector<Param> params;
          for (const LoopParam& p : e.params) params.push_back(p.param);
          check_repeated(params, e.body);
        },
        [&](const WithAcc& e) {
          for (const AccumulatorInput& input : e.inputs) {
            if (const auto* combine = std::get_if<Combine>(&input.kind)) {
              check_repeated(combine->op.params, combine->op.body);
            }
          }
          check_scope(e.fn.params, e.fn.body);  // runs exactly once
        },
        [&](const auto&) {
          for_each_lambda(stm.exp, [&](const Lambda& lambda) {
            check_repeated(lambda.params, lambda.body);
          });
        });
    for (const Param& param : stm.pattern) bind(param);
  }

  void check_if(const If& e) {
    const auto before = open_;
    check_scope({}, e.then_body);
    const auto after_then = std::exchange(open_, before);
    check_scope({}, e.else_body);
    for (const auto& [name, depth] : before) {
      if (after_then.contains(name) != open_.contains(name)) {
        report_.add("the accumulator {} is used in one branch only", to_string(name));
        open_.erase(name);
      }
    }
  }

  Report& report_;
  std::unordered_map<Name, int> open_;  // bound and not used yet, with the depth where they were bound
  NameSet known_;
  int depth_ = 0;
};

}  // namespace

void verify_accumulators(const Program& program, Report& report) {
  AccumulatorChecker checker(report);
  for (const Function& function : program.functions) checker.check(function);
}

}  // namespace boustro::ir::verification
