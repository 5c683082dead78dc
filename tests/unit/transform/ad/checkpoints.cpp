// Checkpoints: the same derivative bit by bit as with all states, no more states than asked for, and the fewest steps run again.
#include <map>

#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"
#include "transform/ad/reverse/checkpoint_moves.hpp"
#include "transform/facts/history.hpp"

namespace boustro::ad::testing {

namespace {

Program derivative_of(const std::string& text) { return differentiated(DerivativeOf(compiled(text), "f").with_vjp("derivative", false)); }

const char* const attributes[] = {"#[checkpoint(1)]", "#[checkpoint(2)]", "#[checkpoint(5)]", "#[checkpoint(0)]", "#[checkpoint]", "#[checkpoint_bytes(100)]",
                                  "#[checkpoint_online(0)]", "#[checkpoint_online(3)]", "#[checkpoint_online]"};

/// Of functions of steps: i64 and xs: [n]f64 that yield [n]f64.
const Case many_steps[] = {
    {"scalar", "let y = @ loop y = xs[0] for i < steps do f64.sin (y * xs[0]) + 0.1 * f64.i64 i in map (* y) xs"},
    {"index of another type", "let y = @ loop y = xs[0] for i < i32.i64 steps do f64.sin (y * xs[0]) + 0.1 * f64.i32 i in map (* y) xs"},
    {"array replaced as a whole", "@ loop ys = xs for _i < steps do map2 (\\y x -> f64.sin (y * x)) ys xs"},
    {"array updated in place", "@ loop ys = copy xs for i < steps do ys with [i % n] = ys[i % n] * f64.cos ys[(i + 1) % n]"},
    {"what the return sweep does not need",
     "let (ys, s, k) = @ loop (ys, s, k) = (xs, 1, 0) for _i < steps do (map f64.sin ys, s + f64.sum ys, k + 2i64) in map (* (s + f64.i64 k)) ys"},
    {"what only other steps read",
     "let (y, _) = @ loop (y, k) = (xs[0], 1i64) for _i < steps do (f64.sin y * xs[1] + f64.i64 k, (k * 3 + 1) % 7) in map (* y) xs"},
    {"what only adds up", "let s = @ loop s = 0 for i < steps do s + xs[i % n] * f64.i64 i in map (* s) xs"},
    {"nested", "@ loop ys = xs for i < steps do let z = @ loop z = ys[0] for _j < i % 4 do f64.sin z in map (* z) ys"},
    {"in a map", "map (\\x -> @ loop y = x for i < steps do f64.sin (y * x) + 0.1 * f64.i64 i) xs"},
    {"array in a map", "map (\\x -> f64.sum (@ loop ys = [x, x * x] for _i < steps do map (\\y -> f64.sin y * x) ys)) xs"},
    {"branches", "@ loop ys = xs for i < steps do if i % 3 == 0 then map f64.sin ys else map2 (*) ys xs"},
    {"while", "(@ loop (ys, i) = (xs, 0) while i < steps do (map f64.sin ys, i + 1)).0"},
    {"while that asks its state", "@ loop ys = xs while ys[0] < f64.i64 steps do map2 (\\y x -> y + 0.5 + 0.25 * f64.sin (y * x)) ys xs"},
    {"while that updates in place",
     "(@ loop (ys, i) = (copy xs, 0) while i < steps do (ys with [i % n] = ys[i % n] * f64.cos ys[(i + 1) % n], i + 1)).0"},
    {"while in a map", "map (\\x -> (@ loop (y, i) = (x, 0) while i < steps && y < 9 do (f64.sin (y * x) + 0.1 * f64.i64 i, i + 1)).0) xs"},
    {"while in a while",
     "(@ loop (ys, i) = (xs, 0) while i < steps do (let (z, _) = @ loop (z, j) = (ys[0], 0) while j < i % 4 do (f64.sin z, j + 1) in map (* z) ys, i + 1)).0"},
    {"accumulator",
     "core.with_add (copy xs) (\\acc -> core.finish (@ loop (acc, y) = (acc, xs[0]) for i < steps do (core.update_1d acc (i % n) y, f64.sin y)).0)"},
    {"promise", "(@ loop (#[true_dep] ys, i) = (copy xs, 0) while i < i64.min steps (n - 1) do (ys with [i + 1] = f64.sin (ys[i] * xs[i + 1]), i + 1)).0"},
    {"while with a bound", "(@ #[bound(2000)] loop (ys, i) = (xs, 0) while i < steps do (map f64.sin ys, i + 1)).0"},
};

std::string of_steps(const Case& c, const std::string& attribute) { return "entry f [n] (steps: i64) (xs: [n]f64): [n]f64 =\n" + with(c.body, attribute); }

}  // namespace

BOOST_AUTO_TEST_SUITE(checkpoints)

BOOST_AUTO_TEST_CASE(change_no_derivative) {
  for (const Case& c : many_steps) {
    const Program plain = derivative_of(of_steps(c, ""));
    for (const char* attribute : attributes) {
      const Program program = derivative_of(of_steps(c, attribute));
      for (const std::int64_t steps : {-1, 0, 1, 2, 3, 7, 63, 64, 65})
        BOOST_TEST_CONTEXT(c.name << ", " << attribute << ", " << steps << " steps") {
          const std::vector<Value> args{i64_value(steps), some_f64s(3), some_f64s(3, 1)};
          BOOST_TEST((run_entry(program, "derivative", args) == run_entry(plain, "derivative", args)));
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(of_long_loops) {
  const Case& c = many_steps[2];
  const std::vector<Value> args{i64_value(1000), some_f64s(3), some_f64s(3, 1)};
  const auto gradient = run_entry(derivative_of(of_steps(c, "")), "derivative", args);
  for (const char* attribute : attributes) BOOST_TEST((run_entry(derivative_of(of_steps(c, attribute)), "derivative", args) == gradient), attribute);
}

BOOST_AUTO_TEST_CASE(agree_with_differences) {
  for (const Case& c : many_steps)
    for (const char* attribute : {"#[checkpoint(2)]", "#[checkpoint_online(2)]"})
      BOOST_TEST_CONTEXT(c.name << ", " << attribute) check_derivative(compiled(of_steps(c, attribute)), "f", {i64_value(5), some_f64s(3)}, {.seeds = false});
}

BOOST_AUTO_TEST_CASE(second_derivatives) {
  const auto check = [](const Case& c, const std::string& attribute) {
    BOOST_TEST_CONTEXT(c.name << ", " << attribute)
      check_derivative(differentiated(DerivativeOf(compiled(of_steps(c, attribute)), "f").with_vjp("first", false)), "first",
                       {i64_value(4), some_f64s(3), some_f64s(3, 1)}, {.seeds = false});
  };
  for (const int c : {0, 2, 3, 8}) check(many_steps[c], "#[checkpoint(2)]");
  for (const int c : {0, 3, 12, 13, 14, 17, 18}) check(many_steps[c], "#[checkpoint_online(3)]");
}

namespace {

/// Steps run again by the best schedule for so many steps and states, by dynamic programming.
std::int64_t fewest(std::int64_t steps, std::int64_t slots) {
  static std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> known;
  if (steps <= 1) return 0;
  if (slots == 1) return steps * (steps - 1) / 2;
  const auto found = known.find({steps, slots});
  if (found != known.end()) return found->second;
  std::int64_t best = steps * (steps - 1) / 2;
  for (std::int64_t m = 1; m < steps; ++m) best = std::min(best, m + fewest(steps - m, slots - 1) + fewest(m, slots));
  return known[{steps, slots}] = best;
}

Counts count(const Program& program, std::int64_t steps, std::int64_t slots) {
  Counts counts;
  run_entry(program, "f", {i64_value(steps), i64_value(slots), f64_value(0.5)}, {.counts = &counts});
  return counts;
}

}  // namespace

/// A step is one operation. The schedule turns round at the end of the loop, which is a state like those before it.
BOOST_AUTO_TEST_CASE(run_as_few_steps_again_as_possible) {
  const char* const text = "entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> @ loop y = x for _i < n do f64.sin y) x 1";
  const Program plain = differentiated(compiled(with(text, ""))), program = differentiated(compiled(with(text, "#[checkpoint(c)]")));
  std::vector<std::int64_t> lengths{100, 255, 256, 257, 300};
  for (std::int64_t n = 1; n <= 40; ++n) lengths.push_back(n);
  for (const std::int64_t n : lengths)
    for (std::int64_t c = 1; c <= 12; ++c)
      BOOST_TEST_CONTEXT(n << " steps, " << c << " states") {
        const Counts with_all = count(plain, n, c), with_some = count(program, n, c);
        BOOST_TEST(static_cast<std::int64_t>(with_some.operations - with_all.operations) == fewest(n + 1, c) - n);
      }
}

namespace {

/// The schedule as data, carried out: every step is reversed once, at the state before it, which runs from states that are kept.
void check_moves(const std::vector<schedule::Move>& moves, std::int64_t steps) {
  using schedule::MoveKind;
  std::vector<std::int64_t> kept;
  std::int64_t at = 0, next = steps - 1;
  for (const schedule::Move& move : moves) {
    const bool is_kept = std::find(kept.begin(), kept.end(), move.first) != kept.end();
    if (move.kind == MoveKind::restore || move.kind == MoveKind::drop) BOOST_TEST(is_kept);
    if (move.kind == MoveKind::keep || move.kind == MoveKind::advance || move.kind == MoveKind::reverse) BOOST_TEST(move.first == at);
    if (move.kind == MoveKind::keep) kept.push_back(at);
    if (move.kind == MoveKind::drop) std::erase(kept, move.first);
    if (move.kind == MoveKind::restore) at = move.first;
    if (move.kind == MoveKind::advance) at = move.last;
    if (move.kind == MoveKind::reverse) BOOST_TEST(move.first == next--);
  }
  BOOST_TEST(next == -1);
}

/// Steps run by the formula: the stride is the least power of two by which there is room, and each segment has the slots above its own.
std::int64_t runs_online(std::int64_t steps, std::int64_t slots) {
  std::int64_t stride = 1, room = slots, runs = steps;
  for (; room * stride < steps; stride *= 2) room = std::max(room - 1, std::max<std::int64_t>(slots / 3, 1));
  for (std::int64_t k = 0; k * stride < steps; ++k) runs += fewest(std::min(stride, steps - k * stride), slots - k);
  return runs;
}

const std::int64_t trip_counts[] = {0, 1, 2, 3, 7, 63, 64, 65, 300, 1000};

}  // namespace

BOOST_AUTO_TEST_CASE(moves_reverse_every_step) {
  for (std::int64_t n = 0; n <= 40; ++n)
    for (std::int64_t c = 1; c <= 12; ++c)
      BOOST_TEST_CONTEXT(n << " steps, " << c << " states") {
        const std::vector<schedule::Move> moves = schedule::moves(n, c), online = schedule::moves_online(n, c);
        check_moves(moves, n);
        const schedule::Cost cost = schedule::cost_of(moves), online_cost = schedule::cost_of(online);
        BOOST_TEST(cost.states == std::clamp<std::int64_t>(c, 1, std::max<std::int64_t>(n, 1)));
        BOOST_TEST(cost.runs == fewest(n + 1, cost.states));
        check_moves(online, n);
        BOOST_TEST(online_cost.states == std::min<std::int64_t>(n, std::max<std::int64_t>(c, 2)));
        BOOST_TEST(online_cost.runs == runs_online(n, std::max<std::int64_t>(c, 2)));
        BOOST_TEST(online_cost.runs <= n + fewest(n + 1, std::max<std::int64_t>(c, 2)), "the loop could as well be counted first");
      }
}

/// The while loop takes as many steps as there are numbers below n, which it finds out by one comparison and one addition a step: were it counted
/// first, there would be more of them. Its last comparison fails.
BOOST_AUTO_TEST_CASE(online_run_the_steps_of_the_schedule_and_the_loop_once) {
  const char* const by_index = "entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> @ loop y = x for _i < n do f64.sin y) x 1";
  const char* const by_state =
      "entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> (@ loop (y, t) = (x, 0f64) while t < f64.i64 n do (f64.sin y, t + 1)).0) x 1";
  const char* const attribute = "#[checkpoint_online(c)]";
  const Program plain = differentiated(compiled(with(by_index, ""))), for_loop = differentiated(compiled(with(by_index, attribute))),
                while_loop = differentiated(compiled(with(by_state, attribute)));
  const std::uint64_t one = count(differentiated(compiled(with(by_index, "#[checkpoint(c)]"))), 1, 1).peak_elements;
  for (const std::int64_t n : trip_counts)
    for (const std::int64_t asked : {1, 2, 3, 5, 6, 12})
      BOOST_TEST_CONTEXT(n << " steps, " << asked << " states") {
        const std::int64_t c = std::max<std::int64_t>(asked, 2);
        const schedule::Cost cost = schedule::cost_of(schedule::moves_online(n, asked));
        const Counts with_all = count(plain, n, c), of_for = count(for_loop, n, asked), of_while = count(while_loop, n, asked);
        BOOST_TEST(cost.runs == runs_online(n, c));
        BOOST_TEST(cost.states == std::min(n, c));
        BOOST_TEST(cost.runs <= n + fewest(n + 1, c), "the loop could as well be counted first");
        BOOST_TEST(static_cast<std::int64_t>(of_for.operations - with_all.operations) == cost.runs - n);
        BOOST_TEST(static_cast<std::int64_t>(of_while.operations - with_all.operations) == cost.runs - n + 2 * n + 1);
        BOOST_TEST(of_for.peak_elements - one == static_cast<std::uint64_t>(c - 1));
        BOOST_TEST(of_while.peak_elements == of_for.peak_elements);
      }
}

BOOST_AUTO_TEST_CASE(online_change_no_derivative_of_long_loops) {
  for (const int k : {2, 3, 14}) {
    const Program plain = derivative_of(of_steps(many_steps[k], ""));
    for (const char* attribute : {"#[checkpoint_online(2)]", "#[checkpoint_online(3)]", "#[checkpoint_online(5)]", "#[checkpoint_online(12)]"}) {
      const Program program = derivative_of(of_steps(many_steps[k], attribute));
      for (const std::int64_t steps : trip_counts)
        BOOST_TEST_CONTEXT(many_steps[k].name << ", " << attribute << ", " << steps << " steps") {
          const std::vector<Value> args{i64_value(steps), some_f64s(3), some_f64s(3, 1)};
          BOOST_TEST((run_entry(program, "derivative", args) == run_entry(plain, "derivative", args)));
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(keep_no_more_states_than_asked_for) {
  const Program program = differentiated(compiled("entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> #[checkpoint(c)] loop y = x for _i < n do f64.sin y) x 1"));
  const std::uint64_t one = count(program, 1, 1).peak_elements;
  for (const std::int64_t n : {1, 2, 5, 100, 1000})
    for (const std::int64_t c : {-3, 0, 1, 2, 7, 24})
      BOOST_TEST(count(program, n, c).peak_elements - one == static_cast<std::uint64_t>(std::clamp<std::int64_t>(c, 1, n) - 1), n << " steps, " << c << " states");
  // Of a million steps, as many as it has binary digits; and as many as fit into so many bytes.
  const Program by_number = differentiated(compiled("entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> #[checkpoint] loop y = x for _i < n do f64.sin y) x 1"));
  BOOST_TEST(count(by_number, 1000, 0).peak_elements - one == 9U);
  const Program by_bytes = differentiated(compiled("entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> #[checkpoint_bytes(c)] loop y = x for _i < n do f64.sin y) x 1"));
  BOOST_TEST(count(by_bytes, 1000, 8 * 24 + 7).peak_elements - one == 23U);
}

BOOST_AUTO_TEST_CASE(keep_what_steps_need_and_nothing_else) {
  // The sum and the counter are neither read by the return sweep nor by steps that are run again.
  const Program program = derivative_of(of_steps(many_steps[4], "#[checkpoint(4)]")), smaller = derivative_of(of_steps(many_steps[4], "#[checkpoint(3)]"));
  const auto peak = [](const Program& of) {
    Counts counts;
    run_entry(of, "derivative", {i64_value(50), some_f64s(10), some_f64s(10, 1)}, {.counts = &counts});
    return counts.peak_elements;
  };
  BOOST_TEST(peak(program) - peak(smaller) == 10U);
  // Bytes are those of the whole array.
  BOOST_TEST(peak(derivative_of(of_steps(many_steps[4], "#[checkpoint_bytes(320)]"))) == peak(program));
  BOOST_TEST(peak(derivative_of(of_steps(many_steps[4], "#[checkpoint_bytes(319)]"))) == peak(smaller));
}

/// The array itself is no state that the return sweep reads, but steps that run again do, so that all of it is kept; the derivative must not promise otherwise.
BOOST_AUTO_TEST_CASE(promise_nothing_of_what_is_kept) {
  const char* const body =
      "let (_, z, _) = @ loop (#[true_dep] ks, z, i) = (replicate n 1i64, xs[0], 0) while i < i64.min steps (n - 1) do\n"
      "                  let k = ks[i] in (ks with [i + 1] = k * 3, f64.sin z + f64.i64 k, i + 1)\n"
      "in map (* z) xs";
  for (const char* attribute : attributes)
    BOOST_CHECK_NO_THROW(run_entry(derivative_of(of_steps({"", body}, attribute)), "derivative", {i64_value(9), some_f64s(7), some_f64s(7, 1)},
                                   {.versions = facts::versions_of}));
}

/// A loop whose return sweep reads no state follows no schedule.
BOOST_AUTO_TEST_CASE(cost_nothing_where_nothing_is_kept) {
  const char* const text = "entry f (n: i64) (c: i64) (x: f64) = vjp (\\x -> @ loop y = x for i < n do y + x * f64.i64 i) x 1";
  const Counts plain = count(differentiated(compiled(with(text, ""))), 100, 3), some = count(differentiated(compiled(with(text, "#[checkpoint(c)]"))), 100, 3);
  BOOST_TEST(some.operations == plain.operations);
  BOOST_TEST(some.integer_operations == plain.integer_operations);
  BOOST_TEST(some.peak_elements == plain.peak_elements);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::ad::testing
