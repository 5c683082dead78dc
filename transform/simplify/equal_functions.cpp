#include "transform/simplify/equal_functions.hpp"

#include <algorithm>
#include <map>

#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// What the function computes of its parameters, for `canonical`.
Exp as_exp(const Function& function) {
  Map map;
  map.fn = {function.params, function.body, function.result_types};
  return map;
}

class Merger {
 public:
  bool merge(Program& program) {
    std::vector<Function> kept;
    for (Function& function : program.functions) {
      use_first(function.body);
      if (function.entry || !is_copy(function)) kept.push_back(std::move(function));
    }
    program.functions = std::move(kept);
    return !first_.empty();
  }

 private:
  void use_first(Body& body) const {
    for (Stm& stm : body.stms) {
      if (auto* call = std::get_if<Call>(&stm.exp))
        if (const auto found = first_.find(call->function); found != first_.end()) call->function = found->second;
      map_bodies(stm.exp, [&](Body& inner) { use_first(inner); });
    }
  }

  /// Of one that came before; else it is remembered.
  bool is_copy(const Function& function) {
    std::vector<Known>& copies = known_[function.name.base];
    Known known{function.name, {function.at, function.size_params, function.size_results}, function.attributes, canonical(as_exp(function))};
    const auto same = std::find_if(copies.begin(), copies.end(), [&](const Known& other) {
      return other.signature == known.signature && other.attributes == known.attributes && other.exp == known.exp;
    });
    if (same == copies.end()) {
      copies.push_back(std::move(known));
      return false;
    }
    first_.emplace(function.name, same->name);
    return true;
  }

  struct Signature {
    SourceRange at;
    int size_params, size_results;
    bool operator==(const Signature&) const = default;
  };
  struct Known {
    Name name;
    Signature signature;
    std::vector<Attribute> attributes;
    Exp exp;
  };
  std::map<std::string, std::vector<Known>> known_;
  std::map<Name, Name> first_;  // the function to call instead
};

}  // namespace

bool merge_equal_functions(Program& program) { return Merger().merge(program); }

}  // namespace boustro::simplify
