// Reverse mode: strip-mined loops, which keep fewer states and run steps more often.
//
// Rule      #[stripmine(k)] loop x = x0 for i < n do e    gives, with r the k-th root of n, rounded up,
//             loop x = x0 for c < ceil(max n 1 / r^(k-1)) do #[stripmine(k-1)] loop x for j < (rest, at most r^(k-1)) do e,
//             where i = c r^(k-1) + j; loop.cpp differentiates that, and keeps no states of inner loops
// Applies   for loops with the attribute, k > 1, and while loops that also have #[bound(n)]: c and j then count loops that run
//             while the loop goes on, and x = x0 .. while c for n iterations at most is cut into the same chunks
// Cost      keeps k times the k-th root of n states; runs each step k times forwards
// Source    [AD], 4.3
//
// Before:      def f (n: i64) (x: f64): f64 = #[stripmine(2)] loop y = x for i < n do y * f64.sin y
// After vjp:   def f_vjp (n: i64) (x: f64) (y_adj: f64): f64 =
//                let r = i64.f64 (f64.ceil (f64.sqrt (f64.i64 (i64.max n 1))))
//                let chunk y c = loop y for j < i64.min r (n - c * r) do y * f64.sin y
//                in vjp (\x -> loop y = x for c < (n + r - 1) / r do chunk y c) x y_adj
#include <algorithm>
#include <cmath>

#include "transform/ad/iteration_log.hpp"
#include "transform/ad/reverse/loop.hpp"
#include "transform/ad/reverse/loop_bound.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Of so many levels, three steps each are a thousand million: more levels would keep more states, not fewer, and with more than 62
/// the size of chunks would overflow.
constexpr std::int64_t max_depth = 19;

std::int64_t stripmine_depth(const Stm& stm) {
  for (const Attribute& attribute : stm.attributes) {
    if (attribute.name != "stripmine" || attribute.args.empty()) continue;
    if (const PrimValue* depth = literal_in(attribute.args[0])) return std::min(depth->as_int(), max_depth);
  }
  return 1;
}

Atom power(Builder& b, const Atom& x, std::int64_t k) {
  Atom result = int_atom(1);
  for (std::int64_t i = 0; i < k; ++i)
    result = i == 0 ? x : b.binop("power", BinOpKind::mul, result, x);
  return result;
}

/// Its power fits into 64 bits.
std::int64_t large_root(std::int64_t k) {
  return static_cast<std::int64_t>(std::pow(0x1p63, 1.0 / static_cast<double>(k))) - 1;
}

/// Of n >= 1 the root, rounded up; of numbers with more than 53 bits it may be one less, or one more. A power is not rounded as a root is: the
/// nearest number to it is the root, rounded up, or one less.
Atom integer_root(Builder& b, const Atom& n, std::int64_t k) {
  const Atom real = b.convert("root", PrimType::f64, n);
  if (k == 2) return b.convert("chunk_size", PrimType::i64, b.math("root", MathFn::ceil, {b.math("root", MathFn::sqrt, {real})}));
  const Atom root = b.binop("root", BinOpKind::pow, real, PrimValue::of_float(PrimType::f64, 1.0 / static_cast<double>(k)));
  const Atom rounded = b.convert("root", PrimType::i64, b.math("root", MathFn::round, {root}));
  // Bounded, so that whoever translates this knows that nothing overflows.
  const Atom nearest = b.binop("root", BinOpKind::max, int_atom(1),
                               b.binop("root", BinOpKind::min, rounded, int_atom(large_root(k))));
  const Atom is_short = b.cmp("is_short", CmpOpKind::lt, power(b, nearest, k), n);
  return b.binop("chunk_size", BinOpKind::add, nearest, b.convert("more", PrimType::i64, is_short));
}

/// Of at most so many iterations.
struct Chunks {
  Atom size, count;
};

Chunks chunks_of(Builder& b, const Atom& bound, std::int64_t depth) {
  // A loop that does not run has one chunk, of no steps.
  const Atom at_least_one = b.binop("some_trips", BinOpKind::max, bound, int_atom(1));
  const Atom chunk_size = power(b, integer_root(b, at_least_one, depth), depth - 1);
  const Atom last = b.binop("last_trip", BinOpKind::sub, at_least_one, int_atom(1));
  const Atom chunks = b.binop("chunks", BinOpKind::add,
                              b.binop("last_chunk", BinOpKind::div, last, chunk_size), int_atom(1));
  return {chunk_size, chunks};
}

/// The loop over steps of a chunk, to be mined one time less, and the parameters of the loop over chunks, which hands its own on.
Loop over_chunks(Names& names, Stm& inner, std::int64_t depth) {
  Loop outer_loop;
  Loop& inner_loop = std::get<Loop>(inner.exp);
  for (Attribute& attribute : inner.attributes)
    if (attribute.name == "stripmine") attribute.args = {int_atom(depth - 1)};
  for (std::size_t i = 0; i < inner_loop.params.size(); ++i) {
    LoopParam& p = inner_loop.params[i];
    const Param param = names.fresh_param(p.param.name.base, p.param.type, p.param.unique);
    outer_loop.params.push_back({param, p.init, p.true_dep});
    p.init = param.name;
    inner.pattern[i].name = names.bind_fresh(inner.pattern[i].name.base, inner.pattern[i].type);
    outer_loop.body.result.push_back(inner.pattern[i].name);
  }
  return outer_loop;
}

