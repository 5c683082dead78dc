// Accumulators that pass through another accumulation: transform/fuse/twin_accumulators.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"

namespace nested_accumulations_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

/// Whether two accumulators are one after the pass, which keeps the values. `first` is added to xs, `second` to ys, behind another
/// accumulation in which 1 is added to both.
bool are_united(const std::string& first, const std::string& second) {
  const ir::Program before = before_pass("inline",
                                         "entry main (n: i64) : ([n]f64, [n]f64, [3]f64) =\n"
                                         "  let zeros = replicate n 0.0f64\n"
                                         "  let others = replicate n 0.0f64\n"
                                         "  let few = replicate 3 0.0f64\n"
                                         "  let (xs, (ys, zs)) = core.with_add zeros (\\(x: *core.acc ([n]f64)) -> core.with_add others (\\(y: *core.acc ([n]f64)) ->\n"
                                         "    let (z_all, x_1, y_1) = core.with_add few (\\(z: *core.acc ([3]f64)) ->\n"
                                         "      let x_2 = core.update_1d x 0 1.0f64\n"
                                         "      let y_2 = core.update_1d y 0 1.0f64\n"
                                         "      let z_1 = core.update_1d z 0 1.0f64\n"
                                         "      in (core.finish z_1, x_2, y_2))\n"
                                         "    let x_3 = core.update_1d x_1 1 " + first + "\n"
                                         "    let y_3 = core.update_1d y_1 1 " + second + "\n"
                                         "    in (core.finish x_3, (core.finish y_3, z_all))))\n"
                                         "  in (xs, ys, zs)\n");
  ir::Program after = before;
  const bool united = fuse::unite_twin_accumulators(after);
  check_verified(after);
  const auto args = values::read_values("2i64");
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), first << ", " << second);
  return united;
}

}  // namespace

BOOST_AUTO_TEST_CASE(accumulators_that_pass_through_another_accumulation_are_not_followed) {
  BOOST_TEST(!are_united("2.0f64", "3.0f64"));
}

}  // namespace nested_accumulations_tests
