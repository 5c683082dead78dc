#include "transform/simplify/share_scalars.hpp"

#include <boost/test/unit_test.hpp>

#include "transform/ir/builder.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/verify.hpp"

namespace share_scalars_tests {

using namespace boustro::ir;

namespace {

const Type integer = scalar(PrimType::i64);

/// entry main n m: what `fill` puts in its body.
struct Made {
  Names names;
  Program program;
  Name n, m;

  template <typename Fill>
  Made(const Fill& fill, const std::vector<Type>& types) {
    Function entry;
    entry.name = names.fresh("main");
    entry.params = {names.fresh_param("n", integer), names.fresh_param("m", integer)};
    n = entry.params[0].name, m = entry.params[1].name;
    Builder body(names, {});
    const std::vector<Atom> results = fill(body, *this);
    entry.body = {std::move(body.stms), results};
    entry.result_types = types;
    program.functions.push_back(std::move(entry));
    boustro::simplify::share_scalars(program);
  }

  const Body& body() const { return program.functions[0].body; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(share_scalars)

BOOST_AUTO_TEST_CASE(the_second_of_two_equal_ones_goes) {
  const Made made(
      [](Builder& b, const Made& of) {
        const Atom x = b.binop("x", BinOpKind::add, of.n, of.m), y = b.binop("y", BinOpKind::add, of.m, of.n);
        const Atom z = b.binop("z", BinOpKind::mul, x, x), w = b.binop("w", BinOpKind::mul, y, x);
        return std::vector<Atom>{z, w};
      },
      {integer, integer});
  BOOST_TEST(made.body().stms.size() == 2u, "n + m is m + n, and their squares follow");
  BOOST_TEST((made.body().result[0] == made.body().result[1]));
}

BOOST_AUTO_TEST_CASE(others_stay) {
  const Made made(
      [](Builder& b, const Made& of) {
        return std::vector<Atom>{b.binop("x", BinOpKind::sub, of.n, of.m), b.binop("y", BinOpKind::sub, of.m, of.n)};
      },
      {integer, integer});
  BOOST_TEST(made.body().stms.size() == 2u);
}

BOOST_AUTO_TEST_CASE(branches_have_what_stands_before_them_and_nothing_of_each_other) {
  const Made made(
      [](Builder& b, const Made& of) {
        const auto half = [&](const Atom& x) {
          Builder inside(b.names, b.origin);
          const Atom sum = inside.binop("sum", BinOpKind::add, of.n, of.m), product = inside.binop("product", BinOpKind::mul, sum, x);
          return Body{std::move(inside.stms), {product}};
        };
        const Atom before = b.binop("before", BinOpKind::add, of.n, of.m);
        const Atom which = b.cmp("which", CmpOpKind::lt, of.n, of.m);
        const Atom either = b.let("either", If{which, half(before), half(before)});
        return std::vector<Atom>{before, either};
      },
      {integer, integer});
  const If& branch = std::get<If>(made.body().stms[2].exp);
  BOOST_TEST(branch.then_body.stms.size() == 1u);
  BOOST_TEST(branch.else_body.stms.size() == 1u, "the product in the other branch is not there");
}

BOOST_AUTO_TEST_CASE(what_points_compute_stays) {
  const Made made(
      [](Builder& b, const Made& of) {
        const Atom sum = b.binop("sum", BinOpKind::add, of.n, of.m);
        const Name numbers = b.let("numbers", Iota{of.n});
        const Lambda fn = b.lambda({{"x", integer}}, [&](Builder& in, const std::vector<Name>& x) {
          const Atom again = in.binop("again", BinOpKind::add, of.n, of.m);
          return std::vector<Atom>{in.binop("y", BinOpKind::add, again, x[0])};
        });
        return std::vector<Atom>{sum, b.let("ys", Map{of.n, fn, {numbers}, {}})};
      },
      {integer, integer});
  const Map& map = std::get<Map>(made.body().stms[2].exp);
  BOOST_TEST(map.fn.body.stms.size() == 2u, "in maps a value that is run again is not kept");
}

BOOST_AUTO_TEST_CASE(arrays_have_the_size_that_stays) {
  const Made made(
      [](Builder& b, const Made& of) {
        const Atom x = b.binop("x", BinOpKind::add, of.n, of.m), y = b.binop("y", BinOpKind::add, of.n, of.m);
        return std::vector<Atom>{x, b.let("xs", Iota{y})};
      },
      {integer, integer});
  const Stm& last = made.body().stms.back();
  BOOST_TEST((std::get<Iota>(last.exp).width == made.body().result[0]));
  BOOST_TEST((last.pattern[0].type.shape[0] == made.body().result[0]));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace share_scalars_tests
