// Arrays whose elements follow from their numbers.
//
// Rule      xs = map f (iota n); ... xs[i] ...    gives    ... f i ...
// Applies   f is a few additions and the like, none of which can fail: no more than the load of an element; the array is only ever read element by element, inside of bounds
// Cost      f for each read, instead of a load; the array is never stored
// Source    derived here
//
// Before:  let xs = map (\i -> first + 2 * i) (iota n) in loop s = 0 for i < n do s + ys[xs[i]]
// After:   loop s = 0 for i < n do s + ys[first + 2 * i]
#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// Such an array, and what its element number `index` is.
struct Numbered {
  Name array;
  Lambda element;  // of the number
};

constexpr std::size_t most_operations = 4;  // they take as long as a load that is cached

/// A read of one element that cannot fail.
const Index* read_of(const Stm& stm, const Name& array) {
  const auto* read = std::get_if<Index>(&stm.exp);
  return read && read->array == array && !read->checked && stm.pattern[0].type.is_scalar() ? read : nullptr;
}

bool only_read(const std::vector<Stm>& stms, std::size_t from, const Name& array);

bool only_read(const Stm& stm, const Name& array) {
  if (!free_names(stm).contains(array) || read_of(stm, array)) return true;
  bool itself = false, inside = true;
  for_each_atom(stm.exp, [&](const Atom& atom) { itself = itself || atom == Atom(array); });
  for_each_body(stm.exp, [&](const Body& body) {
    inside = inside && only_read(body.stms, 0, array) && std::find(body.result.begin(), body.result.end(), Atom(array)) == body.result.end();
  });
  return !itself && inside;
}

bool only_read(const std::vector<Stm>& stms, std::size_t from, const Name& array) {
  return std::all_of(stms.begin() + static_cast<std::ptrdiff_t>(from), stms.end(), [&](const Stm& stm) { return only_read(stm, array); });
}

class Numbers {
 public:
  explicit Numbers(Names& names) : names_(names) {}

  bool changed() const { return changed_; }

  void body(Body& body) {
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      const Stm& stm = body.stms[at];
      if (std::holds_alternative<Iota>(stm.exp)) iotas_.insert(stm.pattern[0].name);
      for (std::size_t k = 0; k < stm.pattern.size(); ++k) {
        const auto numbered = numbered_by(stm, k);
        if (!numbered || !free_in(body, at + 1, numbered->array) || !only_read(body.stms, at + 1, numbered->array) || is_result(body, numbered->array)) continue;
        compute(body, at + 1, *numbered);
        changed_ = true;
      }
    }
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
  }

 private:
  static bool is_result(const Body& body, const Name& name) { return std::find(body.result.begin(), body.result.end(), Atom(name)) != body.result.end(); }
  static bool free_in(const Body& body, std::size_t from, const Name& name) {
    return std::any_of(body.stms.begin() + static_cast<std::ptrdiff_t>(from), body.stms.end(), [&](const Stm& stm) { return free_names(stm).contains(name); });
  }

  /// Result number k, if it is such an array.
  std::optional<Numbered> numbered_by(const Stm& stm, std::size_t k) const {
    const auto* map = std::get_if<Map>(&stm.exp);
    const bool numbers = map && map->accumulators.empty() && stm.pattern[k].type.shape.size() == 1 &&
                         std::all_of(map->arrays.begin(), map->arrays.end(), [&](const Name& array) { return iotas_.contains(array); });
    if (!numbers) return std::nullopt;
    Numbered result{stm.pattern[k].name, map->fn};
    result.element.body.result = {map->fn.body.result[k]};
    result.element.result_types = {map->fn.result_types[k]};
    NameSet wanted = names_among(result.element.body.result);
    result.element.body.stms = statements_for(wanted, map->fn.body.stms);
    const std::vector<Stm>& stms = result.element.body.stms;
    const bool quick = std::all_of(stms.begin(), stms.end(), [](const Stm& inner) { return facts::is_quick(inner.exp); });
    return quick && stms.size() <= most_operations ? std::optional(std::move(result)) : std::nullopt;
  }

  void compute(Body& body, std::size_t from, const Numbered& numbered) {
    Builder builder(names_);
    for (std::size_t at = 0; at < body.stms.size(); ++at) {
      Stm& stm = body.stms[at];
      builder.origin = stm.origin;
      const Index* read = at < from ? nullptr : read_of(stm, numbered.array);
      if (!read) {
        if (at >= from) map_bodies(stm.exp, [&](Body& inner) { compute(inner, 0, numbered); });
        builder.stms.push_back(std::move(stm));
        continue;
      }
      const std::vector<Atom> numbers(numbered.element.params.size(), std::get<Atom>(read->indices[0]));
      const std::vector<Atom> value = inline_lambda(builder, rename(numbered.element, names_), numbers);
      builder.let(stm.pattern, AtomExp{value[0]});
    }
    body.stms = std::move(builder.stms);
  }

  Names& names_;
  NameSet iotas_;
  bool changed_ = false;
};

}  // namespace

bool compute_numbered(Program& program) {
  Names names(program);
  Numbers numbers(names);
  for (Function& function : program.functions) numbers.body(function.body);
  return numbers.changed();
}

}  // namespace boustro::fuse
