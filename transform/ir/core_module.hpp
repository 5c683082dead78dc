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
//   val sort [n]                   : (first_bit: i64) -> (end_bit: i64) -> (xs: [n]i64) -> *[n]i64
//        Integers, none of them negative, in the order of those bits; `derive` prints it as a loop
//
//   val scatter_4d, reduce_by_index_4d ...   as the prelude's functions for fewer dimensions
//
// Nests. Types say little of them; lowering and the verifier have the last word. Spaces, values and outs are one or a flat tuple.
//
//   val nest 's 'a 'o 'b           : (space: s) -> (point: s -> a) -> (outs: o) -> *b
//        The points of a space, outermost dimension first: the indices and values that `point` yields for each, and what becomes
//        of them, one out after the other. Written with the types of the results, `let (ys: [n]f64, total: f64) = ...`,
//        and with an attribute that tells who shares the points and who runs one, as #[grid_thread]; without one: threads
//   val nest_acc 's 'c 'a 'o 'b    : s -> (point: *c -> s -> (c, a)) -> *c -> o -> (*c, *b)
//        The same over accumulators c
//   store r                        one value; an array of all. Here and below r is how many leading dimensions are kept
//   reduce r op ne, reduce_comm    operands of op, combined along the other dimensions
//   scan r op ne                   likewise, inclusive, along the last dimension
//   histogram k dest op ne         k indices, then operands of op, combined with the cells of dest, one array or several
//   scatter k dest                 k indices, then a value for each of dest
//   epilogue out fn                what is stored in the place of combined values: fn of the kept indices (of a scan all), then them
//   direct out, library out, atomic out, copies out    how it is computed, if that is chosen
//
//   val fused 'a 'x 'r 'o 'b       : (width: i64) -> (fn: a -> r) -> (arrays: x) -> (outs: o) -> *b
//        The same of the elements of arrays: Map, MapReduce, MapScan, ReduceByIndex or Scatter, as the outs say. fused_acc likewise
//
// What printing with `exact` uses besides, where the language has operations that compute sizes or check:
//   check c "text {}" (x, y)       Assert with its message
//   slice xs (i, (s, n, t))        Index with a slice: start, count, stride; `update xs (..) ys` likewise
//   (concat (xs, ys) : [n]t), (replicate x : [n][m]t), (reshape xs : [n][m]t), (rearrange (1, 0) xs : [m][n]t)
//   fresh xs                       xs; the language would not see that nothing else has its memory
// and #[unsafe] where an index, an update or an update of an accumulator is known to be in bounds
#pragma once

#include <string_view>

namespace boustro::ir {

inline constexpr std::string_view core_module_name = "core";

}  // namespace boustro::ir
