#include "transform/raise/literals.hpp"

#include "transform/ir/parts.hpp"

namespace boustro::raise {

using namespace ir;

/// Goes through all statements; one case for each way in which an expression is printed.
class Literals::Walk {
 public:
  explicit Walk(Literals& literals) : l_(literals) {}

  void body(const Body& body) {
    for (const Stm& stm : body.stms) {
      for (const Param& p : stm.pattern) sizes(p.type);
      match(stm.exp, [&](const auto& e) { exp(e, stm.pattern); });
    }
  }
  void sizes(const Type& type) {
    for (const Atom& size : type.shape) l_.know(size);
  }

 private:
  using Pattern = std::vector<Param>;

  template <typename List>
  void know_all(const List& list) {
    for (const auto& item : list) l_.know(item);
  }
  void know_all(const Pattern& pattern) {
    for (const Param& p : pattern) l_.know(p.name);
  }
  void params(const std::vector<Param>& params) {
    for (const Param& p : params) sizes(p.type);
  }
  /// Results of the body, one after the other, with those of the pattern from `first` on.
  void yields(const Body& of, const Pattern& pattern, std::size_t first = 0) {
    body(of);
    for (std::size_t i = 0; i < of.result.size() && first + i < pattern.size(); ++i)
      l_.unite(of.result[i], pattern[first + i].name);
  }
  /// An operator on tuples like these.
  template <typename List>
  void combines(const Lambda& op, const List& like) {
    params(op.params);
    body(op.body);
    for (std::size_t i = 0; i < like.size(); ++i) {
      for (const std::size_t side : {i, like.size() + i})
        if (side < op.params.size()) l_.unite(op.params[side].name, like[i]);
      if (i < op.body.result.size()) l_.unite(op.body.result[i], like[i]);
    }
  }

