// Points in the order of keys.
//
// Rule      #[reorder(keys)] ys = map f xs    gives, with `order` the numbers of the keys in their order,
//             zs = map (\i -> f xs[i]) order,  ys = scatter (undefined) order zs
//           Accumulators go through the map as before: points add in that order. The order is found where the keys are, once for all maps
//           that have it.
//           Who reads ys element by element and may come in that order reads zs: another map with the same keys, or a map without keys that alone
//           reads all of its arrays. Reductions wait for the scatter: those of floats would tell, and as one library call with the map they would
//           have threads that know nothing of their neighbours
// Applies   maps that the host runs. A map in a map keeps its order: there is nothing that neighbours could share
// Cost      a sort, and of each array that the map reads or writes one element a point at a place that data tell
// Source    derived here: order is a permutation, so that each element of ys is written once
//
// Before:      def f [n] (keys: [n]i32) (xs: [n]f64): [n]f64 = #[reorder(keys)] map f64.sin xs
// After:       def f [n] (keys: [n]i32) (xs: [n]f64): [n]f64 = let order = .. in scatter .. order (map (\i -> f64.sin xs[i]) order)
#include "transform/reorder/reorder.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/ir/traversal.hpp"
#include "transform/reorder/order.hpp"

namespace boustro::reorder {

using namespace ir;

namespace {

bool is_reorder(const Attribute& attribute) { return attribute.name == "reorder"; }

/// What may be in the host's hands: other bodies are those of points and operators.
bool is_control(const Exp& exp) {
  return std::holds_alternative<If>(exp) || std::holds_alternative<Loop>(exp) || std::holds_alternative<WithAcc>(exp);
}

/// The keys of a map with the attribute.
const Name* keys_told(const Stm& stm) {
  if (!std::holds_alternative<Map>(stm.exp)) return nullptr;
  const auto attribute = std::find_if(stm.attributes.begin(), stm.attributes.end(), is_reorder);
  return attribute == stm.attributes.end() || attribute->args.empty() ? nullptr : name_in(attribute->args[0]);
}

class Reordering {
 public:
  explicit Reordering(Names& names) : names_(names) {}

  void run(Function& function) {
    find_keys(function.body);
    if (!keys_.empty()) count_uses(function.body);
    rewrite(function.body, function.params);
    drop_attributes(function.body);
  }
  bool found() const { return found_; }

 private:
  void find_keys(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const Name* keys = keys_told(stm)) keys_.insert(*keys);
      if (is_control(stm.exp)) for_each_body(stm.exp, [&](const Body& inner) { find_keys(inner); });
    }
  }

  void count_uses(const Body& body) {
    const auto count = [&](const Atom& atom) {
      if (const Name* name = name_in(atom)) ++uses_[*name];
    };
    for (const Stm& stm : body.stms) {
      for_each_atom(stm.exp, count);
      for_each_body(stm.exp, [&](const Body& inner) { count_uses(inner); });
    }
    for (const Atom& result : body.result) count(result);
  }

  void drop_attributes(Body& body) {
    for (Stm& stm : body.stms) {
      found_ = std::erase_if(stm.attributes, is_reorder) > 0 || found_;
      map_bodies(stm.exp, [&](Body& inner) { drop_attributes(inner); });
    }
  }

  /// `bound`: names that are known from the beginning of the body on, apart from those outside.
  void rewrite(Body& body, const std::vector<Param>& bound) {
    std::vector<Stm> stms;
    find_orders(stms, bound, {});
    for (Stm& stm : body.stms) {
      if (is_control(stm.exp)) rewrite_control(stm.exp);
      const std::vector<Param> pattern = stm.pattern;
      const Provenance origin = stm.origin;
      const Name* keys = keys_told(stm);
      if (!keys) keys = keys_of_arrays(stm);
      if (keys && orders_.contains(*keys)) reorder(stms, stm, *keys);
      else stms.push_back(std::move(stm));
      find_orders(stms, pattern, origin);
    }
    body.stms = std::move(stms);
  }

  void rewrite_control(Exp& exp) {
    std::vector<Param> bound;
    if (auto* loop = std::get_if<Loop>(&exp))
      for (const LoopParam& p : loop->params) bound.push_back(p.param);
    map_bodies(exp, [&](Body& inner) { rewrite(inner, bound); });
  }

