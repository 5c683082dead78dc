#include "emit/plan/polish/names.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::names_tests {
namespace {

const planner::Others others{{"x_2", {{"x"}}},     {"x_3", {{"x"}}},           {"f_2", {{"f"}}},
                             {"other_y", {{"y"}}}, {"y_2", {{"y", "other_y"}}}, {"dot_z", {{"z"}, true}},
                             {"x", {}}};

Stm let(const std::string& name, Expr value = lit(1)) { return Let{name, type(i64), std::move(value)}; }
Stm in_branch(Stms body) { return If{var("c", PrimType::boolean), std::move(body)}; }

Stms polished(Stms body, std::vector<Param> params = {}) {
  Entry entry;
  entry.params = std::move(params);
  entry.body = std::move(body);
  polish_names(entry, others);
  return entry.body;
}

/// The statement, as part of what the source calls so.
Stm of(const std::string& part, Stm stm) {
  stm.origin.part_of = part;
  return stm;
}

}  // namespace

BOOST_AUTO_TEST_CASE(variables_that_do_not_see_each_other_have_no_numbers) {
  const Stms apart = polished({in_branch({let("x")}), in_branch({let("x_2"), let("y", var("x_2", i64))})});
  BOOST_TEST((apart == Stms{in_branch({let("x")}), in_branch({let("x"), let("y", var("x", i64))})}));
}

BOOST_AUTO_TEST_CASE(variables_in_sight_of_each_other_have_the_lowest_numbers) {
  BOOST_TEST((polished({let("x"), let("x_3")}) == Stms{let("x"), let("x_2")}));
  BOOST_TEST((polished({let("x"), in_branch({let("x_2")})}) == Stms{let("x"), in_branch({let("x_2")})}));
  BOOST_TEST((polished({let("x_2"), in_branch({let("x")})}) == Stms{let("x_2"), in_branch({let("x")})}));
  BOOST_TEST((polished({let("x_2")}, {{"x", type(i64)}}) == Stms{let("x_2")}));
}

BOOST_AUTO_TEST_CASE(a_number_that_was_given_away_is_not_given_again) {
  BOOST_TEST((polished({let("x"), let("x_3"), let("x_2")}) == Stms{let("x"), let("x_2"), let("x_3")}));
}

BOOST_AUTO_TEST_CASE(words_come_before_numbers) {
  BOOST_TEST((polished({let("y"), let("y_2")}) == Stms{let("y"), let("other_y")}));
  BOOST_TEST((polished({in_branch({let("other_y")})}) == Stms{in_branch({let("y")})}));
  BOOST_TEST((polished({let("y"), in_branch({let("other_y")})}) == Stms{let("y"), in_branch({let("other_y")})}));
  BOOST_TEST((polished({let("y"), let("other_y"), let("y_2")}) == Stms{let("y"), let("other_y"), let("y_2")}));
}

BOOST_AUTO_TEST_CASE(what_it_is_part_of_stands_where_that_tells_it_apart) {
  BOOST_TEST((polished({let("z"), let("dot_z")}) == Stms{let("z"), let("dot_z")}));
  BOOST_TEST((polished({in_branch({let("z")}), in_branch({let("dot_z")})}) == Stms{in_branch({let("z")}), in_branch({let("z")})}));
}

BOOST_AUTO_TEST_CASE(where_two_elements_say_whose_they_are_the_first_one_does_too) {
  const planner::Others of_gates{{"bias", {}}, {"ingate_bias", {{"bias"}, true}}, {"change_bias", {{"bias"}, true}}, {"forget_bias", {}},
                                 {"ingate_width", {{"width"}, true}}, {"change_width", {{"width"}, true}}};
  const Expr i = var("i", i64), biases = var("biases", pointer_to(type(i64)));
  const auto named = [&](Stms body) {
    Entry entry;
    entry.body = std::move(body);
    polish_names(entry, of_gates);
    return entry.body;
  };
  const Stm ingate = let("ingate_bias", biases[i + 1]), change = let("change_bias", biases[i + 2]);
  BOOST_TEST((named({of("forget", let("bias", biases[i])), ingate, change}) == Stms{let("forget_bias", biases[i]), ingate, change}));
  const Stms one{of("forget", let("bias", biases[i])), ingate};
  BOOST_TEST((named(one) == one));
  const Stms computed{of("forget", let("bias", i + 1)), ingate, change};
  BOOST_TEST((named(computed) == computed));
  const Stms taken{of("forget", let("bias", biases[i])), ingate, change, in_branch({let("forget_bias")})};
  BOOST_TEST((named(taken) == taken));
  // Of no part, one that its name says already, or one that makes it a name of the runtime.
  const Stms runtime{of("tile", let("width", biases[i])), let("ingate_width", biases[i + 1]), let("change_width", biases[i + 2])};
  BOOST_TEST((named(runtime) == runtime), "tile_width is a constant of the runtime");
  for (const std::string part : {"", "bias"}) {
    const Stms whole{of(part, let("bias", biases[i])), ingate, change};
    BOOST_TEST((named(whole) == whole));
  }
}

