// Rows that repeat a few elements, as long as they are only taken apart again.
//
// Rule      xs = map (\y -> reshape [n] (replicate q row)) ys; ... reshape [w][m][c] xs ...    gives    rows = map (\y -> row) ys; ... rearrange (1, 0, 2) (replicate m rows) ...
// Applies   row has c elements, c being a literal; xs is only rearranged, stated to have other sizes, and reshaped so that its repeated dimension
//           becomes [m][c]
// Cost      none: w * c elements are stored instead of w * n, and who reads them at each of m points finds that they do not differ
// Source    derived here
//
// Sizes that were stated become assertions. So the directions of a Jacobian in many variables that data have in pairs are stored once a pair.
//
// Before:  let xs = map (\y -> let pair = [y, 1] in flatten (replicate q pair)) ys in map f (transpose xs |> unflatten m 2)
// After:   let rows = map (\y -> [y, 1]) ys in map f (replicate m (transpose rows))
#include <algorithm>
#include <numeric>
#include <optional>

#include "transform/fuse/fuse.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// Views of such an array: dimension i is that of the points (0), or the one that repeats (1).
using Views = std::unordered_map<Name, std::vector<int>>;

/// A result of a map that repeats rows.
struct Repeated {
  std::size_t result = 0;
  std::vector<std::size_t> steps;  // the statements of the lambda that lead from the row to the result, last one first
  Name row;
  Atom length;  // of the row, a literal
};

template <typename T>
const T* as(const Stm* stm) {
  return stm ? std::get_if<T>(&stm->exp) : nullptr;
}

std::optional<std::size_t> definition(const Body& body, const Name& name) {
  for (std::size_t i = 0; i < body.stms.size(); ++i)
    if (body.stms[i].pattern.size() == 1 && body.stms[i].pattern[0].name == name) return i;
  return std::nullopt;
}

class Repeats {
 public:
  explicit Repeats(Program& program) : names_(program) {}

  bool changed = false;