  void find_orders(std::vector<Stm>& to, const std::vector<Param>& bound, const Provenance& origin) {
    for (const Param& param : bound) {
      if (!keys_.contains(param.name)) continue;
      Builder b(names_, origin);
      orders_.emplace(param.name, order_of(b, param.name));
      to.insert(to.end(), b.stms.begin(), b.stms.end());
    }
  }

  /// The keys in whose order all of the arrays were made; null if there are others.
  const Name* keys_of(const std::vector<Name>& arrays) const {
    const Name* keys = nullptr;
    for (const Name& array : arrays) {
      const auto known = in_order_.find(array);
      if (known == in_order_.end() || (keys && *keys != known->second.keys)) return nullptr;
      keys = &known->second.keys;
    }
    return keys;
  }

  const Name* keys_of_arrays(const Stm& stm) const {
    const auto* map = std::get_if<Map>(&stm.exp);
    if (!map || !map->accumulators.empty()) return nullptr;
    const Name* keys = keys_of(map->arrays);
    const bool alone = keys && std::all_of(map->arrays.begin(), map->arrays.end(), [&](const Name& array) { return uses_.at(array) == 1; });
    return alone ? keys : nullptr;
  }

  void reorder(std::vector<Stm>& to, const Stm& stm, const Name& keys) {
    const Map& e = std::get<Map>(stm.exp);
    Builder b(names_, stm.origin);
    Name order = orders_.at(keys);
    if (names_.type_of(order).shape[0] != e.width) order = b.let("order", Coerce{{e.width}, order});
    Stm sorted{{}, in_order(b, e, keys, order), stm.origin, stm.attributes};
    const std::size_t accumulators = e.accumulators.size();
    std::vector<Stm> behind;
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      const Param& result = stm.pattern[i];
      if (i < accumulators) {
        sorted.pattern.push_back(result);
        continue;
      }
      sorted.pattern.push_back(names_.fresh_param(result.name.base, result.type));
      const Name values = sorted.pattern.back().name;
      Builder scattering(names_, stm.origin);
      const Name blank = scattering.let("blank", Scratch{result.type.elem, result.type.shape});
      scattering.let({result}, Scatter{e.width, {order}, {blank}, {values}});
      behind.insert(behind.end(), scattering.stms.begin(), scattering.stms.end());
      in_order_.insert_or_assign(result.name, InOrder{keys, values});
    }
    to.insert(to.end(), b.stms.begin(), b.stms.end());
    to.push_back(std::move(sorted));
    to.insert(to.end(), behind.begin(), behind.end());
  }

  /// The map over the numbers of points, and over arrays that are in their order already.
  Map in_order(const Builder& b, const Map& e, const Name& keys, const Name& order) {
    const std::size_t accumulators = e.accumulators.size();
    Map map{e.width, {{}, {}, e.fn.result_types}, {order}, e.accumulators};
    map.fn.params.assign(e.fn.params.begin(), e.fn.params.begin() + static_cast<std::ptrdiff_t>(accumulators));
    const Param place = names_.fresh_param("place", scalar(PrimType::i64));
    map.fn.params.push_back(place);
    Builder reads(names_, b.origin);
    for (std::size_t i = 0; i < e.arrays.size(); ++i) {
      const Param& x = e.fn.params[accumulators + i];
      const auto known = in_order_.find(e.arrays[i]);
      if (known != in_order_.end() && known->second.keys == keys) {
        map.arrays.push_back(known->second.values);
        map.fn.params.push_back(x);
      } else {
        reads.let({{x.name, x.type}}, Index{e.arrays[i], {Atom(place.name)}, false});
      }
    }
    map.fn.body.stms = std::move(reads.stms);
    map.fn.body.stms.insert(map.fn.body.stms.end(), e.fn.body.stms.begin(), e.fn.body.stms.end());
    map.fn.body.result = e.fn.body.result;
    return map;
  }

  struct InOrder {
    Name keys, values;
  };

  Names& names_;
  NameSet keys_;                              // of maps of the host
  std::unordered_map<Name, Name> orders_;     // of keys
  std::unordered_map<Name, InOrder> in_order_;  // of an array that a map of those keys made: the same, as the map made it
  std::unordered_map<Name, int> uses_;
  bool found_ = false;
};

}  // namespace

bool reorder_points(Program& program) {
  Names names(program);
  bool found = false;
  for (Function& function : program.functions) {
    Reordering reordering(names);
    reordering.run(function);
    found = reordering.found() || found;
  }
  return found;
}

}  // namespace boustro::reorder
