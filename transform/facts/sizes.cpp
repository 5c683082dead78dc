#include "transform/facts/sizes.hpp"

#include <algorithm>

namespace boustro::facts {

using namespace ir;

namespace {

/// Attempts of a proof; each tries one bound for one name.
constexpr int most_steps = 200;

bool is_number(const Param& param) { return param.type == scalar(PrimType::i64); }

/// Sums, differences and products, under whatever name.
std::optional<Polynomial> polynomial(const Exp& exp, const Sizes& sizes) {
  if (const auto* copy = std::get_if<AtomExp>(&exp)) return sizes.value(copy->atom);
  if (const auto* negated = std::get_if<UnOp>(&exp); negated && negated->kind == UnOpKind::neg)
    return Polynomial() - sizes.value(negated->operand);
  const auto* op = std::get_if<BinOp>(&exp);
  if (!op) return std::nullopt;
  const Polynomial x = sizes.value(op->lhs), y = sizes.value(op->rhs);
  switch (op->kind) {
    case BinOpKind::add: return x + y;
    case BinOpKind::sub: return x - y;
    case BinOpKind::mul: return x * y;
    default: return std::nullopt;
  }
}

}  // namespace

// ---- What is known

void Sizes::define(const Stm& stm) {
  for (const Param& param : stm.pattern) declare(param.type);
  if (stm.pattern.size() != 1 || !is_number(stm.pattern[0])) return;
  const Name& name = stm.pattern[0].name;
  if (auto value = polynomial(stm.exp, *this)) values_.insert_or_assign(name, std::move(*value));
  else if (const auto* op = std::get_if<BinOp>(&stm.exp)) define_bounded(name, *op);
}

void Sizes::enter(const Stm& stm) {
  define(stm);
  const auto* loop = std::get_if<Loop>(&stm.exp);
  const auto* form = loop ? std::get_if<ForLoop>(&loop->form) : nullptr;
  if (form && form->type == PrimType::i64) declare_index(form->index, form->bound);
}

/// What is no polynomial may have bounds that are.
void Sizes::define_bounded(const Name& name, const BinOp& op) {
  const Polynomial x = value(op.lhs), y = value(op.rhs);
  if (!is_bounded(x) || !is_bounded(y)) return;
  const auto divisor = y.constant();
  Bounds bounds;
  switch (op.kind) {
    case BinOpKind::min: return define_extreme(name, true, x, y);
    case BinOpKind::max: return define_extreme(name, false, x, y);
    case BinOpKind::div:
    case BinOpKind::quot:
      if (!divisor || *divisor <= 0 || !not_negative(x)) return;
      bounds = {{Polynomial(0)}, {x}, 0};
      break;
    case BinOpKind::mod:
    case BinOpKind::rem:
      // A remainder by a number that is not known to be positive may fail, or be negative.
      if (!not_negative(y - Polynomial(1)) || (op.kind == BinOpKind::rem && !not_negative(x))) return;
      bounds = {{Polynomial(0)}, {y - Polynomial(1)}, 0};
      break;
    default: return;
  }
  Bounds& known = bounds_of(name);
  known.lower = std::move(bounds.lower);
  known.upper = std::move(bounds.upper);
}

/// The least or the greatest of two numbers.
void Sizes::define_extreme(const Name& name, bool least, const Polynomial& x, const Polynomial& y) {
  const bool in_order = at_most(x, y);
  if (in_order || at_most(y, x)) {
    values_.insert_or_assign(name, least == in_order ? x : y);
    return;
  }
  const bool both_positive = not_negative(x) && not_negative(y);
  Bounds& known = bounds_of(name);
  (least ? known.upper : known.lower) = {x, y};
  // The greater of n - 1 and 0 is no more than n.
  for (const auto& [one, other] : {std::pair(x, y), std::pair(y, x)})
    if (!least && not_negative(one + Polynomial(1) - other)) known.upper.push_back(one + Polynomial(1));
  if (both_positive) known.lower.emplace_back(0);
}

void Sizes::declare(const Type& type) {
  for (const Atom& size : type.shape)
    if (const Name* name = name_in(size)) declare_size(*name);
}

void Sizes::declare_size(const Name& name, std::int64_t least) {
  if (values_.contains(name) || (least == 0 && is_size(name))) return;
  bounds_of(name).lower.emplace_back(least);
}

void Sizes::declare_index(const Name& index, const Atom& bound) {
  const Polynomial most = value(bound) - Polynomial(1);
  for (const Name& name : most.names()) bounds_of(name);  // known before the index
  Bounds& known = bounds_of(index);
  known.lower = {Polynomial(0)};
  known.upper = {most};
}

Sizes::Bounds& Sizes::bounds_of(const Name& name) {
  const auto [found, is_new] = bounds_.try_emplace(name);
  if (is_new) found->second.serial = static_cast<int>(bounds_.size());
  return found->second;
}

// ---- What follows

Polynomial Sizes::value(const Atom& atom) const {
  const Name* name = name_in(atom);
  const auto found = name ? values_.find(*name) : values_.end();
  return found == values_.end() ? Polynomial(atom) : found->second;
}

bool Sizes::in_bounds(const Atom& index, const Atom& size) const {
  const Polynomial i = value(index);
  return not_negative(i) && less(i, value(size));
}

bool Sizes::is_bounded(const Polynomial& p) const {
  const NameSet names = p.names();
  return std::all_of(names.begin(), names.end(), [&](const Name& name) {
    const auto found = bounds_.find(name);
    return found != bounds_.end() && !(found->second.lower.empty() && found->second.upper.empty());
  });
}

bool Sizes::at_most(const Polynomial& x, const Polynomial& y) const {
  return x == y || (is_bounded(x) && is_bounded(y) && not_negative(y - x));
}

bool Sizes::less(const Polynomial& x, const Polynomial& y) const {
  return is_bounded(x) && is_bounded(y) && not_negative(y - x - Polynomial(1));
}

bool Sizes::not_negative(const Polynomial& p) const {
  int steps = most_steps;
  return proven(p, steps);
}

bool Sizes::is_size(const Name& name) const {
  const auto found = bounds_.find(name);
  return found != bounds_.end() &&
         std::any_of(found->second.lower.begin(), found->second.lower.end(), [](const Polynomial& p) {
           const auto constant = p.constant();
           return constant && *constant >= 0;
         });
}

bool Sizes::every_term_is_not_negative(const Polynomial& p) const {
  return std::all_of(p.terms().begin(), p.terms().end(), [&](const auto& term) {
    const auto& [product, coefficient] = term;
    return coefficient >= 0 && std::all_of(product.begin(), product.end(),
                                           [&](const Name& name) { return is_size(name); });
  });
}

const Name* Sizes::latest(const Polynomial& p) const {
  const Name* last = nullptr;
  int serial = 0;
  for (const auto& [product, coefficient] : p.terms())
    for (const Name& name : product)
      if (const auto found = bounds_.find(name); found != bounds_.end() && found->second.serial > serial) {
        last = &name;
        serial = found->second.serial;
      }
  return last;
}

/// A linear function is least where its argument is, or where it is greatest. So the name that was declared last is replaced by
/// its bounds, which mention earlier names only, until the signs of all terms tell.
bool Sizes::proven(const Polynomial& p, int& steps) const {
  if (every_term_is_not_negative(p)) return true;
  const Name* name = latest(p);
  const auto linear = name ? p.linear_in(*name) : std::nullopt;
  if (!linear) return false;
  const Bounds& bounds = bounds_.at(*name);
  const auto holds_at_some = [&](const std::vector<Polynomial>& ends) {
    return std::any_of(ends.begin(), ends.end(), [&](const Polynomial& end) {
      return --steps > 0 && proven(linear->slope * end + linear->rest, steps);
    });
  };
  if (proven(linear->slope, steps)) return holds_at_some(bounds.lower);
  if (proven(Polynomial() - linear->slope, steps)) return holds_at_some(bounds.upper);
  return holds_at_some(bounds.lower) && holds_at_some(bounds.upper);
}

std::optional<Polynomial> Sizes::upper_bound(const Polynomial& p, const NameSet& without) const {
  Polynomial bound = p;
  for (;;) {
    const Name* last = nullptr;
    for (const auto& [product, coefficient] : bound.terms())
      for (const Name& name : product) {
        if (!without.contains(name)) continue;
        const auto found = bounds_.find(name);
        if (found == bounds_.end()) return std::nullopt;
        if (!last || found->second.serial > bounds_.at(*last).serial) last = &name;
      }
    if (!last) return bound;
    const auto linear = bound.linear_in(*last);
    if (!linear) return std::nullopt;
    const bool grows = not_negative(linear->slope);
    if (!grows && !not_negative(Polynomial() - linear->slope)) return std::nullopt;
    const Bounds& bounds = bounds_.at(*last);
    const std::vector<Polynomial>& ends = grows ? bounds.upper : bounds.lower;
    if (ends.empty()) return std::nullopt;
    bound = linear->slope * ends.front() + linear->rest;
  }
}

}  // namespace boustro::facts
