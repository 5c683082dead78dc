// Index arithmetic that leaves out what does nothing: additions of 0, multiplications by 1.
#pragma once

#include "emit/plan/planner/values.hpp"

namespace boustro::plan::planner {

Expr plus(const Expr& x, const Expr& y);
Expr minus(const Expr& x, const Expr& y);
Expr times(const Expr& x, const Expr& y);
/// It is `x * -1`, as `times` writes the opposite of what is not a number.
bool is_negated(const Expr& expr);
/// x - y, if it is a number whatever the variables are. Sizes and indices do not overflow.
std::optional<std::int64_t> known_difference(const Expr& x, const Expr& y);
/// Both count the same elements, whatever the order of their summands.
bool same_position(const Expr& x, const Expr& y);
/// max(x, 0)
Expr at_least_zero(const Expr& x);
Expr product(const std::vector<Expr>& factors);  // 1 if there are none

/// A comparison; known if it compares integers that are known, or one with itself.
Expr compared(Op kind, const Expr& x, const Expr& y);
/// The condition that holds where this one does not: of integers without a `!`.
Expr opposite(const Expr& condition);
/// x && y or x || y; known if one of them decides it.
Expr connected(Op kind, const Expr& x, const Expr& y);

/// condition ? x : y; what x and y decide by the same condition is known there.
Expr chosen(const Expr& condition, const Expr& x, const Expr& y);

/// A literal in the type of the other operand, so that `int` arithmetic stays `int`; else x itself.
Expr fitted(const Expr& x, const Expr& other);

bool is_zero(const Expr& expr);
bool is_one(const Expr& expr);

/// A scalar that is known: 3.
Scalar literal(PrimValue value);
Scalar size_literal(std::int64_t value);

/// Bounds of results; nothing if an operand's are not known or the result may overflow. A product of
/// two sizes does not, but one of three may, and so may one of a size and a large number.
std::optional<Range> add(const std::optional<Range>& x, const std::optional<Range>& y);
std::optional<Range> subtract(const std::optional<Range>& x, const std::optional<Range>& y);
std::optional<Range> multiply(const std::optional<Range>& x, const std::optional<Range>& y);
/// Of a product that counts the elements of an array: a size like any other.
std::optional<Range> counted(const std::optional<Range>& x, const std::optional<Range>& y);
/// Rounded down, by positive divisors.
std::optional<Range> divide(const std::optional<Range>& x, const std::optional<Range>& y);
/// Not below zero, by positive divisors.
std::optional<Range> remainder(const std::optional<Range>& x, const std::optional<Range>& y);
/// Bounded by one operand if the other is not known.
std::optional<Range> smaller(const std::optional<Range>& x, const std::optional<Range>& y);
std::optional<Range> larger(const std::optional<Range>& x, const std::optional<Range>& y);
/// Of a square root, and of floats that are rounded to integers.
std::optional<Range> rounded_range(ir::MathFn fn, const std::optional<Range>& x);
std::optional<Range> join(const std::optional<Range>& x, const std::optional<Range>& y);
/// All of the range are numbers of the integer type.
bool fits(const std::optional<Range>& range, PrimType type);
bool fits_int(const std::optional<Range>& range);
bool not_negative(const std::optional<Range>& range);

inline constexpr Range size_range{0, std::int64_t{1} << 40, true};
inline constexpr Range int_size_range{0, std::int64_t{1} << 30, true};
/// Of the indices of so many.
Range indices_below(const Range& size);
/// The same, of which nothing is negative.
Range as_size(const Range& range);

/// Number of nodes: long expressions are not folded into others.
int node_count(const Expr& expr);
/// Operators and calls that a reader sees as steps: not those of an index, and no casts.
int operation_count(const Expr& expr);
/// A variable, literal or constant: repeating it costs nothing.
bool is_simple(const Expr& expr);
/// Loads from memory that may change.
bool reads_changing(const Expr& expr);
bool mentions(const Expr& expr, const std::string& variable);

}  // namespace boustro::plan::planner
