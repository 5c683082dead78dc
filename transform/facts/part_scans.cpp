#include "transform/facts/part_scans.hpp"

#include <algorithm>

#include "transform/facts/sizes.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/machine/machine.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

/// Operators that a library takes may call functions, which cannot fail there.
bool may_be_in_operator(const Exp& exp) { return !may_fail(exp) || std::holds_alternative<Call>(exp); }

class PartFinder {
 public:
  explicit PartFinder(const Nest& nest) : nest_(nest), stms_(nest.point.body.stms) {}

  std::optional<PartScans> run() {
    const bool stores = std::all_of(nest_.outs.begin(), nest_.outs.end(), [](const Out& out) { return out.kind == OutKind::store || out.kind == OutKind::scatter; });
    if (nest_.over != Level::grid || nest_.each != Level::thread || nest_.space.size() != 1 || !nest_.accumulators.empty() || !stores) return std::nullopt;
    for (const Stm& stm : stms_) sizes_.define(stm);
    find_part();
    if (!find_bounds()) return std::nullopt;
    find_statements_of_part();
    for (std::size_t at = 0; at < stms_.size(); ++at) {
      if (!std::holds_alternative<Nest>(stms_[at].exp)) continue;
      auto scan = scan_at(at);
      if (!scan) return std::nullopt;
      found_.scans.push_back(std::move(*scan));
    }
    return found_.scans.empty() || !fits_a_block() ? std::nullopt : std::optional(std::move(found_));
  }

 private:
  const Name& index() const { return nest_.point.params[0].name; }

  /// All threads have as many points of a part, and its values are in shared memory, with one for each thread and some more.
  bool fits_a_block() const {
    std::int64_t bytes = 0;
    for (const PartScan& scan : found_.scans) bytes += bytes_of_values(std::get<Nest>(stms_[scan.at].exp));
    const std::int64_t threads = machine::block_threads;
    return found_.points % threads == 0 && (found_.points + threads * 9 / 8) <= machine::block_shared_bytes / bytes;
  }

  /// Of a struct of what the nest yields.
  static std::int64_t bytes_of_values(const Nest& nest) {
    std::int64_t total = 0, widest = 1;
    for (const Type& type : nest.point.result_types) {
      total += values::byte_size(type.elem);
      widest = std::max<std::int64_t>(widest, values::byte_size(type.elem));
    }
    return (total + widest - 1) / widest * widest;
  }

  /// The number of the point's part: i / 2304. Without such a division the point is a part.
  void find_part() {
    found_.totals = true;
    found_.part = index();
    for (const Stm& stm : stms_) {
      const auto* op = std::get_if<BinOp>(&stm.exp);
      if (!op || op->kind != BinOpKind::div || op->lhs != Atom(index()) || !literal_in(op->rhs)) continue;
      found_.totals = false;
      found_.part = stm.pattern[0].name;
    }
  }

  /// Where it begins and ends: p * 2304 and min (p * 2304 + 2304) n.
  bool find_bounds() {
    std::optional<Name> first;
    found_.all = nest_.space[0];
    for (const Stm& stm : stms_) {
      const auto* op = std::get_if<BinOp>(&stm.exp);
      if (op && op->kind == BinOpKind::mul && op->lhs == Atom(found_.part) && literal_in(op->rhs) && !first) {
        first = stm.pattern[0].name;
        found_.points = literal_in(op->rhs)->as_int();
      } else if (op && op->kind == BinOpKind::min && first && sizes_.value(op->lhs) == sizes_.value(Atom(*first)) + found_.points) {
        found_.end = stm.pattern[0].name;
        found_.all = op->rhs;
      }
    }
    if (!first || found_.points <= 0) return false;
    found_.first = *first;
    return found_.totals ? found_.end.has_value() : divides_by_points() && found_.all == nest_.space[0];
  }

  bool divides_by_points() const {
    return std::any_of(stms_.begin(), stms_.end(), [&](const Stm& stm) {
      return stm.pattern.size() == 1 && stm.pattern[0].name == found_.part && std::get<BinOp>(stm.exp).rhs == int_atom(found_.points);
    });
  }

