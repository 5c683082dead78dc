// Rows that a point computes only to combine them with others are combined where they are computed.
//
// Before:   reduce (map2 op) ne (map (\x -> map f xs) ..)
// After:    loop total = ne for i < n do  let row = map f xs  in map2 op total row
//           of which fusion makes one loop over the row, and the total stays where it is
//     or    let row = map f xs[0]  let row' = map f xs[1]  in map2 op (map2 op ne row) row'   for two rows, or few more
//           of which fusion makes one loop that adds them up element by element
// Applies   inside of traversals, where one thread goes through all rows anyway, if the operator works element by element
#include <algorithm>
#include <iterator>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/in_order/as_loop.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Of an unrolled reduction.
constexpr std::int64_t most_stms = 48;

class RowsInOrder {
 public:
  explicit RowsInOrder(Names& names) : names_(names) {}

  /// `inside`: of a traversal.
  void body(Body& body, bool inside) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      const bool traverses = std::holds_alternative<Map>(stm.exp) || std::holds_alternative<MapReduce>(stm.exp) ||
                             std::holds_alternative<MapScan>(stm.exp);
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner, inside || traverses); });
      if (!inside || !combines_new_rows(stm)) {
        stms.push_back(std::move(stm));
        continue;
      }
      std::vector<Stm> combined = has_few_rows(stm) ? unrolled(stm) : *as_loop(stm, names_);
      std::move(combined.begin(), combined.end(), std::back_inserter(stms));
    }
    body.stms = std::move(stms);
  }

 private:
  static bool combines_new_rows(const Stm& stm) {
    const auto* e = std::get_if<MapReduce>(&stm.exp);
    if (!e) return false;
    std::size_t operand = e->accumulators.size();
    for (const Operator& op : e->operators) {
      const auto elementwise = as_vectorised_binop(op.op);
      if (elementwise && elementwise->depth > 0 && is_mapped(e->fn.body, e->fn.body.result[operand])) return true;
      operand += op.neutral.size();
    }
    return false;
  }

  /// Their statements stay few when they are repeated.
  static bool has_few_rows(const Stm& stm) {
    const auto& e = std::get<MapReduce>(stm.exp);
    const PrimValue* width = literal_in(e.width);
    const bool only_combines = e.accumulators.empty() && !e.operators.empty() && count_values(e) == stm.pattern.size();
    return only_combines && width && width->as_int() * count_stms(e.fn.body) <= most_stms;
  }

  static std::size_t count_values(const MapReduce& e) {
    std::size_t count = 0;
    for (const Operator& op : e.operators) count += op.neutral.size();
    return count;
  }

  static std::int64_t count_stms(const Body& body) {
    auto count = static_cast<std::int64_t>(body.stms.size());
    for (const Stm& stm : body.stms) for_each_body(stm.exp, [&](const Body& inner) { count += count_stms(inner); });
    return count;
  }

  /// One after the other.
  std::vector<Stm> unrolled(const Stm& stm) {
    const auto& e = std::get<MapReduce>(stm.exp);
    Builder builder(names_, stm.origin);
    std::vector<Atom> total;
    for (const Operator& op : e.operators) total.insert(total.end(), op.neutral.begin(), op.neutral.end());
    for (std::int64_t i = 0; i < literal_in(e.width)->as_int(); ++i) {
      const Atom at = PrimValue::of_int(PrimType::i64, i);
      std::vector<Atom> elements;
      for (std::size_t k = 0; k < e.arrays.size(); ++k)
        elements.emplace_back(builder.let(e.fn.params[k].name.base, Index{e.arrays[k], {at}, false}));
      total = combined(builder, e.operators, total, inline_lambda(builder, e.fn, elements));
    }
    for (std::size_t k = 0; k < stm.pattern.size(); ++k) builder.let({stm.pattern[k]}, AtomExp{total[k]});
    return std::move(builder.stms);
  }

  static std::vector<Atom> combined(Builder& builder, const std::vector<Operator>& operators, const std::vector<Atom>& total,
                                    const std::vector<Atom>& values) {
    std::vector<Atom> result;
    for (const Operator& op : operators) {
      const auto first = static_cast<std::ptrdiff_t>(result.size()), last = first + static_cast<std::ptrdiff_t>(op.neutral.size());
      std::vector<Atom> args(total.begin() + first, total.begin() + last);
      args.insert(args.end(), values.begin() + first, values.begin() + last);
      const std::vector<Atom> next = inline_lambda(builder, op.op, args);
      result.insert(result.end(), next.begin(), next.end());
    }
    return result;
  }

  /// The body makes the row by a map.
  static bool is_mapped(const Body& body, const Atom& row) {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      const auto& pattern = stm.pattern;
      return std::holds_alternative<Map>(stm.exp) &&
             std::any_of(pattern.begin(), pattern.end(), [&](const Param& param) { return row == Atom(param.name); });
    });
  }

  Names& names_;
};

}  // namespace

Program combine_rows(Program program) {
  Names names(program);
  RowsInOrder rows(names);
  for (Function& function : program.functions) rows.body(function.body, false);
  return program;
}

}  // namespace boustro::parallel
