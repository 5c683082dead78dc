#include "core_programs.hpp"

#include <cmath>

namespace boustro::ir::testing {
namespace {

constexpr PrimType real = PrimType::f64;
using Atoms = std::vector<Atom>;
using Params = std::vector<Name>;

Atom mul(Builder& b, Atom x, Atom y, std::string_view base = "product") {
  return b.binop(base, BinOpKind::mul, x, y);
}
Atom add(Builder& b, Atom x, Atom y, std::string_view base = "sum") {
  return b.binop(base, BinOpKind::add, x, y);
}
Atom sub(Builder& b, Atom x, Atom y, std::string_view base = "difference") {
  return b.binop(base, BinOpKind::sub, x, y);
}

Operator adding(Builder& b) { return {binop_lambda(b, BinOpKind::add, real), {f64(0)}, true}; }

/// sum_t (p[t] - c[t])^2
Name distance(Builder& b, const Name& d, const Name& p, const Name& c) {
  const Lambda square =
      b.lambda({{"x", scalar(real)}, {"y", scalar(real)}}, [&](Builder& inner, const Params& xy) {
        const Atom difference = sub(inner, xy[0], xy[1]);
        return Atoms{mul(inner, difference, difference, "square")};
      });
  return b.let("dist", MapReduce{d, {adding(b)}, square, {p, c}, {}});
}

}  // namespace

TestProgram nearest_cost() {
  TestProgram p;
  FunctionMaker f = p.function("cost");
  const Name n = f.size("n"), k = f.size("k"), d = f.size("d");
  const Name points = f.param("points", array(real, {n, d})),
             centres = f.param("centres", array(real, {k, d}));
  const Lambda least =
      f.lambda({{"point", array(real, {d})}}, [&](Builder& b, const Params& point) {
        const Lambda to_centre =
            b.lambda({{"centre", array(real, {d})}}, [&](Builder& inner, const Params& centre) {
              return Atoms{distance(inner, d, point[0], centre[0])};
            });
        const Operator min{binop_lambda(b, BinOpKind::min, real), {f64(INFINITY)}, true};
        return Atoms{b.let("min_dist", MapReduce{k, {min}, to_centre, {centres}, {}})};
      });
  f.returns({f.let("cost", MapReduce{n, {adding(f)}, least, {points}, {}})});
  return p;
}

TestProgram centres_adjoint() {
  TestProgram p;
  FunctionMaker f = p.function("adjoint");
  const Name n = f.size("n"), k = f.size("k"), d = f.size("d");
  const Name points = f.param("points", array(real, {n, d})),
             centres = f.param("centres", array(real, {k, d}));
  const Type index = scalar(PrimType::i64);

  const Lambda nearest_of =
      f.lambda({{"point", array(real, {d})}}, [&](Builder& b, const Params& point) {
        const Name js = b.let("js", Iota{k});
        const Lambda numbered = b.lambda({{"centre", array(real, {d})}, {"j", index}},
                                         [&](Builder& inner, const Params& c) {
                                           return Atoms{distance(inner, d, point[0], c[0]), c[1]};
                                         });
        const Lambda nearer =
            b.lambda({{"x", scalar(real)}, {"i", index}, {"y", scalar(real)}, {"j", index}},
                     [&](Builder& inner, const Params& a) {
                       const Atom less = inner.cmp("less", CmpOpKind::lt, a[2], a[0]);
                       const auto chosen = inner.let_all(
                           {"least", "argmin"}, If{less, {{}, {a[2], a[3]}}, {{}, {a[0], a[1]}}});
                       return Atoms{chosen[0], chosen[1]};
                     });
        const auto results = b.let_all(
            {"min_dist", "argmin"},
            MapReduce{k, {{nearer, {f64(INFINITY), i64(-1)}, false}}, numbered, {centres, js}, {}});
        return Atoms{results[1]};
      });
  const Name nearest = f.let("nearest", Map{n, nearest_of, {points}, {}});

  const Name zeros = f.let("zeros", Replicate{{k, d}, f64(0)});
  const Type accumulator{real, {k, d}, true};
  const Lambda collect = f.lambda({{"acc", accumulator}}, [&](Builder& b, const Params& acc) {
    const Lambda each = b.lambda(
        {{"acc", accumulator}, {"point", array(real, {d})}, {"j", index}},
        [&](Builder& inner, const Params& a) {
          const Name ts = inner.let("ts", Iota{d});
          const Lambda cell = inner.lambda(
              {{"acc", accumulator}, {"x", scalar(real)}, {"t", index}},
              [&](Builder& innermost, const Params& c) {
                // The row is read only if there is one.
                const Atom some = innermost.cmp("some", CmpOpKind::le, i64(0), a[2]);
                Builder then(innermost.names);
                const Atom centre = then.index("centre", centres, {a[2], c[2]});
                const Atom adj = mul(then, f64(-2), sub(then, c[1], centre), "adj");
                const Name added = then.let("acc", UpdateAcc{c[0], {a[2], c[2]}, adj, true});
                return Atoms{innermost.let("acc", If{some, {then.stms, {added}}, {{}, {c[0]}}})};
              });
          return Atoms{inner.let("acc", Map{d, cell, {a[1], ts}, {a[0]}})};
        });
    return Atoms{b.let("acc", Map{n, each, {points, nearest}, {acc[0]}})};
  });
  const Name adj = f.let("centres_adj", WithAcc{{{zeros, AddUp{}}}, collect});
  f.returns({nearest, adj});
  return p;
}

TestProgram prefix_products() {
  TestProgram p;
  FunctionMaker f = p.function("products_vjp");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(real, {n})), ys_adj = f.param("ys_adj", array(real, {n}));
  const Name ys = f.let("ys", Scan{n, binop_lambda(f, BinOpKind::mul, real), {f64(1)}, {xs}});

