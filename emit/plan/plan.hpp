// The plan: an imperative program in which every decision about parallelism, memory and library
// calls has been taken. `planner/` makes it from the core IR, emit/cuda and emit/cpp print it and
// decide nothing. One file, since its types hold each other.
//
// Names        are C++ identifiers, already chosen, and distinct wherever one could hide another.
// Expressions  are trees, as they will stand in the text; the printer adds parentheses and no more.
//              Operators (`Op`) have the meaning of C++ on their operands' types; the planner has
//              made sure that it is defined. What C++ lacks or leaves undefined (wrapping addition
//              of signed integers, division towards minus infinity, ...) is an `Intrinsic`.
// Statements   are the same on the host and in kernels; each says where it may stand. `verify`
// checks it. Memory       an array is a pointer to dense elements; views are index expressions. On
// the gpu target
//              pointers are to device memory, and only Fill, Copy, Read, Launch and Run touch it
//              from the host.
// Comments     are complete, without `//` and not wrapped to a width.
//
// The gpu target has kernels, library calls and one Run or Launch after the other. The cpu target
// has none of them: its entries consist of loops, some of them `parallel`, and of calls of
// functions.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::plan {

using values::PrimType;
using values::PrimValue;

// ---- Types

/// A C++ type: a primitive or a named struct, or a pointer or reference to one. In the text i32 is
/// `int`, u32 is `unsigned`, the other integers are `int64_t` and so on, f16 is `__half`, in C++ for a CPU `_Float16`.
struct Type {
  PrimType prim = PrimType::i64;
  std::string name = {};  // of a struct of the program, or "std::size_t"; then `prim` means nothing
  bool pointer = false;
  bool reference = false;   // only of parameters
  bool read_only = false;   // const T*, const T&
  bool restricted = false;  // T* __restrict__; only of kernels' parameters
  bool lanes = false;       // one of them for each point of a ForLanes; only of numbers there

  bool operator==(const Type&) const = default;
};

// ---- Expressions

/// A variable, parameter, field of the functor around it, or constant of the runtime (`block_size`,
/// ...) or of a class (`Tile::rows`).
struct Var {
  std::string name;
  bool operator==(const Var&) const = default;
};
/// Of the type of the expression, which is primitive.
struct Literal {
  PrimValue value;
  bool operator==(const Literal&) const = default;
};
struct NullPointer {
  bool operator==(const NullPointer&) const = default;
};
/// Which thread this is. Unsigned, as in CUDA; only in kernels and the functions that they call.
enum class Position {
  thread_x,
  thread_y,
  block_x,
  block_y,
  block_z,
  block_width_x,
  block_width_y,
  grid_width_x,
  grid_width_y,
  grid_width_z
};
/// Operators of C++; `select` is c ? x : y, `address` is &x, `dereference` is *p.
enum class Op {
  neg,
  logical_not,
  complement,
  address,
  dereference,
  mul,
  div,
  rem,
  add,
  sub,
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  select
};
/// An operator or function of the language on operands of `type`, with its meaning in
/// transform/ir/operators.hpp. Printed as a function of the standard library or the runtime.
struct Intrinsic {
  std::variant<ir::UnOpKind, ir::BinOpKind, ir::MathFn> fn;
  PrimType type;
  bool operator==(const Intrinsic&) const = default;
};
/// A function of the program or of the runtime, or of a class (`Tile::row`).
struct Call {
  std::string function;
  bool operator==(const Call&) const = default;
};
/// static_cast to the type of the expression; in bounds, or defined by C++.
struct Cast {
  bool operator==(const Cast&) const = default;
};
/// The language's conversion between primitives where C++ leaves it open: floats out of an
/// integer's range.
struct Convert {
  PrimType from;
  bool operator==(const Convert&) const = default;
};
/// args[0][args[1]], with further indices for an array of several dimensions that a thread has in registers.
struct Element {
  bool operator==(const Element&) const = default;
};
/// args[0].name; `position` is which of the arguments of a Construct it is, if that is known.
struct Field {
  std::string name;
  std::optional<std::size_t> position = {};
  bool operator==(const Field&) const = default;
};
/// Name{args...}, of the type of the expression: a struct or functor. A struct without arguments is all zeros.
struct Construct {
  bool operator==(const Construct&) const = default;
};
/// sizeof(of)
struct SizeOf {
  Type of;
  bool operator==(const SizeOf&) const = default;
};

