// Additions of rows that a loop has summed up, element by element.
//
// Rule      row = loop a = replicate m 0 for ..: a[c] += t; acc[p] += row    gives    loop acc for ..: acc[p, c] += t
// Applies   the row has no other use; its elements are read only to be added to, also in loops and branches inside of the loop; the place is
//           another one in each step, but not simply its number; the row is not one of the few that fit into registers
// Cost      an addition to the accumulator for each step, instead of one for each element of the row, and no row
// Source    derived here: a sum of sums
//
// Before:  \acc -> let row = loop a = replicate m 0 for i < n do a with [cs[i]] = a[cs[i]] + xs[i] in update_acc acc [p] row
// After:   \acc -> loop acc for i < n do update_acc acc [p, cs[i]] xs[i]
#include <algorithm>
#include <optional>

#include "transform/facts/aliases.hpp"
#include "transform/facts/vanishing.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/fuse/row_updates.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

constexpr std::int64_t fits_into_registers = 16;

bool is_small(const Shape& shape) {
  std::int64_t cells = 1;
  for (const Atom& size : shape) {
    const PrimValue* known = literal_in(size);
    if (!known || known->as_int() > fits_into_registers) return false;
    cells *= known->as_int();
  }
  return cells <= fits_into_registers;
}

/// The sum that the row's loop makes, made in the accumulator instead.
class Additions {
 public:
  /// `row`: its addition. `varying`: what the loop carries.
  Additions(const UpdateAcc& row, NameSet varying, Names& names) : row_(row), varying_(std::move(varying)), names_(names) {}

  /// Puts `accumulator` in the place of `row`, down to the result; false if anything else is done with it.
  bool replace(Body& body, std::size_t result, Name row, Name accumulator) {
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      for (const Param& param : body.stms[at].pattern) varying_.insert(param.name);
      if (!free_names(body.stms[at]).contains(row)) continue;
      const auto next = std::holds_alternative<Index>(body.stms[at].exp) ? added(body, at, row, accumulator)
                        : std::holds_alternative<Loop>(body.stms[at].exp) ? in_loop(body.stms[at], row, accumulator)
                                                                          : in_branches(body.stms[at], row, accumulator);
      if (!next) return false;
      row = next->first;
      accumulator = next->second;
    }
    if (body.result[result] != Atom(row)) return false;
    body.result[result] = accumulator;
    return true;
  }

 private:
  using Next = std::optional<std::pair<Name, Name>>;  // the row, or what had been one, from there on, and the accumulator

  Param as_accumulator(const Name& row, const Name& accumulator) { return names_.fresh_param(row.base, names_.type_of(accumulator)); }

  /// x = row[c]; y = x + t; row' = row with [c] = y
  Next added(Body& body, std::size_t at, const Name& row, const Name& accumulator) {
    const Index read = std::get<Index>(body.stms[at].exp);
    const Name x = body.stms[at].pattern[0].name;
    if (read.array != row || uses(body, x) != 1 || !varies(read.indices)) return std::nullopt;
    std::optional<Atom> term;
    std::size_t sum = at;
    for (std::size_t k = at + 1; k < body.stms.size(); ++k) {
      if (!free_names(body.stms[k]).contains(x)) continue;
      const auto* op = std::get_if<BinOp>(&body.stms[k].exp);
      if (!op || (op->kind != BinOpKind::add && op->kind != BinOpKind::sub)) return std::nullopt;
      if (op->lhs == Atom(x)) term = op->rhs;
      else if (op->kind == BinOpKind::add) term = op->lhs;
      sum = k;
    }
    if (!term || *term == Atom(x)) return std::nullopt;
    const Name y = body.stms[sum].pattern[0].name;
    for (std::size_t k = at + 1; k < body.stms.size(); ++k) {
      const auto* write = std::get_if<Update>(&body.stms[k].exp);
      if (!free_names(body.stms[k]).contains(row) && !free_names(body.stms[k]).contains(y)) continue;
      if (!write || write->array != row || write->indices != read.indices || write->value != Atom(y) || uses(body, y) != 1) return std::nullopt;
      return add(body, at, sum, k, *term, !read.checked, accumulator);
    }
    return std::nullopt;
  }

  /// In the place of the update; nobody reads the row and the sum any more.
  Next add(Body& body, std::size_t read, std::size_t sum, std::size_t write, Atom term, bool in_bounds, const Name& accumulator) {
    const auto indices = std::get<Update>(body.stms[write].exp).indices;
    const Name row = body.stms[write].pattern[0].name;
    const BinOp op = std::get<BinOp>(body.stms[sum].exp);
    Builder builder(names_, body.stms[write].origin);
    if (op.kind == BinOpKind::sub) term = builder.unop("term", UnOpKind::neg, term);
    UpdateAcc update{accumulator, row_.indices, term, row_.in_bounds && in_bounds};
    for (const DimIndex& index : indices) update.indices.push_back(std::get<Atom>(index));
    const Param next = as_accumulator(row, accumulator);
    builder.let({next}, std::move(update));
    std::vector<Stm> stms;
    for (std::size_t k = 0; k < body.stms.size(); ++k) {
      if (k == write) stms.insert(stms.end(), builder.stms.begin(), builder.stms.end());
      if (k != read && k != sum && k != write) stms.push_back(std::move(body.stms[k]));
    }
    body.stms = std::move(stms);
    return std::pair(row, next.name);
  }

  /// One element, whose place is another one in each step, but not simply the number of the step.
  bool varies(const std::vector<DimIndex>& indices) const {
    bool any = false;
    for (const DimIndex& index : indices) {
      const Atom* atom = std::get_if<Atom>(&index);
      if (!atom) return false;
      const Name* name = name_in(*atom);
      any = any || (name && varying_.contains(*name));
    }
    return any;
  }

  Next in_loop(Stm& stm, const Name& row, const Name& accumulator) {
    auto& loop = std::get<Loop>(stm.exp);
    const auto is_row = [&](const LoopParam& param) { return param.init == Atom(row); };
    if (std::count_if(loop.params.begin(), loop.params.end(), is_row) != 1 || free_names(loop.body).contains(row)) return std::nullopt;
    const auto k = static_cast<std::size_t>(std::find_if(loop.params.begin(), loop.params.end(), is_row) - loop.params.begin());
    const Param inside = names_.fresh_param(loop.params[k].param.name.base, names_.type_of(accumulator), true);
    if (!replace(loop.body, k, loop.params[k].param.name, inside.name)) return std::nullopt;
    loop.params[k] = {inside, accumulator, false};
    return yielded(stm, k, accumulator);
  }

  Next in_branches(Stm& stm, const Name& row, const Name& accumulator) {
    auto* branch = std::get_if<If>(&stm.exp);
    if (!branch) return std::nullopt;
    for (std::size_t k = 0; k < stm.pattern.size(); ++k) {
      if (stm.pattern[k].type != names_.type_of(row)) continue;
      If changed = *branch;
      if (!replace(changed.then_body, k, row, accumulator) || !replace(changed.else_body, k, row, accumulator)) continue;
      *branch = std::move(changed);
      return yielded(stm, k, accumulator);
    }
    return std::nullopt;
  }

  Next yielded(Stm& stm, std::size_t k, const Name& accumulator) {
    const Name row = stm.pattern[k].name;
    stm.pattern[k] = as_accumulator(row, accumulator);
    return std::pair(row, stm.pattern[k].name);
  }

  const UpdateAcc& row_;
  NameSet varying_;  // what the steps compute
  Names& names_;
};