  // From the last to the first: r -> d + c * r, composed.
  const Name from_ends = f.let("from_ends", Iota{n});
  const Lambda linear =
      f.lambda({{"from_end", scalar(PrimType::i64)}}, [&](Builder& b, const Params& i) {
        const Atom last = sub(b, n, i64(1), "last");
        const Atom at = sub(b, last, i[0], "i");
        const Atom d = b.index("d", ys_adj, {at});
        const Atom first = b.cmp("first", CmpOpKind::eq, i[0], i64(0));
        Builder other(b.names);
        const Atom next = add(other, at, i64(1), "next");
        const Name x = other.index("x", xs, {next});
        return Atoms{d, b.let("c", If{first, {{}, {f64(0)}}, {other.stms, {x}}})};
      });
  const Type s = scalar(real);
  const Lambda compose =
      f.lambda({{"d1", s}, {"c1", s}, {"d2", s}, {"c2", s}}, [&](Builder& b, const Params& a) {
        return Atoms{add(b, a[2], mul(b, a[3], a[0])), mul(b, a[3], a[1])};
      });
  const auto composed = f.let_all(
      {"rs_adj", "cs"}, MapScan{n, {{compose, {f64(0), f64(1)}, false}}, linear, {from_ends}});

  const Name is = f.let("is", Iota{n});
  const Lambda last_step =
      f.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const Params& i) {
        const Atom from_end = sub(b, sub(b, n, i64(1)), i[0], "from_end");
        const Name r = b.index("r_adj", composed[0], {from_end});
        const Atom first = b.cmp("first", CmpOpKind::eq, i[0], i64(0));
        Builder other(b.names);
        const Name y = other.index("y", ys, {sub(other, i[0], i64(1))});
        const Atom product = mul(other, r, y);
        return Atoms{b.let("x_adj", If{first, {{}, {r}}, {other.stms, {product}}})};
      });
  f.returns({ys, f.let("xs_adj", Map{n, last_step, {is}, {}})});
  return p;
}

TestProgram growth_adjoint() {
  TestProgram p;
  FunctionMaker f = p.function("growth");
  const Name n = f.size("n");
  const Name steps = f.param("steps", scalar(PrimType::i64));
  const Name rs = f.param("rs", array(real, {n})), y0s = f.param("y0s", array(real, {n}));
  const Atom length = f.binop("length", BinOpKind::max, steps, i64(0));
  const Type s = scalar(real);
  const auto step = [](Builder& b, Atom r, Atom y) {
    const Atom rate = mul(b, mul(b, f64(0.01), r), y);
    return add(b, y, mul(b, rate, sub(b, f64(1), y)), "y");
  };
  const Lambda each = f.lambda({{"r", s}, {"y0", s}}, [&](Builder& b, const Params& a) {
    const Name kept = b.let("ys_start", Scratch{real, {length}});
    Builder forward(b.names);
    const Param y = b.names.fresh_param("y", s),
                ys = b.names.fresh_param("ys", array(real, {length}), true);
    const Name i = b.names.bind_fresh("i", scalar(PrimType::i64));
    const Name stored = forward.let("ys", Update{ys.name, {Atom{i}}, y.name, false});
    const Atom next = step(forward, a[0], y.name);
    const auto states = b.let_all({"y_end", "ys"}, Loop{{{y, a[1]}, {ys, kept}},
                                                        ForLoop{i, PrimType::i64, steps},
                                                        {forward.stms, {next, stored}}});
    Builder back(b.names);
    const Param r_adj = b.names.fresh_param("r_adj", s), y_adj = b.names.fresh_param("y_adj", s);
    const Name j = b.names.bind_fresh("j", scalar(PrimType::i64));
    const Atom at = sub(back, sub(back, length, i64(1)), j, "at");
    const Name state = back.index("y", states[1], {at});
    const Atom rest = sub(back, f64(1), state);
    const Atom to_r = mul(back, mul(back, mul(back, f64(0.01), state), rest), y_adj.name);
    const Atom slope = sub(back, f64(1), mul(back, f64(2), state));
    const Atom to_y = mul(back, mul(back, mul(back, f64(0.01), a[0]), slope), y_adj.name);
    const Atom new_r = add(back, r_adj.name, to_r), new_y = add(back, y_adj.name, to_y);
    const auto adjoints = b.let_all({"r_adj", "y_adj"}, Loop{{{r_adj, f64(0)}, {y_adj, f64(1)}},
                                                             ForLoop{j, PrimType::i64, steps},
                                                             {back.stms, {new_r, new_y}}});
    return Atoms{adjoints[0], adjoints[1]};
  });
  const auto results = f.let_all({"rs_adj", "y0s_adj"}, Map{n, each, {rs, y0s}, {}});
  f.returns({results[0], results[1]});
  return p;
}

