#include "transform/parallel/sizes/unbounded.hpp"

#include <algorithm>

#include "transform/ir/operands.hpp"
#include "transform/ir/scattered.hpp"

namespace boustro::parallel {

using namespace ir;

/// The function that an operator runs for each element.
const Lambda* mapped_in(const Exp& exp) {
  if (const auto* e = std::get_if<Map>(&exp)) return &e->fn;
  if (const auto* e = std::get_if<MapReduce>(&exp)) return &e->fn;
  if (const auto* e = std::get_if<MapScan>(&exp)) return &e->fn;
  if (const auto* e = std::get_if<ReduceByIndex>(&exp)) return &e->fn;
  return nullptr;
}

bool runs_threads(const Exp& exp) {
  return mapped_in(exp) || std::holds_alternative<Reduce>(exp) || std::holds_alternative<Scan>(exp);
}

/// The arrays of these elements.
std::vector<Name> mapped_arrays(const Exp& exp) {
  return match(
      exp, [](const Map& e) { return e.arrays; }, [](const MapReduce& e) { return e.arrays; },
      [](const MapScan& e) { return e.arrays; }, [](const ReduceByIndex& e) { return e.arrays; },
      [](const auto&) { return std::vector<Name>(); });
}

// ---- Bounds

bool Bounded::contains(const Atom& atom) const {
  const Name* name = name_in(atom);
  return !name || !inside_.contains(*name) || bounded_.contains(*name);
}

void Bounded::note(const Stm& stm) {
  known_->define(stm);
  const auto* iota = std::get_if<Iota>(&stm.exp);
  if (iota && contains(iota->width)) indices_.insert(stm.pattern[0].name);
}

void Bounded::define(const Stm& stm) {
  if (!is_outside(stm.exp)) {
    for (const Param& param : stm.pattern) add_unknown(param);
    if (has_bound(stm.exp)) bounded_.insert(stm.pattern[0].name);
  }
  note(stm);
}

void Bounded::add_unknown(const Param& param) {
  inside_.insert(param.name);
  known_->declare(param.type);
}

void Bounded::add_index(const Name& name, const Atom& bound) {
  inside_.insert(name);
  known_->declare_index(name, bound);
  if (contains(bound)) bounded_.insert(name);
}

void Bounded::add_element(const Param& param, const Name& array) {
  add_unknown(param);
  if (indices_.contains(array)) bounded_.insert(param.name);
}

bool Bounded::has_bound(const Exp& exp) const {
  if (const auto* e = std::get_if<AtomExp>(&exp)) return contains(e->atom);
  const auto* e = std::get_if<BinOp>(&exp);
  return e && e->type == PrimType::i64 && has_bound(*e);
}

bool Bounded::has_bound(const BinOp& e) const {
  const bool x = contains(e.lhs), y = contains(e.rhs);
  const PrimValue* literal = literal_in(e.rhs);
  switch (e.kind) {
    case BinOpKind::min: return x || y;
    case BinOpKind::max:
    case BinOpKind::add: return x && y;
    case BinOpKind::sub: return x && (literal || not_negative(e.rhs));
    case BinOpKind::mul: return x && y && (not_negative(e.lhs) || not_negative(e.rhs));
    case BinOpKind::div:
    case BinOpKind::quot: return x && literal && literal->as_int() > 0 && not_negative(e.lhs);
    default: return false;
  }
}

bool Bounded::is_outside(const Exp& exp) const {
  bool result = is_scalar_operation(exp);
  for_each_atom(exp, [&](const Atom& atom) {
    const Name* name = name_in(atom);
    result = result && (!name || !inside_.contains(*name));
  });
  return result;
}

bool Bounded::not_negative(const Atom& atom) const { return known_->not_negative(known_->value(atom)); }

// ---- Arrays

namespace {

/// Whether what the statement yields is an array in memory: no view and nothing that follows from an index.
bool stores(const Stm& stm, const NameSet& updated) {
  const bool view = viewed_operand(stm.exp) || std::holds_alternative<Iota>(stm.exp) ||
                    std::holds_alternative<Replicate>(stm.exp) || std::holds_alternative<Scratch>(stm.exp);
  return !view || std::any_of(stm.pattern.begin(), stm.pattern.end(),
                              [&](const Param& p) { return updated.contains(p.name); });
}

void add_updated(const Body& body, NameSet& updated) {
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Call>(stm.exp)) continue;  // functions of arrays have been inlined
    for (const Name& array : consumed_operands(stm.exp)) updated.insert(array);
    for_each_body(stm.exp, [&](const Body& inner) { add_updated(inner, updated); });
  }
}

/// The first size of a thread's arrays that has no bound by what is known outside of it.
class Unbounded {
 public:
  /// `left`: not of these. `wanted`: of this one alone.
  Unbounded(Bounded known, const NameSet& left, std::optional<Name> wanted = {})
      : known_(std::move(known)), left_(left), wanted_(std::move(wanted)) {}

  std::optional<Name> in(const Stm& stm) {
    for_each_body(stm.exp, [&](const Body& body) { add_updated(body, updated_); });
    inside(stm);
    return found_;
  }

 private:
  void inside(const Stm& stm) {
    if (const auto* loop = std::get_if<Loop>(&stm.exp)) iterations(*loop);
    for_each_lambda(stm.exp, [&](const Lambda& fn) {
      for (const Param& param : fn.params) known_.add_unknown(param);
    });
    elements(stm.exp);
    for_each_body(stm.exp, [&](const Body& body) { this->body(body); });
  }

  void body(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (found_) return;
      known_.define(stm);
      const bool copied = scattered_.is_copied(stm);
      if (copied || stores(stm, updated_)) {
        for (const Param& p : stm.pattern) shape(p.type);
      }
      inside(stm);
    }
  }

  void elements(const Exp& exp) {
    const Lambda* fn = mapped_in(exp);
    if (!fn) return;
    const std::vector<Name> arrays = mapped_arrays(exp);
    const std::size_t first = fn->params.size() - arrays.size();
    for (std::size_t i = 0; i < arrays.size(); ++i) known_.add_element(fn->params[first + i], arrays[i]);
  }

  void iterations(const Loop& loop) {
    for (const LoopParam& p : loop.params) known_.add_unknown(p.param);
    const auto* form = std::get_if<ForLoop>(&loop.form);
    if (form && form->type == PrimType::i64) known_.add_index(form->index, form->bound);
    else if (form) known_.add_unknown({form->index, scalar(form->type)});
  }

  void shape(const Type& type) {
    for (const Atom& size : type.shape) {
      const Name* name = name_in(size);
      if (found_ || !name || known_.contains(size)) continue;
      if (wanted_ ? *name == *wanted_ : !left_.contains(*name)) found_ = *name;
    }
  }

  Bounded known_;
  const NameSet& left_;
  std::optional<Name> wanted_;
  NameSet updated_;
  Scattered scattered_;
  std::optional<Name> found_;
};

}  // namespace

std::optional<Name> unbounded_size(const Stm& stm, Bounded known, const NameSet& left, std::optional<Name> wanted) {
  return Unbounded(std::move(known), left, std::move(wanted)).in(stm);
}

}  // namespace boustro::parallel
