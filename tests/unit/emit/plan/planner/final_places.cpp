// Which arrays are made where they are stored, and which must not be.
#include "emit/plan/planner/final_places.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/verify.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::final_places_tests {
namespace {

using namespace ir;
using namespace ir::testing;

/// main (xss: *[2][n]f64) (zs: [n]f64) (i, j: i64), which ends with an update of xss.
struct Rows : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Type row = array(PrimType::f64, {n});
  Name xss = f.param("xss", array(PrimType::f64, {i64(2), n}), true);
  Name zs = f.param("zs", row);
  Name i = f.param("i", scalar(PrimType::i64)), j = f.param("j", scalar(PrimType::i64));

  Name part(const Atom& at) { return f.let("part", Index{xss, {at, all()}, false}); }
  Slice all() const { return {i64(0), n, i64(1)}; }
  /// What a map makes of it.
  Name map_of(const Name& array) {
    const Lambda twice = f.lambda({{"x", scalar(PrimType::f64)}}, [](Builder& b, const std::vector<Name>& p) {
      return std::vector<Atom>{b.binop("y", BinOpKind::add, p[0], p[0])};
    });
    return f.let("made", Map{n, twice, {array}, {}});
  }
  /// map (\i -> read i) (iota n)
  template <typename Read>
  Name counted(Read read) {
    const Name indices = f.let("is", Iota{n});
    const Lambda fn = f.lambda({{"i", scalar(PrimType::i64)}},
                               [&](Builder& b, const std::vector<Name>& p) { return std::vector<Atom>{read(b, p[0])}; });
    return f.let("made", Map{n, fn, {indices}, {}});
  }
  void store(const Atom& at, const Name& array) {
    xss = f.let("xss", Update{xss, {at, all()}, array, false});
  }
  Name sum_of(const Name& array) {
    return f.let("sum", Reduce{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {array}, true});
  }

  /// Where the first array of this name is made: in an array, or on its own. `used`: arrays of others that are needed meanwhile.
  std::string place(std::vector<Atom> results = {}, std::vector<std::string>* used = nullptr) {
    results.insert(results.begin(), xss);
    f.returns(results);
    BOOST_REQUIRE(verify(program).empty());
    const ir::Program flat = parallel::choose(parallel::flatten(program, parallel::Machine::gpu));
    const ir::Function& main = flat.functions[0];
    const facts::Callees callees(flat);
    const Uses uses(main);
    const FinalPlaces places(main.body.stms, uses, callees);
    for (std::size_t at = 0; at < main.body.stms.size(); ++at) {
      for (const ir::Param& param : main.body.stms[at].pattern) {
        if (param.name.base != "made") continue;
        const auto stored = places.of(at, param.name);
        if (stored && used)
          for (const Name& name : stored->used) used->push_back(name.base);
        return stored ? stored->into.base : "its own";
      }
    }
    return "nowhere";
  }
};

/// Of each state of the program's loop: "in place", if it is made where it was, else "elsewhere".
std::vector<std::string> states(const std::string& text) {
  std::string reasons;
  auto program = tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = parallel::Machine::cpu;
  std::vector<Pass> passes = translate_passes(options);
  std::erase_if(passes, [](const Pass& pass) { return pass.name == "point_loops"; });  // it would run each point by itself
  const ir::Program flat = run_pipeline(passes, std::move(*program), options);
  const facts::Callees callees(flat);
  for (const Stm& stm : flat.functions.back().body.stms) {
    const auto* loop = std::get_if<ir::Loop>(&stm.exp);
    if (!loop) continue;
    std::vector<std::string> result;
    for (std::size_t i = 0; i < loop->params.size(); ++i)
      result.push_back(is_remade_in_place(*loop, i, callees) ? "in place" : "elsewhere");
    return result;
  }
  BOOST_FAIL("no loop");
  return {};
}

using Places = std::vector<std::string>;
const std::string two_arrays = "entry main [n] (k: i64) (xs: [n]f64) (ys: [n]f64) =\n";
const std::string rows = "entry main [n] [m] (k: i64) (xss: [n][m]f64) : [n][m]f64 =\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(final_places)

BOOST_AUTO_TEST_CASE(a_row_is_made_where_it_is_stored) {
  Rows p;
  p.store(i64(0), p.map_of(p.zs));
  std::vector<std::string> used;
  BOOST_TEST(p.place({}, &used) == "xss");
  BOOST_TEST((std::find(used.begin(), used.end(), "zs") != used.end()));
}

