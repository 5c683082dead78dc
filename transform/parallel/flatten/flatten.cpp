// Which rule becomes of which operator: first at the host's level, then inside of threads.
#include <algorithm>

#include "transform/facts/rounding.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/accumulators_apart.hpp"
#include "transform/parallel/flatten/additions_apart.hpp"
#include "transform/parallel/flatten/branches_apart.hpp"
#include "transform/parallel/flatten/chunks.hpp"
#include "transform/parallel/flatten/concatenations.hpp"
#include "transform/parallel/flatten/distribute.hpp"
#include "transform/parallel/flatten/early_scalars.hpp"
#include "transform/parallel/flatten/epilogue.hpp"
#include "transform/parallel/flatten/histograms.hpp"
#include "transform/parallel/flatten/late_scalars.hpp"
#include "transform/parallel/flatten/loops_apart.hpp"
#include "transform/parallel/flatten/memory.hpp"
#include "transform/parallel/flatten/nests_apart.hpp"
#include "transform/parallel/flatten/one_addition.hpp"
#include "transform/parallel/flatten/perfect_nest.hpp"
#include "transform/parallel/flatten/products_apart.hpp"
#include "transform/parallel/flatten/scalar_epilogue.hpp"
#include "transform/parallel/flatten/scans_by_parts.hpp"
#include "transform/parallel/flatten/scatters.hpp"
#include "transform/parallel/flatten/sums_by_cell.hpp"
#include "transform/parallel/flatten/to_nest.hpp"
#include "transform/parallel/flatten/unfuse.hpp"
#include "transform/parallel/flatten/uniform_literals.hpp"
#include "transform/parallel/flatten/vectorised.hpp"
#include "transform/parallel/flatten/views_behind.hpp"
#include "transform/parallel/flatten/winners.hpp"
#include "transform/parallel/functor.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// A reduction over so many elements runs in one thread between kernels, if all that it yields are scalars.
constexpr std::int64_t max_sequential_width = 64;

/// At most this is computed for each element where the library reads it. A block of CUB has thousands of elements, and a thread a dozen,
/// one after the other: where they take long, most multiprocessors have nothing to do. On an H200 the 10,000 distances of a k-means of
/// 1,024 centres took 566 ms in a call of cub::DeviceReduce, and less than 1 ms in a kernel that stores them.
constexpr std::int64_t light_work = 256;

bool is_small(const Atom& size) {
  const PrimValue* value = literal_in(size);
  return value && value->as_int() <= max_sequential_width;
}

/// Arrays of small constant sizes only, at any depth.
bool is_small(const Stm& stm) {
  if (std::holds_alternative<WithAcc>(stm.exp) || std::holds_alternative<UpdateAcc>(stm.exp))
    return false;
  for (const Param& param : stm.pattern) {
    if (param.type.accumulator || !std::all_of(param.type.shape.begin(), param.type.shape.end(),
                                               [](const Atom& size) { return is_small(size); }))
      return false;
  }
  const auto width = operator_width(stm.exp);
  bool result = !width || is_small(*width);
  for_each_body(stm.exp, [&](const Body& body) {
    for (const Stm& inner : body.stms) result = result && is_small(inner);
  });
  return result;
}

class Flattener {
 public:
  Flattener(const facts::Callees& callees, Names& names, Machine machine, Order order)
      : callees_(callees), names_(names), machine_(machine), order_(order) {}

  void function(Function& function) {
    for (const Param& param : function.params) sizes_.declare(param.type);
    outside(function.body);
  }

