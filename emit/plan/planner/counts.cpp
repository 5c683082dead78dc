#include "emit/plan/planner/counts.hpp"

#include <algorithm>
#include <unordered_map>
#include <variant>

#include "transform/ir/nest.hpp"

namespace boustro::plan::planner {
namespace {

using Factors = std::vector<ir::Name>;

Factors names_in(const std::vector<ir::Atom>& atoms) {
  Factors result;
  for (const ir::Atom& atom : atoms)
    if (const ir::Name* name = ir::name_in(atom)) result.push_back(*name);
  std::sort(result.begin(), result.end());
  return result;
}

class CountFinder {
 public:
  ir::NameSet run(const ir::Function& function) {
    for (const ir::Param& param : function.params) add_shape(param.type.shape);
    body(function.body);
    return std::move(found_);
  }

 private:
  /// What stands inside may never run, so its shapes say nothing about products outside.
  void body(const ir::Body& body) {
    const std::size_t outside = shapes_.size();
    for (const ir::Stm& stm : body.stms) {
      for (const ir::Param& param : stm.pattern) add_shape(param.type.shape);
      if (const auto* nest = std::get_if<ir::Nest>(&stm.exp)) add_shape(nest->space);
    }
    for (const ir::Stm& stm : body.stms) {
      const auto* e = std::get_if<ir::BinOp>(&stm.exp);
      if (e && e->kind == ir::BinOpKind::mul && e->type == ir::PrimType::i64) add(stm, *e);
      ir::for_each_body(stm.exp, [&](const ir::Body& inner) { this->body(inner); });
    }
    shapes_.resize(outside);
  }

  void add(const ir::Stm& stm, const ir::BinOp& e) {
    const ir::Name& name = stm.pattern[0].name;
    if (ir::name_in(e.lhs) && ir::name_in(e.rhs)) products_.emplace(name, names_in({e.lhs, e.rhs}));
    if (ir::has_attribute(stm, "is_size") || is_shape(factors_of(name))) found_.insert(name);
  }

  /// Of some of the extents alone it may be that another one is 0, and nothing is there.
  bool is_shape(const Factors& factors) const { return std::find(shapes_.begin(), shapes_.end(), factors) != shapes_.end(); }

  void add_shape(const std::vector<ir::Atom>& shape) {
    if (shape.size() > 1) shapes_.push_back(names_in(shape));
  }

  Factors factors_of(const ir::Name& name) const {
    const auto product = products_.find(name);
    if (product == products_.end()) return {name};
    Factors result;
    for (const ir::Name& operand : product->second) {
      const Factors factors = factors_of(operand);
      result.insert(result.end(), factors.begin(), factors.end());
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  std::vector<Factors> shapes_;
  std::unordered_map<ir::Name, Factors> products_;
  ir::NameSet found_;
};

}  // namespace

ir::NameSet counts_of(const ir::Function& function) {
  return CountFinder().run(function);
}

}  // namespace boustro::plan::planner