/// What an expression is made of. A class of its own, so that copying and destroying its
/// alternatives is compiled once.
struct Head : std::variant<Var, Literal, NullPointer, Position, Op, Intrinsic, Call, Cast, Convert,
                           Element, Field, Construct, SizeOf> {
  using variant::variant;
  Head(const Head& other);
  Head(Head&& other) noexcept;
  Head& operator=(const Head& other);
  Head& operator=(Head&& other) noexcept;
  ~Head();
  bool operator==(const Head& other) const;
};

/// Made by the functions of build.hpp, which find the type: `xs[i * d + t] - lit(1.0)`.
struct Expr {
  Head head = NullPointer{};
  std::vector<Expr> args = {};
  Type type = {};

  /// (*this)[index], for pointers and arrays.
  Expr operator[](const Expr& index) const;
  bool operator==(const Expr& other) const;
};
inline bool Expr::operator==(const Expr& other) const = default;

// ---- Statements

/// What a statement was made for, to those who show it beside its source: rule and line, `reverse_map|kmeans.fut:9`, either of which may be
/// missing. It says nothing of what the statement does: one equals any other.
struct MadeFor {
  std::string text;
  ir::Sweep sweep = ir::Sweep::none;
  source::SourceRange at = {};  // empty if it has no place of its own
  std::string part_of = {};     // what the source calls what it computes a part of: `forget`; empty if it does not say
  bool operator==(const MadeFor&) const { return true; }
};

struct Stm;
using Stms = std::vector<Stm>;
struct Param;

