// A size that a nest counts points of is 1 or more at each of them.
//
// Before:   let blocks = slabs * k  let k_1 = max k 1  let ys = nest (blocks) (\b -> let j = b % k_1 ..)
// After:    let blocks = slabs * k  let ys = nest (blocks) (\b -> let j = b % k ..)
// Why       `max k 1` divides where there are no points at all; where there are, it is k, which needs no parameter of its own
// Applies   to nests of the grid over k, or over a product of it that nothing else uses, so that the planner sees the factors; to sizes, which
//           are not negative; to maxima that passes have made, which are called after the size, or `matrices`
// When      behind the passes that move divisions out of nests
#include <algorithm>
#include <unordered_map>

#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class CountedDivisors {
 public:
  void function(Function& function) {
    for (const Param& param : function.params)
      for (const Atom& size : param.type.shape)
        if (const Name* name = name_in(size)) sizes_.insert(*name);
    count_uses(function.body);
    body(function.body);
  }

 private:
  /// By statements; types apart.
  void count_uses(const Body& body) {
    for (const Stm& stm : body.stms) {
      for (const Name& name : free_names(stm.exp)) ++uses_[name];
      if (!std::holds_alternative<Nest>(stm.exp)) for_each_body(stm.exp, [&](const Body& inner) { count_uses(inner); });
    }
  }

  void body(Body& body) {
    for (Stm& stm : body.stms) {
      note(stm);
      auto* nest = std::get_if<Nest>(&stm.exp);
      if (nest && nest->over == Level::grid) {
        count(*nest);
      } else {
        map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      }
    }
  }

  void note(const Stm& stm) {
    const auto* op = std::get_if<BinOp>(&stm.exp);
    if (!op || op->type != PrimType::i64) return;
    const Name *x = name_in(op->lhs), *y = name_in(op->rhs);
    const PrimValue* least = literal_in(op->rhs);
    if (op->kind == BinOpKind::mul && x && y) factors_.emplace(stm.pattern[0].name, std::pair(*x, *y));
    if (op->kind == BinOpKind::max && x && least && least->as_int() == 1 && sizes_.contains(*x) && is_made(stm.pattern[0].name, *x)) clipped_.emplace(stm.pattern[0].name, *x);
  }

  static bool is_made(const Name& clipped, const Name& size) { return clipped.base == size.base || clipped.base == "matrices"; }

  void count(Nest& nest) const {
    NameSet counted;
    for (const Atom& extent : nest.space)
      if (const Name* name = name_in(extent)) add(*name, counted);
    Substitution plain;
    for (const Name& name : free_names(nest.point.body))
      if (const auto found = clipped_.find(name); found != clipped_.end() && counted.contains(found->second)) plain.emplace(name, found->second);
    substitute(nest.point.body, plain);
  }

  void add(const Name& name, NameSet& counted) const {
    counted.insert(name);
    const auto found = factors_.find(name);
    if (found != factors_.end() && uses_.at(name) == 1) add(found->second.first, counted), add(found->second.second, counted);
  }

  NameSet sizes_;
  std::unordered_map<Name, int> uses_;
  std::unordered_map<Name, std::pair<Name, Name>> factors_;
  std::unordered_map<Name, Name> clipped_;  // at 1
};

}  // namespace

Program divide_by_counted_sizes(Program program) {
  for (Function& function : program.functions)
    if (function.entry) CountedDivisors().function(function);
  return program;
}

}  // namespace boustro::parallel
