#include "transform/parallel/triangles/symmetric.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"
#include "transform/ir/operands.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t vector_elements = 16;

/// A factor: an element of an array, or what does not depend on the two indices.
struct Factor {
  Atom of;
  std::vector<Atom> indices;
  bool operator==(const Factor&) const = default;
};

/// The two nests around the only addition to an accumulator.
struct Halving {
  Nest* rows = nullptr;
  std::size_t inner = 0;  // position of the nest of columns in the rows' body
  bool is_repeated = false;
};

class Halver {
 public:
  Halver(const WithAcc& with, std::size_t input, const Type& matrix) : matrix_(matrix) { names_.insert(with.fn.params[input].name); }

  std::optional<Halving> find(Body& body) {
    visit(body, nullptr, 0);
    const bool fits = additions_ == 1 && found_.rows && found_.is_repeated && is_symmetric();
    return fits ? std::optional(found_) : std::nullopt;
  }

 private:
  bool is_added_to(const Name& name) const { return names_.contains(name); }
  void pass(const Name& from, const Name& to) {
    if (is_added_to(from)) names_.insert(to);
  }

  /// `rows`: the nest whose points have this body, if it does nothing but add to the accumulator.
  void visit(Body& body, Nest* rows, int loops) {
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      Stm& stm = body.stms[i];
      facts::accumulators_into(stm.exp, [&](const Name& from, const Name& to) { pass(from, to); });
      if (const auto* update = std::get_if<UpdateAcc>(&stm.exp); update && is_added_to(update->accumulator)) ++additions_;
      auto* nest = std::get_if<Nest>(&stm.exp);
      if (rows && nest && adds_alone(*nest) && adds_at_the_end(*nest)) found_ = {rows, i, loops > 1};
      const bool repeats = nest || std::holds_alternative<Loop>(stm.exp);
      map_bodies(stm.exp, [&](Body& inner) { visit(inner, nest && adds_alone(*nest) ? nest : nullptr, loops + repeats); });
      facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) { pass(from, to); });
    }
  }

  bool adds_alone(const Nest& nest) const {
    return nest.over == Level::thread && nest.accumulators.size() == 1 && is_added_to(nest.accumulators[0]) && nest.outs.empty() &&
           nest.space.size() == 1 && nest.space[0] == matrix_.shape.back();
  }

  static bool adds_at_the_end(const Nest& nest) {
    const auto& stms = nest.point.body.stms;
    return !stms.empty() && std::holds_alternative<UpdateAcc>(stms.back().exp);
  }

  const Nest& columns() const { return std::get<Nest>(found_.rows->point.body.stms[found_.inner].exp); }

  bool is_symmetric() {
    row_ = found_.rows->point.params[1].name;
    column_ = columns().point.params[1].name;
    define(found_.rows->point.body);
    define(columns().point.body);
    const auto& update = std::get<UpdateAcc>(columns().point.body.stms.back().exp);
    const auto& at = update.indices;
    if (!update.in_bounds || at.size() != matrix_.shape.size() || at[at.size() - 2] != Atom(row_) || at.back() != Atom(column_)) return false;
    if (std::any_of(at.begin(), at.end() - 2, [&](const Atom& index) { return varies(index); })) return false;
    std::vector<Factor> factors, exchanged;
    if (!collect(update.value, factors)) return false;
    for (const Factor& factor : factors) {
      exchanged.push_back(factor);
      for (Atom& index : exchanged.back().indices) index = index == Atom(row_) ? Atom(column_) : index == Atom(column_) ? Atom(row_) : index;
    }
    return std::is_permutation(factors.begin(), factors.end(), exchanged.begin(), exchanged.end());
  }

  void define(const Body& body) {
    for (const Stm& stm : body.stms)
      for (const Param& param : stm.pattern) definitions_.insert_or_assign(param.name, &stm);
  }

  bool varies(const Atom& atom) const {
    const Name* name = name_in(atom);
    return name && (*name == row_ || *name == column_ || definitions_.contains(*name));
  }

  bool collect(const Atom& value, std::vector<Factor>& factors) const {
    if (!varies(value)) return factors.push_back({value, {}}), true;
    const auto found = definitions_.find(*name_in(value));
    if (found == definitions_.end()) return false;  // one of the two indices
    const Exp& exp = found->second->exp;
    if (const auto* product = std::get_if<BinOp>(&exp)) {
      const bool is_float = product->type == PrimType::f32 || product->type == PrimType::f64;
      return is_float && product->kind == BinOpKind::mul && collect(product->lhs, factors) && collect(product->rhs, factors);
    }
    const auto* read = std::get_if<Index>(&exp);
    if (!read || read->checked || varies(read->array)) return false;
    Factor factor{read->array, {}};
    for (const DimIndex& index : read->indices) {
      const auto* atom = std::get_if<Atom>(&index);
      if (!atom || (varies(*atom) && *atom != Atom(row_) && *atom != Atom(column_))) return false;
      factor.indices.push_back(*atom);
    }
    factors.push_back(std::move(factor));
    return true;
  }

  const Type& matrix_;
  NameSet names_;  // of the accumulator
  int additions_ = 0;
  Halving found_;
  Name row_, column_;
  std::unordered_map<Name, const Stm*> definitions_;  // in the two nests
};

