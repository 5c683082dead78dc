#include "transform/lower/inline.hpp"

#include <algorithm>
#include <map>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/lower/result_names.hpp"

namespace boustro::lower {
namespace {

using ir::Body;
using ir::Exp;
using ir::Function;
using ir::Name;
using ir::Stm;

void for_each_statement(const Body& body, const std::function<void(const Stm&)>& visit) {
  for (const Stm& stm : body.stms) {
    visit(stm);
    ir::for_each_body(stm.exp, [&](const Body& inner) { for_each_statement(inner, visit); });
  }
}

bool has_attribute(const Function& function, std::string_view name) {
  return std::any_of(function.attributes.begin(), function.attributes.end(),
                     [&](const ir::Attribute& attribute) { return attribute.name == name; });
}

/// True if all values in the function are scalars.
bool is_scalar_code(const Function& function) {
  bool scalar = std::all_of(function.params.begin(), function.params.end(),
                            [](const ir::Param& param) { return param.type.is_scalar(); });
  for_each_statement(function.body, [&](const Stm& stm) {
    for (const ir::Param& param : stm.pattern) scalar = scalar && param.type.is_scalar();
    ir::for_each_lambda(stm.exp, [&](const ir::Lambda&) { scalar = false; });
  });
  return scalar;
}

bool is_trivial(const Function& function) {
  return function.body.stms.empty() ||
         (function.body.stms.size() == 1 &&
          !std::holds_alternative<ir::Loop>(function.body.stms[0].exp) &&
          !std::holds_alternative<ir::If>(function.body.stms[0].exp));
}

/// A formula, which reads best by its name. Of what takes longer, calls do not share what they compute with the derivative.
bool is_short(const Function& function) {
  constexpr std::size_t short_enough = 12;
  const std::vector<Stm>& stms = function.body.stms;
  return stms.size() <= short_enough && std::all_of(stms.begin(), stms.end(), [](const Stm& stm) { return ir::is_scalar_operation(stm.exp); });
}

/// The host checks before it goes on, so that kernels need not: it does so where the check is its own statement.
bool is_short_check(const Function& function) {
  constexpr std::size_t short_enough = 8;
  const auto is_straight = [](const Stm& stm) { return ir::is_scalar_operation(stm.exp) || std::holds_alternative<ir::Assert>(stm.exp); };
  const std::vector<Stm>& stms = function.body.stms;
  return !has_attribute(function, "noinline") && stms.size() <= short_enough && std::all_of(stms.begin(), stms.end(), is_straight) &&
         std::any_of(stms.begin(), stms.end(), [](const Stm& stm) { return ir::may_fail(stm.exp); });
}

/// What an entry does between its parallel operators.
bool is_control(const Exp& exp) { return std::holds_alternative<ir::If>(exp) || std::holds_alternative<ir::Loop>(exp); }

constexpr int most_calls = 1 << 10;  // more are as many

std::map<Name, int> count_calls(const std::vector<Function>& functions) {
  std::map<Name, int> counts;
  for (const Function& function : functions) {
    for_each_statement(function.body, [&](const Stm& stm) {
      if (const auto* call = std::get_if<ir::Call>(&stm.exp)) ++counts[call->function];
    });
  }
  return counts;
}

/// The statement that makes the value: attributes of a call are meant for it.
Stm* main_statement(std::vector<Stm>& stms) {
  for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
    if (!std::holds_alternative<ir::Coerce>(stm->exp) &&
        !std::holds_alternative<ir::AtomExp>(stm->exp))
      return &*stm;
  }
  return nullptr;
}

/// They are where the call is, and part of what it is part of.
void add_call_site(std::vector<Stm>& stms, const ir::Provenance& call) {
  const auto append = [](auto& to, const auto& more) { to.insert(to.end(), more.begin(), more.end()); };
  for (Stm& stm : stms) {
    append(stm.origin.at, call.at);
    append(stm.origin.within.lets, call.within.lets);
    append(stm.origin.within.functions, call.within.functions);
    ir::map_bodies(stm.exp, [&](Body& body) { add_call_site(body.stms, call); });
  }
}

class Inliner {
 public:
  Inliner(const ir::Program& program, bool also_checkpointed)
      : names_(program), counts_(count_calls(program.functions)), also_checkpointed_(also_checkpointed) {
    count_copies(program.functions);
  }

  /// Callees come first, so bodies that are inlined have had their own calls inlined.
  void add(const Function& original) {
    Function function = original;
    rewrite(function, false);
    if (function.entry) rewrite(function, true);
    const bool inlined = !function.entry && is_to_inline(function);
    if (inlined) {
      inlined_.emplace(function.name, std::move(function));
    } else {
      if (is_short_check(function)) checks_.emplace(function.name, function);
      kept_.push_back(std::move(function));
    }
  }

  ir::Program finish() {
    const std::map<Name, int> counts = count_calls(kept_);
    std::erase_if(kept_, [&](const Function& f) { return !f.entry && !counts.contains(f.name); });
    return {std::move(kept_)};
  }

