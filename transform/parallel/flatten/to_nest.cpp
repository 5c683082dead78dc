#include "transform/parallel/flatten/to_nest.hpp"

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class Converter {
 public:
  Converter(const Stm& stm, Names& names, const Definitions& definitions, Level over, Level each)
      : stm_(stm), names_(names), definitions_(definitions), inside_(names, stm.origin) {
    nest_.over = over;
    nest_.each = each;
  }

  std::optional<Nest> run() {
    return match(
        stm_.exp,
        [&](const Map& e) {
          return mapped(e.width, e.fn, e.arrays, e.accumulators, {}, OutKind::store);
        },
        [&](const MapReduce& e) {
          return mapped(e.width, e.fn, e.arrays, e.accumulators, e.operators, OutKind::reduce);
        },
        [&](const MapScan& e) {
          return mapped(e.width, e.fn, e.arrays, {}, e.operators, OutKind::scan);
        },
        [&](const Reduce& e) {
          return folded(e.width, {e.op, e.neutral, e.commutative}, e.arrays, OutKind::reduce);
        },
        [&](const Scan& e) {
          return folded(e.width, {e.op, e.neutral, false}, e.arrays, OutKind::scan);
        },
        [&](const ReduceByIndex& e) { return histograms(e); },
        [&](const Scatter& e) { return scattered(e); },
        [](const auto&) { return std::optional<Nest>(); });
  }

 private:
  /// The space, and the names of the accumulators and of the index inside.
  void enter(const Atom& width, const std::vector<Param>& accumulators, const std::string& index) {
    nest_.space = {width};
    nest_.point.params = accumulators;
    nest_.point.params.push_back(names_.fresh_param(index, scalar(PrimType::i64)));
  }
  const Name& index() const { return nest_.point.params.back().name; }

  /// The name of the parameter that stands for the index itself, if there is one.
  std::string index_base(const std::vector<Param>& params, const std::vector<Name>& arrays) const {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const std::string& base = params[k].name.base;
      if (definitions_.is_iota(arrays[k])) return base == arrays[k].base ? "i" : base;  // that of the array says nothing of one element
    }
    return "i";
  }

  /// The elements at the index, as the parameters.
  void read(const std::vector<Param>& params, const std::vector<Name>& arrays) {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      if (definitions_.is_iota(arrays[k])) {
        as_index_.emplace(params[k].name, index());
        continue;
      }
      const Index element{arrays[k], {index()}, false};
      if (!params[k].unique) {
        inside_.let({Param{params[k].name, params[k].type}}, element);
      } else {  // what may be consumed is the point's own
        const Name row = inside_.let(params[k].name.base, element);
        inside_.let({Param{params[k].name, params[k].type}}, Copy{row});
      }
    }
  }

  void take(const Lambda& fn) {
    inside_.add(fn.body.stms);
    nest_.point.body.result = fn.body.result;
    nest_.point.result_types = fn.result_types;
  }

  Nest finish() {
    nest_.point.body.stms = std::move(inside_.stms);
    substitute(nest_.point.body, as_index_);
    return std::move(nest_);
  }

  void combine(const Operator& op, OutKind kind) {
    Out out;
    out.kind = kind;
    out.op = op;
    nest_.outs.push_back(std::move(out));
  }

  std::optional<Nest> mapped(const Atom& width, const Lambda& fn, const std::vector<Name>& arrays,
                             const std::vector<Name>& accumulators,
                             const std::vector<Operator>& operators, OutKind kind) {
    const auto middle = fn.params.begin() + static_cast<std::ptrdiff_t>(accumulators.size());
    const std::vector<Param> elements(middle, fn.params.end());
    enter(width, {fn.params.begin(), middle}, index_base(elements, arrays));
    nest_.accumulators = accumulators;
    read(elements, arrays);
    take(fn);
    std::size_t taken = accumulators.size();
    for (const Operator& op : operators) {
      combine(op, kind);
      taken += op.neutral.size();
    }
    for (; taken < fn.result_types.size(); ++taken) {
      nest_.outs.emplace_back();
      nest_.outs.back().rank = 1;
    }
    return finish();
  }

  std::optional<Nest> folded(const Atom& width, const Operator& op, const std::vector<Name>& arrays,
                             OutKind kind) {
    std::vector<Param> elements;
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const Param& right = op.op.params[arrays.size() + k];
      elements.push_back(names_.fresh_param(right.name.base, right.type));
    }
    enter(width, {}, index_base(elements, arrays));
    read(elements, arrays);
    for (const Param& element : elements) {
      nest_.point.body.result.push_back(element.name);
      nest_.point.result_types.push_back(element.type);
    }
    combine(op, kind);
    return finish();
  }

  std::optional<Nest> histograms(const ReduceByIndex& e) {
    enter(e.width, {}, index_base(e.fn.params, e.arrays));
    read(e.fn.params, e.arrays);
    take(e.fn);
    for (const Histogram& histogram : e.histograms) {
      combine({histogram.op, histogram.neutral, false}, OutKind::histogram);
      nest_.outs.back().rank = 1;
      nest_.outs.back().bins = histogram.shape;
      nest_.outs.back().destinations = histogram.destinations;
    }
    return finish();
  }

  std::optional<Nest> scattered(const Scatter& e) {
    enter(e.width, {}, "i");
    Out out;
    out.kind = OutKind::scatter;
    out.rank = 1;
    out.destinations = e.destinations;
    const Shape shape = names_.type_of(e.destinations.at(0)).shape;
    out.bins.assign(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(e.indices.size()));
    for (const std::vector<Name>* arrays : {&e.indices, &e.values}) {
      for (const Name& array : *arrays) {
        const Type type = row_type(names_.type_of(array));
        nest_.point.body.result.push_back(
            definitions_.is_iota(array) ? Atom(index())
                                        : inside_.let(array.base, Index{array, {index()}, false}));
        nest_.point.result_types.push_back(type);
      }
    }
    nest_.outs.push_back(std::move(out));
    return finish();
  }

  const Stm& stm_;
  Names& names_;
  const Definitions& definitions_;
  Builder inside_;
  Substitution as_index_;  // elements of iotas
  Nest nest_;
};

}  // namespace

std::optional<Nest> to_nest(const Stm& stm, Names& names, const Definitions& definitions,
                            Level over, Level each) {
  return Converter(stm, names, definitions, over, each).run();
}

}  // namespace boustro::parallel
