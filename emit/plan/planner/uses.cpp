#include "emit/plan/planner/uses.hpp"

#include "transform/ir/operands.hpp"
#include "transform/ir/parts.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/unnamed.hpp"

namespace boustro::plan::planner {
namespace {

/// Counts uses by expressions and results; sizes in types do not count.
class Counter {
 public:
  Counter(std::unordered_map<ir::Name, Use>& uses,
          std::unordered_map<ir::Name, ir::Atom>& successors)
      : uses_(uses), successors_(successors) {}

  void body(const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) this->stm(stm);
    for (const ir::Atom& atom : body.result) use(atom);
  }

  void lambda(const ir::Lambda& lambda) {
    ++depth_;
    for (const ir::Param& param : lambda.params) depths_[param.name] = depth_;
    body(lambda.body);
    --depth_;
  }

  void bind(const ir::Name& name) { depths_[name] = depth_; }

 private:
  void stm(const ir::Stm& stm) {
    ir::for_each_atom(stm.exp, [&](const ir::Atom& atom) { use(atom); });
    if (!std::holds_alternative<ir::Call>(stm.exp))
      for (const ir::Name& name : ir::consumed_operands(stm.exp)) uses_[name].consumed = true;
    for (const ir::Param& param : stm.pattern) depths_[param.name] = depth_;
    if (stm.pattern.size() == 1) note_names(stm);
    if (const auto* op = std::get_if<ir::BinOp>(&stm.exp)) note_successor(stm.pattern[0].name, *op);
    ir::for_each_lambda(stm.exp, [&](const ir::Lambda& l) { lambda(l); });
    if (const auto* branch = std::get_if<ir::If>(&stm.exp)) {
      body(branch->then_body);
      body(branch->else_body);
    } else if (const auto* loop = std::get_if<ir::Loop>(&stm.exp)) {
      ++depth_;
      for (const ir::LoopParam& p : loop->params) depths_[p.param.name] = depth_;
      if (const auto* form = std::get_if<ir::ForLoop>(&loop->form)) depths_[form->index] = depth_;
      body(loop->body);
      --depth_;
    }
  }

  void note_names(const ir::Stm& stm) {
    const ir::Name& name = stm.pattern[0].name;
    uses_[name].has_meaning = !ir::is_unnamed(stm.exp, name.base);
    const bool computes = std::holds_alternative<ir::BinOp>(stm.exp) || std::holds_alternative<ir::UnOp>(stm.exp) ||
                          std::holds_alternative<ir::MathOp>(stm.exp) || std::holds_alternative<ir::Call>(stm.exp);
    if (!computes) return;
    ir::for_each_atom(stm.exp, [&](const ir::Atom& atom) {
      const ir::Name* operand = ir::name_in(atom);
      if (operand && operand->base != name.base) uses_[*operand].is_operand = true;
    });
  }

  void note_successor(const ir::Name& name, const ir::BinOp& op) {
    const auto* one = ir::literal_in(op.rhs);
    if (op.type != values::PrimType::i64 || !one || one->as_int() != 1) return;
    if (op.kind == ir::BinOpKind::sub) successors_.insert_or_assign(name, op.lhs);
    const ir::Name* x = ir::name_in(op.lhs);
    if (op.kind == ir::BinOpKind::add && x) successors_.emplace(*x, name);
  }

  void use(const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    if (!name) return;
    Use& use = uses_[*name];
    ++use.count;
    const auto defined = depths_.find(*name);
    use.deeper = use.deeper || (defined != depths_.end() && depth_ > defined->second);
  }

  std::unordered_map<ir::Name, Use>& uses_;
  std::unordered_map<ir::Name, ir::Atom>& successors_;
  std::unordered_map<ir::Name, int> depths_;
  int depth_ = 0;
};

}  // namespace

Uses::Uses(const ir::Function& function) {
  Counter counter(uses_, successors_);
  for (const ir::Param& param : function.params) counter.bind(param.name);
  counter.body(function.body);
}

void Uses::add(const ir::Lambda& lambda) { Counter(uses_, successors_).lambda(lambda); }
void Uses::add(const ir::Body& body) { Counter(uses_, successors_).body(body); }

Use Uses::of(const ir::Name& name) const {
  const auto found = uses_.find(name);
  return found == uses_.end() ? Use{} : found->second;
}

std::optional<ir::Atom> Uses::successor(const ir::Name& name) const {
  const auto found = successors_.find(name);
  return found == successors_.end() ? std::nullopt : std::optional(found->second);
}

bool Uses::once(const ir::Name& name) const {
  const Use use = of(name);
  return use.count == 1 && !use.deeper;
}

}  // namespace boustro::plan::planner
