// Directions of derivatives in the order in which their results are wanted.
//
// Rule      J = map (\i -> jvp f x (direction i)) (iota n); if c then J else concat J[k:n] J[0:k]
//             gives    is = if c then iota n else concat (iota n)[k:n] (iota n)[0:k]; map (\i -> jvp f x (direction i)) is
// Applies   J's rows are arrays, computed by maps and changes of shape from numbers alone, with a derivative among them; nothing else uses
//           J or what is in between; what decides about the places is known before
// Cost      none: n numbers change places instead of n rows
// Source    derived here
//
// Before differentiation, while the directions are still those of a map.
#include "transform/simplify/direction_order.hpp"

#include <algorithm>
#include <optional>

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

template <typename T>
const T* as(const Stm& stm) {
  return std::get_if<T>(&stm.exp);
}

/// Whole rows of the array, some of them.
bool takes_rows(const Stm& stm, const Name& array) {
  const auto* index = as<Index>(stm);
  return index && index->array == array && index->indices.size() == 1 && std::holds_alternative<Slice>(index->indices[0]);
}

/// How the rows of an array change places: as a branch, which is the last statement that knows the array.
class Places {
 public:
  Places(const Body& body, std::size_t branch, const Name& array) : array_(array) {
    const Stm& stm = body.stms[branch];
    const auto* e = as<If>(stm);
    if (!e || stm.pattern.size() != 1) return;
    const bool here = is_order(e->then_body), there = is_order(e->else_body);
    known_ = here && there && moves_;
  }
  bool known() const { return known_; }

 private:
  /// The array itself, or its rows put together in another order; other statements only compute scalars and check them.
  bool is_order(const Body& body) {
    NameSet parts;
    for (const Stm& stm : body.stms) {
      if (takes_rows(stm, array_)) {
        parts.insert(stm.pattern[0].name);
      } else if (const auto* concat = as<Concat>(stm)) {
        const bool of_parts = std::all_of(concat->arrays.begin(), concat->arrays.end(), [&](const Name& name) { return parts.contains(name); });
        if (!of_parts || body.result != std::vector<Atom>{stm.pattern[0].name}) return false;
        moves_ = true;
        return &stm == &body.stms.back();
      } else if (!as<Assert>(stm) && !is_scalar_operation(stm.exp)) {
        return false;
      }
    }
    return body.result == std::vector<Atom>{array_};
  }

  const Name& array_;
  bool known_ = false, moves_ = false;
};

bool differentiates(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    bool found = as<Jvp>(stm) || as<Vjp>(stm);
    for_each_body(stm.exp, [&](const Body& inner) { found = found || differentiates(inner); });
    return found;
  });
}

/// The statements by which the rows come from numbers.
struct Rows {
  std::optional<std::size_t> numbers;  // the iota
  std::vector<std::size_t> makers;     // maps and changes of shape
  bool differentiate = false;
};

class Ordering {
 public:
  explicit Ordering(Program& program) : names_(program) {}

  bool changed = false;