  void find_statements_of_part() {
    const NameSet inside = bound_names(stms_);
    NameSet of_part{found_.part, found_.first};
    if (found_.end) of_part.insert(*found_.end);
    for (std::size_t at = 0; at < stms_.size(); ++at) {
      const Stm& stm = stms_[at];
      if (stm.pattern.empty()) continue;  // an assertion
      const Name& name = stm.pattern[0].name;
      if (name == found_.part || name == found_.first || name == found_.end) continue;
      const NameSet used = free_names(stm);
      const bool same = std::all_of(used.begin(), used.end(), [&](const Name& use) { return of_part.contains(use) || (use != index() && !inside.contains(use)); });
      if (!same || std::holds_alternative<Nest>(stm.exp) || !is_safe_scalar_code({{stm}, {}})) continue;
      for (const Param& param : stm.pattern) of_part.insert(param.name);
      found_.of_part.push_back(at);
    }
    for (const Name& name : inside)
      if (!of_part.contains(name)) of_points_.insert(name);
    if (!found_.totals) of_points_.insert(index());
  }

  std::optional<PartScan> scan_at(std::size_t at) const {
    const auto& nest = std::get<Nest>(stms_[at].exp);
    if (nest.over != Level::thread || nest.space.size() != 1 || !nest.accumulators.empty() || nest.outs.size() != 1) return std::nullopt;
    const Out& out = nest.outs[0];
    if (out.kind != OutKind::reduce || out.rank != 0 || out.epilogue || !all_scalar(nest.point.result_types)) return std::nullopt;
    if (!is_safe_scalar_code(nest.point.body) || !is_scalar_code(out.op->op.body, may_be_in_operator) ||
        nest.point.body.stms.empty())
      return std::nullopt;
    if (!is_of_part(out, nest)) return std::nullopt;
    const auto from_end = direction(nest);
    const auto inclusive = from_end ? extent(nest, *from_end) : std::nullopt;
    if (!inclusive) return std::nullopt;
    return PartScan{at, *from_end, *inclusive, nest.point.body.stms[0].pattern[0].name};
  }

  /// Nothing but the number of elements differs between points of the part.
  bool is_of_part(const Out& out, const Nest& nest) const {
    NameSet used = free_names(nest.point);
    used.merge(free_names(out.op->op));
    for (const Atom& start : out.op->neutral)
      if (const Name* name = name_in(start)) used.insert(*name);
    return std::none_of(used.begin(), used.end(), [&](const Name& name) { return of_points_.contains(name); });
  }

  /// Whether the element is end - 1 - j or first + j, of which alone the index j is used.
  std::optional<bool> direction(const Nest& nest) const {
    const Name& j = nest.point.params[0].name;
    const auto& stms = nest.point.body.stms;
    Sizes sizes = sizes_;
    sizes.define(stms[0]);
    const Body rest{{stms.begin() + 1, stms.end()}, nest.point.body.result};
    if (free_names(rest).contains(j)) return std::nullopt;
    const Polynomial element = sizes.value(stms[0].pattern[0].name);
    if (element == sizes.value(found_.first) + j) return false;
    if (found_.end && element == sizes.value(*found_.end) - 1 - j) return true;
    return std::nullopt;
  }

  /// Whether as many elements as come before the point, or one more.
  std::optional<bool> extent(const Nest& nest, bool from_end) const {
    const Polynomial width = sizes_.value(nest.space[0]), first = sizes_.value(found_.first);
    const Polynomial end = found_.end ? sizes_.value(*found_.end) : Polynomial();
    if (found_.totals) return width == end - first ? std::optional(true) : std::nullopt;
    const Polynomial before = from_end ? end - index() - 1 : Polynomial(index()) - first;
    if (width == before) return false;
    return width == before + 1 ? std::optional(true) : std::nullopt;
  }

  const Nest& nest_;
  const std::vector<Stm>& stms_;
  Sizes sizes_;
  PartScans found_;
  NameSet of_points_;  // what differs between points of a part
};

}  // namespace

std::optional<PartScans> part_scans_of(const Nest& nest) { return PartFinder(nest).run(); }

}  // namespace boustro::facts
