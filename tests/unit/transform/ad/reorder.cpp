// #[reorder(keys)]: maps of derivatives have the attribute of the map that they are of.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing::reorder_tests {

namespace {

using namespace ir;

/// How many maps have the attribute, and how many have none, but that of keys.
struct Maps {
  int with = 0, without = -1;
  bool operator==(const Maps&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Maps& maps) { return out << maps.with << " with, " << maps.without << " without"; }

void count(Maps& maps, const Body& body) {
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Map>(stm.exp)) ++(stm.attributes.empty() ? maps.without : maps.with);
    if (!std::holds_alternative<Map>(stm.exp)) for_each_body(stm.exp, [&](const Body& inner) { count(maps, inner); });
  }
}

Maps maps_of(const Program& program) {
  Maps maps;
  for (const Function& f : program.functions)
    if (f.entry && f.entry->name == "derivative") count(maps, f.body);
  return maps;
}

Program points(const std::string& function) {
  return compiled("entry f [n] (xs: [n]f64) (s: f64) : [n]f64 = #[reorder(key)] map (\\x -> let key = i64.f64 x in " + function + ") xs");
}

Maps reverse(const Program& program) { return maps_of(differentiated(DerivativeOf(program, "f").with_vjp("derivative", false))); }

}  // namespace

BOOST_AUTO_TEST_SUITE(reordered_maps)

BOOST_AUTO_TEST_CASE(return_maps_come_in_the_same_order) {
  BOOST_TEST(reverse(points("x * x + f64.i64 key")) == (Maps{2, 0}));
  BOOST_TEST(reverse(points("x * xs[key % n] * s")) == (Maps{2, 1}));  // in a with_acc; two adjoints of xs are added up
}

BOOST_AUTO_TEST_CASE(maps_with_tangents_come_in_the_same_order) {
  BOOST_TEST(maps_of(differentiated(DerivativeOf(points("x * xs[key % n] * s"), "f").with_jvp("derivative", false))) == (Maps{1, 0}));
}

BOOST_AUTO_TEST_CASE(derivatives_are_those_of_the_map) {
  for (const std::int64_t n : {0, 1, 2, 7}) {
    check_derivative(points("x * xs[key % n] * s"), "f", {some_f64s(n), f64_value(3)}, {.seeds = n == 2});
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::ad::testing::reorder_tests