BOOST_AUTO_TEST_CASE(rows_say_whose_they_are_and_their_elements_too) {
  const planner::Others of_gates{{"weights_row", {}}, {"outgate_weights_row", {{"weights_row"}, true}}, {"change_weights_row", {{"weights_row"}, true}},
                                 {"weight", {}}, {"gate_weight", {{"weight"}, true}}, {"layer_weight", {{"weight"}, true}}, {"other_weight", {{"weight"}}}};
  const auto named = [&](Stms body) {
    Entry entry;
    entry.body = std::move(body);
    polish_names(entry, of_gates);
    return entry.body;
  };
  const Type pointer = pointer_to(type(i64));
  const Expr i = var("i", i64), weights = var("weights", pointer);
  const auto row = [&](const std::string& name, int at) { return Stm(Let{name, pointer, weights + lit(at)}); };
  const auto element = [&](const std::string& name, const std::string& of) { return let(name, var(of, pointer)[i]); };
  const Stms rows{of("ingate", row("weights_row", 1)), row("outgate_weights_row", 2), row("change_weights_row", 3)};
  const Stms told{row("ingate_weights_row", 1), row("outgate_weights_row", 2), row("change_weights_row", 3)};
  const auto with = [](Stms stms, const Stms& more) { return stms.insert(stms.end(), more.begin(), more.end()), stms; };
  BOOST_TEST((named(with(rows, {element("weight", "weights"), element("gate_weight", "weights_row"), element("layer_weight", "change_weights_row")})) ==
              with(told, {element("weight", "weights"), element("ingate_weight", "ingate_weights_row"), element("change_weight", "change_weights_row")})));
  const Stms taken = with(told, {element("weight", "weights"), let("change_weight"), element("layer_weight", "change_weights_row")});
  BOOST_TEST((named(with(rows, {element("weight", "weights"), let("change_weight"), element("layer_weight", "change_weights_row")})) == taken));
  // A name that says nothing is none that says less, and what is computed is no element.
  const Stms others_stay{row("change_weights_row", 3), element("weight", "weights"), element("other_weight", "change_weights_row"), let("layer_weight", i + 1)};
  BOOST_TEST((std::get<Let>(named(others_stay).at(2).what).name == "other_weight"));
  BOOST_TEST((std::get<Let>(named(others_stay).at(3).what).name == "layer_weight"));
}

BOOST_AUTO_TEST_CASE(an_element_that_would_be_another_array_is_one_of_its_elements) {
  const planner::Others of_arrays{{"other_qs_adj", {{"qs_adj"}}}, {"x_2", {{"x"}}}, {"dot_x", {{"x"}, true}}};
  const auto named = [&](Stm stm) {
    Entry entry;
    entry.params = {{"qs_adj", pointer_to(type(i64))}, {"x", pointer_to(type(i64))}};
    entry.body = {std::move(stm)};
    polish_names(entry, of_arrays);
    return std::get<Let>(entry.body[0].what).name;
  };
  const Expr i = var("i", i64);
  const auto element = [&](const Expr& array) { return array[i]; };
  const Type pointer = pointer_to(type(i64));
  BOOST_TEST(named(let("other_qs_adj", element(var("qs_adj", pointer)))) == "q_adj");
  BOOST_TEST(named(let("other_qs_adj", element(scratch_field("qs_adj", pointer)))) == "q_adj");
  BOOST_TEST(named(let("other_qs_adj", element(var("ys_adj", pointer)))) == "other_qs_adj");
  BOOST_TEST(named(let("other_qs_adj", i)) == "other_qs_adj");
  BOOST_TEST(named(let("x_2", element(var("x", pointer)))) == "x_2");
  BOOST_TEST(named(let("dot_x", element(var("other_xs", pointer)))) == "dot_x");
}

BOOST_AUTO_TEST_CASE(a_loop_and_its_body_see_each_other) {
  const auto loop = [](const std::string& name, const std::string& inside) { return Stm(For{.name = name, .type = type(i64), .from = lit(0), .to = lit(9), .body = {let(inside)}}); };
  BOOST_TEST((polished({loop("x_2", "x")}) == Stms{loop("x_2", "x")}));
  BOOST_TEST((polished({loop("x_2", "y"), loop("x_3", "y")}) == Stms{loop("x", "y"), loop("x", "y")}));
}

BOOST_AUTO_TEST_CASE(no_variable_hides_a_function_that_is_called) {
  const Expr call{Call{"f"}, {}, type(i64)};
  BOOST_TEST((polished({let("f_2", call)}) == Stms{let("f_2", call)}));
  BOOST_TEST((polished({let("f_2")}) == Stms{let("f")}));
}

BOOST_AUTO_TEST_CASE(what_the_source_calls_so_stays) {
  BOOST_TEST((polished({let("w_2")}) == Stms{let("w_2")}));
}

BOOST_AUTO_TEST_CASE(shared_memory_of_the_launch_has_other_names_in_other_kernels) {
  BOOST_TEST((polished({SharedArray{"x_2", type(f64)}}) == Stms{SharedArray{"x_2", type(f64)}}));
  BOOST_TEST((polished({SharedArray{"x_2", type(f64), lit(9)}}) == Stms{SharedArray{"x", type(f64), lit(9)}}));
}

BOOST_AUTO_TEST_CASE(comments_follow) {
  const Stms barrier = polished({let("x_2"), Barrier{"x_2 is complete"}});
  BOOST_TEST(std::get<Barrier>(barrier[1].what).why == "x is complete");
}

}  // namespace boustro::plan::names_tests
