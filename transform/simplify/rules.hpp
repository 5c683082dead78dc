// All rules by name; rules.cpp says when each is tried. A rule is specified where it is defined.
#pragma once

#include "transform/simplify/rule.hpp"

namespace boustro::simplify {

using RuleResult = std::optional<Rewrite>;

// constants.cpp
/// Of an operator on literals; none if it fails.
std::optional<ir::PrimValue> value_of_literals(const ir::Exp& exp);
RuleResult fold_constants(ir::Stm& stm, Context& context);

// integers.cpp
RuleResult integer_identities(ir::Stm& stm, Context& context);
RuleResult integer_reassociation(ir::Stm& stm, Context& context);

// floats.cpp
RuleResult float_identities(ir::Stm& stm, Context& context);
RuleResult negation_of_factor(ir::Stm& stm, Context& context);
RuleResult negative_factor(ir::Stm& stm, Context& context);

// scalars.cpp
RuleResult negations(ir::Stm& stm, Context& context);
RuleResult comparisons(ir::Stm& stm, Context& context);
RuleResult logical_identities(ir::Stm& stm, Context& context);
RuleResult conversions(ir::Stm& stm, Context& context);

// branches.cpp
RuleResult branch_on_constant(ir::Stm& stm, Context& context);
RuleResult branch_on_negation(ir::Stm& stm, Context& context);
RuleResult equal_branches(ir::Stm& stm, Context& context);
RuleResult equal_branch_results(ir::Stm& stm, Context& context);
RuleResult branch_as_logic(ir::Stm& stm, Context& context);
RuleResult assert_true(ir::Stm& stm, Context& context);

// loops.cpp
RuleResult loop_of_constant_count(ir::Stm& stm, Context& context);
RuleResult invariant_loop_param(ir::Stm& stm, Context& context);

// unread_updates.cpp
RuleResult unread_updates(ir::Stm& stm, Context& context);

// indexing.cpp
RuleResult index_in_bounds(ir::Stm& stm, Context& context);
RuleResult index_whole(ir::Stm& stm, Context& context);
RuleResult index_of_constructor(ir::Stm& stm, Context& context);
RuleResult slice_of_replicate(ir::Stm& stm, Context& context);
RuleResult index_of_view(ir::Stm& stm, Context& context);
RuleResult index_of_slice(ir::Stm& stm, Context& context);
RuleResult index_of_concat(ir::Stm& stm, Context& context);
RuleResult index_of_update(ir::Stm& stm, Context& context);
RuleResult update_in_bounds(ir::Stm& stm, Context& context);
RuleResult update_whole(ir::Stm& stm, Context& context);
RuleResult update_overwritten(ir::Stm& stm, Context& context);

// views.cpp
RuleResult rearrange_views(ir::Stm& stm, Context& context);
RuleResult reshape_views(ir::Stm& stm, Context& context);
RuleResult map_between_views(ir::Stm& stm, Context& context);
RuleResult coerce_views(ir::Stm& stm, Context& context);
RuleResult map_of_views(ir::Stm& stm, Context& context);

// fresh.cpp
RuleResult copy_of_fresh(ir::Stm& stm, Context& context);
RuleResult nested_replicate(ir::Stm& stm, Context& context);
RuleResult single_concat(ir::Stm& stm, Context& context);
RuleResult literal_of_equal_elements(ir::Stm& stm, Context& context);

// maps.cpp
RuleResult map_over_replicate(ir::Stm& stm, Context& context);
RuleResult map_over_equal_arrays(ir::Stm& stm, Context& context);
RuleResult map_results_known(ir::Stm& stm, Context& context);
RuleResult map_accumulator_unused(ir::Stm& stm, Context& context);
RuleResult empty_operators(ir::Stm& stm, Context& context);

// positions.cpp
RuleResult index_by_position(ir::Stm& stm, Context& context);

// reductions.cpp
RuleResult reduce_of_known_width(ir::Stm& stm, Context& context);
RuleResult elements_of_nothing(ir::Stm& stm, Context& context);
RuleResult independent_components(ir::Stm& stm, Context& context);
RuleResult operands_in_order(ir::Stm& stm, Context& context);
RuleResult reduce_from_value(ir::Stm& stm, Context& context);

// accumulators.cpp
RuleResult add_zero_to_accumulator(ir::Stm& stm, Context& context);
RuleResult with_acc_without_updates(ir::Stm& stm, Context& context);
RuleResult combine_by_addition(ir::Stm& stm, Context& context);
RuleResult with_acc_known_results(ir::Stm& stm, Context& context);

}  // namespace boustro::simplify