  void body(Body& body) {
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      const auto* branch = as<If>(body.stms[at]);
      if (!branch) continue;
      for (const Body* part : {&branch->then_body, &branch->else_body}) {
        const Name* array = part->result.size() == 1 ? name_in(part->result[0]) : nullptr;
        if (!array || !order(body, at, Name(*array))) continue;
        changed = true;
        break;
      }
    }
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
  }

 private:
  bool order(Body& body, std::size_t branch, const Name& array) {
    const Type& type = names_.type_of(array);
    if (!Places(body, branch, array).known() || type.rank() < 2 || body.stms[branch].pattern[0].type != type) return false;
    Rows rows;
    if (!comes_from_numbers(body, array, rows) || !rows.numbers || !rows.differentiate) return false;
    const std::size_t first = *std::min_element(rows.makers.begin(), rows.makers.end());
    Stm ordered = for_numbers(body.stms[branch], array, body.stms[*rows.numbers].pattern[0].name);
    if (!are_used_alone(body, rows, branch) || !is_known_before(ordered, body, branch, first)) return false;
    move(body, branch, array, rows, first, std::move(ordered));
    return true;
  }

  bool comes_from_numbers(const Body& body, const Name& array, Rows& rows) const {
    const auto maker = std::find_if(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return param.name == array; });
    });
    if (maker == body.stms.end()) return false;
    const auto at = static_cast<std::size_t>(maker - body.stms.begin());
    if (as<Iota>(*maker)) {
      const bool other = rows.numbers && *rows.numbers != at;
      rows.numbers = at;
      return !other;
    }
    if (std::find(rows.makers.begin(), rows.makers.end(), at) != rows.makers.end()) return true;
    rows.makers.push_back(at);
    if (const auto* reshape = as<Reshape>(*maker))
      return reshape->shape[0] == names_.type_of(reshape->array).shape[0] && comes_from_numbers(body, reshape->array, rows);
    const auto* map = as<Map>(*maker);
    if (!map || !map->accumulators.empty()) return false;
    rows.differentiate = rows.differentiate || differentiates(map->fn.body);
    return std::all_of(map->arrays.begin(), map->arrays.end(), [&](const Name& name) { return comes_from_numbers(body, name, rows); });
  }

  /// Nobody else sees what the makers make.
  static bool are_used_alone(const Body& body, const Rows& rows, std::size_t branch) {
    NameSet made;
    for (const std::size_t maker : rows.makers)
      for (const Param& param : body.stms[maker].pattern) made.insert(param.name);
    const auto is_made = [&](const Name& name) { return made.contains(name); };
    for (const Atom& atom : body.result)
      if (const Name* name = name_in(atom); name && is_made(*name)) return false;
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      const bool may = at == branch || std::find(rows.makers.begin(), rows.makers.end(), at) != rows.makers.end();
      const NameSet used = free_names(body.stms[at]);
      if (!may && std::any_of(used.begin(), used.end(), is_made)) return false;
    }
    return true;
  }

  /// The branch for numbers, in place of the rows that follow from them.
  Stm for_numbers(Stm branch, const Name& array, const Name& numbers) {
    branch.pattern[0] = {names_.bind_fresh(numbers.base, names_.type_of(numbers)), names_.type_of(numbers)};
    substitute(branch.exp, {{array, numbers}});
    map_bodies(branch.exp, [](Body& part) {
      for (Stm& stm : part.stms)
        for (Param& param : stm.pattern)
          if (param.type.rank() > 1) param.type = {PrimType::i64, {param.type.shape[0]}};
    });
    return branch;
  }

  static bool is_known_before(const Stm& ordered, const Body& body, std::size_t branch, std::size_t first) {
    NameSet later;
    for (std::size_t at = first; at < branch; ++at)
      for (const Param& param : body.stms[at].pattern) later.insert(param.name);
    const NameSet used = free_names(ordered);
    return std::none_of(used.begin(), used.end(), [&](const Name& name) { return later.contains(name); });
  }

  /// The branch goes to the front.
  static void move(Body& body, std::size_t branch, const Name& array, const Rows& rows, std::size_t first, Stm ordered) {
    const Name numbers = body.stms[*rows.numbers].pattern[0].name, wanted = body.stms[branch].pattern[0].name;
    for (const std::size_t maker : rows.makers) {
      auto* map = std::get_if<Map>(&body.stms[maker].exp);
      if (map) std::replace(map->arrays.begin(), map->arrays.end(), numbers, ordered.pattern[0].name);  // inside, all numbers stay
    }
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(branch));
    for (std::size_t at = branch; at < body.stms.size(); ++at) substitute(body.stms[at], {{wanted, array}});
    for (Atom& atom : body.result)
      if (atom == Atom(wanted)) atom = array;
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(first), std::move(ordered));
  }

  Names names_;
};

}  // namespace

bool order_directions(Program& program) {
  Ordering ordering(program);
  for (Function& function : program.functions) ordering.body(function.body);
  return ordering.changed;
}

}  // namespace boustro::simplify