/// The bound is rounded up.
void shorten(const Halving& halving, Names& names) {
  auto& stms = halving.rows->point.body.stms;
  Stm& columns = stms[halving.inner];
  Builder b(names, columns.origin);
  const Atom row = halving.rows->point.params[1].name;
  const Atom vectors = b.binop("vectors", BinOpKind::quot, row, int_atom(vector_elements));
  const Atom before = b.binop("before", BinOpKind::mul, vectors, int_atom(vector_elements));
  const Atom end = b.binop("end", BinOpKind::add, before, int_atom(vector_elements));
  auto& space = std::get<Nest>(columns.exp).space;
  space[0] = b.binop("count", BinOpKind::min, end, space[0]);
  columns.origin.rule = "triangle";
  stms.insert(stms.begin() + static_cast<std::ptrdiff_t>(halving.inner), b.stms.begin(), b.stms.end());
}

/// Both halves.
Stm whole_matrix(const Param& result, const Name& half, Level over, const Provenance& origin, Names& names) {
  Builder b(names, origin);
  Nest nest;
  nest.over = over;
  nest.space = result.type.shape;
  const std::vector<std::pair<std::string, Type>> params(nest.space.size(), {"i", scalar(PrimType::i64)});
  nest.point = b.lambda(params, [&](Builder& point, const std::vector<Name>& at) {
    std::vector<Atom> indices(at.begin(), at.end());
    Atom &row = indices[indices.size() - 2], &column = indices.back();
    const Atom high = point.binop("row", BinOpKind::max, row, column), low = point.binop("column", BinOpKind::min, row, column);
    row = high, column = low;
    return std::vector<Atom>{point.index(half.base, half, indices)};
  });
  Out out;
  out.kind = OutKind::store;
  out.rank = static_cast<int>(nest.space.size());
  nest.outs.push_back(out);
  return {{result}, nest, origin, {}};
}

}  // namespace

std::vector<Stm> add_halves(Stm& stm, Level over, const Definitions& definitions, Names& names) {
  auto& with = std::get<WithAcc>(stm.exp);
  std::vector<Stm> behind;
  for (std::size_t i = 0; i < with.inputs.size(); ++i) {
    const Type type = stm.pattern[i].type;
    const auto start = definitions.replicated(with.inputs[i].destination);
    const bool is_constant = start && names.type_of(*start).is_scalar();
    const std::size_t rank = type.shape.size();
    if (rank < 2 || type.shape[rank - 2] != type.shape[rank - 1] || !is_constant || !std::holds_alternative<AddUp>(with.inputs[i].kind)) continue;
    const auto halving = Halver(with, i, type).find(with.fn.body);
    if (!halving) continue;
    shorten(*halving, names);
    const Param whole = stm.pattern[i];
    stm.pattern[i] = names.fresh_param(whole.name.base, type);
    behind.push_back(whole_matrix(whole, stm.pattern[i].name, over, stm.origin, names));
  }
  return behind;
}

}  // namespace boustro::parallel
