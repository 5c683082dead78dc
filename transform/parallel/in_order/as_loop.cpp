#include "transform/parallel/in_order/as_loop.hpp"

#include "transform/ir/traversal.hpp"
#include "transform/parallel/in_order/cell.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class AsLoop {
 public:
  AsLoop(const Stm& stm, Names& names)
      : stm_(stm), names_(names), index_(names.bind_fresh("i", scalar(PrimType::i64))), before_(names, stm.origin), inside_(names, stm.origin) {}

  /// `scans`: the operators yield all prefixes.
  std::vector<Stm> run(const MapReduce& e, bool scans) {
    const std::size_t accumulators = e.accumulators.size();
    const std::vector<Atom> values = apply(e.fn, e.accumulators.size(), e.arrays);
    for (std::size_t k = 0; k < accumulators; ++k)
      carry(stm_.pattern[k], e.fn.params[k], e.accumulators[k], values[k]);
    std::size_t next = accumulators;
    for (const Operator& op : e.operators) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(next);
      combine(op, {first, first + static_cast<std::ptrdiff_t>(op.neutral.size())}, next, scans);
      next += op.neutral.size();
    }
    for (; next < values.size(); ++next) store(stm_.pattern[next], values[next]);
    return over(e.width);
  }

  std::vector<Stm> run(const ReduceByIndex& e) {
    const std::vector<Atom> values = apply(e.fn, 0, e.arrays);
    std::size_t value = 0, result = 0;
    for (const Histogram& histogram : e.histograms) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(value);
      const auto operands = first + static_cast<std::ptrdiff_t>(histogram.shape.size());
      const auto last = operands + static_cast<std::ptrdiff_t>(histogram.destinations.size());
      combine(histogram, {first, operands}, {operands, last}, result);
      value += histogram.shape.size() + histogram.destinations.size();
      result += histogram.destinations.size();
    }
    return over(e.width);
  }

 private:
  std::vector<Stm> over(const Atom& width) {
    loop_.form = ForLoop{index_, PrimType::i64, width};
    loop_.body.stms = std::move(inside_.stms);
    before_.add({std::move(pattern_), std::move(loop_), stm_.origin, stm_.attributes});
    return std::move(before_.stms);
  }

  /// What the function yields for the elements at the index.
  std::vector<Atom> apply(const Lambda& fn, std::size_t accumulators, const std::vector<Name>& arrays) {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const Param& element = fn.params[accumulators + k];
      const Index read{arrays[k], {Atom(index_)}, false};
      if (element.unique) inside_.let({element}, Copy{inside_.let(element.name.base, read)});
      else inside_.let({element}, read);
    }
    inside_.add(fn.body.stms);
    return fn.body.result;
  }

  void carry(const Param& result, const Param& param, const Atom& init, const Atom& next) {
    pattern_.push_back(result);
    loop_.params.push_back({param, init});
    loop_.body.result.push_back(next);
  }

  /// The operator's value so far, and every one of them if it scans.
  void combine(const Operator& op, const std::vector<Atom>& values, std::size_t result, bool scans) {
    std::vector<Param> so_far;
    std::vector<Atom> args;
    for (std::size_t k = 0; k < values.size(); ++k) {
      so_far.push_back(names_.fresh_param(op.op.params[k].name.base, op.op.params[k].type));
      args.emplace_back(so_far.back().name);
    }
    args.insert(args.end(), values.begin(), values.end());
    const std::vector<Atom> next = inline_lambda(inside_, op.op, args);
    for (std::size_t k = 0; k < next.size(); ++k) {
      const Param& yielded = stm_.pattern[result + k];
      carry(scans ? names_.fresh_param(so_far[k].name.base, so_far[k].type) : yielded, so_far[k], op.neutral[k], next[k]);
      if (scans) store(yielded, next[k]);
    }
  }

  /// The cell at the indices, if there is one.
  void combine(const Histogram& histogram, const std::vector<Atom>& indices, const std::vector<Atom>& values, std::size_t result) {
    Cell cell{{}, indices};
    std::vector<Param> changed;
    for (const Name& destination : histogram.destinations) {
      const Param array = names_.fresh_param(destination.base, names_.type_of(destination), true);
      cell.arrays.push_back(array.name);
      changed.push_back(names_.fresh_param(destination.base, array.type));
      carry(stm_.pattern[result++], array, destination, changed.back().name);
    }
    update_cell(inside_, changed, cell, histogram.op, values);
  }

  /// An array of what the iterations yield.
  void store(const Param& result, const Atom& value) {
    const Name base = result.name;
    const Name start = before_.let(base.base, Scratch{result.type.elem, result.type.shape});
    const Param array = names_.fresh_param(base.base, result.type, true);
    carry(result, array, start, inside_.let(base.base, Update{array.name, {Atom(index_)}, value, false}));
  }

  const Stm& stm_;
  Names& names_;
  Name index_;
  Builder before_, inside_;
  Loop loop_;
  std::vector<Param> pattern_;
};

/// The operator over a map that yields the elements as they are.
MapReduce over_elements(const Atom& width, const Operator& op, const std::vector<Name>& arrays, Names& names) {
  MapReduce result{width, {op}, {}, arrays, {}};
  for (const Name& array : arrays) {
    const Param element = names.fresh_param(array.base, row_type(names.type_of(array)));
    result.fn.params.push_back(element);
    result.fn.body.result.emplace_back(element.name);
    result.fn.result_types.push_back(element.type);
  }
  return result;
}

}  // namespace

std::optional<std::vector<Stm>> as_loop(const Stm& stm, Names& names) {
  using Result = std::optional<std::vector<Stm>>;
  const auto looped = [&](const MapReduce& e, bool scans) { return Result(AsLoop(stm, names).run(e, scans)); };
  return match(
      stm.exp, [&](const Map& e) { return looped({e.width, {}, e.fn, e.arrays, e.accumulators}, false); },
      [&](const Reduce& e) { return looped(over_elements(e.width, {e.op, e.neutral}, e.arrays, names), false); },
      [&](const Scan& e) { return looped(over_elements(e.width, {e.op, e.neutral}, e.arrays, names), true); },
      [&](const MapReduce& e) { return looped(e, false); },
      [&](const MapScan& e) { return looped({e.width, e.operators, e.fn, e.arrays, {}}, true); },
      [&](const ReduceByIndex& e) { return Result(AsLoop(stm, names).run(e)); },
      [](const auto&) { return Result(); });
}

}  // namespace boustro::parallel
