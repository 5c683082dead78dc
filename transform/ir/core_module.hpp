// The reserved module `core`: what the printer writes for forms that the language has no syntax for, and the
// frontend reads back. Ordinary functions with ordinary types; only `acc` is new:
//
//   type acc 't                    an accumulator for an array of type t. Values of it are linear: uniqueness
//                                  rules apply as to a unique array that every use consumes
//
//   val scratch 't                 : (n: i64) -> *[n]t
//        n elements, undefined. Always written with its type: `(core.scratch n : [n][m]f64)`
//
//   val with_add 't 'b             : *t -> (*acc t -> b) -> b
//   val with_overwrite 't 'b       : *t -> (*acc t -> b) -> b
//   val with_combine 't 'e 'b      : (e -> e -> e) -> e -> *t -> (*acc t -> b) -> b
//        Apply the function to an accumulator that starts from the array. Several accumulators are nested
//        directly: `core.with_add xs (\xs_acc -> core.with_overwrite ys (\ys_acc -> ...))` is one WithAcc
//   val finish 't                  : *acc t -> *t
//        The array. Stands in the result of the innermost function, once for each accumulator, printed in their order:
//        `(core.finish xs_acc, core.finish ys_acc, others...)`
//
//   val update_0d 't               : *acc t -> t -> *acc t
//   val update_1d 't [n]           : *acc ([n]t) -> i64 -> t -> *acc ([n]t)
//   val update_2d 't [n] [m]       : *acc ([n][m]t) -> i64 -> i64 -> t -> *acc ([n][m]t)
//   val update_3d, update_4d         likewise
//        UpdateAcc: indices out of bounds are ignored
//
//   val map 'c 'a 'b [n]           : (*c -> a -> (c, b)) -> *c -> [n]a -> (*c, *[n]b)
//        A Map whose accumulators are c: one of them, or a tuple. a and b are elements or tuples of them; b is () if
//        there are no other results
//
//   val scatter_4d, reduce_by_index_4d ...   as the prelude's functions for fewer dimensions
//
// Printed, but not read back yet:
//   nest_2d n m (\i j -> values) (\columns -> results)   a Nest without accumulators: what each point yields, and what
//        becomes of the columns of those values; an attribute such as #[grid_thread] tells its levels. nest_1d, nest_3d likewise
#pragma once

#include <string_view>

namespace boustro::ir {

inline constexpr std::string_view core_module_name = "core";

}  // namespace boustro::ir
