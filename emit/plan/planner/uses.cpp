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
          std::unordered_map<ir::Name, Offset>& offsets)
      : uses_(uses), offsets_(offsets) {}

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
    if (const auto* op = std::get_if<ir::BinOp>(&stm.exp)) note_offset(stm.pattern[0].name, *op);
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

  void note_offset(const ir::Name& name, const ir::BinOp& op) {
    const bool adds = op.kind == ir::BinOpKind::add;
    if (op.type != values::PrimType::i64 || (!adds && op.kind != ir::BinOpKind::sub)) return;
    const bool first = adds && ir::literal_in(op.lhs);
    const ir::Name* from = ir::name_in(first ? op.rhs : op.lhs);
    const auto* number = ir::literal_in(first ? op.lhs : op.rhs);
    if (!from || !number) return;
    const auto by = static_cast<std::uint64_t>(number->as_int());
    offsets_.insert_or_assign(name, Offset{*from, adds ? by : 0 - by});
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
  std::unordered_map<ir::Name, Offset>& offsets_;
  std::unordered_map<ir::Name, int> depths_;
  int depth_ = 0;
};

}  // namespace

Uses::Uses(const ir::Function& function) {
  Counter counter(uses_, offsets_);
  for (const ir::Param& param : function.params) counter.bind(param.name);
  counter.body(function.body);
}

void Uses::add(const ir::Lambda& lambda) { Counter(uses_, offsets_).lambda(lambda); }
void Uses::add(const ir::Body& body) { Counter(uses_, offsets_).body(body); }

Use Uses::of(const ir::Name& name) const {
  const auto found = uses_.find(name);
  return found == uses_.end() ? Use{} : found->second;
}

Offset Uses::offset_of(const ir::Atom& atom) const {
  if (const auto* literal = ir::literal_in(atom)) return {{}, static_cast<std::uint64_t>(literal->as_int())};
  Offset result{*ir::name_in(atom)};
  for (auto known = offsets_.find(*result.from); known != offsets_.end(); known = offsets_.find(*result.from))
    result = {known->second.from, result.number + known->second.number};
  return result;
}

bool Uses::is_last_of(const ir::Atom& last, const ir::Atom& count) const {
  Offset next = offset_of(last);
  ++next.number;
  return next == offset_of(count);
}

bool Uses::once(const ir::Name& name) const {
  const Use use = of(name);
  return use.count == 1 && !use.deeper;
}

}  // namespace boustro::plan::planner
