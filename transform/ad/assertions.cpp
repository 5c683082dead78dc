#include "transform/ad/assertions.hpp"

#include <algorithm>

#include "transform/ad/scope.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

bool is_assertion(const Stm& stm) { return std::holds_alternative<Assert>(stm.exp); }

bool is_index_type(PrimType type) { return values::is_integer(type) || type == PrimType::boolean; }

bool is_index_arithmetic(const Exp& exp) {
  return match(
      exp, [](const AtomExp&) { return true; }, [](const UnOp& e) { return is_index_type(e.type); },
      [](const BinOp& e) { return is_index_type(e.type) && !may_fail(e); },
      [](const CmpOp& e) { return is_index_type(e.type); },
      [](const Convert& e) { return is_index_type(e.from) && is_index_type(e.to); },
      [](const auto&) { return false; });
}

/// What is bound in one list of statements, and what of it is at hand.
class Availability {
 public:
  Availability(const std::vector<Stm>& stms, NameSet needed) {
    for (const Stm& stm : stms)
      for (const Param& p : stm.pattern) definitions_.emplace(p.name, &stm);
    for (const Stm& stm : needed_part(stms, needed))
      for (const Param& p : stm.pattern) computed_.insert(p.name);
  }

  bool has(const Assert& assertion) {
    return has(assertion.condition) && std::all_of(assertion.args.begin(), assertion.args.end(),
                                                   [&](const Atom& x) { return has(x); });
  }

 private:
  /// A name from outside, one that is computed anyway, or arithmetic on such.
  bool has(const Atom& atom) {
    const Name* name = name_in(atom);
    if (!name || computed_.contains(*name)) return true;
    const auto definition = definitions_.find(*name);
    if (definition == definitions_.end()) return true;
    if (!is_index_arithmetic(definition->second->exp)) return false;
    bool all = true;
    for_each_atom(definition->second->exp, [&](const Atom& operand) { all = all && has(operand); });
    if (all) computed_.insert(*name);
    return all;
  }

  std::unordered_map<Name, const Stm*> definitions_;
  NameSet computed_;
};

}  // namespace

void drop_assertions(std::vector<Stm>& stms, const NameSet& needed) {
  Availability available(stms, needed);
  std::vector<bool> dropped;
  for (const Stm& stm : stms)
    dropped.push_back(is_assertion(stm) && !available.has(std::get<Assert>(stm.exp)));
  std::size_t i = 0;
  std::erase_if(stms, [&](const Stm&) { return dropped[i++]; });
  for (Stm& stm : stms)
    map_bodies(stm.exp,
               [](Body& body) { drop_assertions(body.stms, free_names(Body{{}, body.result})); });
}

}  // namespace boustro::ad
