// Shorthands that make plans pleasant to write down: types, expressions and the runtime's
// constants.
//
//   const Expr i = var("i"), d = var("d", i32), points = var("points", pointer_to(f32, read));
//   Let{.name = "difference", .type = type(f32), .value = points[i * d + t] - centres[j * d + t]}
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

// ---- Types

inline constexpr PrimType i32 = PrimType::i32, i64 = PrimType::i64, f32 = PrimType::f32,
                          f64 = PrimType::f64;

Type type(PrimType prim);
Type struct_type(std::string name);
Type pointer_to(Type elem);        // T*
Type const_pointer_to(Type elem);  // const T*
Type pointer_to(PrimType elem);
Type const_pointer_to(PrimType elem);
Type const_reference_to(Type of);  // const T&
Type restricted(Type pointer);     // T* __restrict__
Type size_type();                  // std::size_t
/// What a pointer points to.
Type elem_of(const Type& pointer);

bool is_integer(const Type& type);
bool is_bool(const Type& type);

/// As C++: `const float* __restrict__`. For messages and explain; printers have their own.
std::string to_string(const Type& type);

// ---- Expressions

Expr var(std::string name, Type type);
Expr var(std::string name, PrimType prim = PrimType::i64);
Expr var(const Param& param);
Expr lit(PrimValue value);
Expr lit(std::int64_t value, PrimType prim = PrimType::i64);  // for floats: the value rounded
Expr lit_float(double value, PrimType prim);
Expr true_lit();
Expr false_lit();
Expr null_pointer(Type type);
Expr position(Position position);

/// Operators take operands of one type, or integers of 32 and 64 bits, which widen as in C++; a
/// plain integer takes the type of the other operand.
Expr op(Op op, Expr x);
Expr op(Op op, Expr x, Expr y);
Expr select(Expr condition, Expr x, Expr y);
Expr operator+(const Expr& x, const Expr& y);
Expr operator-(const Expr& x, const Expr& y);
Expr operator*(const Expr& x, const Expr& y);
Expr operator/(const Expr& x, const Expr& y);
Expr operator%(const Expr& x, const Expr& y);
Expr operator<(const Expr& x, const Expr& y);
Expr operator<=(const Expr& x, const Expr& y);
Expr operator>(const Expr& x, const Expr& y);
Expr operator>=(const Expr& x, const Expr& y);
Expr operator&&(const Expr& x, const Expr& y);
Expr operator||(const Expr& x, const Expr& y);
Expr operator!(const Expr& x);
Expr operator-(const Expr& x);
Expr operator+(const Expr& x, std::int64_t y);
Expr operator-(const Expr& x, std::int64_t y);
Expr operator*(const Expr& x, std::int64_t y);
Expr operator<(const Expr& x, std::int64_t y);
Expr operator<=(const Expr& x, std::int64_t y);
Expr operator>(const Expr& x, std::int64_t y);
Expr operator>=(const Expr& x, std::int64_t y);
/// x == y; `==` itself compares expressions.
Expr equal(Expr x, Expr y);
Expr not_equal(Expr x, Expr y);

Expr address_of(Expr target);
/// array[row][column], of a LocalArray.
Expr element(const Expr& array, const Expr& row, const Expr& column);
Expr field(Expr of, std::string name, Type type);
Expr cast(Type to, Expr x);  // x itself if it has the type already
Expr cast(PrimType to, Expr x);
Expr convert(PrimType to, Expr x);
Expr call(std::string function, Type result, std::vector<Expr> args);
Expr construct(std::string name, std::vector<Expr> args);
/// 0, or a struct of zeros.
Expr zero_of(const Type& type);
Expr intrinsic(ir::UnOpKind fn, Expr x);
Expr intrinsic(ir::BinOpKind fn, Expr x, Expr y);
Expr intrinsic(ir::MathFn fn, PrimType of, Type result, std::vector<Expr> args);
Expr size_of(Type of);

/// The value of an integer literal.
std::optional<std::int64_t> int_value(const Expr& expr);

