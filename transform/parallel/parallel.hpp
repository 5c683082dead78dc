// From parallel operators to nests: who runs what, decided before anything is planned.
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// What the program is for: a gpu, whose host launches grids of threads, or the workers of a cpu.
enum class Machine { gpu, cpu };

/// Of operations that round: any that is fast, or the same in every run, on a gpu too, whose atomic operations and library scans come as they
/// come. On a cpu sizes alone decide it.
enum class Order { any, fixed };

/// What adds to accumulators whose operators no thread can apply while others do becomes loops over arrays, and so do sorts that a
/// thread does: in_order/.
/// `others`: accumulators for which that is done, too, by what their with_acc yields.
ir::Program combine_in_order(ir::Program program, Machine machine, const ir::NameSet& others = {});

/// Reductions of rows that a point computes become loops, whose bodies fusion can merge: in_order/rows.cpp. For a cpu, where one
/// worker goes through what is inside of a traversal. Run fusion and simplify afterwards.
ir::Program combine_rows(ir::Program program);

/// Loops of the host whose steps compute rows element by element run inside of each element instead: inwards/columns.hpp. For a gpu, as
/// the next four. Run simplify and fusion after each.
ir::Program loops_inwards(ir::Program program);
/// Reductions that keep a loop from that are done for all steps at once: inwards/steps_apart.hpp.
ir::Program loops_apart_by_steps(ir::Program program);
/// Loops that overwrite an array start from one without values: inwards/starts.hpp.
ir::Program starts_undefined(ir::Program program);
/// States that a loop of the host keeps are made where they are kept: inwards/states_in_place.hpp. One for each loop: run it until nothing changes.
ir::Program keep_states_in_place(ir::Program program);
/// Rows that loops of a thread fill are filled where they are stored: inwards/rows_in_place.hpp.
ir::Program rows_in_place(ir::Program program);

/// Loops whose steps make a few elements only run in one thread: alone/alone.cpp. For a gpu.
ir::Program run_alone(ir::Program program);

/// Sizes of arrays in a thread that have no bound by what the host knows get one: sizes/. For a gpu, whose host makes
/// room for the arrays of all threads.
ir::Program bound_thread_sizes(ir::Program program);

/// Every parallel operator becomes a nest: Map, Reduce, Scan, their fused forms, ReduceByIndex and Scatter do not occur
/// in the result. What stands outside of all others is shared by the grid or the workers, what is inside runs in a thread.
/// The program has been simplified and fused.
ir::Program flatten(ir::Program program, Machine machine, Order order = Order::any);

/// Sums over the leading dimension of an array go through the others as one: flat_sums/. For a gpu; of nests.
ir::Program flatten_sums(ir::Program program);
/// Nests of the same points become one: join/. For a gpu; of nests.
ir::Program join_nests(ir::Program program);

/// Products in the steps of a loop that need not wait for each other are computed for some steps at once: steps/. For a gpu; of nests. Sums
/// come in another order.
ir::Program compute_steps_together(ir::Program program);

/// Sums of what is zero from some index on, or up to one, leave that out, and of symmetric matrices one half is added up: triangles/. For a
/// cpu; of nests. It takes 0 * x for 0.
ir::Program shorten_to_triangles(ir::Program program);

/// Nests that go backwards through what they read, and whose results are read backwards, go forwards: forwards/. For a gpu; of nests.
ir::Program number_forwards(ir::Program program);

/// Arrays that combine smaller ones, element by element, are computed where nests read them, and so are rows of a thread: recompute/. For a gpu;
/// of nests.
ir::Program compute_where_read(ir::Program program);

/// Sums of products that are stored only to be summed up again: what varies is summed first: recompute/sums_first.cpp. For a gpu; of nests.
/// Sums come in another order.
ir::Program sum_first(ir::Program program);

/// Sums that few points have, of many summands, are added up slab by slab, by tiles, where that pays: slabs/. For a gpu; of nests.
ir::Program sum_by_slabs(ir::Program program);

/// Sums that a thread folds, of the same summands, are added up by a thread each, of matrices that are turned before, where that pays, or
/// several at a time: together/. For a gpu; of nests.
ir::Program sums_together(ir::Program program);

/// Short arithmetic on numbers that the host knows is done where kernels need it: recompute/short_scalars.cpp. For a gpu; of nests.
ir::Program compute_short_scalars(ir::Program program);
/// A size that a nest counts points of is 1 or more at each of them: recompute/counted_divisors.cpp. For a gpu; of nests.
ir::Program divide_by_counted_sizes(ir::Program program);

/// Arrays that are put together from rows start before these, and without values if they are overwritten: starts/. Of nests.
ir::Program start_early(ir::Program program);

/// Indices of nests over the same extent have the same letter, over different ones different letters: letters/. Names alone change. Of nests.
ir::Program letter_indices(ir::Program program);

/// Every out of a nest, and the additions to its accumulators, get a method: choose/. None is open in the result.
ir::Program choose(ir::Program program);

}  // namespace boustro::parallel