  void body(Body& body) {
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      const auto* map = std::get_if<Map>(&body.stms[at].exp);
      for (std::size_t k = 0; map && k < map->fn.body.result.size(); ++k) {
        const auto repeated = repeated_by(*map, k);
        if (!repeated || !is_taken_apart(body, at, *repeated)) continue;
        store_once(body, at, *repeated);
        changed = true;
        map = std::get_if<Map>(&body.stms[at].exp);
      }
    }
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
  }

 private:
  std::optional<Repeated> repeated_by(const Map& map, std::size_t k) const {
    const Name* name = name_in(map.fn.body.result[k]);
    if (!name || k < map.accumulators.size() || map.fn.result_types[k].rank() != 1) return std::nullopt;
    Repeated result{k, {}, {}, {}};
    for (Name array = *name;;) {
      const auto at = definition(map.fn.body, array);
      if (!at) return std::nullopt;
      const Stm& stm = map.fn.body.stms[*at];
      result.steps.push_back(*at);
      if (const auto* coerce = as<Coerce>(&stm)) {
        array = coerce->array;
      } else if (const auto* reshape = as<Reshape>(&stm)) {
        array = reshape->array;
      } else if (const auto* replicate = as<Replicate>(&stm); replicate && replicate->shape.size() == 1 && result.steps.size() > 1) {
        const Name* row = name_in(replicate->value);
        const Type type = names_.type_of(replicate->value);
        if (!row || type.rank() != 1 || name_in(type.shape[0])) return std::nullopt;
        result.row = *row;
        result.length = type.shape[0];
        return result;
      } else {
        return std::nullopt;
      }
    }
  }

  // ---- Who reads it

  bool is_taken_apart(const Body& body, std::size_t at, const Repeated& repeated) const {
    Views views{{body.stms[at].pattern[repeated.result].name, {0, 1}}};
    return only_taken_apart(body, at + 1, repeated, views);
  }

  bool only_taken_apart(const Body& body, std::size_t from, const Repeated& repeated, Views& views) const {
    for (std::size_t i = from; i < body.stms.size(); ++i) {
      const Stm& stm = body.stms[i];
      if (auto view = view_by(stm, views)) {
        views.emplace(stm.pattern[0].name, std::move(*view));
        continue;
      }
      if (is_last(stm, repeated, views)) continue;
      bool fine = true;
      for_each_atom(stm.exp, [&](const Atom& atom) { fine = fine && !is_view(atom, views); });
      for_each_body(stm.exp, [&](const Body& inner) { fine = fine && only_taken_apart(inner, 0, repeated, views); });
      if (!fine) return false;
    }
    return std::none_of(body.result.begin(), body.result.end(), [&](const Atom& atom) { return is_view(atom, views); });
  }

  static bool is_view(const Atom& atom, const Views& views) {
    const Name* name = name_in(atom);
    return name && views.contains(*name);
  }

  static std::optional<std::vector<int>> view_by(const Stm& stm, const Views& views) {
    const auto* rearrange = as<Rearrange>(&stm);
    const auto* coerce = as<Coerce>(&stm);
    if (!rearrange && !coerce) return std::nullopt;
    const auto found = views.find(rearrange ? rearrange->array : coerce->array);
    if (found == views.end()) return std::nullopt;
    if (coerce) return found->second;
    std::vector<int> result;
    for (const int d : rearrange->permutation) result.push_back(found->second[static_cast<std::size_t>(d)]);
    return result;
  }

  /// The repeated dimension becomes two, of which the second one is a row's; the others stay.
  bool is_last(const Stm& stm, const Repeated& repeated, const Views& views) const {
    const auto* reshape = as<Reshape>(&stm);
    const auto view = reshape ? views.find(reshape->array) : views.end();
    if (view == views.end()) return false;
    const Shape& before = names_.type_of(reshape->array).shape;
    const std::size_t place = view->second[0] == 1 ? 0 : 1;
    return reshape->shape.size() == 3 && reshape->shape[place + 1] == repeated.length &&
           reshape->shape[place == 0 ? 2 : 0] == before[1 - place];
  }

  // ---- The change

  void store_once(Body& body, std::size_t at, const Repeated& repeated) {
    Stm& stm = body.stms[at];
    auto& map = std::get<Map>(stm.exp);
    const Name whole = stm.pattern[repeated.result].name;
    const Type row = names_.type_of(repeated.row);
    Type rows = row;
    rows.shape.insert(rows.shape.begin(), map.width);
    const Name stored = names_.bind_fresh(repeated.row.base, rows);
    stm.pattern[repeated.result] = {stored, rows};
    map.fn.result_types[repeated.result] = row;
    map.fn.body.result[repeated.result] = repeated.row;
    state_sizes(map.fn.body, repeated);
    Views views{{whole, {0, 1}}};
    replace(body, at + 1, repeated, stored, views);
  }

  /// The sizes that the lambda stated of what it repeats.
  void state_sizes(Body& body, const Repeated& repeated) {
    for (const std::size_t step : repeated.steps) {  // from the last one on, so that numbers stay right
      const Stm stm = body.stms[step];
      if (!as<Coerce>(&stm)) continue;
      const std::vector<Stm> checks = assertions(stm);
      body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(step), checks.begin(), checks.end());
    }
  }

  std::vector<Stm> assertions(const Stm& stm) {
    const auto& coerce = std::get<Coerce>(stm.exp);
    const Shape& sizes = names_.type_of(coerce.array).shape;
    Builder builder(names_, stm.origin);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == coerce.shape[d]) continue;
      const Atom equal = builder.cmp("equal", CmpOpKind::eq, sizes[d], coerce.shape[d]);
      builder.assert_that(equal, "size is {} instead of {}", {sizes[d], coerce.shape[d]});
    }
    return std::move(builder.stms);
  }

  void replace(Body& body, std::size_t from, const Repeated& repeated, const Name& stored, Views& views) {
    std::vector<Stm> result(body.stms.begin(), body.stms.begin() + static_cast<std::ptrdiff_t>(from));
    for (std::size_t i = from; i < body.stms.size(); ++i) {
      Stm& stm = body.stms[i];
      if (auto view = view_by(stm, views)) {
        views.emplace(stm.pattern[0].name, std::move(*view));
        if (as<Coerce>(&stm)) append(result, assertions(stm));
      } else if (is_last(stm, repeated, views)) {
        append(result, repeating(stm, stored, views));
      } else {
        map_bodies(stm.exp, [&](Body& inner) { replace(inner, 0, repeated, stored, views); });
        result.push_back(std::move(stm));
      }
    }
    body.stms = std::move(result);
  }

  /// As many rows as it takes, and the dimensions in their places.
  std::vector<Stm> repeating(const Stm& stm, const Name& stored, const Views& views) {
    const auto& reshape = std::get<Reshape>(stm.exp);
    Builder builder(names_, stm.origin);
    if (views.at(reshape.array)[0] == 1) {
      const Name columns = builder.let(stored.base, Rearrange{{1, 0}, stored});
      builder.let(stm.pattern, Replicate{{reshape.shape[0]}, columns});
    } else {
      const Name all = builder.let(stored.base, Replicate{{reshape.shape[1]}, stored});
      builder.let(stm.pattern, Rearrange{{1, 0, 2}, all});
    }
    return std::move(builder.stms);
  }

  static void append(std::vector<Stm>& stms, std::vector<Stm> more) { std::move(more.begin(), more.end(), std::back_inserter(stms)); }

  Names names_;
};

}  // namespace

bool store_repeated_once(Program& program) {
  Repeats repeats(program);
  for (Function& function : program.functions) repeats.body(function.body);
  return repeats.changed;
}

}  // namespace boustro::fuse
