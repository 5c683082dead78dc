#include "transform/parallel/flatten/scalar_epilogue.hpp"

#include <algorithm>

#include "transform/ir/params.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool is_arithmetic(const Stm& stm) {
  return is_scalar_operation(stm.exp) && all_scalar(stm.pattern) && !may_fail(stm.exp);
}

const Nest* as_reduction(const Stm& stm) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  const bool reduces = nest && nest->over == Level::grid && nest->outs.size() == 1 &&
                       nest->accumulators.empty() && nest->outs[0].kind == OutKind::reduce &&
                       nest->outs[0].rank == 0 && !nest->outs[0].epilogue;
  return reduces ? nest : nullptr;
}

class ScalarAttacher {
 public:
  ScalarAttacher(Body& body, Names& names) : body_(body), names_(names) {}

  void run() {
    for (std::size_t at = body_.stms.size(); at-- > 0;)
      if (as_reduction(body_.stms[at])) at = attach(behind_what_is_known(at));
  }

 private:
  /// Arithmetic that needs nothing from the reduction on goes before it, so that what joins it may use that. Where the
  /// reduction is then.
  std::size_t behind_what_is_known(std::size_t at) {
    NameSet later;
    for (std::size_t i = at; i < body_.stms.size(); ++i) {
      const NameSet used = free_names(body_.stms[i].exp);
      const bool waits = std::any_of(used.begin(), used.end(),
                                     [&](const Name& name) { return later.contains(name); });
      if (i > at && is_arithmetic(body_.stms[i]) && !waits) {
        const auto begin = body_.stms.begin();
        std::rotate(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(i),
                    begin + static_cast<std::ptrdiff_t>(i) + 1);
        ++at;
        continue;
      }
      for (const Param& param : body_.stms[i].pattern) later.insert(param.name);
    }
    return at;
  }

  /// The host waits for sizes, and then computes with them itself.
  bool is_size(std::size_t at, const Name& name) const {
    return std::any_of(body_.stms.begin() + static_cast<std::ptrdiff_t>(at), body_.stms.end(), [&](const Stm& stm) {
      return std::any_of(stm.pattern.begin(), stm.pattern.end(),
                         [&](const Param& param) { return mentions_any(param.type, {name}); });
    });
  }

  /// The statements behind the reduction that compute with its result and with nothing later.
  std::vector<std::size_t> dependent(std::size_t at) const {
    NameSet computed, later;
    for (const Param& param : body_.stms[at].pattern)
      if (!is_size(at + 1, param.name)) computed.insert(param.name);
    std::vector<std::size_t> result;
    for (std::size_t i = at + 1; i < body_.stms.size(); ++i) {
      const Stm& stm = body_.stms[i];
      const NameSet used = free_names(stm.exp);
      const auto any_of = [&](const NameSet& names) {
        return std::any_of(used.begin(), used.end(),
                           [&](const Name& name) { return names.contains(name); });
      };
      const bool joins = is_arithmetic(stm) && any_of(computed) && !any_of(later);
      if (joins) result.push_back(i);
      for (const Param& param : stm.pattern) (joins ? computed : later).insert(param.name);
    }
    return result;
  }

  /// Scalars that no host waits for and only nests before `at` give, and what is computed with them there.
  NameSet of_device_before(std::size_t at) const {
    NameSet result;
    for (std::size_t i = 0; i < at; ++i) {
      const Stm& stm = body_.stms[i];
      const NameSet used = free_names(stm.exp);
      const bool computes = is_arithmetic(stm) && std::any_of(used.begin(), used.end(), [&](const Name& name) { return result.contains(name); });
      if (!computes && !std::holds_alternative<Nest>(stm.exp)) continue;
      for (const Param& param : stm.pattern)
        if (param.type.is_scalar() && !is_size(i + 1, param.name)) result.insert(param.name);
    }
    return result;
  }

  bool is_used_only_by(const Name& name, const std::vector<std::size_t>& users) const {
    if (std::any_of(body_.result.begin(), body_.result.end(), [&](const Atom& atom) { return atom == Atom(name); })) return false;
    for (std::size_t i = 0; i < body_.stms.size(); ++i)
      if (std::find(users.begin(), users.end(), i) == users.end() && free_names(body_.stms[i]).contains(name)) return false;
    return true;
  }

  /// With the statements before the reduction whose values nothing else needs. In order.
  std::vector<std::size_t> with_operands(std::vector<std::size_t> work, std::size_t at) const {
    const NameSet of_device = of_device_before(at);
    for (std::size_t i = at; i-- > 0;) {
      const Stm& stm = body_.stms[i];
      if (is_arithmetic(stm) && of_device.contains(stm.pattern[0].name) && is_used_only_by(stm.pattern[0].name, work))
        work.insert(work.begin(), i);
    }
    return work;
  }

  /// Where the reduction is then.
  std::size_t attach(std::size_t at) {
    const std::vector<std::size_t> dependents = dependent(at);
    if (dependents.empty()) return at;
    const std::vector<std::size_t> work = with_operands(dependents, at);
    const Stm reduction = body_.stms[at];
    Lambda epilogue;
    Substitution values;
    for (const Param& param : reduction.pattern) {
      epilogue.params.push_back(names_.fresh_param(param.name.base, param.type));
      values.emplace(param.name, epilogue.params.back().name);
    }
    std::vector<Param> candidates = reduction.pattern;
    for (const std::size_t i : work) {
      epilogue.body.stms.push_back(body_.stms[i]);
      candidates.push_back(body_.stms[i].pattern[0]);
    }
    for (std::size_t i = work.size(); i-- > 0;)
      body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(work[i]));

    at -= work.size() - dependents.size();

    // What others still need are the results; inside they have names of their own.
    Stm& stm = body_.stms[at];
    stm.pattern.clear();
    Body rest{{body_.stms.begin() + static_cast<std::ptrdiff_t>(at) + 1, body_.stms.end()},
              body_.result};
    const NameSet needed = free_names(rest);
    for (const Param& param : candidates) {
      if (!needed.contains(param.name)) continue;
      stm.pattern.push_back(param);
      epilogue.body.result.push_back(param.name);
      epilogue.result_types.push_back(param.type);
    }
    epilogue.body = rename(epilogue.body, names_, values);
    std::get<Nest>(stm.exp).outs[0].epilogue = std::move(epilogue);
    return at;
  }

  Body& body_;
  Names& names_;
};

}  // namespace

void attach_scalars(Body& body, Names& names) { ScalarAttacher(body, names).run(); }

}  // namespace boustro::parallel