/// As C++, for messages, explain and comments.
std::string to_string(const Expr& expr);
/// `+`, `<`, ...; `?` for `select`.
std::string_view symbol_of(Op op);
/// `threadIdx.x`, ...
std::string_view name_of(Position position);
/// The name of a primitive type in the text: `int`, `int64_t`, ...
std::string_view cpp_name(PrimType prim);

// ---- The runtime

/// What every emitted file may use of the runtime; printers copy what is used from templates/.
namespace runtime {

Type block_type();        // dim3: its fields x and y, unsigned, are the shape of a block
Expr block_size();        // int, 256
Expr max_int_size();      // int64_t, 2^30: extents inside a row
Expr max_shared_bytes();  // std::size_t, 48 KiB
Expr max_lanes();         // int64_t, 16
Expr max_parts();         // int64_t, 64
Expr max_threads();       // int64_t, 2^18: bounds the scratch memory that every thread has

Expr tile_width();        // int, 64: rows and columns of results that a block computes, from
Expr tile_depth();        // int, 8: summands at a time, or half of them
Expr tile_threads();      // int, 128: of a block, each of which has 32 results
/// Classes that say which results of a tile a thread has, so many rows and columns of them, and which rows and columns of the tile these
/// are: templates/thread_tile.cuh, matrix_tile.cuh; `shallow`: with half as many summands at a time. `tile`: an Alias of one of them. All int.
Type thread_tile(int rows, bool shallow = false);
Type matrix_tile();
/// Of a block that computes such a tile.
Extents block_of_tile(const Type& tile);
Expr rows_of_thread(const Alias& tile);
Expr columns_of_thread(const Alias& tile);
Expr row_of_tile(const Alias& tile, Expr row);
Expr column_of_tile(const Alias& tile, Expr column);
/// What all results of a row, or of a column, share, by a Closure of the index and the summand; `neighbouring_summands`: those lie side by
/// side in memory. And the sums: templates/accumulate.cuh.
Expr tile_operand(const Alias& tile, bool of_rows, bool neighbouring_summands, Expr first, Expr size, Expr load);
Expr accumulate(const Alias& tile, Expr summands, Expr add, std::vector<Expr> operands);
/// The summands of a tile: all, or where there are zeros on one side of the diagonal those up to it, or from there on; `first` is the row,
/// or column, that the tile begins at.
Expr all_summands(Expr count);
Expr summands_to_diagonal(Expr count, Expr first, bool of_rows);
Expr summands_from_diagonal(Expr count, Expr first, bool of_rows);
/// Sets all elements of a LocalArray, of one dimension or of two.
Expr set_all(Expr values, Expr value);
Expr set_rows(Expr values, Expr value);
/// Adds a product of 16 x 4 by 4 x 8 elements of a warp to two results of a thread in each of two rows, which start at `upper` and `lower`;
/// `row_elements` is a double2: templates/add_matrix_product.cuh.
Expr add_matrix_product(Expr upper, Expr lower, Expr row_elements, Expr column_element);

/// The first point of a part of a loop, in which max_lanes points are computed at a time. All int64_t.
Expr begin_of_part(Expr part, Expr points, Expr parts);
/// Sorts integers by some of their bits: to, from, other, count, first bit, end bit. All int64_t.
Expr sort_by_bits(Expr to, Expr from, Expr other, Expr count, Expr first_bit, Expr end_bit);
Expr blocks_for(Expr size, Expr per_block);  // unsigned
/// The same for threads that stride over light points, with so many blocks `beside` each: no more than `few_blocks` in all, which keep a
/// large device busy (templates/few_blocks_for.cuh).
inline constexpr int few_blocks = 2048;
Expr few_blocks_for(Expr size, Expr per_block, std::optional<Expr> beside = {});
/// The same along y or z of a grid, where CUDA accepts fewer blocks: kernels stride over the rest. One item per block if nothing else is said.
Expr grid_height_for(Expr size, std::optional<Expr> per_block = {});
/// Into how many parts workers divide a loop over `points`, each of `work` additions, where a part has `cells` of its own
/// to add to and needs `room` for other elements; at least 1, at most max_parts. All int64_t.
Expr parts_for(Expr points, Expr work, std::optional<Expr> cells = {}, std::optional<Expr> room = {});
/// Small ones, as many as there are.
Expr small_parts_for(Expr points, Expr work);
/// The most that parts_for is for so much room.
Expr most_parts(Expr room);
/// Threads of a block along a row of `width` elements, of which there are so many: the power of two up to 32 that covers it, and
/// more if that leaves threads for further rows than there are. unsigned.
Expr row_threads_for(Expr width, Expr rows);
/// How many of so many summands a slab has, where so many sums are added up slab by slab.
Expr slab_size_for(Expr summands, Expr sums);
/// bool: whether a block should compute a whole tile of so many rows and columns of sums. All int64_t.
Expr tiles_pay(Expr rows, Expr columns, Expr summands, Expr matrices);
/// The same for all columns of the rows of a tile.
Expr rows_of_tiles_pay(Expr rows, Expr columns, Expr summands, Expr matrices);
/// The shape of a block of which several threads compute a sum jointly, of rows of sums of some width, all int64_t; and whether neighbouring
/// summands lie next to each other: then the threads of a sum lie along x, and results along y, else the other way round.
Expr sums_block(Expr width, Expr rows, Expr summands, bool neighbouring_summands);
/// The shape of which the extents of a block are the fields x and y, as those of sums_block; null if they are numbers.
const Expr* shape_of(const Extents& block);
/// The extents of a grid where what stands for `value` is the variable.
Extents with_variable(Extents grid, const Expr& value, const Expr& variable);
/// Blocks that combine in copies of their own: how many rows each goes through, of which each contributes to one of `cells` cells, or to
/// several of as many more, int64_t; whether that pays, bool; and how many copies each has then, int.
Expr rows_per_copy(Expr rows, Expr cells);
Expr copies_pay(Expr rows, Expr rows_per_block, Expr copy_bytes);
Expr copies_for(Expr copy_bytes, Expr cells, Expr rows_per_block, Expr rows_at_a_time);
/// Rows that blocks bring to shared memory: how many elements apart they lie there, int64_t, of elements of so many bytes; how many a block
/// has, unsigned, 0 if none; and the copy, of pointers and ints.
Expr row_pitch(Expr width, Expr elem_bytes);
Expr staged_rows_for(Expr row_bytes);
Expr stage_rows(Expr staged, Expr elements, Expr rows, Expr width, Expr pitch);
/// What the threads of a row or column of the block have, combined by an operator. All threads of the block have to come there.
Expr combine_row(Expr value, Expr op);
Expr combine_column(Expr value, Expr op);
bool is_combination(const std::string& function);
/// All threads of the block have to come there.
bool has_barriers(const std::string& function);
/// Of an array of the block's shared memory, whose values are replaced by what comes before each, from a start value on, or by that and
/// their own; and what all come to, for thread 0. All threads of the block have to come there.
Expr scan_values(Expr values, Expr start, Expr op, bool inclusive);
Expr reduce_values(Expr values, Expr start, Expr op);
/// Which lanes of the warp have the same cell, a pointer; each by itself if not `together`, which is true if it is left out.
Expr warp_peers(Expr cell);
Type peers_type();
/// The call of warp_peers that the statement keeps the result of.
Expr* call_of_peers(Stm& stm);
/// Of integers, on the host and in kernels. Operands have one type.
Expr min(Expr x, Expr y);
Expr max(Expr x, Expr y);

/// bool: whether 0 <= index < size (i64). Otherwise the failure of check number `site` is recorded
/// as by Fail.
Expr check_index(Expr failure, int site, Expr index, Expr size);
/// bool: whether the divisor is not 0. Otherwise likewise.
Expr check_divisor(Expr failure, int site, Expr divisor);
/// bool: whether a check has failed.
Expr has_failed(Expr failure);
/// The functions that record failures: their second argument is the number of a check.
bool is_check(const std::string& function);

/// Names above, for verification.
bool is_constant(const std::string& name);
bool is_function(const std::string& name);
/// `row_operand` of `row_operand<Tile, Order::summands>`.
std::string without_arguments(const std::string& function);

}  // namespace runtime

/// `buffers.name`, in an entry.
Expr scratch_field(std::string name, Type type);

/// `y swapped(relation) x` is `x relation y`; an operator that is no relation stays.
Op swapped(Op relation);

}  // namespace boustro::plan
