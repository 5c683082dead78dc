#include "transform/facts/tiles.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "transform/facts/joint_sums.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/operands.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

/// More would not leave enough of the shared memory.
constexpr std::size_t most_operands = 2;  // of rows, and of columns

/// Can be computed wherever its operands are known, and by any number of threads.
bool is_plain(const Stm& stm, const std::function<bool(const Stm&)>& cannot_fail) {
  if (stm.pattern.size() != 1) return false;
  const auto plain = [&](const Stm& inner) { return is_plain(inner, cannot_fail); };
  if (const auto* branch = std::get_if<If>(&stm.exp)) {
    const auto& [condition, then_body, else_body] = *branch;
    return stm.pattern[0].type.is_scalar() && std::all_of(then_body.stms.begin(), then_body.stms.end(), plain) &&
           std::all_of(else_body.stms.begin(), else_body.stms.end(), plain);
  }
  const bool reads = std::holds_alternative<Index>(stm.exp) || std::holds_alternative<Rearrange>(stm.exp) ||
                     std::holds_alternative<Iota>(stm.exp);  // its elements are their indices
  bool has_bodies = false;
  for_each_body(stm.exp, [&](const Body&) { has_bodies = true; });
  return (is_scalar_operation(stm.exp) || reads) && !has_bodies && (!may_fail(stm.exp) || (cannot_fail && cannot_fail(stm)));
}

bool is_element(const Stm& stm) { return std::holds_alternative<Index>(stm.exp) && stm.pattern[0].type.is_scalar(); }

bool stores_scalars(const Nest& nest) {
  return std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store && out.destinations.empty(); }) &&
         std::all_of(nest.point.result_types.begin(), nest.point.result_types.end(), [](const Type& type) { return type.is_scalar(); });
}

/// A thread goes through one dimension.
bool is_loop(const Nest& nest) {
  return nest.over == Level::thread && nest.accumulators.empty() && nest.space.size() == 1 && !nest.outs.empty();
}

bool folds_scalars(const Nest& nest) {
  return is_loop(nest) && nest.outs.size() <= most_operands && std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) {
           return out.kind == OutKind::reduce && out.rank == 0 && !out.epilogue && out.values() == 1 && out.op->op.params[0].type.is_scalar();
         });
}

/// What the operators need, and what they start from.
NameSet names_in_operators(const Nest& nest) {
  NameSet names;
  for (const Out& out : nest.outs) {
    names.merge(free_names(out.op->op));
    names.merge(names_among(out.op->neutral));
  }
  return names;
}

/// The only nest of the statements, if all others are plain.
const Stm* only_nest(const std::vector<Stm>& stms, const std::function<bool(const Stm&)>& cannot_fail) {
  const auto is_nest = [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); };
  const auto found = std::find_if(stms.begin(), stms.end(), is_nest);
  const auto plain = [&](const Stm& stm) { return &stm == &*found || is_plain(stm, cannot_fail); };
  return found != stms.end() && std::all_of(stms.begin(), stms.end(), plain) ? &*found : nullptr;
}

class TilingFinder {
 public:
  TilingFinder(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail)
      : nest_(nest), stms_(nest.point.body.stms), cannot_fail_(cannot_fail) {}

  std::optional<Tiling> run() {
    const std::size_t rank = nest_.space.size();
    if (nest_.over != Level::grid || !nest_.accumulators.empty() || nest_.outs.empty() || !stores_scalars(nest_) || !find_sums()) return std::nullopt;
    if (rank < (fold_ ? 1 : 2) || rank > (fold_ ? 2 : 3)) return std::nullopt;
    note_variation();
    if (fold_) {
      for (std::size_t rows = rank; rows-- > 0;)
        if (auto tiling = with(rows, std::nullopt)) return tiling;
      return std::nullopt;
    }
    for (std::size_t rows = rank - 1; rows-- > 0;)
      for (std::size_t columns = rank; --columns > rows;)
        if (auto tiling = with(rows, columns)) return tiling;
    return std::nullopt;
  }

 private:
  const Nest& inner() const { return std::get<Nest>(sums_->exp); }
  const Nest& fold() const { return std::get<Nest>(fold_->exp); }
  const Name& index(std::size_t dimension) const { return nest_.point.params[dimension].name; }

