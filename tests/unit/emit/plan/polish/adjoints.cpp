#include "emit/plan/polish/adjoints.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::adjoints_tests {
namespace {

const Expr i = var("i", type(PrimType::i64));
const Expr params = var("params", pointer_to(type(f64))), params_adj = var("params_adj", pointer_to(type(f64)));
const Expr others_adj = var("others_adj", pointer_to(type(f64)));

Stm let(const std::string& name, Expr value) { return Let{.name = name, .type = type(f64), .value = std::move(value)}; }
Stm use(const std::string& name) { return Do{call("f", type(PrimType::i64), {var(name, f64)})}; }

Stms named(Stms stms, const std::vector<Definition>& functions = {}) {
  Entry entry;
  entry.body = std::move(stms);
  name_adjoints(entry, functions);
  return entry.body;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(names_of_adjoints)

BOOST_AUTO_TEST_CASE(an_element_of_the_adjoint_is_called_after_the_element) {
  const Stms stms = named({let("weight", params[i + 3]), let("part", params_adj[i + 3]), use("part")});
  BOOST_TEST((stms == Stms{let("weight", params[i + 3]), let("weight_adj", params_adj[i + 3]), use("weight_adj")}));
}

BOOST_AUTO_TEST_CASE(one_of_another_array_or_place_is_not) {
  const Stms stms{let("weight", params[i + 3]), let("part", params_adj[i]), use("part"), let("other", others_adj[i + 3])};
  BOOST_TEST((named(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nor_if_another_variable_has_the_name_of_one) {
  const Stms stms{let("weight", params[i + 3]), let("part", params_adj[i + 3]), If{var("b", PrimType::boolean), {let("part", params[i]), use("part")}}, use("part")};
  BOOST_TEST((named(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nor_if_a_function_or_a_parameter_of_a_closure_has_it) {
  const Stms calls{let("weight", params[i + 3]), let("part", params_adj[i + 3]), Do{call("weight_adj", type(PrimType::i64), {var("part", f64)})}};
  BOOST_TEST((named(calls) == calls));
  const Stms closure{let("weight", params[i + 3]), let("part", params_adj[i + 3]), Closure{.name = "f", .params = {{"part", type(f64)}}, .body = {use("part")}}, use("part")};
  BOOST_TEST((named(closure) == closure));
}

BOOST_AUTO_TEST_CASE(nor_if_the_name_is_taken) {
  const Stms taken{let("weight_adj", params[i]), let("weight", params[i + 3]), let("part", params_adj[i + 3]), use("part")};
  BOOST_TEST((named(taken) == taken));
  const Stms twice = named({let("weight", params[i]), let("part", params_adj[i]), use("part"), let("again", params_adj[i]), use("again")});
  BOOST_TEST((twice.at(1) == let("weight_adj", params_adj[i])));
  BOOST_TEST((twice.at(3) == let("again", params_adj[i])));
}

BOOST_AUTO_TEST_CASE(the_last_element_before_an_adjoint_is_its_own) {
  const Stms stms = named({For{.name = "i", .type = type(i64), .from = lit(0), .to = lit(9), .body = {let("weight", params[i])}},
                           For{.name = "i", .type = type(i64), .from = lit(0), .to = lit(9), .body = {let("bias", params[i]), let("part", params_adj[i])}},
                           For{.name = "i", .type = type(i64), .from = lit(0), .to = lit(9), .body = {let("weight", params[i])}}});
  BOOST_TEST((std::get<For>(stms.at(1).what).body.at(1) == let("bias_adj", params_adj[i])));
}

BOOST_AUTO_TEST_CASE(rows_of_adjoints_and_their_elements_are_called_after_rows) {
  const auto row = [](const std::string& name, const Expr& array, int at) { return Stm(Let{name, array.type, array + lit(at)}); };
  const auto of = [](const std::string& name) { return var(name, pointer_to(type(f64)))[i]; };
  const Stms stms = named({row("biases_row", params, 3), row("part_adj_row", params_adj, 3), let("part", of("part_adj_row")), use("part")});
  BOOST_TEST((stms == Stms{row("biases_row", params, 3), row("biases_adj_row", params_adj, 3), let("bias_adj", of("biases_adj_row")), use("bias_adj")}));
  const Stms taken = named({let("weights_adj", i), row("weights", params, 3), row("part_adj_row", params_adj, 3), let("part", of("part_adj_row"))});
  BOOST_TEST((taken.at(2) == row("weights_adj_row", params_adj, 3)));
  BOOST_TEST((taken.at(3) == let("weight_adj", of("weights_adj_row"))));
  const Stms two = named({row("biases_row", params, 3), row("part_adj_row", params_adj, 3), let("part", of("part_adj_row")), If{var("b", PrimType::boolean), {let("part", i)}}});
  BOOST_TEST((two.at(2) == let("part", of("biases_adj_row"))));
  const Stms elsewhere{row("biases_row", params, 3), row("part_adj_row", params_adj, 4), let("part", of("part_adj_row"))};
  BOOST_TEST((named(elsewhere) == elsewhere));
  const Stms twice{row("biases_row", params, 3), row("part_adj_row", params_adj, 3), If{var("b", PrimType::boolean), {row("part_adj_row", params_adj, 9)}}};
  BOOST_TEST((named(twice) == twice));
}

BOOST_AUTO_TEST_CASE(a_row_is_called_after_its_own_array) {
  const Type pointer = pointer_to(type(f64));
  const auto in_kernel = [&](const std::string& row, const Expr& of) {
    Kernel kernel{.name = "f_kernel", .params = {Param{"params", pointer}, Param{"params_adj", pointer}, Param{"others_adj", pointer}}};
    kernel.body = {Let{row, pointer, of + i}, Do{call("f", type(PrimType::i64), {var(row, pointer)})}};
    Entry entry;
    entry.kernels.push_back(std::move(kernel));
    name_adjoints(entry, {});
    return std::get<Let>(entry.kernels[0].body[0].what).name;
  };
  BOOST_TEST(in_kernel("params_adj_row", others_adj) == "others_adj_row");
  BOOST_TEST(in_kernel("params_adj_row", params_adj) == "params_adj_row");
  BOOST_TEST(in_kernel("weights_row", params) == "weights_row");
  BOOST_TEST(in_kernel("params_adj", others_adj) == "params_adj");
}

BOOST_AUTO_TEST_CASE(what_is_added_to_the_adjoint_of_an_element_says_whose_it_is) {
  const auto summed = [&](const std::string& name, const Expr& element, Op op) {
    const Stms stms{let("change_bias", params[i + 7]), let(name, var("term", f64)), Assign{.target = element, .value = var(name, f64), .op = op}};
    return std::get<Let>(named(stms)[1].what).name;
  };
  BOOST_TEST(summed("bias_adj", params_adj[i + 7], Op::add) == "change_bias_adj");
  BOOST_TEST(summed("bias_adj", params_adj[i + 6], Op::add) == "bias_adj");
  BOOST_TEST(summed("bias_adj", others_adj[i + 7], Op::add) == "bias_adj");
  BOOST_TEST(summed("bias_adj", params_adj[i + 7], Op::sub) == "bias_adj");
  BOOST_TEST(summed("weight_adj", params_adj[i + 7], Op::add) == "weight_adj");
  BOOST_TEST(summed("as_adj", params_adj[i + 7], Op::add) == "as_adj");
}

BOOST_AUTO_TEST_CASE(comments_go_on_speaking_of_fields) {
  const Expr parts_adj = field(var("buffers", type(f64)), "part_adj", pointer_to(type(f64)));
  const auto commented = [&](const Expr& array) {
    const Stms stms{let("weight", params[i + 3]), let("part_adj", params_adj[i + 3]), Stm(Assign{.target = array[i], .value = var("part_adj", f64)}).with_above("part_adj[i] = ..")};
    return named(stms)[2].above;
  };
  BOOST_TEST(commented(parts_adj) == "part_adj[i] = ..");
  BOOST_TEST(commented(others_adj) == "weight_adj[i] = ..");
}

BOOST_AUTO_TEST_CASE(what_a_derived_function_yields_is_called_after_the_argument) {
  Function sigmoid_vjp;
  sigmoid_vjp.name = "sigmoid_vjp", sigmoid_vjp.params = {Param{"x", type(f64)}, Param{"result_adj", type(f64)}};
  const auto called = [&](const std::string& function, const std::string& name, const std::string& argument, ir::Sweep sweep = ir::Sweep::reverse) {
    Stms stms{let(argument, var("p", f64)), let("y_adj", var("q", f64)), let(name, call(function, type(f64), {var(argument, f64), var("y_adj", f64)}))};
    for (Stm& stm : stms) stm.origin.sweep = sweep;
    return std::get<Let>(named(stms, {sigmoid_vjp})[2].what).name;
  };
  BOOST_TEST(called("sigmoid_vjp", "x_adj", "outgate_x") == "outgate_x_adj");
  BOOST_TEST(called("sigmoid_vjp", "sigmoid_x_adj", "outgate_x") == "outgate_x_adj");
  BOOST_TEST(called("sigmoid_vjp", "weight_adj", "outgate_x") == "weight_adj");
  BOOST_TEST(called("sigmoid_vjp", "x_adj", "outgate") == "x_adj");
  BOOST_TEST(called("another", "x_adj", "outgate_x") == "x_adj");
  BOOST_TEST(called("sigmoid_vjp", "x_adj", "outgate_x", ir::Sweep::none) == "x_adj");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::adjoints_tests