/// `const T name = value;`, or without const if `changes`, or `T name;` without a value.
struct Let {
  std::string name;
  Type type;
  std::optional<Expr> value = {};
  bool changes = false;
  bool operator==(const Let&) const = default;
};
/// target = value, target += value, ...; `target` is a variable, element or field.
/// As a store by many threads: each thread writes other elements.
struct Assign {
  Expr target;
  Expr value;
  std::optional<Op> op = {};  // add: +=
  bool operator==(const Assign&) const = default;
};
/// A call for its effect.
struct Do {
  Expr call;
  bool operator==(const Do&) const = default;
};
/// T name[size] or T name[size][columns], in registers or on the stack; the sizes are constants. Not initialised, or all elements are
/// given, or `zero`.
struct LocalArray {
  std::string name;
  Type elem;
  Expr size;
  std::vector<Expr> values = {};
  std::optional<Expr> columns = {};
  bool zero = false;
  bool operator==(const LocalArray&) const = default;
};
/// A function of the code around it, whose variables it shares, as an argument for functions of the runtime:
/// `const auto name = [&](params) {body};`. Only in kernels.
struct Closure {
  std::string name;
  std::vector<Param> params;
  Stms body;
  bool operator==(const Closure& other) const;
};
/// Another name for a class of the runtime, whose constants and functions are `name::rows`, ...: `using name = type;`. Only in kernels.
struct Alias {
  std::string name;
  Type type;
  bool operator==(const Alias&) const = default;
};
/// An array that the threads of a block share. With a size, it is a constant; without one the size
/// is that of the launch, and a kernel has at most one of these. Only in kernels.
struct SharedArray {
  std::string name;
  Type elem;
  std::optional<Expr> size = {};
  bool operator==(const SharedArray&) const = default;
};
/// __syncthreads(), reached by all threads of the block. `why` says what it protects: "block_adj is
/// zero".
struct Barrier {
  std::string why;
  bool operator==(const Barrier&) const = default;
};
/// atomicAdd(&target, value), ...; on the cpu target an OpenMP atomic. `min` and `max` are for integers of 32 or 64 bits on a gpu. `combine` names a functor of
/// two arguments: a compare-and-swap loop. `exchange` stores the value: of several threads' one stays.
/// `peers`: a WarpPeers; the lanes of a warp that have the same target combine their values first.
enum class AtomicKind { add, min, max, exchange, combine };
struct Atomic {
  AtomicKind kind = AtomicKind::add;
  Expr target;
  Expr value;
  std::string functor = {};
  std::optional<Expr> peers = {};
  bool operator==(const Atomic&) const = default;
};
/// for (T name = from; name < to; name += step), or downwards: for (T name = from; name >= to; name
/// -= step). `parallel`: the iterations are independent (cpu: `#pragma omp parallel for`), and shared by workers if
/// `worth` holds.
struct For {
  std::string name;
  Type type;
  Expr from;
  Expr to;
  std::optional<Expr> step = {};  // 1
  bool down = false;
  bool parallel = false;
  /// The iterations are points of a nest: they depend on each other in nothing but what they combine and add to.
  bool points = false;
  bool in_turn = false;   // a loop of the program: an iteration takes what the one before has left
  bool in_point = false;  // these points are part of one of another loop, and each stores what is its own
  bool own_memory = false;  // so they are, and each uses scratch memory of the part anew
  /// The iterations do not meet in memory, though compilers do not see it (cpu: templates/independent_loops.hpp); see independent.hpp.
  bool independent = false;
  /// The compiler is to write out all iterations, few and of a constant number: arrays that they index stay in registers (gpu).
  bool unrolled = false;
  std::optional<Expr> worth = {};  // always
  Stms body = {};
  bool operator==(const For& other) const;
};
/// The body for the points from `from` to `to`, some at a time: `name` is the first of them, and `lanes`, an i64 which the
/// body may use as the size of arrays, how many there are. See lanes/lanes.hpp. Only on the cpu target.
struct ForLanes {
  std::string name;
  Type type;  // i64
  Expr from;
  Expr to;
  Stms body = {};
  bool operator==(const ForLanes& other) const;
};
struct While {
  Expr condition;
  Stms body = {};
  bool operator==(const While& other) const;
};
/// What the iterations of a parallel loop do one at a time, in their order (cpu: `#pragma omp ordered`): in here they may
/// change what all of them share. At most once in an iteration, and in no loop inside of it; nothing leaves it. An iteration
/// may end before.
struct Ordered {
  Stms body = {};
  bool operator==(const Ordered& other) const;
};
struct If {
  Expr condition;
  Stms then_body = {};
  Stms else_body = {};
  /// Both ways compute the same. The second is right for all sizes, the first where the condition holds: versions.hpp.
  bool versions = false;
  bool operator==(const If& other) const;
};
/// From a function with its value; from an entry: done, with success, or `failed`: its Failure says
/// why.
struct Return {
  std::optional<Expr> value = {};
  bool failed = false;
  bool operator==(const Return&) const = default;
};
struct Continue {
  bool operator==(const Continue&) const = default;
};
struct Break {
  bool operator==(const Break&) const = default;
};
/// Records in the entry's Failure that the check number `site` of Program::checks failed with these
/// values (i64), if it is the first one. Only in entries with a Failure parameter, and the
/// functions that are given it.
struct Fail {
  Expr failure;
  int site = 0;
  std::vector<Expr> values = {};
  bool operator==(const Fail&) const = default;
};

