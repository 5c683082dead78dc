// Which arrays are made as parts of a concatenation.
#include "emit/plan/planner/concat_parts.hpp"

#include <set>

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/verify.hpp"

namespace boustro::plan::planner::concat_parts_tests {
namespace {

using namespace ir;
using namespace ir::testing;

/// main (zs: [n]f64)
struct Concats : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name zs = f.param("zs", array(PrimType::f64, {n}));

  Name made(const std::string& base) { return f.let(base, Copy{zs}); }
  Name concat(const std::string& base, const std::vector<Name>& arrays) {
    Atom width = i64(0);
    for (const Name& name : arrays) width = f.binop("width", BinOpKind::add, width, names.type_of(name).shape[0]);
    return f.let(base, Concat{width, arrays});
  }
  /// What is made in the first result: the name, of which array and where in it.
  std::set<std::string> parts(std::vector<Atom> results) {
    std::vector<Type> types;
    std::vector<Atom> sizes;
    for (const Atom& result : results) {
      types.push_back(names.type_of(result));
      for (const Atom& size : types.back().shape)
        if (size != Atom(n)) sizes.push_back(size);
    }
    types.insert(types.begin(), sizes.size(), scalar(PrimType::i64));
    const std::size_t first = sizes.size();
    sizes.insert(sizes.end(), results.begin(), results.end());
    f.returns(sizes, types, static_cast<int>(first));
    BOOST_REQUIRE_MESSAGE(verify(program).empty(), verify(program).front());
    std::set<std::string> found;
    for (const auto& [name, part] : concat_parts(program.functions[0].body, first, facts::Callees(program)))
      found.insert(name.base + " in " + part.whole.base + " at " + std::to_string(part.index));
    return found;
  }
};

using Parts = std::set<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(parts_of_concatenations)

BOOST_AUTO_TEST_CASE(arrays_that_are_made_for_it_are_parts) {
  Concats p;
  const Name a = p.made("a"), b = p.made("b");
  BOOST_TEST((p.parts({p.concat("whole", {a, p.zs, b})}) == Parts{"a in whole at 0", "b in whole at 2"}));
}

BOOST_AUTO_TEST_CASE(arrays_of_another_shape_are_parts) {
  Concats p;
  const Name rows = p.f.let("rows", Replicate{{p.n, i64(2)}, f64(0)});
  const Name copy = p.f.let("copy", Copy{rows});
  const Atom size = p.f.binop("size", BinOpKind::mul, p.n, i64(2));
  const Name flat = p.f.let("flat", Reshape{{size}, copy});
  BOOST_TEST((p.parts({p.concat("whole", {p.zs, flat})}) == Parts{"copy in whole at 1"}));
}

BOOST_AUTO_TEST_CASE(parts_of_parts_are_parts) {
  Concats p;
  const Name a = p.made("a"), b = p.made("b"), c = p.made("c");
  const Name inner = p.concat("inner", {a, b});
  BOOST_TEST((p.parts({p.concat("whole", {c, inner})}) ==
              Parts{"c in whole at 0", "inner in whole at 1", "a in inner at 0", "b in inner at 1"}));
}

BOOST_AUTO_TEST_CASE(array_that_is_there_twice_is_made_in_the_first_place) {
  Concats p;
  const Name a = p.made("a");
  BOOST_TEST((p.parts({p.concat("whole", {a, a})}) == Parts{"a in whole at 0"}));
}

BOOST_AUTO_TEST_CASE(arrays_that_others_get_are_their_own) {
  Concats p;
  const Name a = p.made("a"), b = p.made("b"), c = p.made("c");
  const Name view = p.f.let("view", Rearrange{{0}, a});
  const Name whole = p.concat("whole", {a, b, c});
  const Name updated = p.f.let("updated", Update{b, {i64(0)}, f64(1), true});
  BOOST_TEST((p.parts({whole, view, updated}) == Parts{"c in whole at 2"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::concat_parts_tests