TestProgram recurrent() {
  TestProgram p;
  FunctionMaker f = p.function("recurrent");
  const Name t = f.size("t"), b_ = f.size("b");
  const Name weights = f.param("weights", array(real, {b_})),
             start = f.param("start", array(real, {b_}));
  const Name sequence = f.param("sequence", array(real, {t, b_}));
  const Type s = scalar(real);
  Builder body(f.names);
  const Param state = f.names.fresh_param("state", array(real, {b_})),
              total = f.names.fresh_param("total", s);
  const Name i = f.names.bind_fresh("i", scalar(PrimType::i64));
  const Name row = body.let("row", Index{sequence, {Atom{i}}, false});
  const Lambda cell = body.lambda({{"h", s}, {"x", s}, {"w", s}}, [&](Builder& b, const Params& a) {
    return Atoms{b.math("h", MathFn::tanh, {add(b, mul(b, a[0], a[2]), a[1])})};
  });
  const Name next = body.let("state", Map{b_, cell, {state.name, row, weights}, {}});
  const Name sum = body.let(
      "row_sum", Reduce{b_, binop_lambda(body, BinOpKind::add, real), {f64(0)}, {next}, true});
  const Atom more = add(body, total.name, sum, "total");
  const auto results = f.let_all({"last", "total"}, Loop{{{state, start}, {total, f64(0)}},
                                                         ForLoop{i, PrimType::i64, t},
                                                         {body.stms, {next, more}}});
  f.returns({results[0], results[1]});
  return p;
}

TestProgram writes_by_index() {
  TestProgram p;
  FunctionMaker f = p.function("writes");
  const Name n = f.size("n"), m = f.size("m");
  const Type index = scalar(PrimType::i64);
  const Name is = f.param("is", array(PrimType::i64, {n})), xs = f.param("xs", array(real, {n}));
  const Name yss = f.param("yss", array(real, {n, m}));
  const Name zeros = f.let("zeros", Replicate{{m}, f64(0)});
  const Lambda pairs = f.lambda({{"i", index}, {"x", scalar(real)}},
                                [](Builder&, const Params& a) { return Atoms{a[0], a[1]}; });
  const Histogram adding_up{{m}, {zeros}, binop_lambda(f, BinOpKind::add, real), {f64(0)}};
  const Name sums = f.let("sums", ReduceByIndex{n, {adding_up}, pairs, {is, xs}});
  const Name ones = f.let("ones", Replicate{{m}, f64(1)});
  const Histogram multiplying{{m}, {ones}, binop_lambda(f, BinOpKind::mul, real), {f64(1)}};
  const Name products =
      f.let("products", ReduceByIndex{n, {multiplying}, rename(pairs, f.names), {is, xs}});
  const Name blank = f.let("blank", Replicate{{m}, i64(7)});
  const Name scattered = f.let("scattered", Scatter{n, {is}, {blank}, {is}});
  const Name transposed = f.let("transposed", Rearrange{{1, 0}, yss});
  const Lambda twice = f.lambda({{"row", array(real, {n})}}, [&](Builder& b, const Params& row) {
    const Lambda one = b.lambda({{"y", scalar(real)}}, [](Builder& inner, const Params& y) {
      return Atoms{add(inner, y[0], y[0])};
    });
    return Atoms{b.let("doubled", Map{n, one, {row[0]}, {}})};
  });
  const Name doubled = f.let("doubled", Map{m, twice, {transposed}, {}});
  const Name joined = f.let("joined", Concat{n, {xs}});
  f.returns({sums, products, scattered, doubled, joined, transposed});
  return p;
}

TestProgram gather() {
  TestProgram p;
  FunctionMaker f = p.function("gather");
  const Name n = f.size("n"), m = f.size("m");
  const Name is = f.param("is", array(PrimType::i64, {n})), xs = f.param("xs", array(real, {m}));
  const Lambda read = f.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const Params& i) {
    return Atoms{b.index("x", xs, {i[0]}, true)};
  });
  f.returns({f.let("ys", Map{n, read, {is}, {}})});
  return p;
}

}  // namespace boustro::ir::testing
