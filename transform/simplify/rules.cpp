// The rules, by the kind of expression that they look at. Within a kind the order is that of trial;
// one that ends a statement stands before one that changes it.
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

constexpr Rule unop_rules[] = {{"fold_constants", fold_constants}, {"negations", negations}};
constexpr Rule binop_rules[] = {{"fold_constants", fold_constants},
                                {"integer_identities", integer_identities},
                                {"integer_reassociation", integer_reassociation},
                                {"float_identities", float_identities},
                                {"negation_of_factor", negation_of_factor},
                                {"negative_factor", negative_factor},
                                {"logical_identities", logical_identities}};
constexpr Rule cmpop_rules[] = {{"fold_constants", fold_constants}, {"comparisons", comparisons}};
constexpr Rule convert_rules[] = {{"fold_constants", fold_constants}, {"conversions", conversions}};
constexpr Rule math_rules[] = {{"fold_constants", fold_constants}};
constexpr Rule if_rules[] = {{"branch_on_constant", branch_on_constant},
                             {"equal_branches", equal_branches},
                             {"branch_as_logic", branch_as_logic},
                             {"branch_on_negation", branch_on_negation},
                             {"equal_branch_results", equal_branch_results}};
constexpr Rule loop_rules[] = {{"loop_of_constant_count", loop_of_constant_count},
                               {"invariant_loop_param", invariant_loop_param},
                               {"unread_updates", unread_updates}};
constexpr Rule assert_rules[] = {{"assert_true", assert_true}};
constexpr Rule literal_rules[] = {{"literal_of_equal_elements", literal_of_equal_elements}};
constexpr Rule replicate_rules[] = {{"nested_replicate", nested_replicate}};
constexpr Rule copy_rules[] = {{"copy_of_fresh", copy_of_fresh}};
constexpr Rule concat_rules[] = {{"single_concat", single_concat}};
constexpr Rule rearrange_rules[] = {{"rearrange_views", rearrange_views}};
constexpr Rule reshape_rules[] = {{"reshape_views", reshape_views}, {"map_between_views", map_between_views}};
constexpr Rule coerce_rules[] = {{"coerce_views", coerce_views}};
constexpr Rule index_rules[] = {{"index_in_bounds", index_in_bounds},
                                {"index_whole", index_whole},
                                {"index_of_constructor", index_of_constructor},
                                {"slice_of_replicate", slice_of_replicate},
                                {"index_of_view", index_of_view},
                                {"index_of_slice", index_of_slice},
                                {"index_of_concat", index_of_concat},
                                {"index_of_update", index_of_update}};
constexpr Rule update_rules[] = {
    {"update_in_bounds", update_in_bounds}, {"update_whole", update_whole}, {"update_overwritten", update_overwritten}};
constexpr Rule map_rules[] = {{"elements_of_nothing", elements_of_nothing},
                              {"map_over_replicate", map_over_replicate},
                              {"map_over_equal_arrays", map_over_equal_arrays},
                              {"map_results_known", map_results_known},
                              {"map_of_views", map_of_views},
                              {"map_accumulator_unused", map_accumulator_unused},
                              {"index_by_position", index_by_position}};
constexpr Rule reduce_rules[] = {{"reduce_of_known_width", reduce_of_known_width},
                                 {"independent_components", independent_components},
                                 {"operands_in_order", operands_in_order},
                                 {"reduce_from_value", reduce_from_value}};
constexpr Rule scan_rules[] = {{"elements_of_nothing", elements_of_nothing}, {"operands_in_order", operands_in_order}};
constexpr Rule histogram_rules[] = {{"empty_operators", empty_operators},
                                    {"map_over_replicate", map_over_replicate},
                                    {"map_over_equal_arrays", map_over_equal_arrays},
                                    {"map_accumulator_unused", map_accumulator_unused},
                                    {"operands_in_order", operands_in_order}};
constexpr Rule fused_rules[] = {{"empty_operators", empty_operators},
                                {"map_over_replicate", map_over_replicate},
                                {"map_over_equal_arrays", map_over_equal_arrays},
                                {"map_accumulator_unused", map_accumulator_unused}};
constexpr Rule with_acc_rules[] = {{"with_acc_without_updates", with_acc_without_updates},
                                   {"with_acc_known_results", with_acc_known_results},
                                   {"combine_by_addition", combine_by_addition}};
constexpr Rule update_acc_rules[] = {{"add_zero_to_accumulator", add_zero_to_accumulator}};

}  // namespace

std::span<const Rule> rules_for(const Exp& exp) {
  using Rules = std::span<const Rule>;
  return match(
      exp,  //
      [](const UnOp&) { return Rules(unop_rules); },
      [](const BinOp&) { return Rules(binop_rules); },
      [](const CmpOp&) { return Rules(cmpop_rules); },
      [](const Convert&) { return Rules(convert_rules); },
      [](const MathOp&) { return Rules(math_rules); },                                           //
      [](const If&) { return Rules(if_rules); }, [](const Loop&) { return Rules(loop_rules); },  //
      [](const Assert&) { return Rules(assert_rules); },
      [](const ArrayLiteral&) { return Rules(literal_rules); },
      [](const Replicate&) { return Rules(replicate_rules); },
      [](const Copy&) { return Rules(copy_rules); },
      [](const Concat&) { return Rules(concat_rules); },
      [](const Rearrange&) { return Rules(rearrange_rules); },
      [](const Reshape&) { return Rules(reshape_rules); },
      [](const Coerce&) { return Rules(coerce_rules); },
      [](const Index&) { return Rules(index_rules); },
      [](const Update&) { return Rules(update_rules); },  //
      [](const Map&) { return Rules(map_rules); },
      [](const Reduce&) { return Rules(reduce_rules); },
      [](const Scan&) { return Rules(scan_rules); },
      [](const MapReduce&) { return Rules(fused_rules); },
      [](const MapScan&) { return Rules(fused_rules); },
      [](const ReduceByIndex&) { return Rules(histogram_rules); },
      [](const WithAcc&) { return Rules(with_acc_rules); },
      [](const UpdateAcc&) { return Rules(update_acc_rules); },
      [](const auto&) { return Rules(); });
}

}  // namespace boustro::simplify
