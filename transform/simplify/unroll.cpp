#include "transform/simplify/unroll.hpp"

#include <optional>
#include <set>
#include <unordered_map>

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

constexpr std::int64_t max_unrolled_points = 32;
/// Of a point, on average.
constexpr std::size_t max_statements = 4;

/// Works out what follows from literals in statements that follow each other.
class Known {
 public:
  void run(std::vector<Stm> stms) {
    for (Stm& stm : stms) {
      substitute(stm, values_);
      auto* branch = std::get_if<If>(&stm.exp);
      if (const PrimValue* condition = branch ? literal_in(branch->condition) : nullptr) {
        decisions_.push_back(condition->as_bool());
        take(stm, decisions_.back() ? branch->then_body : branch->else_body);
      } else if (const auto value = value_of_literals(stm.exp)) {
        values_.emplace(stm.pattern[0].name, *value);
      } else if (const auto* copy = std::get_if<AtomExp>(&stm.exp)) {
        values_.emplace(stm.pattern[0].name, Atom(copy->atom));
      } else {
        straight_ = straight_ && !has_bodies(stm.exp);
        rest_.push_back(std::move(stm));
      }
    }
  }

  Atom operator()(const Atom& atom) const { return substitute(atom, values_); }
  /// The other statements.
  std::vector<Stm>& rest() { return rest_; }
  bool is_straight() const { return straight_; }
  /// How branches were decided, in their order.
  const std::vector<bool>& decisions() const { return decisions_; }

 private:
  void take(const Stm& stm, Body& body) {
    run(std::move(body.stms));
    for (std::size_t i = 0; i < stm.pattern.size(); ++i)
      values_.emplace(stm.pattern[i].name, substitute(body.result[i], values_));
  }

  static bool has_bodies(const Exp& exp) {
    bool any = false;
    for_each_body(exp, [&](const Body&) { any = true; });
    return any;
  }

  Substitution values_;
  std::vector<Stm> rest_;
  bool straight_ = true;
  std::vector<bool> decisions_;
};

class SmallMaps {
 public:
  explicit SmallMaps(Program& program) : names_(program) {}

  bool unroll_in(Body& body) {
    bool any = false;
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      map_bodies(stm.exp, [&](Body& inner) { any = unroll_in(inner) || any; });
      if (std::holds_alternative<Iota>(stm.exp)) iotas_.insert(stm.pattern[0].name);
      auto points = unrolled(stm);
      any = any || points;
      if (points)
        stms.insert(stms.end(), std::make_move_iterator(points->begin()), std::make_move_iterator(points->end()));
      else
        stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
    return any;
  }

 private:
  std::optional<std::vector<Stm>> unrolled(const Stm& stm) {
    const auto* map = std::get_if<Map>(&stm.exp);
    const PrimValue* width = map ? literal_in(map->width) : nullptr;
    if (!width || width->as_int() < 1 || width->as_int() > max_unrolled_points) return std::nullopt;
    if (!is_of_index(*map) || !stm.attributes.empty()) return std::nullopt;
    const auto points = static_cast<std::size_t>(width->as_int());
    std::set<std::vector<bool>> cases;
    std::vector<std::vector<Atom>> elements(stm.pattern.size());
    std::vector<Stm> result;
    for (std::size_t i = 0; i < points; ++i) {
      const Atom index = int_atom(static_cast<std::int64_t>(i));
      const Body point = rename(map->fn.body, names_, {{map->fn.params[0].name, index}});
      Known known;
      known.run(point.stms);
      auto& rest = known.rest();
      result.insert(result.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
      const bool small = result.size() <= max_statements * points;
      if (known.decisions().empty() || !known.is_straight() || !small) return std::nullopt;
      cases.insert(known.decisions());
      for (std::size_t k = 0; k < elements.size(); ++k) elements[k].push_back(known(point.result[k]));
    }
    if (2 * cases.size() <= points) return std::nullopt;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      ArrayLiteral literal{map->fn.result_types[k], std::move(elements[k])};
      result.push_back({{stm.pattern[k]}, std::move(literal), stm.origin, {}});
    }
    return result;
  }

  bool is_of_index(const Map& map) const {
    return map.arrays.size() == 1 && map.accumulators.empty() && iotas_.contains(map.arrays[0]) &&
           all_scalar(map.fn.result_types);
  }

  Names names_;
  NameSet iotas_;
};

}  // namespace

bool unroll_small_maps(Program& program) {
  SmallMaps maps(program);
  bool any = false;
  for (Function& function : program.functions) any = maps.unroll_in(function.body) || any;
  return any;
}

}  // namespace boustro::simplify
