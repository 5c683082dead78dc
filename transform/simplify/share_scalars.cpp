#include "transform/simplify/share_scalars.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

class Shared {
 public:
  void visit(Body& body) {
    const std::size_t before = entered_.size();
    std::vector<Stm> rest;
    for (Stm& stm : body.stms) {
      substitute(stm, same_);
      if (std::holds_alternative<If>(stm.exp) || std::holds_alternative<Loop>(stm.exp)) map_bodies(stm.exp, [&](Body& inner) { visit(inner); });
      if (!is_known(stm)) rest.push_back(std::move(stm));
    }
    body.stms = std::move(rest);
    for (Atom& atom : body.result) atom = substitute(atom, same_);
    for (; entered_.size() > before; entered_.pop_back()) known_.erase(entered_.back());
  }

  const Substitution& same() const { return same_; }

 private:
  using Known = std::unordered_multimap<std::size_t, std::pair<Exp, Name>>;

  /// If not, it is from here on.
  bool is_known(const Stm& stm) {
    if (!is_scalar_operation(stm.exp) || !all_scalar(stm.pattern) || !stm.attributes.empty()) return false;
    Exp exp = canonical(stm.exp);
    const std::size_t hash = hash_of(exp);
    const auto [begin, end] = known_.equal_range(hash);
    const auto found = std::find_if(begin, end, [&](const auto& entry) { return entry.second.first == exp; });
    if (found == end) {
      entered_.push_back(known_.emplace(hash, std::pair(std::move(exp), stm.pattern[0].name)));
      return false;
    }
    same_.emplace(stm.pattern[0].name, found->second.second);
    return true;
  }

  Known known_;
  std::vector<Known::iterator> entered_;
  Substitution same_;
};

}  // namespace

void share_scalars(Program& program) {
  for (Function& function : program.functions) {
    Shared shared;
    shared.visit(function.body);
    for (Type& type : function.result_types) substitute(type, shared.same());
  }
}

}  // namespace boustro::simplify
