// The core IR: first-order, purely functional, in A-normal form. One file, since its types hold each other.
//
// A body is a list of statements `let pattern = exp` and a list of result atoms; every operand is an
// atom, that is a name or a literal. Everything is a plain value: copying a body copies the program.
//
// Names     are unique in a program: no name is bound twice, in whatever scope.
// Types     a scalar is an array of rank 0. Two types are equal if element type and shape are; two
//           sizes are equal if they are the same atom. `Coerce` states any other equality of sizes.
// Sizes     are i64 atoms in scope where the type stands. A pattern, parameter list or result list
//           binds sizes before the values whose types mention them.
// Integers  wrap around. `div` and `mod` round towards minus infinity, `quot` and `rem` towards zero.
// Floats    are IEEE 754; passes keep the order of float operations, except that the operators of
//           Reduce, Scan and ReduceByIndex and additions into accumulators are taken to be associative.
// Updating  `Update`, `Scatter`, `ReduceByIndex`, `WithAcc` and calls with unique parameters *consume*
//           arrays: neither the array nor an alias of it is used afterwards. `verify` rejects the rest.
// Aliases   an atom, Index of a whole row, slice, Rearrange, Reshape and Coerce may share memory with
//           their operand; If, Loop and Call with what they yield. All other results are fresh.
// Parallel  operators say what is independent; transform/parallel turns them into `Nest`s, which also say
//           who runs what.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/source/source.hpp"
#include "frontend/values/primitive.hpp"
#include "transform/ir/operators.hpp"

namespace boustro::ir {

using source::SourceRange;
using values::PrimType;
using values::PrimValue;

/// A variable. `base` is what the source or the rule calls it, `tag` makes it unique; fresh names come
/// from `Names` (builder.hpp) alone. Printing drops tags where no confusion is possible.
struct Name {
  std::string base;
  int tag = 0;
  auto operator<=>(const Name&) const = default;
};

/// The only kind of operand.
using Atom = std::variant<Name, PrimValue>;
using Shape = std::vector<Atom>;  // outermost first; i64

/// The type of a name. An accumulator has the type of the array that it adds to or writes to.
struct Type {
  PrimType elem = PrimType::i64;
  Shape shape;  // empty: a scalar
  bool accumulator = false;

