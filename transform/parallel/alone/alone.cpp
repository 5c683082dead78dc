// Loops with work for one thread run in one thread.
//
// Rule      let s = loop s = x while c s do step s      gives      let ss = map (\_ -> loop s = x while c s do step s) [0]  let s = ss[0]
//           for statements of the host in a row, one of which is a loop whose steps make arrays
// Why       else the host launches a kernel, or several, for each operation of a step, and waits for each condition
// Applies   where all arrays that the statements make have few elements, by numbers, or are made of rows of few elements that they write
//           one after the other; and they have no more points at a time. They may read any others. Scalars that the host may know come
//           before the row. Small arrays from outside that it consumes are copied
// Never     to loops of scalars, which one thread runs anyway, nor where a size depends on what the same row computes
// Source    derived here
//
// Before:  let x = loop x = [0, 1] for i < n do map (f ts[i]) x
// After:   let xs = map (\_ -> loop x = [0, 1] for i < n do map (f ts[i]) x) (iota 1)  let x = xs[0]
#include <algorithm>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

/// As many points, or elements of an array, as one thread goes through in about the time that it takes to launch a kernel: some
/// microseconds, or a thousand operations one after the other.
constexpr std::int64_t few = 16;

/// The number of points of nested operators, and of elements; more than a few if that is not known.
std::int64_t times(std::int64_t count, const Atom& size) {
  const PrimValue* number = literal_in(size);
  if (!number || number->as_int() < 0 || number->as_int() > few) return few + 1;
  return std::min(count * number->as_int(), few + 1);
}

bool has_few_elements(const Type& type) {
  std::int64_t count = 1;
  for (const Atom& size : type.shape) count = times(count, size);
  return count <= few;
}

/// Sizes that arrays of few-element rows have, and all names that are bound.
struct Mentioned {
  NameSet sizes, bound;
};

/// What the thread does of a row, as opposed to the host before.
struct Inside {
  NameSet names;
  bool may_fail = false;

  void add(const Stm& stm) {
    for (const Param& param : stm.pattern) names.insert(param.name);
    may_fail = may_fail || ir::may_fail(stm.exp);
  }
};

class Alone {
 public:
  Alone(const facts::Callees& callees, Names& names) : callees_(callees), names_(names) {}

  /// Of a body that the host runs.
  void body(Body& body) {
    Stms stms = std::move(body.stms), result;
    body.stms.clear();
    for (std::size_t begin = 0; begin < stms.size();) {
      const std::size_t end = end_of_row(stms, begin);
      if (end == begin) {
        if (std::holds_alternative<If>(stms[begin].exp) || std::holds_alternative<Loop>(stms[begin].exp))
          map_bodies(stms[begin].exp, [&](Body& inner) { this->body(inner); });
        result.push_back(std::move(stms[begin++]));
        continue;
      }
      const auto first = stms.begin() + static_cast<std::ptrdiff_t>(begin), last = stms.begin() + static_cast<std::ptrdiff_t>(end);
      if (std::any_of(first, last, has_loop_of_arrays)) {
        NameSet later = names_among(body.result);
        for (auto stm = last; stm != stms.end(); ++stm) later.merge(free_names(*stm));
        row({std::make_move_iterator(first), std::make_move_iterator(last)}, later, result);
      } else {
        std::move(first, last, std::back_inserter(result));
      }
      begin = end;
    }
    body.stms = std::move(result);
  }

 private:
  /// Behind the statements from `begin` on that one thread can run, as far as their sizes are known before.
  std::size_t end_of_row(const Stms& stms, std::size_t begin) const {
    Inside inside;
    std::size_t end = begin;
    for (; end < stms.size(); ++end) {
      Mentioned mentioned;
      if (!is_small(stms[end], 1, mentioned) || !may_consume(stms[end], inside)) break;
      const auto is_known = [&](const Name& size) { return !inside.names.contains(size) && !mentioned.bound.contains(size); };
      if (!std::all_of(mentioned.sizes.begin(), mentioned.sizes.end(), is_known)) break;
      if (!can_be_early(stms[end], inside)) inside.add(stms[end]);
    }
    return end;
  }

  /// The host may know it, or check it, before the row begins.
  static bool can_be_early(const Stm& stm, const Inside& inside) {
    const bool checks = std::holds_alternative<Assert>(stm.exp) && !inside.may_fail;
    const bool computes = is_scalar_operation(stm.exp) && all_scalar(stm.pattern) && !may_fail(stm.exp);
    const NameSet used = free_names(stm);
    return (checks || computes) && std::none_of(used.begin(), used.end(), [&](const Name& name) { return inside.names.contains(name); });
  }

  /// Small arrays from outside are copied.
  bool may_consume(const Stm& stm, const Inside& inside) const {
    const auto consumed = facts::consumed_by({stm}, callees_);
    return std::all_of(consumed.begin(), consumed.end(), [&](const Name& array) { return inside.names.contains(array) || has_few_elements(names_.type_of(array)); });
  }

