// What `boustro derive --explain-checkpoints` prints.
#include <boost/test/unit_test.hpp>

#include "workplace.hpp"

namespace boustro::driver {
namespace {

DeriveOptions of(std::vector<std::int64_t> sizes) {
  DeriveOptions options;
  options.file = "program.fut";
  options.checkpoints = std::move(sizes);
  return options;
}

}  // namespace

/// By the formula: of the 5 states of 4 steps, two of which can be kept, split(5, 2) = 3 are before the next one; of 3, split(3, 2) = 1.
BOOST_AUTO_TEST_CASE(a_schedule_is_printed_move_by_move) {
  Workplace place("entry f (n: i64) (x: f64) : f64 = vjp (\\x -> #[checkpoint(2)] loop y = x for _i < n do f64.sin y) x 1\n");
  BOOST_TEST(place.derive(of({4})) == 0);
  BOOST_TEST(place.printed() ==
             "program.fut:1: #[checkpoint], 4 steps. A number is that of a step, or of the state before it.\n"
             "  forward  keep 0; run 0 to 2; keep 3; run 3\n"
             "  return   back to 3; adjoint of 3\n"
             "           drop 3; back to 0; run 0; keep 1; run 1; adjoint of 2\n"
             "           back to 1; adjoint of 1\n"
             "           drop 1; back to 0; adjoint of 0\n"
             "  2 states at a time at the most; steps are run 6 times, 2 of them again\n");
}

/// The seventh state has no slot: every other one goes, and the stride is 2. So segments have two steps, the last one with slots 3 to 5.
BOOST_AUTO_TEST_CASE(an_online_schedule_drops_states_in_the_forward_sweep) {
  Workplace place("entry f (x: f64) : f64 = vjp (\\x -> #[checkpoint_online(6)] loop y = x while y < 9 do y * y + 1) x 1\n");
  BOOST_TEST(place.derive(of({8})) == 0);
  BOOST_TEST(place.printed() ==
             "program.fut:1: #[checkpoint_online], 8 steps. A number is that of a step, or of the state before it.\n"
             "  forward  keep 0; run 0; keep 1; run 1; keep 2; run 2; keep 3; run 3; keep 4; run 4; keep 5; run 5; drop 1; drop 3; drop 5; keep 6; run 6 to 7\n"
             "  return   back to 6; run 6; adjoint of 7\n"
             "           back to 6; adjoint of 6\n"
             "           drop 6; back to 4; run 4; adjoint of 5\n"
             "           back to 4; adjoint of 4\n"
             "           drop 4; back to 2; run 2; adjoint of 3\n"
             "           back to 2; adjoint of 2\n"
             "           drop 2; back to 0; run 0; adjoint of 1\n"
             "           back to 0; adjoint of 0\n"
             "  6 states at a time at the most; steps are run 12 times, 4 of them again\n");
}

BOOST_AUTO_TEST_CASE(states_that_the_program_does_not_say_have_to_be_given) {
  Workplace place("entry f (n: i64) (c: i64) (x: f64) : f64 = vjp (\\x -> #[checkpoint(c)] loop y = x for _i < n do f64.sin y) x 1\n");
  BOOST_TEST(place.derive(of({4})) == 1);
  BOOST_TEST(place.has_printed("give it as --explain-checkpoints STEPS,STATES"));
  BOOST_TEST(place.derive(of({4, 2})) == 0);
  BOOST_TEST(place.has_printed("2 states at a time"));
  Workplace online("entry f (x: f64) : f64 = vjp (\\x -> #[checkpoint_online] loop y = x while y < 9 do y * y + 1) x 1\n");
  BOOST_TEST(online.derive(of({30})) == 0);
  BOOST_TEST(online.has_printed("24 states at a time"));
}

BOOST_AUTO_TEST_CASE(programs_without_checkpoints_say_so) {
  Workplace place("entry f (x: f64) : f64 = x\n");
  BOOST_TEST(place.derive(of({4})) == 0);
  BOOST_TEST(place.has_printed("no loop of this program has"));
}

}  // namespace boustro::driver