  void exp(const AtomExp& e, const Pattern& p) { l_.unite(e.atom, p[0].name); }
  void exp(const UnOp& e, const Pattern& p) {
    if (e.kind == UnOpKind::neg || e.kind == UnOpKind::complement) return l_.unite(e.operand, p[0].name);
    l_.know(e.operand), l_.know(p[0].name);
  }
  void exp(const BinOp& e, const Pattern& p) {
    l_.unite(e.lhs, p[0].name), l_.unite(e.rhs, p[0].name);
    if (symbol_of(e.kind).empty()) l_.know(p[0].name);
  }
  void exp(const CmpOp& e, const Pattern&) { l_.unite(e.lhs, e.rhs); }
  void exp(const Convert& e, const Pattern& p) { l_.know(e.operand), l_.know(p[0].name); }
  void exp(const MathOp& e, const Pattern& p) { know_all(e.args), l_.know(p[0].name); }
  void exp(const If& e, const Pattern& p) { yields(e.then_body, p), yields(e.else_body, p); }
  void exp(const Loop& e, const Pattern& p) {
    body(e.body);
    for (std::size_t i = 0; i < e.params.size(); ++i) {
      const Name& param = e.params[i].param.name;
      sizes(e.params[i].param.type);
      l_.unite(e.params[i].init, param);
      l_.unite(e.body.result.at(i), param);
      l_.unite(p.at(i).name, param);
    }
    if (const auto* form = std::get_if<ForLoop>(&e.form)) l_.unite(form->index, form->bound);
  }
  void exp(const Call& e, const Pattern& p) { know_all(e.args), know_all(p); }
  void exp(const Assert& e, const Pattern&) { know_all(e.args); }
  void exp(const ArrayLiteral& e, const Pattern& p) {
    for (const Atom& element : e.elements) l_.unite(element, p[0].name);
    if (e.elements.empty()) l_.know(p[0].name);
  }
  void exp(const Iota& e, const Pattern& p) { l_.know(e.width), l_.know(p[0].name); }
  void exp(const Replicate& e, const Pattern& p) { l_.unite(e.value, p[0].name), know_all(e.shape); }
  void exp(const Scratch& e, const Pattern& p) { know_all(e.shape), l_.know(p[0].name); }
  void exp(const Copy& e, const Pattern& p) { l_.unite(e.array, p[0].name); }
  void exp(const Sort&, const Pattern& p) { l_.know(p[0].name); }
  void exp(const Concat& e, const Pattern& p) {
    for (const Name& array : e.arrays) l_.unite(array, p[0].name);
  }
  void exp(const Rearrange& e, const Pattern& p) { l_.unite(e.array, p[0].name); }
  void exp(const Reshape& e, const Pattern& p) { l_.unite(e.array, p[0].name), l_.know(p[0].name); }
  void exp(const Coerce& e, const Pattern& p) { l_.unite(e.array, p[0].name), l_.know(p[0].name); }
  void exp(const Index& e, const Pattern& p) { l_.unite(e.array, p[0].name); }
  void exp(const Update& e, const Pattern& p) { l_.unite(e.array, p[0].name), l_.unite(e.value, p[0].name); }
  void exp(const Map& e, const Pattern& p) {
    const std::size_t accumulators = e.accumulators.size();
    params(e.fn.params);
    for (std::size_t i = 0; i < e.fn.params.size(); ++i) {
      const Name& from = i < accumulators ? e.accumulators[i] : e.arrays.at(i - accumulators);
      l_.unite(e.fn.params[i].name, from);
    }
    yields(e.fn.body, p);
  }
  void exp(const Reduce& e, const Pattern& p) { folds(e, p); }
  void exp(const Scan& e, const Pattern& p) { folds(e, p); }
  template <typename Fold>
  void folds(const Fold& e, const Pattern& p) {
    combines(e.op, e.arrays);
    for (std::size_t i = 0; i < e.arrays.size(); ++i) l_.unite(e.neutral[i], e.arrays[i]), l_.unite(p.at(i).name, e.arrays[i]);
  }
  void exp(const ReduceByIndex& e, const Pattern& p) {
    for (const Histogram& h : e.histograms) {
      combines(h.op, h.destinations);
      for (std::size_t i = 0; i < h.neutral.size(); ++i) l_.unite(h.neutral[i], h.destinations[i]);
    }
    yields(e.fn.body, {});
    for (const Param& param : p) l_.id_of(param.name);
    for (std::size_t i = 0, next = 0; i < e.histograms.size(); ++i)
      for (const Name& destination : e.histograms[i].destinations) l_.unite(destination, p.at(next++).name);
  }
  void exp(const Scatter& e, const Pattern& p) {
    for (std::size_t i = 0; i < e.destinations.size(); ++i)
      l_.unite(e.values.at(i), e.destinations[i]), l_.unite(p.at(i).name, e.destinations[i]);
  }
  void exp(const WithAcc& e, const Pattern& p) {
    for (std::size_t i = 0; i < e.inputs.size(); ++i) {
      l_.unite(e.inputs[i].destination, e.fn.params.at(i).name);
      if (const auto* combine = std::get_if<Combine>(&e.inputs[i].kind)) {
        combines(combine->op, std::vector<Name>{e.inputs[i].destination});
        l_.unite(combine->neutral, e.inputs[i].destination);
      }
    }
    yields(e.fn.body, p);
  }
  void exp(const UpdateAcc& e, const Pattern& p) {
    l_.unite(e.accumulator, p[0].name), l_.unite(e.value, p[0].name), know_all(e.indices);
  }
  template <typename Other>  // what is not raised
  void exp(const Other&, const Pattern&) {}

  Literals& l_;
};

Literals::Literals(const Function& function) {
  Walk walk(*this);
  for (const Param& param : function.params) know(param.name), walk.sizes(param.type);
  for (const Type& type : function.result_types) walk.sizes(type);
  for (const Atom& result : function.body.result) know(result);
  walk.body(function.body);
}

bool Literals::is_known(const Name& name) const {
  const auto found = ids_.find(name);
  return found != ids_.end() && known_[root(found->second)];
}

Literals::Id Literals::id_of(const Name& name) {
  const auto [found, is_new] = ids_.emplace(name, parents_.size());
  if (is_new) parents_.push_back(found->second), known_.push_back(false);
  return found->second;
}

Literals::Id Literals::root(Id id) const {
  while (parents_[id] != id) id = parents_[id] = parents_[parents_[id]];
  return id;
}

void Literals::unite(const Atom& a, const Atom& b) {
  const Name *x = name_in(a), *y = name_in(b);
  if (!x || !y) return;
  const Id to = root(id_of(*x)), from = root(id_of(*y));
  parents_[from] = to;
  known_[to] = known_[to] || known_[from];
}

void Literals::know(const Atom& atom) {
  if (const Name* name = name_in(atom)) known_[root(id_of(*name))] = true;
}

}  // namespace boustro::raise