 private:
  /// A body that the host runs.
  void outside(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      definitions_.note(stm);
      sizes_.enter(stm);
      outside(std::move(stm), stms);
    }
    body.stms = std::move(stms);
    if (machine_ == Machine::cpu) return;
    sum_by_cell(body, Level::grid, names_, definitions_);
    join_scatters(body, callees_);
    scan_by_parts(body, names_, callees_);
    attach_epilogues(body, names_, callees_);
    attach_scalars(body, names_);
    join_concatenations(body, names_, callees_);
    compute_scalars_early(body);
  }

  void outside(Stm stm, std::vector<Stm>& to) {
    if (!operator_width(stm.exp) || std::holds_alternative<Concat>(stm.exp) ||
        std::holds_alternative<Iota>(stm.exp)) {
      map_bodies(stm.exp, [&](Body& body) { outside(body); });
      return to.push_back(std::move(stm));
    }
    if (machine_ == Machine::cpu) return to.push_back(nest(stm, Level::workers));
    if (all_scalar(stm.pattern) && is_small(stm)) return to.push_back(nest(stm, Level::thread));
    on_grid(stm, to);
  }

  /// In one of the forms that a grid of threads, or a library call, computes.
  void on_grid(const Stm& stm, std::vector<Stm>& to) {
    match(
        stm.exp, [&](const Map&) { map(stm, to); },
        [&](const Reduce& e) { reduction(stm, e, to); },
        [&](const Scan& e) { scan(stm, e, to); },
        [&](const MapReduce& e) {
          if (library_reduces(stm, e)) return to.push_back(nest(stm, Level::grid));
          for (Stm& part : unfused(stm, e, names_)) outside(std::move(part), to);
        },
        [&](const MapScan& e) {
          if (library_scans(stm, e)) return to.push_back(nest(stm, Level::grid));
          for (Stm& part : unfused(stm, e, names_)) outside(std::move(part), to);
        },
        [&](const ReduceByIndex& e) { histograms(stm, by_component(e), to); },
        [&](const Scatter& e) {
          to.push_back(nest(stm, goes_to_one_place(e) ? Level::thread : Level::grid));
        },
        [&](const auto&) {});
  }

  void map(const Stm& stm, std::vector<Stm>& to) {
    std::vector<Stm> parts = views_behind(stm, names_);
    for (const Stm& part : parts) definitions_.note(part);
    apart(nest(parts[0], Level::grid), to);
    to.insert(to.end(), std::make_move_iterator(parts.begin() + 1), std::make_move_iterator(parts.end()));
  }

  /// Perfect nests, one for each row that a point goes on with.
  void apart(Stm stm, std::vector<Stm>& to) {
    stm = merged(std::move(stm));
    auto parts = nests_apart(stm, names_, callees_);
    if (!parts) parts = accumulators_apart(stm, names_, definitions_, callees_);
    if (!parts) parts = loops_apart(stm, names_, callees_);
    if (!parts) parts = additions_apart(stm, names_);
    if (!parts) parts = branches_apart(stm, sizes_, names_, callees_);
    if (!parts) parts = products_apart(stm, names_);
    if (!parts) return to.push_back(std::move(stm));
    for (Stm& part : *parts) {
      note_all(part);
      if (auto* with = std::get_if<WithAcc>(&part.exp)) with->fn.body.stms[0] = merged(std::move(with->fn.body.stms[0]));
      std::holds_alternative<Nest>(part.exp) ? apart(std::move(part), to) : to.push_back(std::move(part));
    }
  }

  /// What a rule gave new names, too.
  void note_all(const Stm& stm) {
    definitions_.note(stm);
    for_each_body(stm.exp, [&](const Body& body) {
      for (const Stm& inner : body.stms) note_all(inner);
    });
  }

  void reduction(const Stm& stm, const Reduce& e, std::vector<Stm>& to) {
    if (auto columns = vectorised_reduce(stm, names_, definitions_)) {
      to.push_back({stm.pattern, std::move(*columns), stm.origin, stm.attributes});
    } else if (is_functor(e.op, callees_)) {
      to.push_back(nest(stm, Level::grid));
    } else if (is_small(e.width)) {
      to.push_back(nest(stm, Level::thread));
    } else {
      again(chunked_reduce(stm, e, names_), to);
    }
  }

  /// What a rule made of a statement for the host, which other rules are for.
  void again(std::vector<Stm> stms, std::vector<Stm>& to) {
    for (Stm& stm : stms) {
      definitions_.note(stm);
      outside(std::move(stm), to);
    }
  }

  void scan(const Stm& stm, const Scan& e, std::vector<Stm>& to) {
    if (scans_in_library(e.op)) {
      to.push_back(nest(stm, Level::grid));
    } else if (is_small(e.width)) {
      to.push_back(nest(stm, Level::thread));
    } else {
      again(chunked_scan(stm, e, names_), to);
    }
  }

  void histograms(Stm stm, const ReduceByIndex& e, std::vector<Stm>& to) {
    stm.exp = e;
    if (std::all_of(e.histograms.begin(), e.histograms.end(), [&](const Histogram& histogram) { return is_atomic(histogram); }))
      return to.push_back(nest(stm, Level::grid));
    const bool in_order = std::any_of(e.histograms.begin(), e.histograms.end(), [&](const Histogram& histogram) { return must_not_vary(histogram.op); });
    if (auto rows = in_order ? std::nullopt : histogram_of_rows(stm, e, names_, definitions_)) {
      return to.push_back({stm.pattern, std::move(*rows), stm.origin, stm.attributes});
    }
    if (auto two = winners_behind_values(stm, e, names_, definitions_, callees_)) return again(std::move(*two), to);
    if (is_identity(e.fn) && e.histograms.size() == 1) {
      if (is_small(e.width)) return to.push_back(nest(stm, Level::thread));
      return again(chunked_histogram(stm, e, names_), to);
    }
    for (Stm& part : apart(stm, e)) outside(std::move(part), to);
  }

  /// What the histograms add is stored; then there is one statement for each of them.
  std::vector<Stm> apart(const Stm& stm, const ReduceByIndex& e) {
    std::vector<Stm> parts = stored_first(stm, e, names_);
    const auto stored = std::get<ReduceByIndex>(parts.back().exp);
    parts.pop_back();
    std::size_t next = 0, result = 0;
    for (const Histogram& histogram : stored.histograms) {
      const std::size_t taken = histogram.shape.size() + histogram.destinations.size();
      ReduceByIndex one{stored.width, {histogram}, {}, {}};
      for (std::size_t k = next; k < next + taken; ++k) {
        one.arrays.push_back(stored.arrays[k]);
        one.fn.params.push_back(
            names_.fresh_param(stored.fn.params[k].name.base, stored.fn.params[k].type));
        one.fn.body.result.push_back(one.fn.params.back().name);
        one.fn.result_types.push_back(stored.fn.result_types[k]);
      }
      const auto first = stm.pattern.begin() + static_cast<std::ptrdiff_t>(result);
      next += taken;
      result += histogram.destinations.size();
      parts.push_back({{first, first + static_cast<std::ptrdiff_t>(histogram.destinations.size())},
                       std::move(one),
                       stm.origin,
                       stm.attributes});
    }
    return parts;
  }

  bool library_reduces(const Stm& stm, const MapReduce& e) const {
    std::size_t components = 0;
    for (const Operator& op : e.operators) {
      if (!is_functor(op.op, callees_)) return false;
      components += op.neutral.size();
    }
    return e.accumulators.empty() && stm.pattern.size() == components && components > 0 &&
           !needs_memory(e.fn.body, callees_) && is_light(e.fn);
  }

  bool library_scans(const Stm& stm, const MapScan& e) const {
    std::size_t components = 0;
    for (const Operator& op : e.operators) {
      if (!scans_in_library(op.op)) return false;
      components += op.neutral.size();
    }
    return stm.pattern.size() == components && components > 0 && !needs_memory(e.fn.body, callees_) && is_light(e.fn);
  }

  bool is_light(const Lambda& fn) const { return facts::takes_at_most(facts::Works(callees_).of(fn.body), light_work); }

  /// No atomic operation changes several components together.
  bool is_atomic(const Histogram& histogram) const {
    return histogram.destinations.size() == 1 && is_functor(histogram.op, callees_) && !must_not_vary(histogram.op);
  }

  bool scans_in_library(const Lambda& op) const { return is_functor(op, callees_) && !must_not_vary(op); }

  bool must_not_vary(const Lambda& op) const { return order_ == Order::fixed && facts::rounds(op.body); }

  /// All values are for one element: of many threads that store to it none is needed.
  bool goes_to_one_place(const Scatter& e) const {
    return std::all_of(e.indices.begin(), e.indices.end(), [&](const Name& array) {
      return definitions_.replicated(array).has_value();
    });
  }

  /// The operator as a nest of threads, and what is inside of it as nests of one thread each.
  Stm nest(const Stm& stm, Level over) {
    auto nest = to_nest(stm, names_, definitions_, over, Level::thread);
    Stm result{stm.pattern, std::move(*nest), stm.origin, stm.attributes};
    map_bodies(result.exp, [&](Body& body) { inside(body); });
    return result;
  }

  Stm merged(Stm stm) {
    equal_row_as_nest(std::get<Nest>(stm.exp).point.body, Level::thread, names_);
    while (auto nest = perfect_nest(std::get<Nest>(stm.exp))) stm.exp = std::move(*nest);
    return stm;
  }

  void inside(Body& body) {
    for (Stm& stm : body.stms) {
      definitions_.note(stm);
      if (auto nest = to_nest(stm, names_, definitions_, Level::thread, Level::thread))
        stm.exp = std::move(*nest);
      if (auto nest = machine_ == Machine::gpu ? one_addition(stm, Level::thread, definitions_, names_) : std::nullopt) stm.exp = std::move(*nest);
      map_bodies(stm.exp, [&](Body& inner) { inside(inner); });
    }
    if (machine_ == Machine::gpu) sum_by_cell(body, Level::thread, names_, definitions_);
  }

  const facts::Callees& callees_;
  Names& names_;
  Machine machine_;
  Order order_;
  Definitions definitions_;
  facts::Sizes sizes_;
};

}  // namespace

Program flatten(Program program, Machine machine, Order order) {
  const Program original = program;
  const facts::Callees callees(original);
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions) {
    replicate_uniform_literals(function.body);
    if (machine == Machine::gpu) function = distribute(std::move(function), names, callees);
    Flattener(callees, names, machine, order).function(function);
    if (machine == Machine::gpu) compute_scalars_late(function.body, names, callees);
  }
  return program;
}

}  // namespace boustro::parallel
