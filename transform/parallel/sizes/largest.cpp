#include "transform/parallel/sizes/largest.hpp"

#include <algorithm>

#include "transform/ir/params.hpp"
#include "transform/simplify/dead_code.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

const Atom no_size = PrimValue::of_int(PrimType::i64, 0);

/// Gives what binds the size one more result: its largest value.
class Largest {
 public:
  Largest(Name size, Names& names) : size_(std::move(size)), names_(names) {}

  /// The last result of the body; false if there is a construct around the size of which that is not known.
  bool in(Body& body) {
    for (Stm& stm : body.stms) {
      if (binds(stm.pattern, size_)) {
        body.result.push_back(size_);
        return true;
      }
      if (!is_inside(stm)) continue;
      const Param result = fresh();
      if (!in(stm, result)) return false;
      body.result.push_back(result.name);
      return true;
    }
    return false;
  }

  /// Of all elements, as the result of a reduction.
  bool reduced(MapReduce& e, std::size_t place) {
    if (!in(e.fn)) return false;
    const Atom value = e.fn.body.result.back();
    e.fn.body.result.pop_back();
    const auto at = static_cast<std::ptrdiff_t>(place);
    e.fn.body.result.insert(e.fn.body.result.begin() + at, value);
    e.fn.result_types.insert(e.fn.result_types.begin() + at, size_type);
    Builder builder(names_);
    Lambda larger = builder.lambda({{"x", size_type}, {"y", size_type}}, [](Builder& inner, const std::vector<Name>& of) {
      return std::vector<Atom>{inner.binop("larger", BinOpKind::max, of[0], of[1])};
    });
    e.operators.push_back({std::move(larger), {no_size}, true});
    return true;
  }

 private:
  Param fresh() { return names_.fresh_param(size_.base + "_max", size_type); }

  bool in(Lambda& fn) {
    if (!binds(fn.params, size_)) return in(fn.body);
    fn.body.result.push_back(size_);
    return true;
  }

  bool is_inside(const Stm& stm) const {
    bool result = false;
    if (const auto* loop = std::get_if<Loop>(&stm.exp)) result = binds(params_of(*loop), size_);
    for_each_lambda(stm.exp, [&](const Lambda& fn) { result = result || binds(fn.params, size_); });
    for_each_body(stm.exp, [&](const Body& body) {
      for (const Stm& inner : body.stms) result = result || binds(inner.pattern, size_) || is_inside(inner);
    });
    return result;
  }

  bool in(Stm& stm, const Param& result) {
    return match(
        stm.exp, [&](If& e) { return branch(stm, e, result); }, [&](Loop& e) { return loop(stm, e, result); },
        [&](Map& e) {
          MapReduce reduced_map{e.width, {}, std::move(e.fn), std::move(e.arrays), std::move(e.accumulators)};
          const bool done = map(stm, reduced_map, result);
          stm.exp = std::move(reduced_map);
          return done;
        },
        [&](MapReduce& e) { return map(stm, e, result); }, [](auto&) { return false; });
  }

  bool branch(Stm& stm, If& e, const Param& result) {
    const bool first = in(e.then_body), second = !first && in(e.else_body);
    if (first) e.else_body.result.push_back(no_size);
    if (second) e.then_body.result.push_back(no_size);
    stm.pattern.push_back(result);
    return first || second;
  }

  bool loop(Stm& stm, Loop& e, const Param& result) {
    if (binds(params_of(e), size_)) {
      e.body.result.push_back(size_);
    } else if (!in(e.body)) {
      return false;
    }
    const Param so_far = fresh();
    Builder builder(names_, stm.origin);
    const Atom larger = builder.binop(so_far.name.base, BinOpKind::max, so_far.name, e.body.result.back());
    e.body.stms.insert(e.body.stms.end(), builder.stms.begin(), builder.stms.end());
    e.body.result.back() = larger;
    e.params.push_back({so_far, no_size, false});
    stm.pattern.push_back(result);
    return true;
  }

  bool map(Stm& stm, MapReduce& e, const Param& result) {
    std::size_t place = e.accumulators.size();
    for (const Operator& op : e.operators) place += op.neutral.size();
    stm.pattern.insert(stm.pattern.begin() + static_cast<std::ptrdiff_t>(place), result);
    return reduced(e, place);
  }

  Name size_;
  Names& names_;
};