  bool find_sums() {
    sums_ = only_nest(stms_, cannot_fail_);
    if (sums_ && folds_columns(inner())) {
      fold_ = sums_;
      sums_ = only_nest(fold().point.body.stms, cannot_fail_);
    }
    const auto plain = [&](const Stm& stm) { return is_plain(stm, cannot_fail_); };
    return sums_ && folds_scalars(inner()) && std::all_of(inner().point.body.stms.begin(), inner().point.body.stms.end(), plain) &&
           !depends_on_point(names_in_operators(inner()));
  }

  bool depends_on_point(const NameSet& names) const {
    NameSet inside = bound_names(stms_);
    for (const Param& param : nest_.point.params) inside.insert(param.name);
    if (fold_) {
      inside.merge(bound_names(fold().point.body.stms));
      for (const Param& param : fold().point.params) inside.insert(param.name);
    }
    return std::any_of(names.begin(), names.end(), [&](const Name& name) { return inside.contains(name); });
  }

  /// Of as many as there are outside of the nest, in whose points there is another loop.
  bool folds_columns(const Nest& nest) const {
    const Name* columns = nest.space.size() == 1 ? name_in(nest.space[0]) : nullptr;
    return is_loop(nest) && std::all_of(nest.outs.begin(), nest.outs.end(), is_joint_fold) &&
           !(columns && bound_names(stms_).contains(*columns)) &&
           std::any_of(nest.point.body.stms.begin(), nest.point.body.stms.end(), [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); });
  }

  /// Statements that the sums need, those around them first.
  void note_variation() {
    NameSet wanted = names_among(inner().point.body.result);
    wanted.merge(names_among(inner().space));
    std::vector<std::vector<Stm>> scopes{inner().point.body.stms, before(*sums_, fold_ ? fold().point.body.stms : stms_)};
    if (fold_) scopes.push_back(before(*fold_, stms_));
    for (const std::vector<Stm>& scope : scopes) {
      const std::vector<Stm> stms = statements_for(wanted, scope);
      needed_.insert(needed_.begin(), stms.begin(), stms.end());
    }
    for (const Param& param : nest_.point.params) varies_with_[param.name] = {param.name};
    if (fold_) varies_with_[fold().point.params[0].name] = {fold().point.params[0].name};
    step_ = inner().point.params[0].name;
    varies_with_[step_] = {step_};
    for (const Stm& stm : needed_) {
      NameSet& with = varies_with_[stm.pattern[0].name];
      for (const Name& name : free_names(stm))
        if (const auto found = varies_with_.find(name); found != varies_with_.end()) with.insert(found->second.begin(), found->second.end());
    }
  }

  static std::vector<Stm> before(const Stm& stm, const std::vector<Stm>& stms) { return {stms.begin(), stms.begin() + (&stm - stms.data())}; }

  bool varies(const Name& name, const Name& index) const {
    const auto found = varies_with_.find(name);
    return found != varies_with_.end() && found->second.contains(index);
  }

  /// Without a dimension for the columns, they are that of the nest that folds.
  std::optional<Tiling> with(std::size_t rows, std::optional<std::size_t> columns) const {
    const auto position = [](const Stm* stm, const std::vector<Stm>& stms) { return static_cast<std::size_t>(stm - stms.data()); };
    Tiling tiling{.rows = rows, .columns = columns, .fold = fold_ ? position(fold_, stms_) : 0, .sums = position(sums_, fold_ ? fold().point.body.stms : stms_), .of_rows = {}, .of_columns = {}, .varies_with = varies_with_};
    const Name &row = index(rows), &column = columns ? index(*columns) : fold().point.params[0].name;
    const Name* count = name_in(inner().space[0]);
    if (count && (varies(*count, row) || varies(*count, column))) return std::nullopt;
    const auto differs = [&](const Stm& stm) { return varies(stm.pattern[0].name, row) && varies(stm.pattern[0].name, column); };
    NameSet combined;  // by what differs with both
    for (const Stm& stm : needed_) {
      if (!differs(stm)) continue;
      if (!is_scalar_operation(stm.exp)) return std::nullopt;
      combined.merge(free_names(stm));
    }
    bool row_is_read = false, column_is_read = false;
    for (const Stm& stm : needed_) {
      const Name& name = stm.pattern[0].name;
      if (differs(stm) || !combined.contains(name)) continue;
      if (!varies(name, step_) && !is_element(stm)) continue;  // as quickly computed as read
      if (varies(name, column)) {
        tiling.of_columns.push_back(name);
        column_is_read = column_is_read || (varies(name, step_) && reads(name));
      } else {
        tiling.of_rows.push_back(name);
        row_is_read = row_is_read || (varies(name, row) && varies(name, step_) && reads(name));
      }
    }
    const bool all_differ = std::all_of(inner().point.body.result.begin(), inner().point.body.result.end(), [&](const Atom& result) {
      const Name* name = name_in(result);
      return name && varies(*name, row) && varies(*name, column);
    });
    const bool fits = tiling.of_rows.size() <= most_operands && tiling.of_columns.size() <= most_operands;
    return all_differ && row_is_read && column_is_read && fits ? std::optional(std::move(tiling)) : std::nullopt;
  }

  /// Some element, to compute this.
  bool reads(const Name& name) const {
    NameSet wanted{name};
    const std::vector<Stm> stms = statements_for(wanted, needed_);
    return std::any_of(stms.begin(), stms.end(), is_element);
  }

  const Nest& nest_;
  const std::vector<Stm>& stms_;
  const std::function<bool(const Stm&)>& cannot_fail_;
  const Stm *fold_ = nullptr, *sums_ = nullptr;
  std::vector<Stm> needed_;
  Name step_;
  std::unordered_map<Name, NameSet> varies_with_;
};

}  // namespace