/// Only in entries, from here on. Sizes or limits are not met: returns cudaErrorInvalidValue,
/// nothing being queued.
struct RejectIf {
  Expr condition;
  bool operator==(const RejectIf&) const = default;
};
/// kernel<<<grid, block, shared_bytes, stream>>>(args). The grid is not empty.
struct Extents {
  Expr x;
  std::optional<Expr> y = {};  // two-dimensional
  std::optional<Expr> z = {};  // three-dimensional; of a grid
  bool operator==(const Extents&) const = default;
};
struct Launch {
  std::string kernel;
  Extents grid, block;
  std::optional<Expr> shared_bytes = {};
  std::vector<Expr> args = {};
  std::string why = {};  // its threads go through the space so; for --explain-plan
  bool operator==(const Launch&) const = default;
};
/// Calls a Library function of the entry. `late`: its scratch memory is as large as only the entry
/// finds out, and the allocator's.
struct Run {
  std::string library;
  std::vector<Expr> args = {};
  bool late = false;
  bool operator==(const Run&) const = default;
};
/// Sets `count` elements from `pointer` on to zero. Asynchronous, like all that follows but Read.
struct Fill {
  Expr pointer;
  Expr count;
  bool operator==(const Fill&) const = default;
};
/// Copies `count` elements; the ranges do not overlap.
struct Copy {
  Expr to;
  Expr from;
  Expr count;
  std::string why = {};  // it is not made there at once; for --explain-plan
  bool operator==(const Copy&) const = default;
};
/// `const T name = *pointer`, from device memory: waits for all work of the entry. With a name for
/// that, it reads first whether a check has failed, and returns if one has.
struct Read {
  std::string name;
  Type type;
  Expr pointer;
  std::string failed = {};
  bool operator==(const Read&) const = default;
};

/// Memory whose size is known only while the entry runs, of its Allocator: only in entries that
/// say that they allocate. `Buffer<T> name(allocator);` holds an array, none at first, as long as
/// its scope; its name stands for the pointer to it.
struct Buffer {
  std::string name;
  Type elem;
  bool operator==(const Buffer&) const = default;
};
/// Room for an array of these extents, whose elements are undefined; ends the entry if there is
/// none. Not in parallel loops.
struct Allocate {
  std::string buffer;
  std::vector<Expr> extents;
  bool operator==(const Allocate&) const = default;
};
/// Two buffers, or two pointers that change, exchange their arrays.
struct Swap {
  std::string x, y;
  bool pointers = false;
  bool operator==(const Swap&) const = default;
};
/// The array in the buffer becomes the result behind a late parameter: it is the caller's now.
struct Release {
  std::string output, buffer;
  bool operator==(const Release&) const = default;
};
/// Ends the entry of the gpu target if a check has failed before: its results may not be known. Waits.
/// The variable is what it reads.
struct EndIfFailed {
  std::string failed = {};
  bool operator==(const EndIfFailed&) const = default;
};

/// What a statement does. A class of its own, so that copying and destroying its alternatives is
/// compiled once.
struct Action : std::variant<Let, Assign, Do, LocalArray, Closure, Alias, SharedArray, Barrier, Atomic, For, ForLanes,
                             While, Ordered, If, Return, Continue, Break, Fail, RejectIf, Launch, Run, Fill,
                             Copy, Read, Buffer, Allocate, Swap, Release, EndIfFailed> {
  using variant::variant;
  Action(const Action& other);
  Action(Action&& other) noexcept;
  Action& operator=(const Action& other);
  Action& operator=(Action&& other) noexcept;
  ~Action();
  bool operator==(const Action& other) const;
};

struct Stm {
  Action what;
  std::string above = {};   // a comment on lines of its own
  std::string beside = {};  // a comment at the end of the (first) line
  bool gap = false;         // an empty line before it
  MadeFor origin = {};

  template <typename What>
    requires(!std::same_as<std::decay_t<What>, Stm>)
  Stm(What&& what) : what(std::forward<What>(what)) {}  // NOLINT: a Stm is what it is made of

  Stm with_above(std::string comment) &&;
  Stm with_beside(std::string comment) &&;
  Stm after_gap() &&;
  bool operator==(const Stm&) const = default;
};

// ---- Functions and kernels

/// What a function does with the array behind a pointer.
enum class Access { value, read, written, added_to, updated, scratch };

/// Parameters of functions and entries, fields of structs.
struct Param {
  std::string name;
  Type type;
  std::vector<std::string> shape = {};  // of an array: {"n", "k"} for [n][k]
  Access access = Access::value;
  std::vector<Expr> extents = {};  // the same of an entry's parameter, as its other parameters give them
  std::string note = {};  // more for the reader: "number of Euler steps; none if negative"
  /// Of an entry: T** for a result that the entry allocates, or int64_t* for one of its extents,
  /// both in host memory.
  bool late = false;
  bool operator==(const Param&) const = default;
};

