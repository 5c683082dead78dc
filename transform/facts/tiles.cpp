#include "transform/facts/tiles.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "transform/ir/needed.hpp"
#include "transform/ir/operands.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

/// More would not leave enough of the shared memory.
constexpr std::size_t most_operands = 2;  // of rows, and of columns

/// Can be computed wherever its operands are known, and by any number of threads.
bool is_plain(const Stm& stm, const std::function<bool(const Stm&)>& cannot_fail) {
  const bool plain = is_scalar_operation(stm.exp) || std::holds_alternative<Index>(stm.exp) || std::holds_alternative<Rearrange>(stm.exp);
  bool has_bodies = false;
  for_each_body(stm.exp, [&](const Body&) { has_bodies = true; });
  return plain && !has_bodies && (!may_fail(stm.exp) || (cannot_fail && cannot_fail(stm))) && stm.pattern.size() == 1;
}

bool is_element(const Stm& stm) { return std::holds_alternative<Index>(stm.exp) && stm.pattern[0].type.is_scalar(); }

bool stores_scalars(const Nest& nest) {
  return std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store && out.destinations.empty(); }) &&
         std::all_of(nest.point.result_types.begin(), nest.point.result_types.end(), [](const Type& type) { return type.is_scalar(); });
}

bool folds_scalars(const Nest& nest) {
  return nest.over == Level::thread && nest.accumulators.empty() && nest.space.size() == 1 && !nest.outs.empty() &&
         nest.outs.size() <= most_operands && std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) {
           return out.kind == OutKind::reduce && out.rank == 0 && !out.epilogue && out.values() == 1 && out.op->op.params[0].type.is_scalar();
         });
}

class Finder {
 public:
  Finder(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail)
      : nest_(nest), stms_(nest.point.body.stms), cannot_fail_(cannot_fail) {}

  std::optional<Tiling> run() {
    const std::size_t rank = nest_.space.size();
    if (nest_.over != Level::grid || !nest_.accumulators.empty() || rank < 2 || rank > 3 || nest_.outs.empty() || !stores_scalars(nest_))
      return std::nullopt;
    if (!find_sums()) return std::nullopt;
    note_variation();
    for (std::size_t rows = rank - 1; rows-- > 0;)
      for (std::size_t columns = rank; --columns > rows;)
        if (auto tiling = with(rows, columns)) return tiling;
    return std::nullopt;
  }

 private:
  const Nest& inner() const { return std::get<Nest>(stms_[sums_].exp); }
  const Name& index(std::size_t dimension) const { return nest_.point.params[dimension].name; }

  bool find_sums() {
    const auto is_nest = [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); };
    const auto found = std::find_if(stms_.begin(), stms_.end(), is_nest);
    if (found == stms_.end() || !folds_scalars(std::get<Nest>(found->exp))) return false;
    sums_ = static_cast<std::size_t>(found - stms_.begin());
    const auto& inside = inner().point.body.stms;
    const auto plain = [&](const Stm& stm) { return &stm == &*found || is_plain(stm, cannot_fail_); };
    return std::all_of(inside.begin(), inside.end(), plain) && std::all_of(stms_.begin(), stms_.end(), plain);
  }

  /// Statements that the sums need, those of the point before those of the inner nest.
  void note_variation() {
    NameSet wanted = names_among(inner().point.body.result);
    wanted.merge(names_among(inner().space));
    const std::vector<Stm> inside = statements_for(wanted, inner().point.body.stms);
    needed_ = statements_for(wanted, {stms_.begin(), stms_.begin() + static_cast<std::ptrdiff_t>(sums_)});
    needed_.insert(needed_.end(), inside.begin(), inside.end());
    for (const Param& param : nest_.point.params) varies_with_[param.name] = {param.name};
    step_ = inner().point.params[0].name;
    varies_with_[step_] = {step_};
    for (const Stm& stm : needed_) {
      NameSet& with = varies_with_[stm.pattern[0].name];
      for (const Name& name : free_names(stm))
        if (const auto found = varies_with_.find(name); found != varies_with_.end()) with.insert(found->second.begin(), found->second.end());
    }
  }

  bool varies(const Name& name, const Name& index) const {
    const auto found = varies_with_.find(name);
    return found != varies_with_.end() && found->second.contains(index);
  }

  std::optional<Tiling> with(std::size_t rows, std::size_t columns) const {
    Tiling tiling{rows, columns, sums_, {}, {}, varies_with_};
    const Name &row = index(rows), &column = index(columns);
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
  std::size_t sums_ = 0;
  std::vector<Stm> needed_;
  Name step_;
  std::unordered_map<Name, NameSet> varies_with_;
};

}  // namespace

std::optional<Tiling> tiling_of(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail) {
  return Finder(nest, cannot_fail).run();
}

const Nest& sums_of(const Nest& nest, const Tiling& tiling) { return std::get<Nest>(nest.point.body.stms[tiling.sums].exp); }

std::string reason_for(const Tiling& tiling) {
  const auto bases = [](const std::vector<Name>& names) {
    std::vector<std::string> result;
    for (const Name& name : names) result.push_back(name.base);
    return fmt::format("{}", fmt::join(result, " and "));
  };
  return fmt::format("tiles: {} for all columns, {} for all rows", bases(tiling.of_rows), bases(tiling.of_columns));
}

}  // namespace boustro::facts