std::optional<Tiling> tiling_of(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail) {
  return TilingFinder(nest, cannot_fail).run();
}

const Nest* fold_of(const Nest& nest, const Tiling& tiling) {
  return tiling.columns ? nullptr : &std::get<Nest>(nest.point.body.stms[tiling.fold].exp);
}

const Nest& sums_of(const Nest& nest, const Tiling& tiling) {
  const Nest* fold = fold_of(nest, tiling);
  return std::get<Nest>((fold ? *fold : nest).point.body.stms[tiling.sums].exp);
}

const Atom& columns_of(const Nest& nest, const Tiling& tiling) {
  const Nest* fold = fold_of(nest, tiling);
  return fold ? fold->space[0] : nest.space[*tiling.columns];
}

bool is_matrix_product(const Nest& nest, const Tiling& tiling) {
  const Nest& sums = sums_of(nest, tiling);
  if (tiling.of_rows.size() != 1 || tiling.of_columns.size() != 1 || sums.outs.size() != 1) return false;
  if (sums.point.result_types[0].elem != PrimType::f64 || as_binop(sums.outs[0].op->op) != BinOpKind::add) return false;
  const Name* summand = name_in(sums.point.body.result[0]);
  const Atom row = tiling.of_rows[0], column = tiling.of_columns[0];
  return std::any_of(sums.point.body.stms.begin(), sums.point.body.stms.end(), [&](const Stm& stm) {
    const auto* product = std::get_if<BinOp>(&stm.exp);
    return product && product->kind == BinOpKind::mul && summand && stm.pattern[0].name == *summand &&
           ((product->lhs == row && product->rhs == column) || (product->lhs == column && product->rhs == row));
  });
}

bool keeps_tiles(const Nest& before, const Nest& after) {
  const auto had = tiling_of(before), has = tiling_of(after);
  if (!had) return true;
  return has && (!is_matrix_product(before, *had) || is_matrix_product(after, *has));
}

std::string reason_for(const Tiling& tiling) {
  const auto bases = [](const std::vector<Name>& names) {
    std::vector<std::string> result;
    for (const Name& name : names) result.push_back(name.base);
    return fmt::format("{}", fmt::join(result, " and "));
  };
  return fmt::format("tiles: {} for all columns, {} for all rows", bases(tiling.of_rows), bases(tiling.of_columns));
}

}  // namespace boustro::facts
