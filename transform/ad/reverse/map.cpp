// Reverse mode: map.
//
// Rule      ys = map f xs    gives    one map whose function runs f's forward sweep again, then its return sweep:
//             xs_adj[i] += the adjoint of f's parameter
//             a_adj     += all additions to the adjoint of an array a that is free in f, by an accumulator
//             s_adj     += sum of the contributions to a scalar s that is free in f
// Applies   every map, accumulators among its operands included
//           With #[reorder(keys)] its points come in that order, too
// Cost      that of f once more where f's results are needed; in perfect nests that is dead code. Results of inner
//           reductions are kept by the forward map: ad/keep.hpp
// Source    [AD], 5.4 and 4.1
//
// Before:      def f [n] (xs: [n]f64): [n]f64 = map f64.sin xs
// After vjp:   def f_vjp [n] (xs: [n]f64) (ys_adj: [n]f64): [n]f64 =
//                map2 (\x y_adj -> y_adj * f64.cos x) xs ys_adj
#include <algorithm>

#include "transform/ad/keep.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class MapReversal {
 public:
  MapReversal(Reverse& r, const Stm& stm, const Map& map)
      : r_(r), stm_(stm), map_(map), b_(r.builder(stm, "reverse_map")), inner_(r.names, b_.origin) {}

  Sweeps run() {
    name_operands();
    const Adjoints outside = r_.adjoints;
    ++r_.map_depth;
    sweep_function();
    collect_results();
    const Stm forward = keep_results();
    Sweeps sweeps{std::move(sizes_), {}};
    sweeps.forward.push_back(forward);
    --r_.map_depth;
    r_.adjoints = outside;
    make_return_map();
    sweeps.reverse = std::move(b_.stms);
    return sweeps;
  }

 private:
  /// A name that is free in the function, and how its adjoint comes out.
  struct Free {
    Name name;
    Param accumulator;   // of an array: the parameter
    bool is_new = false; // the accumulator is made here rather than further outside
    Name operand;        // the accumulator outside of the map, if it is not new
    Atom result;         // of the function: the accumulator, or a scalar's contribution
  };

  bool is_array(const Name& name) const { return !r_.names.type_of(name).shape.empty(); }
  std::size_t accumulators() const { return map_.accumulators.size(); }

  void name_operands() {
    for (const Param& p : map_.fn.params) bound_.insert(p.name);
    for (const Name& name : active_free_names(r_, map_.fn.body, bound_)) {
      Free& free = free_.emplace_back();
      free.name = name;
      if (!is_array(name)) continue;
      Type type = r_.adjoints.type_of(name);
      type.accumulator = true;
      free.accumulator = r_.names.fresh_param(adj_name(name), type);
      if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(name))) free.operand = acc->accumulator;
      else free.is_new = true;
    }
    // The adjoints of array results become inputs, those of accumulators hold for every element.
    for (std::size_t i = 0; i < stm_.pattern.size(); ++i) {
      const Name& y = stm_.pattern[i].name;
      if (r_.adjoints.is_zero(y)) continue;
      const Atom y_adj = r_.adjoints.take(b_, y);
      if (i < accumulators()) {
        accumulator_adjoints_.emplace_back(i, y_adj);
        continue;
      }
      const Name array = std::get<Name>(y_adj);
      const Param element = r_.names.fresh_param(element_name(i), row_type(r_.names.type_of(array)));
      result_adjoints_.push_back({i, array, element});
    }
  }

  std::string element_name(std::size_t result) const {
    const Name* name = name_in(map_.fn.body.result.at(result));
    return name ? adj_name(*name) : "y_adj";
  }

  /// Both sweeps of the function, with its own names; they are renamed when the lambda is closed.
  void sweep_function() {
    for (const Free& free : free_) {
      if (is_array(free.name)) r_.adjoints.set(free.name, AccumulatedAdjoint{free.accumulator.name});
      else r_.adjoints.set(free.name, ZeroAdjoint{});
    }
    for (const auto& [i, adjoint] : accumulator_adjoints_)
      r_.adjoints.set(std::get<Name>(map_.fn.body.result[i]), DenseAdjoint{adjoint});
    for (const auto& [i, array, element] : result_adjoints_)
      r_.adjoints.add(inner_, map_.fn.body.result[i], element.name, false);
    Sweeps sweeps = sweep(r_, map_.fn.body.stms);
    forward_ = std::move(sweeps.forward);
    inner_.add(sweeps.reverse);
  }

  void collect_results() {
    for (Free& free : free_) {
      if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(free.name))) {
        if (acc->accumulator == free.accumulator.name) continue;
        free.result = acc->accumulator;
        arrays_.push_back(free);
      } else if (!r_.adjoints.is_zero(free.name)) {
        free.result = r_.adjoints.take(inner_, free.name);
        scalars_.push_back(free);
      }
    }
    for (std::size_t i = 0; i < map_.arrays.size(); ++i) {
      const Name& x = map_.fn.params[accumulators() + i].name;
      if (!r_.adjoints.is_zero(x)) params_.emplace_back(map_.arrays[i], r_.adjoints.take(inner_, x));
    }
    for (const Stm& stm : forward_)
      for (const Param& p : stm.pattern) bound_.insert(p.name);
  }

  /// The forward statement, which yields what is to be kept as further arrays.
  Stm keep_results() {
    Stm forward = stm_;
    Map& map = std::get<Map>(forward.exp);
    const Kept kept = choose_kept(r_, forward_, {inner_.stms, {}}, bound_);
    if (kept.names.empty()) return forward;
    if (kept.asked) forward.attributes.push_back({"keep", {}});
    sizes_ = kept.sizes;
    for (const Stm& size : sizes_) erase_definition(forward_, size.pattern[0].name);
    map.fn.body.stms = forward_;
    for (const Name& name : kept.names) {
      const Type type = r_.names.type_of(name);
      const auto& results = map_.fn.body.result;
      const auto same = std::find(results.begin(), results.end(), Atom(name));
      Name array;
      if (same != results.end()) {
        array = stm_.pattern[static_cast<std::size_t>(same - results.begin())].name;
      } else {
        const Param param = r_.names.fresh_param(name.base + "_kept", array_of(map_.width, type));
        array = param.name;
        forward.pattern.push_back(param);
        map.fn.body.result.push_back(unconsumed(map.fn.body.stms, name));
        map.fn.result_types.push_back(type);
      }
      kept_.push_back({array, {name, r_.names.type_of(array).shape.size() > 0
                                         ? row_type(r_.names.type_of(array))
                                         : type,
                               false}});
    }
    return forward;
  }

  /// The value, or a copy of it made where it is bound if it may be consumed, under another name perhaps, behind that.
  Name unconsumed(std::vector<Stm>& stms, const Name& name) const {
    const Type& type = r_.names.type_of(name);
    const auto definition = std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) {
      return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) { return p.name == name; });
    });
    const bool may_be_consumed = !type.is_scalar() && definition != stms.end() &&
                                 facts::Aliases(stms, r_.derivation.callees).is_consumed(name);
    if (!may_be_consumed) return name;
    Builder copying(r_.names, definition->origin);
    const Atom copy = fresh_copy(copying, name.base, name);
    stms.insert(definition + 1, copying.stms.begin(), copying.stms.end());
    return std::get<Name>(copy);
  }

  void make_return_map() {
    Map map{map_.width, {}, {}, {}};
    for (const Free& free : arrays_) add_result(map, free.result);
    for (const auto& [array, adjoint] : params_) add_result(map, adjoint);
    for (const Free& free : scalars_) add_result(map, free.result);
    if (map.fn.body.result.empty()) return hand_on_accumulators();

    NameSet needed = free_names(Body{{}, map.fn.body.result});
    std::vector<Stm> forward = forward_;
    std::vector<Name> kept;
    for (const auto& [array, param] : kept_) kept.push_back(param.name);
    erase_kept(forward, kept);
    map.fn.body.stms = reexecution(r_, forward, inner_.stms, needed);
    map.fn.body.stms.insert(map.fn.body.stms.end(), inner_.stms.begin(), inner_.stms.end());

    for (const Free& free : arrays_) map.fn.params.push_back(free.accumulator);
    for (std::size_t i = 0; i < map_.arrays.size(); ++i) {
      const Param& param = map_.fn.params[accumulators() + i];
      if (needed.contains(param.name)) add_input(map, map_.arrays[i], {param.name, param.type, false});
    }
    for (const auto& [array, param] : kept_)
      if (needed.contains(param.name)) add_input(map, array, param);
    for (const auto& [i, array, element] : result_adjoints_) add_input(map, array, element);
    map.fn = closed(r_, std::move(map.fn));
    bind_results(std::move(map));
    hand_on_accumulators();
  }

  void add_result(Map& map, const Atom& result) {
    map.fn.body.result.push_back(result);
    map.fn.result_types.push_back(r_.names.type_of(result));
  }

  static void add_input(Map& map, const Name& array, const Param& param) {
    map.arrays.push_back(array);
    map.fn.params.push_back(param);
  }

  /// Emits the map, inside of a with_acc if it has new accumulators, and adds what it yields.
  void bind_results(Map map) {
    std::vector<std::string> bases;
    WithAcc with_acc;
    for (const Free& free : arrays_) {
      bases.push_back(adj_name(free.name));
      map.accumulators.push_back(free.operand);
    }
    for (const auto& [array, adjoint] : params_) bases.push_back(adj_name(array));
    for (const Free& free : scalars_) bases.push_back(adj_name(free.name) + "s");

    // New accumulators come first out of the with_acc, so find out which they are.
    std::vector<std::size_t> order;
    for (const bool is_new : {true, false})
      for (std::size_t i = 0; i < bases.size(); ++i)
        if ((i < arrays_.size() && arrays_[i].is_new) == is_new) order.push_back(i);
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (!arrays_[i].is_new) continue;
      const Param param = r_.names.fresh_param(bases[i], arrays_[i].accumulator.type);
      map.accumulators[i] = param.name;
      with_acc.fn.params.push_back(param);
      with_acc.inputs.push_back({std::get<Name>(r_.adjoints.take_owned(b_, arrays_[i].name)), AddUp{}});
    }
    if (with_acc.inputs.empty()) return add_results(bind_map(b_, bases, std::move(map)));

    Builder body(r_.names, b_.origin);
    const std::vector<Name> results = bind_map(body, bases, std::move(map));
    std::vector<std::string> ordered_bases;
    for (const std::size_t i : order) {
      ordered_bases.push_back(bases[i]);
      with_acc.fn.body.result.push_back(results[i]);
      with_acc.fn.result_types.push_back(r_.names.type_of(results[i]));
    }
    with_acc.fn.body.stms = std::move(body.stms);
    const std::vector<Name> outer = b_.let_all(ordered_bases, std::move(with_acc));
    std::vector<Name> in_order(outer.size());
    for (std::size_t i = 0; i < order.size(); ++i) in_order[order[i]] = outer[i];
    add_results(in_order);
  }

  /// The points of the return map come in the same order.
  std::vector<Name> bind_map(Builder& b, const std::vector<std::string>& bases, Map map) {
    const std::vector<Name> results = b.let_all(bases, std::move(map));
    for (const Attribute& attribute : stm_.attributes)
      if (attribute.name == "reorder") b.stms.back().attributes.push_back(attribute);
    return results;
  }

  void add_results(const std::vector<Name>& results) {
    std::size_t next = 0;
    for (const Free& free : arrays_) {
      const Name& result = results[next++];
      if (free.is_new) r_.adjoints.set(free.name, DenseAdjoint{result, true});
      else r_.adjoints.set(free.name, AccumulatedAdjoint{result});
    }
    for (const auto& [array, adjoint] : params_) r_.adjoints.add(b_, array, results[next++]);
    for (const Free& free : scalars_)
      r_.adjoints.add(b_, free.name, sum_of_rows(b_, adj_name(free.name), results[next++]));
  }

  /// An accumulator that the map updates has the same adjoint before as after.
  void hand_on_accumulators() {
    for (const auto& [i, adjoint] : accumulator_adjoints_)
      r_.adjoints.set(map_.accumulators[i], DenseAdjoint{adjoint});
  }

  struct ResultAdjoint {
    std::size_t result;
    Name array;
    Param element;
  };

  Reverse& r_;
  const Stm& stm_;
  const Map& map_;
  Builder b_, inner_;
  NameSet bound_;
  std::vector<Free> free_, arrays_, scalars_;  // all; those with a contribution
  std::vector<std::pair<std::size_t, Atom>> accumulator_adjoints_;
  std::vector<ResultAdjoint> result_adjoints_;
  std::vector<std::pair<Name, Atom>> params_;  // array, adjoint of the element
  std::vector<std::pair<Name, Param>> kept_;   // array, element
  std::vector<Stm> forward_, sizes_;  // of the function; computed before the map
};

}  // namespace

Sweeps reverse_map(Reverse& r, const Stm& stm, const Map& map) {
  if (auto sweeps = reverse_map_sparse(r, stm, map)) return std::move(*sweeps);
  return MapReversal(r, stm, map).run();
}

}  // namespace boustro::ad