 private:
  /// How often each is called where what calls it has been inlined: a function that a local one calls, which is inlined three times, is
  /// called three times. Callers come last.
  void count_copies(const std::vector<Function>& functions) {
    for (auto caller = functions.rbegin(); caller != functions.rend(); ++caller) {
      const auto own = copies_.find(caller->name);
      const bool is_inlined = !caller->entry && is_to_inline(*caller);
      const int copies = is_inlined && own != copies_.end() ? own->second : 1;
      for (const auto& [callee, count] : count_calls({*caller})) {
        int& total = copies_[callee];
        total = std::min(total + count * copies, most_calls);
      }
    }
  }

  bool is_to_inline(const Function& function) const {
    if (also_checkpointed_) return !is_scalar_code(function);
    if (has_attribute(function, "checkpoint")) return false;
    if (!is_scalar_code(function)) return true;
    if (has_attribute(function, "noinline")) return false;
    const std::map<Name, int>& counts = is_short(function) ? copies_ : counts_;
    const auto count = counts.find(function.name);
    return has_attribute(function, "inline") || is_trivial(function) ||
           (count != counts.end() && count->second == 1);
  }

  void rewrite(Function& function, bool by_entry) {
    const ir::Substitution results = rewrite(function.body, by_entry);
    for (ir::Type& type : function.result_types) ir::substitute(type, results);
  }

  /// The function of a call that its body takes the place of; null for all other statements.
  const Function* to_inline(const Stm& stm, bool by_entry) const {
    const auto* call = std::get_if<ir::Call>(&stm.exp);
    if (!call) return nullptr;
    if (const auto found = inlined_.find(call->function); found != inlined_.end()) return &found->second;
    const auto check = checks_.find(call->function);
    return by_entry && check != checks_.end() ? &check->second : nullptr;
  }

  /// Yields what became of the results of the calls that were inlined.
  ir::Substitution rewrite(Body& body, bool by_entry) {
    std::vector<Stm> result;
    ir::Substitution results;
    for (Stm& stm : body.stms) {
      ir::substitute(stm, results);
      ir::map_bodies(stm.exp, [&](Body& inner) { rewrite(inner, by_entry && is_control(stm.exp)); });
      if (const Function* callee = to_inline(stm, by_entry)) {
        inline_call(result, stm, *callee, results);
      } else {
        result.push_back(std::move(stm));
      }
    }
    for (Atom& atom : body.result) atom = ir::substitute(atom, results);
    body.stms = std::move(result);
    return results;
  }

  using Atom = ir::Atom;

  void inline_call(std::vector<Stm>& to, const Stm& stm, const Function& callee,
                   ir::Substitution& results) {
    const auto& args = std::get<ir::Call>(stm.exp).args;
    ir::Substitution substitution;
    for (std::size_t i = 0; i < args.size(); ++i)
      substitution.emplace(callee.params[i].name, args[i]);
    std::vector<Stm> stms = ir::rename(callee.body.stms, names_, substitution);
    add_call_site(stms, stm.origin);
    if (Stm* main = main_statement(stms)) {
      main->attributes.insert(main->attributes.end(), stm.attributes.begin(), stm.attributes.end());
    }
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      results.insert_or_assign(stm.pattern[i].name,
                               ir::substitute(callee.body.result.at(i), substitution));
    }
    keep_names(stms, stm.pattern, results);
    for (Stm& inner : stms) to.push_back(std::move(inner));
  }

  /// What the callee calls its result is of less interest than what the caller does.
  void keep_names(std::vector<Stm>& stms, const std::vector<ir::Param>& pattern,
                  ir::Substitution& results) {
    ir::Substitution renamed;
    for (const ir::Param& param : pattern) {
      const Name* result = ir::name_in(results.at(param.name));
      if (!result || renamed.contains(*result)) continue;
      for (Stm& stm : stms) {
        for (ir::Param& bound : stm.pattern) {
          if (bound.name != *result) continue;
          const Name better = names_.fresh(param.name);
          names_.bind(better, bound.type);
          renamed.emplace(*result, better);
          bound.name = better;
        }
      }
    }
    for (Stm& stm : stms) ir::substitute(stm, renamed);
    for (const ir::Param& param : pattern) {
      results.at(param.name) = ir::substitute(results.at(param.name), renamed);
    }
  }

  ir::Names names_;
  std::map<Name, int> counts_;  // of calls as they stand
  std::map<Name, int> copies_;  // ... and when callers are inlined
  bool also_checkpointed_;
  std::map<Name, Function> inlined_, checks_;
  std::vector<Function> kept_;
};

}  // namespace

namespace {

ir::Program inlined(const ir::Program& program, bool also_checkpointed) {
  Inliner inliner(program, also_checkpointed);
  for (const Function& function : program.functions) inliner.add(function);
  ir::Program result = inliner.finish();
  name_results(result);
  return result;
}

}  // namespace

ir::Program inline_functions(const ir::Program& program) { return inlined(program, false); }

ir::Program inline_checkpointed(const ir::Program& program) { return inlined(program, true); }

}  // namespace boustro::lower
