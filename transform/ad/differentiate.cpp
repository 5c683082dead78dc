// The pass: finds the innermost derivatives and puts statements in their place.
#include <algorithm>

#include "transform/ad/derive.hpp"
#include "transform/ad/share_primal.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class Pass {
 public:
  Pass(Program& program, const Options& options) : derivation_(program, options) {}

  bool run() {
    for (const Function& function : derivation_.program.functions)
      if (contains_derivative(function.body.stms)) with_derivatives_.insert(function.name);

    std::vector<Function> result;
    for (Function function : derivation_.program.functions) {
      share_primals(derivation_, function.body);
      used_ = names_used_in(function);
      rewrite(function.body);
      derivation_.functions.add(function);
      for (Function& derived : derivation_.new_functions) result.push_back(std::move(derived));
      derivation_.new_functions.clear();
      result.push_back(std::move(function));
    }
    derivation_.program.functions = std::move(result);
    return changed_;
  }

 private:
  static bool is_derivative(const Exp& exp) {
    return std::holds_alternative<Jvp>(exp) || std::holds_alternative<Vjp>(exp);
  }

  bool contains_derivative(const std::vector<Stm>& stms) const {
    return std::any_of(stms.begin(), stms.end(), [&](const Stm& stm) {
      if (is_derivative(stm.exp)) return true;
      const auto* call = std::get_if<Call>(&stm.exp);
      if (call && with_derivatives_.contains(call->function)) return true;
      bool inside = false;
      for_each_body(stm.exp, [&](const Body& body) { inside = inside || contains_derivative(body.stms); });
      return inside;
    });
  }

  static NameSet names_used_in(const Function& function) {
    NameSet used;
    collect_uses(function.body, used);
    return used;
  }

  static void collect_uses(const Body& body, NameSet& used) {
    const auto use = [&](const Atom& atom) {
      if (const Name* name = name_in(atom)) used.insert(*name);
    };
    for (const Stm& stm : body.stms) {
      for_each_atom(stm.exp, use);
      for_each_body(stm.exp, [&](const Body& inner) { collect_uses(inner, used); });
    }
    for (const Atom& atom : body.result) use(atom);
  }

  void rewrite(Body& body) {
    std::vector<Stm> result;
    for (Stm& stm : body.stms) {
      bool innermost = is_derivative(stm.exp);
      for_each_body(stm.exp, [&](const Body& inner) { innermost = innermost && !contains_derivative(inner.stms); });
      if (innermost || is_custom_outside_of_derivatives(stm)) {
        changed_ = changed_ || innermost;
        Body derived{derive(derivation_, stm, used_), {}};
        if (!innermost) rewrite(derived);  // one custom derivative inside another
        for (Stm& part : derived.stms) result.push_back(std::move(part));
      } else {
        inside_derivative_ += is_derivative(stm.exp);
        map_bodies(stm.exp, [&](Body& inner) { rewrite(inner); });
        inside_derivative_ -= is_derivative(stm.exp);
        result.push_back(std::move(stm));
      }
    }
    body.stms = std::move(result);
  }

  /// In a function that a derivative may call, the custom derivative may still be asked for.
  bool is_custom_outside_of_derivatives(const Stm& stm) const {
    return std::holds_alternative<WithVjp>(stm.exp) && inside_derivative_ == 0 && with_derivatives_.empty();
  }

  Derivation derivation_;
  NameSet with_derivatives_;
  NameSet used_;
  int inside_derivative_ = 0;
  bool changed_ = false;
};

}  // namespace

bool differentiate_innermost(Program& program, const Options& options) {
  return Pass(program, options).run();
}

Program differentiate(Program program, const Options& options) {
  while (differentiate_innermost(program, options)) {
  }
  return program;
}

}  // namespace boustro::ad