  bool is_scalar() const { return shape.empty() && !accumulator; }
  int rank() const { return static_cast<int>(shape.size()); }
  bool operator==(const Type&) const = default;
};

/// `unique`: the scope may consume the argument, which the caller gives up.
struct Param {
  Name name;
  Type type;
  bool unique = false;
  bool operator==(const Param&) const = default;
};

struct Stm;

struct Body {
  std::vector<Stm> stms;
  std::vector<Atom> result;
  bool operator==(const Body&) const;
};

/// `result_types` mention only sizes that are in scope outside of the lambda.
struct Lambda {
  std::vector<Param> params;
  Body body;
  std::vector<Type> result_types;
  bool operator==(const Lambda&) const = default;
};

// ---- Scalars -------------------------------------------------------------------------------------

/// x, under another name.
struct AtomExp {
  Atom atom;
  bool operator==(const AtomExp&) const = default;
};
/// -x, !x, abs x, ...
struct UnOp {
  UnOpKind kind;
  PrimType type;
  Atom operand;
  bool operator==(const UnOp&) const = default;
};
/// x + y, ...; both of `type`, and so is the result.
struct BinOp {
  BinOpKind kind;
  PrimType type;
  Atom lhs, rhs;
  bool operator==(const BinOp&) const = default;
};
/// x < y, ...; both of `type`, the result is a bool.
struct CmpOp {
  CmpOpKind kind;
  PrimType type;
  Atom lhs, rhs;
  bool operator==(const CmpOp&) const = default;
};
/// f64.i32 x: `to.from x`.
struct Convert {
  PrimType from, to;
  Atom operand;
  bool operator==(const Convert&) const = default;
};
/// f64.sin x, ...: a built-in function of the prelude's module for `type`.
struct MathOp {
  MathFn fn;
  PrimType type;
  std::vector<Atom> args;
  bool operator==(const MathOp&) const = default;
};

// ---- Control -------------------------------------------------------------------------------------

/// if c then .. else ..; `match` is lowered to it. Results may begin with sizes that the types of the
/// others mention.
struct If {
  Atom condition;
  Body then_body, else_body;
  bool operator==(const If&) const = default;
};

/// `true_dep`: the source promises that an array whose elements are updated has no false dependences, that is, no element is
/// changed after it was read. Nothing but reverse mode depends on it.
struct LoopParam {
  Param param;
  Atom init;
  bool true_dep = false;
  bool operator==(const LoopParam&) const = default;
};
/// for index < bound; no iteration if the bound is not positive. `type` is an integer type.
struct ForLoop {
  Name index;
  PrimType type;
  Atom bound;
  bool operator==(const ForLoop&) const = default;
};
/// while condition, which is the name of a bool parameter of the loop.
struct WhileLoop {
  Name condition;
  bool operator==(const WhileLoop&) const = default;
};
/// loop (x, y) = (x0, y0) for i < n do ..; the body's results are the parameters' next values, the
/// statement's results their last ones. Parameters may carry sizes that later ones mention.
struct Loop {
  std::vector<LoopParam> params;
  std::variant<ForLoop, WhileLoop> form;
  Body body;
  bool operator==(const Loop&) const = default;
};

/// f x y; `function` names a function of the program.
struct Call {
  Name function;
  std::vector<Atom> args;
  bool operator==(const Call&) const = default;
};

/// assert c; fails with `message`, in which `{}` stands for the next of `args`. Yields nothing.
struct Assert {
  Atom condition;
  std::string message;
  std::vector<Atom> args;
  bool operator==(const Assert&) const = default;
};

// ---- Arrays --------------------------------------------------------------------------------------

/// [x, y, z]; `row` is the type of an element.
struct ArrayLiteral {
  Type row;
  std::vector<Atom> elements;
  bool operator==(const ArrayLiteral&) const = default;
};
/// iota n: 0, 1, ..., n-1 as i64.
struct Iota {
  Atom width;
  bool operator==(const Iota&) const = default;
};
/// replicate n (replicate m x) for a shape [n][m]; x may be an array.
struct Replicate {
  Shape shape;
  Atom value;
  bool operator==(const Replicate&) const = default;
};
/// An array of that shape, its elements undefined.
struct Scratch {
  PrimType elem;
  Shape shape;
  bool operator==(const Scratch&) const = default;
};
/// copy xs: fresh, so that it can be consumed.
struct Copy {
  Name array;
  bool operator==(const Copy&) const = default;
};
/// The integers of an array (i64, none of them negative) in the order of their bits from `first_bit` up to `end_bit`, which is not one
/// of them: at least one bit and at most 63, all i64. Those with equal ones keep their order.
struct Sort {
  Atom first_bit, end_bit;
  Name array;
  bool operator==(const Sort&) const = default;
};
/// xs ++ ys, along the outermost dimension; `width` is that of the result.
struct Concat {
  Atom width;
  std::vector<Name> arrays;
  bool operator==(const Concat&) const = default;
};
/// Dimension i of the result is dimension permutation[i] of the array: transpose is {1, 0}.
struct Rearrange {
  std::vector<int> permutation;
  Name array;
  bool operator==(const Rearrange&) const = default;
};
/// The same elements in row-major order; the number of elements is equal.
struct Reshape {
  Shape shape;
  Name array;
  bool operator==(const Reshape&) const = default;
};
/// xs :> [n][m]t: the same array; fails if a size differs. Free where it is proven.
struct Coerce {
  Shape shape;
  Name array;
  bool operator==(const Coerce&) const = default;
};
/// start, start + stride, ...: `count` of them. A stride may be negative.
struct Slice {
  Atom start, count, stride;
  bool operator==(const Slice&) const = default;
};
/// One index, or a range of them.
using DimIndex = std::variant<Atom, Slice>;
/// xs[i, j], xs[i, a:b]; dimensions that are not mentioned are taken whole. Indices are i64.
/// `checked`: fails if out of bounds; otherwise the index is known to be in bounds.
struct Index {
  Name array;
  std::vector<DimIndex> indices;
  bool checked = true;
  bool operator==(const Index&) const = default;
};
/// xs with [i, j] = x; consumes xs.
struct Update {
  Name array;
  std::vector<DimIndex> indices;
  Atom value;
  bool checked = true;
  bool operator==(const Update&) const = default;
};

// ---- Parallel operators --------------------------------------------------------------------------

/// map fn xs ys. Parameters and results of `fn`: the accumulators, then the elements. Results of the
/// statement: the accumulators, then the arrays.
struct Map {
  Atom width;
  Lambda fn;
  std::vector<Name> arrays;
  std::vector<Name> accumulators;
  bool operator==(const Map&) const = default;
};
/// reduce op neutral xs ys: one operator on tuples of as many components as there are arrays.
/// Parameters of `op`: the left tuple, then the right one. Components may be arrays (vectorised).
struct Reduce {
  Atom width;
  Lambda op;
  std::vector<Atom> neutral;
  std::vector<Name> arrays;
  bool commutative = false;
  bool operator==(const Reduce&) const = default;
};
/// scan op neutral xs ys, inclusive.
struct Scan {
  Atom width;
  Lambda op;
  std::vector<Atom> neutral;
  std::vector<Name> arrays;
  bool operator==(const Scan&) const = default;
};
/// An operator of a fused form.
struct Operator {
  Lambda op;
  std::vector<Atom> neutral;
  bool commutative = false;
  bool operator==(const Operator&) const = default;
};
/// Several reductions over the results of one map. `fn` takes accumulators, then elements, and yields
/// accumulators, then the operands of each operator in turn, then elements of result arrays. The
/// statement yields the accumulators, the reductions' results, then the arrays.
struct MapReduce {
  Atom width;
  std::vector<Operator> operators;
  Lambda fn;
  std::vector<Name> arrays;
  std::vector<Name> accumulators;
  bool operator==(const MapReduce&) const = default;
};
/// Several scans over the results of one map: as MapReduce, scans' results being arrays.
struct MapScan {
  Atom width;
  std::vector<Operator> operators;
  Lambda fn;
  std::vector<Name> arrays;
  bool operator==(const MapScan&) const = default;
};
/// One operator of a ReduceByIndex with its destinations, which are consumed and hold the start values.
/// `shape` is that of the bins: one index a dimension.
struct Histogram {
  Shape shape;
  std::vector<Name> destinations;
  Lambda op;
  std::vector<Atom> neutral;
  bool operator==(const Histogram&) const = default;
};
/// reduce_by_index dest op neutral is xs. `fn` maps the arrays' elements to, for each histogram in turn,
/// its indices (i64) and its values. Indices out of bounds are ignored. Yields the destinations.
struct ReduceByIndex {
  Atom width;
  std::vector<Histogram> histograms;
  Lambda fn;
  std::vector<Name> arrays;
  bool operator==(const ReduceByIndex&) const = default;
};
/// scatter dest is vs: dest[indices[0][i], indices[1][i], ...] = values[i], for several destinations
/// of one shape; consumes them. Indices out of bounds are ignored.
struct Scatter {
  Atom width;
  std::vector<Name> indices;
  std::vector<Name> destinations;
  std::vector<Name> values;
  bool operator==(const Scatter&) const = default;
};

// ---- Accumulators --------------------------------------------------------------------------------

/// What an accumulator does with a value for a cell: adds it, overwrites, or combines by an operator.
struct AddUp {
  bool operator==(const AddUp&) const = default;
};
struct Overwrite {
  bool operator==(const Overwrite&) const = default;
};
struct Combine {
  Lambda op;
  Atom neutral;
  bool operator==(const Combine&) const = default;
};
using AccumulatorKind = std::variant<AddUp, Overwrite, Combine>;
/// `destination` holds the start values and is consumed.
struct AccumulatorInput {
  Name destination;
  AccumulatorKind kind;
  bool operator==(const AccumulatorInput&) const = default;
};
/// Parameters of `fn`: one accumulator an input. Its results: these, then any others. The statement
/// yields the finished arrays, then the others. An accumulator is used exactly once on every path; it
/// is never stored, captured or read.
struct WithAcc {
  std::vector<AccumulatorInput> inputs;
  Lambda fn;
  bool operator==(const WithAcc&) const = default;
};
/// acc[i, j] += v; yields the accumulator. With fewer indices than dimensions, v is an array of the
/// remaining shape. Out of bounds: ignored, unless `in_bounds` says that it cannot happen.
struct UpdateAcc {
  Name accumulator;
  std::vector<Atom> indices;
  Atom value;
  bool in_bounds = false;
  bool operator==(const UpdateAcc&) const = default;
};

// ---- Nests ---------------------------------------------------------------------------------------

/// Who shares the points of a nest, or runs one of them. On a gpu the grid, a block, a warp, a thread; on a
/// cpu all workers and the lanes of one. `thread`, as who shares them: one after the other.
enum class Level { grid, block, warp, thread, workers, lanes };

/// What becomes of the values that the points of a nest yield, with the fields of Out that it uses:
///   store      one value; an array of all of them
///   reduce     the operands of `op`, combined along the dimensions from `rank` on
///   scan       the same, inclusive, along the last dimension
///   histogram  an index into each dimension of `bins` and the operands of `op`, combined with the cells of the
///              destinations. Indices out of bounds are ignored
///   scatter    an index into each dimension of `bins` and one value a destination, which overwrites a cell
enum class OutKind { store, reduce, scan, histogram, scatter };

/// How an Out is computed, or points add to accumulators; `open` until transform/parallel/choose.
///   direct     by who runs the points: each value goes to a place of its own, or points come in order
///   library    by a call of CUB
///   apart      additions alone: by who runs the points, at once; no two points add to the same cell
///   once       the same, where there is one addition to a cell at most, which is zero before: it is stored
///   atomic     by atomic operations on the destination
///   copies     the same, on a copy of the destination for each block where one fits, which are added up at last
///   parts      each worker goes through a part of the points in order; what parts come to is combined in their order
enum class Method { open, direct, library, apart, once, atomic, copies, parts };

/// One result of a nest, or those with one operator. Destinations are consumed and hold the start values.
struct Out {
  OutKind kind = OutKind::store;
  int rank = 0;  // of leading dimensions that it keeps: all for a store, all but one for a scan
  std::optional<Operator> op;
  /// Of reduce and scan: what is stored in the place of combined values, from the kept indices (of a scan all) and
  /// those values.
  std::optional<Lambda> epilogue;
  Shape bins;
  std::vector<Name> destinations;
  Method method = Method::open;
  bool operator==(const Out&) const = default;