/// Statements whose last result is the largest value of the size that one run of `fn` has. Where `fn` adds to
/// accumulators they are others, that nobody reads.
std::optional<std::vector<Stm>> inspection(const Stm& stm, const Name& size, Names& names) {
  Builder builder(names, stm.origin);
  MapReduce e = match(
      stm.exp, [](const Map& m) { return MapReduce{m.width, {}, m.fn, m.arrays, m.accumulators}; },
      [](const MapReduce& m) { return MapReduce{m.width, {}, m.fn, m.arrays, m.accumulators}; },
      [](const MapScan& m) { return MapReduce{m.width, {}, m.fn, m.arrays, {}}; },
      [](const ReduceByIndex& m) { return MapReduce{m.width, {}, m.fn, m.arrays, {}}; },
      [](const auto&) { return MapReduce{}; });
  const std::size_t accumulators = e.accumulators.size();
  e.fn.body.result.resize(accumulators);
  e.fn.result_types.resize(accumulators);
  Largest largest(size, names);
  if (!largest.reduced(e, accumulators)) return std::nullopt;
  std::vector<Param> pattern;
  const Param result = names.fresh_param(size.base + "_max", size_type);
  if (accumulators == 0) {
    builder.let({result}, std::move(e));
    return builder.stms;
  }
  WithAcc around;
  for (Name& accumulator : e.accumulators) {
    const Type type = names.type_of(accumulator);
    around.inputs.push_back({builder.let(accumulator.base, Scratch{type.elem, type.shape}), AddUp{}});
    around.fn.params.push_back(names.fresh_param(accumulator.base, type));
    around.fn.result_types.push_back(type);
    accumulator = around.fn.params.back().name;
    pattern.push_back(names.fresh_param(accumulator.base, type));
    around.fn.body.result.push_back(pattern.back().name);
  }
  pattern.push_back(names.fresh_param(result.name.base, size_type));
  around.fn.body.result.push_back(pattern.back().name);
  around.fn.result_types.push_back(size_type);
  around.fn.body.stms.push_back({pattern, std::move(e), stm.origin, {}});
  pattern.clear();
  for (const AccumulatorInput& input : around.inputs)
    pattern.push_back(names.fresh_param(input.destination.base, names.type_of(input.destination)));
  pattern.push_back(result);
  builder.let(pattern, std::move(around));
  return builder.stms;
}

void drop_checks(Body& body) {
  std::erase_if(body.stms, [](const Stm& stm) { return std::holds_alternative<Assert>(stm.exp); });
  for (Stm& stm : body.stms) map_bodies(stm.exp, drop_checks);
}

/// Whether elements are read that checks are to find inside, or a loop might go on for ever without them.
bool relies_on_checks(const Body& body) {
  bool result = false;
  for (const Stm& stm : body.stms) {
    const auto* index = std::get_if<Index>(&stm.exp);
    const auto* loop = std::get_if<Loop>(&stm.exp);
    result = result || (index && !index->checked) || (loop && !std::holds_alternative<ForLoop>(loop->form));
    for_each_body(stm.exp, [&](const Body& inner) { result = result || relies_on_checks(inner); });
  }
  return result;
}

/// Without accumulators, what stood around their additions needs no scope of its own.
Body opened(Body body) {
  const auto* around = std::get_if<WithAcc>(&body.stms.back().exp);
  if (!around || !around->inputs.empty()) return body;
  const Body inside = around->fn.body;
  body.stms.pop_back();
  body.stms.insert(body.stms.end(), inside.stms.begin(), inside.stms.end());
  body.result = inside.result;
  return body;
}

void add_called(const Body& body, NameSet& called) {
  for (const Stm& stm : body.stms) {
    if (const auto* call = std::get_if<Call>(&stm.exp)) called.insert(call->function);
    for_each_body(stm.exp, [&](const Body& inner) { add_called(inner, called); });
  }
}

/// What the last result of the statements needs.
Body without_dead_code(Body body, const Program& program, const Names& names) {
  NameSet called;
  add_called(body, called);
  Program part = program;
  for (Function& function : part.functions) {
    function.entry.reset();
    if (called.contains(function.name)) function.entry.emplace();  // so that its parameters and results stay
  }
  Function whole;
  whole.name = {"inspection", 0};
  whole.result_types = {size_type};
  whole.body = std::move(body);
  for (const Name& name : free_names(whole.body)) whole.params.push_back({name, names.type_of(name)});
  whole.entry.emplace();
  part.functions.push_back(std::move(whole));
  simplify::remove_dead_code(part);
  return opened(std::move(part.functions.back().body));
}

/// The same without the checks, which the operator itself makes, if nothing relies on them.
Body needed(const std::vector<Stm>& stms, const Program& program, const Names& names) {
  const Body body{stms, {stms.back().pattern.back().name}};
  Body unchecked = body;
  drop_checks(unchecked);
  unchecked = without_dead_code(std::move(unchecked), program, names);
  return relies_on_checks(unchecked) ? without_dead_code(body, program, names) : unchecked;
}

}  // namespace

std::optional<Body> largest_value(const Stm& stm, const Name& size, const Program& program, Names& names) {
  const auto stms = inspection(stm, size, names);
  if (!stms) return std::nullopt;
  return needed(*stms, program, names);
}

}  // namespace boustro::parallel