/// The comment over a kernel, function or library call. Each part may be missing.
struct Comment {
  std::vector<std::string> formula = {};  // "nearest[i] = argmin_j sum_t ..."
  std::string source = {};              // "kmeans.fut:9, forward sweep of `map (\p -> ...) points`"
  ir::Sweep sweep = ir::Sweep::none;    // that it belongs to, for the head of the file
  std::string function = {};             // of the source, that it is a part of; empty if that is not known
  std::vector<std::string> rules = {};  // "reverse_reduce_min: only the first minimum ..."
  std::vector<MadeFor> origins = {};     // of all that it does
  std::string grid = {};                // "one thread per point i"
  std::string order = {};  // of library calls: "associates freely, in each run anew; one pass over the data"
  std::vector<std::string> notes = {};  // paragraphs at the end
  bool operator==(const Comment&) const = default;
};

/// A struct with public fields only.
struct Struct {
  std::string name;
  Comment comment = {};
  std::vector<Param> fields = {};
  bool operator==(const Struct&) const = default;
};

/// A `__device__` function, and with `host` one of both sides; on the cpu target a plain one.
struct Function {
  std::string name;
  Comment comment = {};
  std::optional<Type> result = {};  // void
  std::vector<Param> params = {};
  Stms body = {};
  bool host = false;
  std::string verb = {};  // "add": to a parameter, what all threads of a grid have, for several kernels
  bool operator==(const Function&) const = default;
};

/// A struct with a `__device__` call operator: operator of a reduction or scan (`associative`), or
/// the element of an input or output of a library call as a function of its index.
struct Functor {
  std::string name;
  Comment comment = {};
  std::vector<Param> fields = {};
  std::optional<Type> result = {};
  std::vector<Param> params = {};
  Stms body = {};
  bool associative = false;
  bool commutative = false;
  bool operator==(const Functor&) const = default;
};

/// Numbers that the program gives, as an array that nobody changes; on the gpu target in device memory, where the host cannot
/// reach it.
struct Table {
  std::string name;
  PrimType elem;
  std::vector<PrimValue> values;
  std::vector<std::string> shape;  // for the reader
  std::string source = {};         // "rsbench.fut:109"
};

/// In the order of the text: each uses earlier ones only.
using Definition = std::variant<Struct, Table, Function, Functor>;

/// A `__global__` function for blocks of `block_size` threads in all.
struct Kernel {
  std::string name;
  Comment comment = {};
  std::vector<Param> params = {};  // outputs, inputs, sizes
  Stms body = {};
  std::string threads = "block_size";  // of a block: a constant of the runtime
  bool one_thread = false;  // it is launched for a single one
  bool is_long = false;                // two blocks have to fit on a multiprocessor: long_kernels.hpp
  bool of_tiles = false;  // it computes what the next kernel of the entry computes, by blocks whose threads work together
  bool only_meant = false;  // nobody launches it, and it is not written: for the formula of the one before
  std::string beside_others = {};  // the beginning of its first note, if that is only true where another kernel does the same
  /// Where threads compute sums jointly: the variables that say which result they compute, and those that number results and threads.
  std::vector<std::string> indices = {};
  bool operator==(const Kernel&) const = default;
};

/// What CUB is asked for. reduce: *output = init op xs[0] op ... op xs[count - 1], for operators that commute; reduce_in_order: for others,
/// too; inclusive_scan: output[i] = xs[0] op ... op xs[i]; sort: output = xs in the order of some of their bits.
enum class LibraryKind { reduce, reduce_in_order, inclusive_scan, sort };

/// An operand of a library call: a pointer, or Construct of a functor. An input functor takes an
/// index (i64) and returns the element; an output functor takes an index and the element and stores
/// it.
struct Operand {
  Expr value;
  Type element = {};  // what CUB sees
  bool operator==(const Operand&) const = default;
};