  /// Many small rows, which statements of one thread make one after the other.
  static bool may_have_rows(const Stm& stm) {
    return std::holds_alternative<Scratch>(stm.exp) || std::holds_alternative<Replicate>(stm.exp) || std::holds_alternative<Loop>(stm.exp) ||
           std::holds_alternative<Update>(stm.exp) || std::holds_alternative<If>(stm.exp) || std::holds_alternative<AtomExp>(stm.exp);
  }

  /// Work for one thread, of so many points at a time around it.
  bool is_small(const Stm& stm, std::int64_t points, Mentioned& mentioned) const {
    for (const Param& param : stm.pattern) {
      mentioned.bound.insert(param.name);
      if (has_few_elements(param.type)) continue;
      if (points > 1 || !may_have_rows(stm) || !has_few_elements({param.type.elem, {param.type.shape.begin() + 1, param.type.shape.end()}})) return false;
      const Name* size = name_in(param.type.shape[0]);
      if (!size) return false;
      mentioned.sizes.insert(*size);
    }
    if (std::holds_alternative<Sort>(stm.exp)) return false;
    if (const auto* call = std::get_if<Call>(&stm.exp); call && !is_small(callees_.function(call->function).body, points, mentioned)) return false;
    const auto width = operator_width(stm.exp);
    const std::int64_t inside = width ? times(points, *width) : points;
    if (inside > few) return false;
    bool result = true;
    for_each_body(stm.exp, [&](const Body& inner) { result = result && is_small(inner, inside, mentioned); });
    return result;
  }
  bool is_small(const Body& body, std::int64_t points, Mentioned& mentioned) const {
    return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) { return is_small(stm, points, mentioned); });
  }

  /// Its steps make arrays.
  static bool is_loop_of_arrays(const Stm& stm) {
    const auto* loop = std::get_if<Loop>(&stm.exp);
    return loop && !std::all_of(loop->body.stms.begin(), loop->body.stms.end(), [](const Stm& inner) { return all_scalar(inner.pattern); });
  }
  static bool has_loop_of_arrays(const Stm& stm) {
    bool result = is_loop_of_arrays(stm);
    if (std::holds_alternative<If>(stm.exp))
      for_each_body(stm.exp, [&](const Body& inner) { result = result || std::any_of(inner.stms.begin(), inner.stms.end(), has_loop_of_arrays); });
    return result;
  }

  /// What the host may know comes first.
  void row(Stms stms, const NameSet& later, Stms& to) {
    Stms rest;
    Inside inside;
    for (Stm& stm : stms) {
      const bool early = can_be_early(stm, inside);
      if (!early) inside.add(stm);
      (early ? to : rest).push_back(std::move(stm));
    }
    run_alone(std::move(rest), later, to);
  }

  void run_alone(Stms stms, const NameSet& later, Stms& to) {
    Body body;
    Substitution copies;
    for (const Name& array : facts::consumed_by(stms, callees_)) {
      const Type type = names_.type_of(array);
      const Name copy = names_.bind_fresh(array.base, type);
      body.stms.push_back({{Param{copy, type}}, Copy{array}, {}, {}});
      copies.emplace(array, copy);
    }
    for (Stm& stm : stms) substitute(stm, copies);
    std::vector<Param> results;
    for (const Stm& stm : stms)
      for (const Param& param : stm.pattern)
        if (later.contains(param.name)) results.push_back(param);
    const Provenance origin = stms.front().origin;
    body.stms.insert(body.stms.end(), std::make_move_iterator(stms.begin()), std::make_move_iterator(stms.end()));

    Builder b(names_, origin);
    const Name one = b.let("is", Iota{int_atom(1)});
    Lambda fn{{names_.fresh_param("i", scalar(PrimType::i64))}, std::move(body), {}};
    Stm map{{}, Exp(AtomExp{one}), origin, {}};
    Stms elements;
    for (const Param& result : results) {
      fn.body.result.push_back(result.name);
      fn.result_types.push_back(result.type);
      Type type = result.type;
      type.shape.insert(type.shape.begin(), int_atom(1));
      const Name all = names_.bind_fresh(result.name.base, type);
      map.pattern.push_back({all, type});
      elements.push_back({{}, Index{all, {int_atom(0)}, false}, origin, {}});
    }
    // Outside, what comes of it has the names that others know.
    map.exp = Map{int_atom(1), rename(fn, names_), {one}, {}};
    std::move(b.stms.begin(), b.stms.end(), std::back_inserter(to));
    to.push_back(std::move(map));
    for (std::size_t k = 0; k < results.size(); ++k) {
      elements[k].pattern.push_back(results[k]);
      to.push_back(std::move(elements[k]));
    }
  }

  const facts::Callees& callees_;
  Names& names_;
};

}  // namespace

Program run_alone(Program program) {
  const Program original = program;
  const facts::Callees callees(original);
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions)
    if (function.entry) Alone(callees, names).body(function.body);
  return program;
}

}  // namespace boustro::parallel