std::vector<Stm> stripmined_for(Reverse& r, const Stm& stm, const ForLoop& form, std::int64_t depth) {
  Builder b = r.forward_builder(stm, "reverse_loop_stripmine");
  const PrimType type = form.type;
  const Atom bound = as_i64(b, form.bound);
  const Atom n = b.binop("trips", BinOpKind::max, bound, int_atom(0));
  const Chunks chunks = chunks_of(b, bound, depth);

  const Name chunk = r.names.bind_fresh("chunk", scalar(PrimType::i64));
  Builder outer(r.names, b.origin);
  const Atom start = outer.binop("start", BinOpKind::mul, chunk, chunks.size);
  const Atom length = outer.binop("length", BinOpKind::min, chunks.size,
                                  outer.binop("rest", BinOpKind::sub, n, start));
  const Name step = r.names.bind_fresh("j", scalar(PrimType::i64));
  Builder index(r.names, b.origin);
  const Atom position = index.binop("i", BinOpKind::add, start, step);
  const Exp as_index = type == PrimType::i64 ? Exp(AtomExp{position})
                                             : Exp(Convert{PrimType::i64, type, position});
  index.let({{form.index, scalar(type), false}}, as_index);

  Stm inner = stm;
  Loop& inner_loop = std::get<Loop>(inner.exp);
  inner_loop.form = ForLoop{step, PrimType::i64, length};
  inner_loop.body.stms.insert(inner_loop.body.stms.begin(), index.stms.begin(), index.stms.end());
  Loop outer_loop = over_chunks(r.names, inner, depth);
  outer_loop.form = ForLoop{chunk, PrimType::i64, chunks.count};
  outer.add(std::move(inner));
  outer_loop.body.stms = std::move(outer.stms);
  b.let(stm.pattern, std::move(outer_loop));
  return b.stms;
}

/// A chunk ends with its last step, with the loop, or when there were as many steps as the bound says.
std::vector<Stm> stripmined_while(Reverse& r, const Stm& stm, const WhileLoop& form, std::int64_t depth) {
  Builder b = r.forward_builder(stm, "reverse_loop_stripmine");
  const Type number = scalar(PrimType::i64), flag = scalar(PrimType::boolean);
  const Atom n = as_i64(b, *bound_of(stm));
  const Chunks chunks = chunks_of(b, n, depth);

  Stm inner = stm;
  Loop& inner_loop = std::get<Loop>(inner.exp);
  const auto place = static_cast<std::size_t>(
      std::find_if(inner_loop.params.begin(), inner_loop.params.end(), [&](const LoopParam& p) { return p.param.name == form.condition; }) -
      inner_loop.params.begin());
  const Progress first = progress(b, inner_loop.params.at(place).init, int_atom(0), n);
  Stm outer_stm{stm.pattern, over_chunks(r.names, inner, depth), b.origin, {{"bound", {chunks.count}}}};
  const Param start = r.names.fresh_param("start", number), more_chunks = r.names.fresh_param("goes_on", flag),
              is_bounded = r.names.fresh_param("is_bounded", flag);
  const Param step = r.names.fresh_param("j", number), more_steps = r.names.fresh_param("goes_on", flag);

  Builder end(r.names, b.origin);
  const Atom next = end.binop("j", BinOpKind::add, step.name, int_atom(1));
  const Progress later = progress(end, inner_loop.body.result.at(place), end.binop("i", BinOpKind::add, start.name, next), n);
  const Progress in_chunk = progress(end, later.goes_on, next, chunks.size);
  inner_loop.body.stms.insert(inner_loop.body.stms.end(), end.stms.begin(), end.stms.end());
  inner_loop.form = WhileLoop{more_steps.name};
  const Name steps = add_param(r.names, inner, step, int_atom(0), next);
  add_param(r.names, inner, more_steps, PrimValue::of_bool(true), in_chunk.goes_on);
  const Name still_wanted = inner.pattern.at(place).name;
  for (Attribute& attribute : inner.attributes)
    if (attribute.name == "bound") attribute.args = {chunks.size};

  Builder outer(r.names, b.origin);
  outer.add(std::move(inner));
  const Atom done = outer.binop("start", BinOpKind::add, start.name, steps);
  const Progress after = progress(outer, still_wanted, done, n);
  add_param(r.names, outer_stm, start, int_atom(0), done);
  add_param(r.names, outer_stm, more_chunks, first.goes_on, after.goes_on);
  const Name holds = add_param(r.names, outer_stm, is_bounded, first.is_bounded, after.is_bounded);
  Loop& outer_loop = std::get<Loop>(outer_stm.exp);
  outer_loop.form = WhileLoop{more_chunks.name};
  outer_loop.body.stms = std::move(outer.stms);
  b.add(std::move(outer_stm));
  assert_bound(b, holds, n);
  return b.stms;
}

}  // namespace

std::optional<std::vector<Stm>> stripmined_loop(Reverse& r, const Stm& stm, const Loop& loop) {
  const std::int64_t depth = stripmine_depth(stm);
  if (depth <= 1) return std::nullopt;
  if (const auto* form = std::get_if<ForLoop>(&loop.form)) return stripmined_for(r, stm, *form, depth);
  if (bound_of(stm)) return stripmined_while(r, stm, std::get<WhileLoop>(loop.form), depth);
  return std::nullopt;
}

}  // namespace boustro::ad
