#include "transform/simplify/early_copies.hpp"

#include <algorithm>

#include "transform/facts/aliases.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

class EarlyCopies {
 public:
  explicit EarlyCopies(const Program& program) : callees_(program), aliases_(program) {}

  bool remove(Body& body) {
    bool any = false;
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      Stm& stm = body.stms[i];
      map_bodies(stm.exp, [&](Body& inner) { any = remove(inner) || any; });
      const auto* copy = std::get_if<Copy>(&stm.exp);
      if (!copy || !aliases_.settled(stm.pattern[0].name) || !is_early(body, i, *copy)) continue;
      const Name original = copy->array;
      stm.exp = AtomExp{original};
      aliases_.unite(stm.pattern[0].name, original);
      any = true;
    }
    return any;
  }

 private:
  /// Whether all uses of copy number `at` stand before what consumes the original.
  bool is_early(const Body& body, std::size_t at, const Copy& copy) const {
    const auto is_copy = [&](const Name& name) { return aliases_.may_alias(name, body.stms[at].pattern[0].name); };
    for (const Atom& result : body.result)
      if (const Name* name = name_in(result); name && is_copy(*name)) return false;
    bool consumed = false;
    for (std::size_t i = at + 1; i < body.stms.size(); ++i) {
      consumed = consumed || consumes(body.stms[i], copy.array);
      const NameSet used = free_names(body.stms[i].exp);
      if (consumed && std::any_of(used.begin(), used.end(), is_copy)) return false;
    }
    return true;
  }

  bool consumes(const Stm& stm, const Name& array) const {
    const auto consumed = facts::consumed_by(stm.exp, callees_);
    return std::any_of(consumed.begin(), consumed.end(), [&](const Name& name) { return aliases_.may_alias(name, array); });
  }

  facts::Callees callees_;
  facts::Aliases aliases_;
};

}  // namespace

bool remove_early_copies(Program& program) {
  EarlyCopies copies(program);
  bool any = false;
  for (Function& function : program.functions) any = copies.remove(function.body) || any;
  return any;
}

}  // namespace boustro::simplify