/// A function that makes one library call; a null `scratch` asks for the bytes it needs, as in CUB.
struct Library {
  std::string name;
  Comment comment = {};
  std::vector<Param> params = {};  // outputs, inputs, sizes; scratch, bytes and stream are added
  LibraryKind kind = LibraryKind::reduce;
  Operand input = {}, output = {};
  std::string functor = {};       // the operator
  std::optional<Expr> init = {};  // of reduce
  Expr count = {};
  std::vector<Expr> bits = {};    // of a sort: the first one (int), and the one behind the last
  std::string index = "i";        // of a reduction's input, in comments
  bool operator==(const Library&) const = default;
};

// ---- Entries

/// A piece of the caller's scratch memory: `T* name`, of `count` elements.
struct Piece {
  std::string name;
  Type elem;
  Expr count;
  std::vector<std::string> shape = {};  // for the reader
  /// The sequential loop of the entry of which each iteration makes it anew: its variable, or that of its condition.
  std::string made_in = {};
  MadeFor origin = {};
  std::string place_of = {};  // a piece without this whose memory it has, and which is needed at other times
};

/// The struct that lays out the caller's scratch memory, made by both the size query and the entry
/// from `params`. In the entry its fields are read as `Field` of the variable `buffers`.
struct Scratch {
  std::string name;  // CostGradientScratch
  std::vector<Param> params = {};
  std::vector<Let> sizes = {};  // further fields, computed first
  std::vector<Piece> pieces = {};
  /// Library calls of the entry with arguments as far as `params` and `sizes` give them, pointers
  /// null. The largest need becomes the piece `library_scratch` behind the others, used by one call
  /// after the other.
  std::vector<Run> library = {};

  bool empty() const { return pieces.empty() && library.empty(); }
};

/// A place where something is checked at run time.
struct CheckSite {
  std::string at;       // "kmeans.fut:9"
  std::string message;  // with {} for the values of Fail
};

/// One public function, with its query `name_scratch`. Its body starts with RejectIf statements;
/// then the printer makes `buffers`, checks that the scratch suffices, and goes on with `body`.
struct Entry {
  std::string name;
  std::vector<std::string> doc = {};      // paragraphs, from the source
  std::string source = {};                // "kmeans.fut:11"
  std::vector<std::string> limits = {};   // "centres: at most 2^30 elements", for the header
  std::vector<std::string> renamed = {};  // "x' is x_1"
  bool waits = false;                     // has a Read
  bool allocates = false;                 // has Buffers: a parameter `allocator` precedes scratch
  bool order_varies = false;              // of float additions, and so the last bits of the results
  std::string order_note = {};            // in which way; or why results are the same in every run
  std::vector<Param> params = {};         // outputs, inputs, sizes; scratch and stream are added
  std::vector<RejectIf> rejects = {};
  /// Values that both the query and the entry need: lengths clipped at 0, ... `changes` Lets may
  /// assign to a parameter.
  Stms prologue = {};
  Scratch scratch = {};
  Stms body = {};

  std::vector<Definition> definitions = {};
  std::vector<Kernel> kernels = {};
  std::vector<Library> libraries = {};
  bool can_fail = false;  // it makes checks: a parameter `failure` follows the outputs
};

enum class Target { gpu, cpu };

/// One emitted file and its header.
struct Program {
  Target target = Target::gpu;
  std::string name;        // kmeans, for kmeans.cu, kmeans.hpp
  std::string name_space;  // kmeans
  std::string source;      // kmeans.fut
  /// Comment at the top, line by line: entries in the language, the derivative rule by rule. Lines
  /// have their indentation; what follows a tab stands at the right margin.
  std::vector<std::string> head = {};
  std::vector<Definition> definitions = {};  // shared by entries
  std::vector<Entry> entries = {};
  std::vector<CheckSite> checks = {};  // of all entries; a Failure counts them from 1
};

}  // namespace boustro::plan