BOOST_AUTO_TEST_CASE(in_the_place_of_what_its_elements_are_made_of) {
  Rows p;
  p.store(p.i, p.map_of(p.part(p.i)));
  BOOST_TEST(p.place() == "xss");
}

BOOST_AUTO_TEST_CASE(not_while_other_elements_of_that_are_read) {
  Rows p;
  const Name part = p.part(p.i);
  const Atom last = p.f.binop("last", BinOpKind::sub, p.n, i64(1));
  p.store(p.i, p.counted([&](Builder& b, const Name& k) {
    return b.index("x", part, {b.binop("back", BinOpKind::sub, last, k)});
  }));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(not_while_a_scan_reads_that) {
  Rows p;
  const Name part = p.part(p.i);
  p.store(p.i, p.f.let("made", Scan{p.n, binop_lambda(p.f, BinOpKind::add, PrimType::f64), {f64(0)}, {part}}));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(not_if_that_is_read_later) {
  Rows p;
  const Name part = p.part(p.i);
  const Name made = p.map_of(part);
  const Name sum = p.sum_of(part);
  p.store(p.i, made);
  BOOST_TEST(p.place({sum}) == "its own");
}

BOOST_AUTO_TEST_CASE(another_part_may_be_read) {
  for (const std::int64_t other : {0, 1}) {
    Rows p;
    const Name part = p.part(i64(other));
    const Name made = p.map_of(p.zs);
    const Name sum = p.sum_of(part);
    p.store(i64(0), made);
    BOOST_TEST(p.place({sum}) == (other == 1 ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(another_part_if_it_is_known_to_be_another) {
  Rows p;
  p.store(p.i, p.map_of(p.part(p.j)));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(parts_may_differ_in_a_later_index) {
  for (const std::int64_t other : {0, 1}) {
    Rows rows;
    const Name n = rows.n;
    rows.xss = rows.f.param("xsss", array(PrimType::f64, {n, i64(2), n}), true);
    const Name part = rows.f.let("part", Index{rows.xss, {rows.i, i64(other), rows.all()}, false});
    const Name made = rows.map_of(rows.zs);
    const Name sum = rows.sum_of(part);
    rows.xss = rows.f.let("xsss", Update{rows.xss, {rows.i, i64(0), rows.all()}, made, false});
    BOOST_TEST(rows.place({sum}) == (other == 1 ? "xsss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(not_while_the_whole_array_is_read) {
  Rows p;
  p.store(i64(0), p.counted([&](Builder& b, const Name& k) { return b.index("x", p.xss, {i64(0), k}); }));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(not_if_it_is_needed_elsewhere) {
  Rows p;
  const Name made = p.map_of(p.zs);
  p.store(i64(0), made);
  BOOST_TEST(p.place({made}) == "its own");
}

BOOST_AUTO_TEST_CASE(other_parts_may_be_written_meanwhile) {
  for (const std::int64_t other : {0, 1}) {
    Rows p;
    const Name made = p.map_of(p.zs);
    p.store(i64(other), p.zs);
    p.store(i64(0), made);
    BOOST_TEST(p.place() == (other == 1 ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(it_may_be_updated_before) {
  Rows p;
  const Name made = p.map_of(p.zs);
  p.store(i64(0), p.f.let("made", Update{made, {i64(0)}, f64(1), false}));
  BOOST_TEST(p.place() == "xss");
}

BOOST_AUTO_TEST_CASE(it_may_be_the_state_of_a_loop_that_updates_it) {
  for (const bool in_place : {true, false}) {
    Rows p;
    const Name made = p.map_of(p.zs);
    const Param state = p.names.fresh_param("state", p.row, true), k = p.names.fresh_param("k", scalar(PrimType::i64));
    Builder body(p.names);
    const Name next = in_place ? body.let("next", Update{state.name, {i64(0)}, f64(1), false})
                               : body.let("next", Replicate{{p.n}, f64(2)});
    const Name last = p.f.let("last", Loop{{{state, made}}, ForLoop{k.name, PrimType::i64, p.j}, {body.stms, {next}}});
    p.store(i64(0), last);
    BOOST_TEST(p.place() == (in_place ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(a_part_of_another_array_is_made_already) {
  Rows p;
  p.store(i64(0), p.f.let("made", Index{p.zs, {p.all()}, false}));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(what_is_written_to_another_array_stays_there) {
  Rows p;
  const Name copy = p.f.let("copied", Copy{p.zs});
  const Name is = p.f.let("is", Iota{p.n});
  p.store(i64(0), p.f.let("made", Scatter{p.n, {is}, {copy}, {p.zs}}));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(only_loops_that_update_make_arrays) {
  for (const bool in_place : {true, false}) {
    Rows p;
    const Name start = p.f.let("start", Copy{p.zs});
    const Param state = p.names.fresh_param("state", p.row, true), k = p.names.fresh_param("k", scalar(PrimType::i64));
    Builder body(p.names);
    const Name next = in_place ? body.let("next", Update{state.name, {i64(0)}, f64(1), false})
                               : body.let("next", Replicate{{p.n}, f64(2)});
    p.store(i64(0), p.f.let("made", Loop{{{state, start}}, ForLoop{k.name, PrimType::i64, p.j}, {body.stms, {next}}}));
    BOOST_TEST(p.place() == (in_place ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(what_stands_between_reads_another_part_at_most) {
  for (const std::int64_t other : {0, 1}) {
    Rows p;
    const Name made = p.map_of(p.zs);
    const Name part = p.part(i64(other));
    const Name twice = p.map_of(part);
    p.store(i64(0), made);
    BOOST_TEST(p.place({twice}) == (other == 1 ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(an_array_must_be_there_before_its_part) {
  Rows p;
  const Name made = p.map_of(p.zs);
  p.xss = p.f.let("copied", Copy{p.xss});
  p.store(i64(0), made);
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(an_array_that_was_updated_is_the_same) {
  for (const bool is_read : {false, true}) {
    Rows p;
    p.store(i64(1), p.zs);
    const Name part = p.part(i64(0));
    const Name made = p.map_of(p.zs);
    const Atom sum = is_read ? Atom(p.sum_of(part)) : i64(0);
    p.store(i64(0), made);
    BOOST_TEST(p.place({sum}) == (is_read ? "its own" : "xss"));
  }
}

/// An accumulator starts where it is stored, unless somebody reads that meanwhile.
BOOST_AUTO_TEST_CASE(equal_elements_are_made_where_sums_of_them_are_stored) {
  for (const bool is_read : {false, true}) {
    Rows p;
    const Name is = p.f.let("is", Iota{p.n});
    const Name made = p.f.let("made", Replicate{{p.n}, f64(0)});
    Type type = p.row;
    type.accumulator = true;
    const Name part = p.part(i64(0));
    const Lambda fn = p.f.lambda({{"acc", type}}, [&](Builder& b, const std::vector<Name>& accs) {
      const Lambda each = b.lambda({{"acc", type}, {"i", scalar(PrimType::i64)}}, [&](Builder& c, const std::vector<Name>& q) {
        const Name x = c.index("x", is_read ? part : p.zs, {q[1]});
        return std::vector<Atom>{c.let("acc", UpdateAcc{q[0], {c.binop("half", BinOpKind::quot, q[1], i64(2))}, x, false})};
      });
      return std::vector<Atom>{b.let("acc", Map{p.n, each, {is}, {accs[0]}})};
    });
    p.store(i64(0), p.f.let("sums", WithAcc{{{made, AddUp{}}}, fn}));
    BOOST_TEST(p.place() == (is_read ? "its own" : "xss"));
  }
}

// ---- Arrays with several uses

BOOST_AUTO_TEST_CASE(what_is_stored_may_be_read_beside) {
  for (const bool before : {true, false}) {
    Rows p;
    const Name made = p.map_of(p.zs);
    const Atom first = before ? Atom(p.sum_of(made)) : i64(0);
    p.store(i64(0), made);
    BOOST_TEST(p.place({first, p.sum_of(made)}) == "xss");
  }
}

BOOST_AUTO_TEST_CASE(not_if_it_is_updated_by_itself) {
  Rows p;
  const Name made = p.map_of(p.zs);
  p.store(i64(0), made);
  BOOST_TEST(p.place({p.f.let("other", Update{made, {i64(0)}, f64(1), false})}) == "its own");
}

BOOST_AUTO_TEST_CASE(not_if_the_part_is_written_again) {
  Rows p;
  const Name made = p.map_of(p.zs);
  p.store(i64(0), made);
  p.store(i64(0), p.zs);
  BOOST_TEST(p.place({p.sum_of(made)}) == "its own");
}

BOOST_AUTO_TEST_CASE(in_the_first_of_two_parts) {
  Rows p;
  const Name other = p.f.param("other", array(PrimType::f64, {i64(2), p.n}), true);
  const Name made = p.map_of(p.zs);
  p.store(i64(0), made);
  const Name stored = p.f.let("other", Update{other, {i64(1), p.all()}, made, false});
  BOOST_TEST(p.place({stored}) == "xss");
}

// ---- Parts that are apart

BOOST_AUTO_TEST_CASE(the_next_row_is_another) {
  for (const std::int64_t step : {0, 1}) {
    Rows p;
    const Name part = p.part(p.i);
    const Name made = p.counted([&](Builder& b, const Name& k) {
      return b.index("x", part, {b.binop("back", BinOpKind::sub, p.n, b.binop("next", BinOpKind::add, k, i64(1)))});
    });
    p.store(p.f.binop("row", BinOpKind::add, p.i, i64(step)), made);
    BOOST_TEST(p.place() == (step == 1 ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(rows_may_be_picked_by_the_maker) {
  for (const std::int64_t other : {0, 1}) {
    Rows p;
    p.store(i64(0), p.counted([&](Builder& b, const Name& k) { return b.index("x", p.xss, {i64(other), k}); }));
    BOOST_TEST(p.place() == (other == 1 ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(rows_may_be_picked_in_branches_of_the_maker) {
  for (const std::int64_t other : {0, 1}) {
    Rows p;
    p.store(i64(0), p.counted([&](Builder& b, const Name& k) {
      Builder yes(p.names);
      const Name x = yes.index("x", p.xss, {i64(other), k});
      return b.let("x", If{b.let("even", CmpOp{CmpOpKind::lt, PrimType::i64, k, p.i}), {yes.stms, {x}}, {{}, {f64(1)}}});
    }));
    BOOST_TEST(p.place() == (other == 1 ? "xss" : "its own"));
  }
}

BOOST_AUTO_TEST_CASE(not_while_somebody_reads_all_of_it) {
  Rows p;
  const Name made = p.map_of(p.zs);
  const Name copied = p.f.let("copied", Copy{p.xss});
  p.store(i64(0), made);
  BOOST_TEST(p.place({copied}) == "its own");
}

BOOST_AUTO_TEST_CASE(rows_of_a_view_are_others) {
  Rows p;
  p.xss = p.f.param("square", array(PrimType::f64, {p.n, p.n}), true);
  const Name view = p.f.let("columns", Rearrange{{1, 0}, p.xss});
  p.store(i64(0), p.counted([&](Builder& b, const Name& k) { return b.index("x", view, {i64(1), k}); }));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(parts_of_a_view_are_others) {
  Rows p;
  p.xss = p.f.param("square", array(PrimType::f64, {p.n, p.n}), true);
  const Name view = p.f.let("columns", Rearrange{{1, 0}, p.xss});
  const Name part = p.f.let("part", Index{view, {i64(1), p.all()}, false});
  p.store(i64(0), p.map_of(part));
  BOOST_TEST(p.place() == "its own");
}

BOOST_AUTO_TEST_CASE(an_array_of_the_block_that_was_updated_is_the_same) {
  for (const std::int64_t other : {0, 1}) {
    Rows p;
    p.xss = p.f.let("copied", Copy{p.xss});
    const Name made = p.map_of(p.zs);
    p.store(i64(1), p.zs);
    const Name sum = p.sum_of(p.part(i64(other)));
    p.store(i64(0), made);
    BOOST_TEST(p.place({sum}) == (other == 1 ? "copied" : "its own"));
  }
}

// ---- Makers

BOOST_AUTO_TEST_CASE(equal_elements_are_made_where_they_are_stored) {
  Rows p;
  p.store(i64(0), p.f.let("made", Replicate{{p.n}, f64(2)}));
  BOOST_TEST(p.place() == "xss");
}

BOOST_AUTO_TEST_CASE(what_is_stored_in_another_order_is_made_in_that) {
  Rows p;
  p.xss = p.f.param("xsss", array(PrimType::f64, {i64(2), p.n, p.n}), true);
  const Name made = p.f.let("made", Replicate{{p.n, p.n}, f64(2)});
  const Name columns = p.f.let("columns", Rearrange{{1, 0}, made});
  p.xss = p.f.let("xsss", Update{p.xss, {i64(0), p.all(), p.all()}, columns, false});
  BOOST_TEST(p.place() == "xsss");
}

BOOST_AUTO_TEST_CASE(not_if_it_is_needed_in_its_own_order_too) {
  Rows p;
  p.xss = p.f.param("xsss", array(PrimType::f64, {i64(2), p.n, p.n}), true);
  const Name made = p.f.let("made", Replicate{{p.n, p.n}, f64(2)});
  const Name columns = p.f.let("columns", Rearrange{{1, 0}, made});
  p.xss = p.f.let("xsss", Update{p.xss, {i64(0), p.all(), p.all()}, columns, false});
  BOOST_TEST(p.place({made}) == "its own");
}

// ---- States of loops

BOOST_AUTO_TEST_CASE(a_state_that_points_make_of_their_own_elements_is_made_where_it_was) {
  BOOST_TEST(states(two_arrays + "  loop xs for i < k do map2 (+) xs ys") == Places{"in place"});
  BOOST_TEST(states(rows + "  loop xss for i < k do map (map (* 2)) xss") == Places{"in place"});
}

BOOST_AUTO_TEST_CASE(not_of_other_elements) {
  BOOST_TEST(states(two_arrays + "  loop xs for i < k do map (\\j -> xs[j] + xs[n - 1 - j]) (iota n)") == Places{"elsewhere"});
  BOOST_TEST(states(rows + "  loop xss for i < k do map (\\j -> map2 (+) xss[j] xss[0]) (iota n)") == Places{"elsewhere"});
}

BOOST_AUTO_TEST_CASE(not_if_the_state_is_read_later) {
  BOOST_TEST(states(two_arrays + "  loop (xs, s) = (xs, 0) for i < k do\n"
                                 "    let next = map2 (+) xs ys in (next, s + xs[i64.f64 next[0]])") == (Places{"elsewhere", "elsewhere"}));
  BOOST_TEST(states(two_arrays + "  loop (xs, zs) = (xs, ys) for i < k do (map2 (+) xs ys, xs)") == (Places{"elsewhere", "elsewhere"}));
}

BOOST_AUTO_TEST_CASE(not_if_two_states_become_one_array) {
  BOOST_TEST(states(two_arrays + "  loop (xs, zs) = (xs, ys) for i < k do let next = map2 (+) xs zs in (next, next)") ==
             (Places{"elsewhere", "elsewhere"}));
}

BOOST_AUTO_TEST_CASE(states_may_take_turns_point_by_point) {
  BOOST_TEST(states(two_arrays + "  loop (xs, zs) = (xs, ys) for i < k do (map (+ 1) zs, map (+ 2) xs)") == (Places{"in place", "in place"}));
}

BOOST_AUTO_TEST_CASE(each_of_several_states_that_one_map_makes) {
  BOOST_TEST(states(two_arrays + "  loop (xs, zs) = (xs, ys) for i < k do unzip (map2 (\\x z -> (x + z, x * z)) xs zs)") ==
             (Places{"in place", "in place"}));
}

BOOST_AUTO_TEST_CASE(a_row_may_be_read_as_a_whole_before_it_is_made) {
  BOOST_TEST(states(rows + "  loop xss for i < k do map (\\xs -> let s = f64.sum xs in map (+ s) xs) xss") == Places{"in place"});
}

BOOST_AUTO_TEST_CASE(a_row_may_not_be_read_while_or_after_it_is_made) {
  BOOST_TEST(states(rows + "  loop xss for i < k do map (\\xs -> map (\\j -> xs[j] + xs[m - 1 - j]) (iota m)) xss") == Places{"elsewhere"});
  BOOST_TEST(states("entry main [n] [m] (k: i64) (xss: [n][m]f64) (s: [n]f64) : ([n][m]f64, [n]f64) =\n"
                    "  loop (xss, ss) = (xss, s) for i < k do\n"
                    "    unzip (map (\\xs -> let next = map (+ 1) xs in (next, f64.sum (map2 (*) (scan (+) 0 next) (reverse xs)))) xss)") ==
             (Places{"elsewhere", "in place"}));
}

BOOST_AUTO_TEST_CASE(combined_points_are_no_array_of_their_own_elements) {
  BOOST_TEST(states(two_arrays + "  loop xs for i < k do scan (+) 0 xs") == Places{"elsewhere"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::final_places_tests