class LoopSpreader {
 public:
  LoopSpreader(const Program& program, Names& names) : callees_(program), names_(names) {}

  /// `sums`: accumulators around it are sums.
  void body(Body& body, bool sums) {
    while (sums && spread_one(body)) {
    }
    for (Stm& stm : body.stms) {
      const auto* with = std::get_if<WithAcc>(&stm.exp);
      const bool inside = sums && (!with || adds_up(*with));
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner, inside); });
    }
  }

 private:
  bool spread_one(Body& body) {
    for (Position at = 0; at < body.stms.size(); ++at) {
      const auto* loop = std::get_if<Loop>(&body.stms[at].exp);
      for (std::size_t k = 0; loop && k < loop->params.size(); ++k) {
        const auto update = addition_of(body, at, k);
        if (update && spread(body, at, k, *update)) return true;
      }
    }
    return false;
  }

  /// Where the row is added, that being its only use, and the start of the loop's only one being the loop.
  std::optional<Position> addition_of(const Body& body, Position at, std::size_t k) const {
    const auto& loop = std::get<Loop>(body.stms[at].exp);
    const Name* start = name_in(loop.params[k].init);
    const Name& row = body.stms[at].pattern[k].name;
    if (!start || !is_zero_row(body, *start) || uses(body, *start) != 1 || uses(body, row) != 1) return std::nullopt;
    for (Position to = at + 1; to < body.stms.size(); ++to) {
      const auto* update = std::get_if<UpdateAcc>(&body.stms[to].exp);
      if (update && update->value == Atom(row)) return can_wait(body, at, to) ? std::optional(to) : std::nullopt;
    }
    return std::nullopt;
  }

  static bool is_zero_row(const Body& body, const Name& name) {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      const auto* e = std::get_if<Replicate>(&stm.exp);
      return e && stm.pattern[0].name == name && facts::is_zero(e->value) && !is_small(e->shape);
    });
  }

  /// The loop may run where the addition is.
  bool can_wait(const Body& body, Position at, Position to) const {
    if (!nothing_consumed(body.stms, at + 1, to, callees_)) return false;
    for (Position k = at + 1; k < to; ++k)
      if (uses_any(body.stms[k], body.stms[at].pattern)) return false;
    return true;
  }

  bool spread(Body& body, Position at, std::size_t k, Position to) {
    const UpdateAcc update = std::get<UpdateAcc>(body.stms[to].exp);
    Stm stm = body.stms[at];
    auto& loop = std::get<Loop>(stm.exp);
    const Param inside = names_.fresh_param(update.accumulator.base, names_.type_of(update.accumulator), true);
    NameSet varying;
    for (const LoopParam& param : loop.params) varying.insert(param.param.name);
    if (!Additions(update, std::move(varying), names_).replace(loop.body, k, loop.params[k].param.name, inside.name)) return false;
    loop.params[k] = {inside, update.accumulator, false};
    stm.pattern[k] = body.stms[to].pattern[0];
    body.stms[to] = std::move(stm);
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  facts::Callees callees_;
  Names& names_;
};

}  // namespace

Program spread_loops(Program program) {
  Names names(program);
  LoopSpreader spreader(program, names);
  for (Function& function : program.functions) spreader.body(function.body, !takes_accumulators(function));
  return program;
}

}  // namespace boustro::fuse
