#include "transform/parallel/flatten/winners.hpp"

#include <limits>

#include "transform/facts/choices.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// An index that no element has, and so less than all of them.
bool is_of_none(const Atom& atom) {
  const PrimValue* value = literal_in(atom);
  return value && value->type == PrimType::i64 && value->as_int() < 0;
}

class Winners {
 public:
  Winners(const Stm& stm, const ReduceByIndex& e, BinOpKind kind, Atom start, Atom none, Names& names)
      : stm_(stm), e_(e), histogram_(e.histograms[0]), kind_(kind), start_(std::move(start)), none_(std::move(none)), builder_(names, stm.origin) {}

  std::vector<Stm> run() {
    values();
    const Name before = winners_before();
    winners(before);
    return std::move(builder_.stms);
  }

 private:
  std::size_t rank() const { return histogram_.shape.size(); }
  const Name& best() const { return stm_.pattern[0].name; }

  void values() {
    ReduceByIndex best{e_.width, {histogram_}, e_.fn, e_.arrays};
    Histogram& of = best.histograms[0];
    of.destinations.resize(1);
    of.neutral.resize(1);
    of.op = scalar_operator(builder_, kind_, e_.fn.result_types[rank()].elem);
    best.fn.body.result.pop_back();
    best.fn.result_types.pop_back();
    builder_.let({stm_.pattern[0]}, std::move(best), stm_.attributes);
  }

  /// Who stands in a cell that no element has bettered, and whom all can better in the others.
  Name winners_before() { return builder_.let("winners", over_cells(builder_, {})); }

  /// Map after map over the dimensions of the bins.
  Exp over_cells(Builder& builder, const std::vector<Atom>& outer) {
    const Atom width = histogram_.shape[outer.size()];
    const Name numbers = builder.let("cells", Iota{width});
    const Lambda fn = builder.lambda({{"cell", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& index) {
      std::vector<Atom> cell = outer;
      cell.push_back(index[0]);
      if (cell.size() < rank()) return std::vector<Atom>{b.let("winners", over_cells(b, cell))};
      const Atom kept = b.cmp("kept", CmpOpKind::eq, b.index("best", best(), cell), start_);
      return std::vector<Atom>{b.let("before", If{kept, {{}, {none_}}, {{}, {int_atom(highest)}}})};
    });
    return Map{width, fn, {numbers}, {}};
  }

  void winners(const Name& before) {
    ReduceByIndex first{e_.width, {histogram_}, rename(e_.fn, builder_.names), e_.arrays};
    Histogram& of = first.histograms[0];
    of.destinations = {before};
    of.neutral = {int_atom(highest)};
    of.op = scalar_operator(builder_, BinOpKind::min, PrimType::i64);
    Body& body = first.fn.body;
    Builder b(builder_.names, stm_.origin);
    b.add(body.stms);
    body.result[0] = where_it_attains(b, body.result);
    body.result.erase(body.result.begin() + static_cast<std::ptrdiff_t>(rank()));
    first.fn.result_types.erase(first.fn.result_types.begin() + static_cast<std::ptrdiff_t>(rank()));
    body.stms = std::move(b.stms);
    builder_.let({stm_.pattern[1]}, std::move(first), stm_.attributes);
  }

  /// The first index of the cell, if its best value is that of the element; else one that is out of bounds.
  Atom where_it_attains(Builder& b, const std::vector<Atom>& results) {
    const std::vector<Atom> cell(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(rank()));
    std::optional<Atom> inside;
    for (std::size_t d = 0; d < rank(); ++d) {
      for (const Atom& test : {b.cmp("from_first", CmpOpKind::le, int_atom(0), cell[d]), b.cmp("to_last", CmpOpKind::lt, cell[d], histogram_.shape[d])})
        inside = inside ? b.binop("inside", BinOpKind::bit_and, *inside, test) : test;
    }
    Builder then(b.names, b.origin);
    const Atom attains = then.cmp("attains", CmpOpKind::eq, then.index("best", best(), cell), results[rank()]);
    const Atom bin = then.let("bin", If{attains, {{}, {cell[0]}}, {{}, {int_atom(-1)}}});
    return b.let("bin", If{*inside, {std::move(then.stms), {bin}}, {{}, {int_atom(-1)}}});
  }

  const Stm& stm_;
  const ReduceByIndex& e_;
  const Histogram& histogram_;
  BinOpKind kind_;
  Atom start_, none_;
  Builder builder_;
};

/// The operator itself, where it calls a function on what it is given.
Lambda called(const Lambda& op, const facts::Callees& callees) {
  const auto* call = op.body.stms.size() == 1 ? std::get_if<Call>(&op.body.stms[0].exp) : nullptr;
  if (!call || call->args.size() != op.params.size()) return op;
  for (std::size_t k = 0; k < op.params.size(); ++k)
    if (call->args[k] != Atom(op.params[k].name)) return op;
  for (std::size_t k = 0; k < op.body.result.size(); ++k)
    if (op.body.result[k] != Atom(op.body.stms[0].pattern[k].name)) return op;
  const Function& function = callees.function(call->function);
  return Lambda{function.params, function.body, op.result_types};
}

/// It is the number of the element.
bool counts(const ReduceByIndex& e, const Atom& result, const Definitions& definitions) {
  for (std::size_t k = 0; k < e.arrays.size(); ++k)
    if (result == Atom(e.fn.params[k].name)) return definitions.is_iota(e.arrays[k]);
  return false;
}

}  // namespace

std::optional<std::vector<Stm>> winners_behind_values(const Stm& stm, const ReduceByIndex& e, Names& names, const Definitions& definitions,
                                                      const facts::Callees& callees) {
  if (e.histograms.size() != 1 || e.histograms[0].destinations.size() != 2 || !facts::is_cheap(e.fn.body.stms, e.fn.body.result.size()))
    return std::nullopt;
  const Histogram& histogram = e.histograms[0];
  const auto start = scalar_of(histogram.destinations[0], definitions, names), none = scalar_of(histogram.destinations[1], definitions, names);
  if (!start || !facts::is_number(*start) || !none || !is_of_none(*none)) return std::nullopt;
  const auto kind = facts::picks_extremum(called(histogram.op, callees));
  if (!kind || !counts(e, e.fn.body.result.back(), definitions)) return std::nullopt;
  return Winners(stm, e, *kind, *start, *none, names).run();
}

}  // namespace boustro::parallel
