#include "transform/ad/sort.hpp"

#include "tests/unit/transform/ad/check_derivative.hpp"

namespace boustro::ad::testing {

BOOST_AUTO_TEST_CASE(equal_keys_keep_their_order) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n"), keys = f.param("keys", ir::array(PrimType::i64, {n})), most = f.param("most", ir::scalar(PrimType::i64));
  f.returns({stable_order(f, n, keys, most)});
  verify_program(p.program);
  const auto order = [&](const std::vector<std::int64_t>& values, std::int64_t greatest) {
    return run_entry(p.program, "f", {i64s(values), i64_value(greatest)}).at(0);
  };
  BOOST_TEST((order({3, 0, 4, 3, 0, 1, 4}, 4) == i64s({1, 4, 5, 0, 3, 2, 6})));
  BOOST_TEST((order({1, 0, 1, 0}, 1) == i64s({1, 3, 0, 2})));
  BOOST_TEST((order({0, 0, 0}, 0) == i64s({0, 1, 2})));
  BOOST_TEST((order({256, 255, 7, 255}, 256) == i64s({2, 1, 3, 0})));
  BOOST_TEST((order({}, 5) == i64s({})));
}

}  // namespace boustro::ad::testing
