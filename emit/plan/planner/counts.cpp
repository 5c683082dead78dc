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
  void function(const ir::Function& function) {
    for (const ir::Param& param : function.params) add_shape(param.type.shape);
    body(function.body);
  }

  ir::NameSet found() const {
    ir::NameSet result = stated_;
    for (const auto& [name, operands] : products_) {
      const Factors factors = factors_of(name);
      const bool is_part = std::any_of(shapes_.begin(), shapes_.end(), [&](const Factors& shape) {
        return std::includes(shape.begin(), shape.end(), factors.begin(), factors.end());
      });
      if (is_part) result.insert(name);
    }
    return result;
  }

 private:
  void body(const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) {
      for (const ir::Param& param : stm.pattern) add_shape(param.type.shape);
      if (const auto* nest = std::get_if<ir::Nest>(&stm.exp)) add_shape(nest->space);
      const auto* e = std::get_if<ir::BinOp>(&stm.exp);
      if (e && e->kind == ir::BinOpKind::mul && e->type == ir::PrimType::i64) add(stm, *e);
      ir::for_each_body(stm.exp, [&](const ir::Body& inner) { this->body(inner); });
    }
  }

  void add(const ir::Stm& stm, const ir::BinOp& e) {
    const ir::Name& name = stm.pattern[0].name;
    if (ir::has_attribute(stm, "is_size")) stated_.insert(name);
    if (ir::name_in(e.lhs) && ir::name_in(e.rhs)) products_.emplace(name, names_in({e.lhs, e.rhs}));
  }

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
  ir::NameSet stated_;
};

}  // namespace

ir::NameSet counts_of(const ir::Function& function) {
  CountFinder finder;
  finder.function(function);
  return finder.found();
}

}  // namespace boustro::plan::planner