  /// How many results of a point it takes: indices, then values; and how many results of the nest it makes.
  std::size_t indices() const { return bins.size(); }
  std::size_t values() const {
    return op ? op->neutral.size() : kind == OutKind::scatter ? destinations.size() : 1;
  }
  std::size_t results() const { return epilogue ? epilogue->result_types.size() : values(); }
};

/// Points of a space, outermost dimension first. `point` takes accumulators, then an index (i64) a dimension; it yields the
/// accumulators, then for each out in turn its indices and values. The statement yields the accumulators,
/// then what the outs make. Its meaning is that of nested maps over the space around the combinations; it consumes
/// the outs' destinations. `over` shares the points, `each` runs one: in its body stand nests over `each`.
struct Nest {
  Level over = Level::thread, each = Level::thread;
  Shape space;
  Lambda point;
  std::vector<Name> accumulators;
  std::vector<Out> outs;
  Method additions = Method::open;  // to the accumulators
  bool operator==(const Nest&) const = default;
};

// ---- Derivatives; transform/ad removes them ------------------------------------------------------

/// jvp2 fn args tangents; jmp2 if seed_shape is [k], and then tangents and their results have that
/// outer shape. Yields fn's results, then their tangents. A derivative without primal results is this
/// with dead results.
struct Jvp {
  Lambda fn;
  std::vector<Atom> args;
  std::vector<Atom> tangents;
  Shape seed_shape;
  bool operator==(const Jvp&) const = default;
};
/// vjp2 fn args adjoints, or mjp2: yields fn's results, then the adjoints of args.
struct Vjp {
  Lambda fn;
  std::vector<Atom> args;
  std::vector<Atom> adjoints;
  Shape seed_shape;
  bool operator==(const Vjp&) const = default;
};
/// with_vjp fn vjp args: fn args, whose derivative is by definition `vjp` of results and their adjoints
/// (the prelude's order of arguments).
struct WithVjp {
  Lambda fn;
  Lambda vjp;
  std::vector<Atom> args;
  bool operator==(const WithVjp&) const = default;
};

/// What a statement computes. A class of its own, and not an alias, so that copying, comparing and
/// destroying 35 alternatives is compiled once and not in every unit that holds a statement.
struct Exp : std::variant<AtomExp, UnOp, BinOp, CmpOp, Convert, MathOp, If, Loop, Call, Assert,
                          ArrayLiteral, Iota, Replicate, Scratch, Copy, Sort, Concat, Rearrange, Reshape,
                          Coerce, Index, Update, Map, Reduce, Scan, MapReduce, MapScan,
                          ReduceByIndex, Scatter, WithAcc, UpdateAcc, Nest, Jvp, Vjp, WithVjp> {
  using variant::variant;
  Exp(const Exp& other);
  Exp(Exp&& other) noexcept;
  Exp& operator=(const Exp& other);
  Exp& operator=(Exp&& other) noexcept;
  ~Exp();
  bool operator==(const Exp& other) const;
};

/// Which part of a derivative a statement belongs to.
enum class Sweep { none, tangent, forward, reverse };

/// What the source calls that which a statement is part of, the innermost first: what `let` binds, and functions. Tells two values of one
/// name apart: `forget_weight`, `change_weight`.
struct Within {
  std::vector<std::string> lets;
  std::vector<std::string> functions;
  bool operator==(const Within&) const = default;
};

/// Where a statement comes from: its source first, then the call sites through which it was reached;
/// the rule that made it (a rule's name, such as "reverse_reduce_add"; empty if the source spells the
/// statement out), the sweep, and what it is part of.
struct Provenance {
  std::vector<SourceRange> at;
  std::string rule;
  Sweep sweep = Sweep::none;
  Within within = {};
  bool operator==(const Provenance&) const = default;
};

/// #[name] or #[name(argument)]: stripmine, bound, true_dep, keep, recompute, unsafe, sequential, ...; of a Map #[reorder(keys)], an array of
/// integers in whose order its points run.
struct Attribute {
  std::string name;
  std::vector<Atom> args;
  bool operator==(const Attribute&) const = default;
};

struct Stm {
  std::vector<Param> pattern;
  Exp exp;
  Provenance origin;
  std::vector<Attribute> attributes;
  bool operator==(const Stm&) const = default;
};

inline bool Body::operator==(const Body&) const = default;

// ---- Programs ------------------------------------------------------------------------------------

/// One parameter or result as the outside sees it: `count` consecutive core parameters or results.
/// A record or tuple has one core value a field.
struct EntryValue {
  std::string name;  // of a result: empty, or its place in the tuple
  std::string type;  // as in the source
  int count = 1;
  /// What the source calls each of the `count` parts of a result; empty where it does not say. None at all if that is not known.
  std::vector<std::string> called = {};
  bool operator==(const EntryValue&) const = default;
};

/// What an entry point adds to its function. The leading size parameters and size results of the
/// function are not listed: they follow from the arrays' shapes.
struct Entry {
  std::string name;
  std::vector<EntryValue> params, results;
  bool operator==(const Entry&) const = default;
};

/// The first `size_params` parameters are sizes that the others mention, likewise `size_results`.
struct Function {
  Name name;
  std::vector<Param> params;
  int size_params = 0;
  std::vector<Type> result_types;
  int size_results = 0;
  Body body;
  std::optional<Entry> entry;
  std::string doc;  // the documentation comment, without the dashes
  SourceRange at;
  std::vector<Attribute> attributes;
  bool operator==(const Function&) const = default;
};

/// Callees stand before their callers; there is no recursion.
struct Program {
  std::vector<Function> functions;
  bool operator==(const Program&) const = default;
};

// ---- Small helpers -------------------------------------------------------------------------------

/// Dispatch: match(exp, [](const Map& m) {..}, [](const Reduce& r) {..}, ...).
template <typename... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <typename Variant, typename... Cases>
decltype(auto) match(Variant&& variant, Cases&&... cases) {
  return std::visit(Overload<std::decay_t<Cases>...>{std::forward<Cases>(cases)...},
                    std::forward<Variant>(variant));
}

inline const Name* name_in(const Atom& atom) { return std::get_if<Name>(&atom); }
inline const PrimValue* literal_in(const Atom& atom) { return std::get_if<PrimValue>(&atom); }
inline Atom int_atom(std::int64_t value, PrimType type = PrimType::i64) {
  return PrimValue::of_int(type, value);
}
inline Type scalar(PrimType elem) { return {elem, {}, false}; }
inline Type array(PrimType elem, Shape shape) { return {elem, std::move(shape), false}; }
/// [width] ++ row
Type array_of(const Atom& width, const Type& row);
/// [shape] ++ row
Type array_of(const Shape& shape, const Type& row);
/// The type of xs[i] for an i of the first `dimensions`.
Type row_type(const Type& type, int dimensions = 1);

}  // namespace boustro::ir

template <>
struct std::hash<boustro::ir::Name> {
  std::size_t operator()(const boustro::ir::Name& name) const noexcept {
    return static_cast<std::size_t>(name.tag);  // unique as it is
  }
};
