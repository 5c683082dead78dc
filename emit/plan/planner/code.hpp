// Sequential code for core statements: what a thread does, on either target. Every construct of the
// core IR can be planned this way; host.hpp and kernels.hpp decide what is parallel around it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/branch_results.hpp"
#include "emit/plan/planner/concat_parts.hpp"
#include "emit/plan/planner/context.hpp"
#include "emit/plan/planner/final_places.hpp"
#include "emit/plan/planner/layout.hpp"
#include "emit/plan/planner/nonzero.hpp"
#include "emit/plan/planner/taken_places.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

/// What the code is embedded in.
struct Surroundings {
  /// A name that is defined outside.
  std::function<Value(const ir::Name&)> import;
  /// Memory for an array of the thread.
  std::function<View(const std::string& base, PrimType elem, const std::vector<Scalar>& extents)>
      allocate;
  /// The Failure record, if there is one.
  std::function<Expr()> failure;
  /// Loops over independent iterations at the outermost level are parallel (cpu target).
  bool parallel = false;
  /// The code runs on the host once per call of the entry: its scalars can size scratch memory.
  bool host = false;
  /// How to leave where a check fails: what follows relies on it. Without it, nothing is checked.
  std::optional<Stm> leave = {};
};

struct Interface;

/// Contiguous parts of a loop, each for one worker of a cpu.
struct Parts {
  Scalar count;  // of them: a variable. Its bound is left open where it is not known from the start
  Expr part;     // the number of one, a variable
  Expr points, work;
  bool small = false;              // as many as there are, to stay in the cache
  std::optional<Expr> cells = {};  // of copies that each part adds to
  std::optional<Expr> room = {};   // elements of other arrays that each part has for itself
  Stms memory = {};                // pointers to these
  std::vector<std::string> bounds = {};  // variables of the part: where its points begin and end
  std::optional<std::size_t> defined = {};  // the statement that does it

  /// How many there are at most, with so much room.
  Expr most(const Expr& room) const { return count.upper ? *count.upper : runtime::most_parts(room); }
  /// How many there are.
  Expr value() const {
    return small && !cells && !room ? runtime::small_parts_for(points, work)
                                    : runtime::parts_for(points, work, cells, room);
  }
};

/// How a loop is run, if not by one thread from 0 to its extent.
struct LoopForm {
  /// Of one iteration. They are independent: workers may share them.
  std::optional<Scalar> work = {};
  std::optional<Expr> from = {};  // 0
  std::optional<Expr> to = {};    // the extent
  std::optional<Expr> step = {};  // 1
  std::optional<Expr> where = {};  // it runs if this holds, and has no iterations otherwise
  /// The order of iterations only matters for what they combine.
  bool any_order = false;
  /// The loop is part of a point of another nest, and each iteration stores what is its own.
  bool in_point = false;
};

using Results = std::vector<Value>;
/// Where array results are wanted; one per result or none at all.
using Destinations = std::vector<std::optional<View>>;

/// The name of the buffer that an array is in.
const std::string& buffer_of(const View& array);

class Code {
 public:
  Code(Context& context, Identifiers& identifiers, Surroundings surroundings);

  Context& context() { return context_; }

  // ---- Interface
  /// Emits the statements of a body. Array results with a destination are stored there.
  Results body(const ir::Body& body, const Destinations& destinations = {});
  void stm(const ir::Stm& stm);
  /// Of an update by an array, only the row or element at `at` of what is written.
  void update_at(const ir::Stm& stm, const ir::Update& e, const Scalar& at);
  /// Of a part of an array, only the row or element at `at`, to `to`.
  void index_at(const ir::Stm& stm, const ir::Index& e, const View& to, const Scalar& at);
  void bind(const ir::Name& name, Value value);
  /// What is wrong is recorded, or rejected, and what follows is not reached.
  void fail_if(const Expr& wrong, const ir::Provenance& origin, std::string message,
               const std::vector<Expr>& values);
  /// Binds a name that has a value already, until the end of what `collect` collects: in there, a
  /// variable stands for the value.
  void rebind(const ir::Name& name, Value value);
  bool knows(const ir::Name& name) const { return values_.contains(name); }
  /// Numbers that it has, not cells in which kernels find them.
  bool is_known(const ir::Atom& atom) const;
  bool is_known(const std::vector<ir::DimIndex>& indices) const;
  void forget(const ir::Name& name) { values_.erase(name); }
  /// What has been emitted so far.
  Stms take() { return std::move(out_); }
  void emit(Stm stm) {
    if (stm.origin.text.empty()) stm.origin = context_.origin;
    guard_.reset();
    out_.push_back(std::move(stm));
  }
  /// What `fill` emits, apart; names declared in it end with it.
  template <typename Fill>
  Stms collect(Fill&& fill) {
    Stms outer = std::move(out_);
    out_.clear();
    guard_.reset();
    std::optional<Peers> peers = std::exchange(peers_, std::nullopt);
    identifiers_.open();
    const std::size_t before = rebound_.size();
    nonzero_.open();
    sizes_.open();
    checked_.open();
    fill();
    checked_.close();
    sizes_.close();
    nonzero_.close();
    for (; rebound_.size() > before; rebound_.pop_back())
      bind(rebound_.back().first, std::move(rebound_.back().second));
    identifiers_.close();
    guard_.reset();
    std::swap(outer, out_);
    if (!may_leave(outer)) peers_ = std::move(peers);
    return outer;
  }

  /// Binds the array to a table of the file, if it can be one, and if nobody would have to copy it from there.
  bool table(const ir::Stm& stm, const ir::ArrayLiteral& literal);

  // ---- Operands (operands.cpp)
  const Value& value_of(const ir::Name& name);
  Scalar scalar(const ir::Atom& atom);
  /// Arithmetic on scalars, without a name.
  Scalar scalar_exp(const ir::Exp& exp);
  /// The same of a statement, which may count elements.
  Scalar scalar_of(const ir::Stm& stm);
  /// For arithmetic: of the C++ type of the atom.
  Expr value(const ir::Atom& atom);
  /// The value of a result, to be stored: without a name of its own if it has just been computed.
  Expr final_value(const ir::Atom& atom);
  /// For indices and bounds: may be an `int` for an i64.
  Expr index(const ir::Atom& atom) { return scalar(atom).expr; }
  View view(const ir::Name& name);
  Accumulator accumulator(const ir::Name& name);
  std::vector<Scalar> extents(const ir::Shape& shape);

  /// The reader is better off with the name than with the expression where it is used: that is long, or the source names what is no longer seen
  /// at a glance, as in `const float forget = sigmoid(x * weight + bias)`, or an element of a nest of arrays.
  bool says_more(const ir::Name& name, const Expr& expr) const;
  /// Binds a scalar: folded into its use if there is only one, else a constant of that name.
  void bind_scalar(const ir::Name& name, Scalar scalar);
  /// The expression as a constant, unless repeating it costs nothing; below a comment, if there is one.
  Expr named(std::string_view base, const Expr& expr, std::string comment = {});
  /// The same for a value that sizes of scratch memory may depend on: its definition may move to the front of the entry.
  Expr named_early(std::string_view base, const Expr& expr);
  /// Declares a variable that changes.
  Expr variable(std::string_view base, Type type, std::optional<Expr> value, std::string comment = {});
  /// target = value, or target += x for a value target + x.
  void assign(const Expr& target, const Expr& value);

  // ---- Views (views.cpp)
  /// The row or element at an index.
  View row(const View& array, const Expr& index);
  View slice(const View& array, const std::vector<ir::DimIndex>& indices);
  Scalar load(const View& element);
  void store(const View& element, const Expr& value);
  void copy(const View& to, const View& from);
  /// An array of these extents whose rows are all this one, seen where it lies.
  View repeated(const View& row, const std::vector<Scalar>& extents) const;
  /// Copies the row to each of the rows, in any number of dimensions.
  void copy_to_each(const View& rows, const View& row);
  /// The same elements in memory that may be written.
  View in_memory(const View& array, std::string_view base);
  View in_memory_as(const View& array, const std::vector<Scalar>& extents, std::string_view base);
  View reshaped(const View& array, const ir::Shape& shape, std::string_view base);
  /// To so many dimensions, without a copy.
  bool can_be_reshaped(const View& array, std::size_t rank) const;
  /// Binds a row: through a pointer of that name if it is used more than once.
  void bind_row(const ir::Name& name, View row);
  View place(const ir::Param& param);
  View in_order_of_picks(const ir::Param& param, std::vector<Scalar> sizes);
  /// An array that is about to be updated in place: itself, or a copy if it is not in memory that
  /// may be written.
  View consumed(const ir::Name& name);
  /// A temporary of that shape.
  View temporary(std::string_view base, PrimType elem, const std::vector<Scalar>& extents) {
    return surroundings_.allocate(std::string(base), elem, extents);
  }
  // ---- Arrays whose sizes are known late (late.cpp)
  /// Memory of the allocator, none yet: a destination for an array of whatever extents.
  View buffer(std::string_view base, PrimType elem);
  /// An array of these extents in the memory of such a destination.
  View allocated(const View& late, const std::vector<Scalar>& extents);
  /// The same of any destination.
  View settled(const View& destination, const std::vector<Scalar>& extents);
  /// The array at the destination, where it may be already.
  View moved(const View& destination, const View& array);
  /// Results that the entry allocates: destinations for them before, and handing them over after
  /// its statements.
  void open_late_results(Interface& interface);
  void close_late_results(const Interface& interface, const Results& results);

  /// A loop over [0, extent); `fill` is given the index.
  void loop(const Scalar& extent, std::string_view base,
            const std::function<void(const Scalar&)>& fill, const LoopForm& form = {});
  /// Parts of a loop over `points`, each of `work` additions, where a part has `cells` for itself. Their variables are
  /// reserved.
  Parts parts_of(const Scalar& points, const Scalar& work, const std::optional<Scalar>& cells, bool small = false);
  /// Here their number becomes known.
  void define(Parts& parts);
  /// A parallel loop over the parts, whose number is known.
  void loop_over(Parts& parts, const std::function<void()>& fill);
  /// From where to where the points of a part go, of so many in all.
  LoopForm points_of(Parts& parts, const Expr& points);
  /// The same, of parts that have max_lanes points or several times as many, but for the last one.
  LoopForm tiles_of(Parts& parts, const Expr& points);
  /// A loop over the parts but the first one, in their order.
  void after_first(const Parts& parts, const std::function<void()>& fill);
  /// Room for one value of each part.
  View array_of_parts(const std::string& base, const ir::Type& value, const Parts& parts);
  /// Inside of a parallel loop, what iterations do one after the other. A failed check in there ends the iteration.
  void in_order_of_iterations(const std::function<void()>& fill);
  /// The parts that workers share, where the code is inside of one.
  Parts* parts() { return parts_; }
  /// Whether workers can share a loop here, of so much work an iteration. Inside of the program's own loops iterations that
  /// have no loops themselves are too little, most of the time, for only asking whether they are worth it.
  bool is_shareable(const Scalar& work) const {
    return surroundings_.parallel && depth_ == 0 && (steps_ == 0 || !int_value(work.expr));
  }
  /// Writing an element of an array, or a row of such elements.
  Scalar work_of_copy(const View& array) const;
  std::size_t shared_pieces() const;
  LoopForm between(Parts& parts, const std::function<Expr(const Expr&)>& begin);

 private:
  // Statements, by kind: control.cpp, arrays.cpp, accumulate.cpp, checks.cpp.
  void if_(const ir::Stm& stm, const ir::If& branch);
  void loop_(const ir::Stm& stm, const ir::Loop& loop);
  void call(const ir::Stm& stm, const ir::Call& call);
  void assert_(const ir::Stm& stm, const ir::Assert& assertion);
  void binary(const ir::Stm& stm, const ir::BinOp& e);
  void array_literal(const ir::Stm& stm, const ir::ArrayLiteral& literal);
  void replicate(const ir::Stm& stm, const ir::Replicate& replicate);
  void concat(const ir::Stm& stm, const ir::Concat& concat);
  void sort(const ir::Stm& stm, const ir::Sort& e);  // host_sort.cpp
  void rearrange(const ir::Stm& stm, const ir::Rearrange& rearrange);
  void coerce(const ir::Stm& stm, const ir::Coerce& coerce);
  void check_equal(const std::vector<Scalar>& sizes, const std::vector<Scalar>& claimed, const ir::Stm& stm);
  void index_(const ir::Stm& stm, const ir::Index& index);
  void update(const ir::Stm& stm, const ir::Update& update);
  /// lower/thread.cpp
  void nest(const ir::Stm& stm, const ir::Nest& nest);
  void with_acc(const ir::Stm& stm, const ir::WithAcc& with_acc);
  void update_acc(const ir::Stm& stm, const ir::UpdateAcc& update);

  // ---- Helpers of several files
 public:
  /// A scalar result that is the only element of an array: the array is that element, where the caller wants it.
  void claim_only_element(const std::vector<ir::Stm>& stms, const ir::Name& result, const Expr& pointer);
  /// Which destination a result's definition can write to at once, through updates in place and
  /// changes of shape. `coerce`: the statement on the way that says that the array has the destination's sizes.
  void claim(const std::vector<ir::Stm>& stms, const ir::Atom& result, const View& destination,
             const ir::Stm* coerce = nullptr);
  /// Claims for an array that statement number `at` makes the place that only views lead to, which were not known when that was claimed.
  void claim_through_views(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Name& made);
  /// Claims for arrays that statement number `at` makes what they are stored in (final_places.hpp), if their places there are known and their own.
  void make_in_final_places(const std::vector<ir::Stm>& stms, std::size_t at, const FinalPlaces& places);
  void make_there(const std::vector<ir::Stm>& stms, const ir::Name& made, const FinalPlaces::Stored& stored);
  std::optional<std::pair<ir::Name, View>> viewed_alone(const std::vector<ir::Stm>& stms, const ir::Stm& stm,
                                                         const View& place);
  /// The destination of an array of these sizes; checks before anything is written that it has them, if that is only stated.
  View fitting(const ir::Name& name, const View& destination, const std::vector<Scalar>& sizes);
  /// The array whose memory the result of updates in place is in; for others the name itself.
  ir::Name origin(const std::vector<ir::Stm>& stms, const ir::Name& name) const;
  std::optional<View> destination(const ir::Name& name) const;
  /// What `fill` emits, as the body of a loop. `shared`: its iterations may run in parallel, so that
  /// a failed check ends one of them; it ends other loops inside. `steps`: it is a loop of the program, inside of which
  /// workers can share others.
  template <typename Fill>
  Stms collect_loop(bool shared, Fill&& fill, bool steps = false) {
    const std::optional<Stm> outer = leave_;
    const bool outer_left = std::exchange(left_, false);
    if (leave_ && shared) {
      leave_ = Continue{};
    } else if (leave_ && !std::holds_alternative<Return>(leave_->what)) {
      leave_ = Break{};
    }
    int& depth = steps ? steps_ : depth_;
    ++depth;
    Stms body = collect(fill);
    --depth;
    leave_ = outer;
    loop_left_ = std::exchange(left_, outer_left);
    return body;
  }
  /// Emits the loop whose body has just been collected. If a check may have ended it, what is around
  /// it is left, too.
  void emit_loop(Stm loop);
  /// From here on an expression is known not to be zero, to the end of what is collected.
  void assume_nonzero(const Expr& expr) { nonzero_.add(expr); }
  /// What can fail is checked.
  bool checks() const { return context_.options.checks && (surroundings_.leave || rejects()); }
  /// Sizes that may be negative are checked, once: an error of the program.
  void check_sizes(const ir::Stm& stm, const ir::Shape& shape);
  /// The same of a nest's extents, where it is `reached`: one behind an extent that is 0 is that of no point, and may be negative.
  void check_space(const ir::Stm& stm, const ir::Shape& space, std::optional<Expr> reached = {});
  /// `reached`, and there are points along this extent, too.
  std::optional<Expr> reached_inside(const std::optional<Expr>& reached, const ir::Atom& extent);
  /// What `fill` does knows that no extent is negative.
  void at_points(const ir::Shape& space, const std::function<void()>& fill);
  /// A division of integers whose divisor is known not to be 0.
  bool divides_safely(const ir::BinOp& e, const std::vector<Scalar>& extents = {});
  /// `fill` under the condition, if there is one.
  void guarded(const std::optional<Expr>& condition, const std::function<void()>& fill);
  /// The accumulator outside of these statements that a name among them stands for.
  ir::Name origin_of_accumulator(const std::vector<ir::Stm>& stms, const ir::Name& name) const;
  void put(const View& to, const Value& value);
  void add_to(const Accumulator& accumulator, const View& cell, const Value& value);
  /// The accumulator, as threads add to this cell of it at indices that have been computed from these atoms: if lanes may meet there, by
  /// those that do. Several additions at indices that only differ by constants, one after the other, have the same peers.
  Accumulator with_peers(const Accumulator& accumulator, const View& cell, const std::vector<ir::Atom>& indices);
  /// One update of an accumulator.
  /// With an index for the outermost dimension of the value, if it is an array.
  void add_one(const ir::UpdateAcc& update, const std::vector<Scalar>& index);
  /// Running values of an operator, set to the neutral element, and the step that combines them
  /// with operands.
  Results running(const ir::Operator& op, const std::vector<std::string>& bases);
  void step(const ir::Operator& op, Results& running, const Results& operands);
  void pick(const ir::Operator& op, const ir::If& choice, const Results& running);
  /// The same for cells of arrays.
  void step_in_place(const ir::Operator& op, const Results& cells, const Results& operands);
  /// The operator in names of its own, to be planned once more.
  ir::Operator again(const ir::Operator& op);
  /// True if all indices are inside of the extents; nothing if that is known.
  static std::optional<Expr> inside(const std::vector<Scalar>& indices,
                                    const std::vector<Scalar>& extents);
  /// Whether it may write outside of the array.
  bool needs_check(const ir::Update& update, const View& array);
  /// Checks the indices and ranges of one access; names the indices.
  void check_access(const std::vector<ir::DimIndex>& indices, const View& array,
                    const ir::Provenance& origin);

 private:
  void bind_results(const std::vector<ir::Param>& pattern, const Results& results);
  bool has_been_checked(const Expr& condition) const;
  void check_size(const ir::Stm& stm, const ir::Atom& size);
  void check_size_where(const Expr& reached, const ir::Stm& stm, const ir::Atom& size);
  void check_slices(const std::vector<ir::DimIndex>& indices, const View& array,
                    const ir::Provenance& origin);
  void check_divisor(const ir::Stm& stm, const ir::BinOp& e);
  void check_exponent(const ir::Stm& stm, const ir::BinOp& e);
  /// An operand that is checked before it is used, under a name.
  Scalar named_operand(std::string_view base, const ir::Atom& atom);
  /// The host of the gpu target returns an error instead of recording a failure, if the caller can know.
  bool rejects() const { return surroundings_.host && context_.gpu(); }
  void leave_if(const Expr& wrong, Stms before = {});
  /// Where the part is made, if that is known when its maker comes (concat_parts.cpp).
  std::optional<View> place_of(const ir::Param& made, const ConcatPart& part);
  std::optional<std::vector<Scalar>> known_sizes(const ir::Shape& shape);
  void claim_part(const ir::Stm& stm);
  /// Makes arrays in the place of the branch that yields them (branch_results.cpp).
  void claim_branch_result(const ir::Stm& stm);
  std::optional<Expr> known_condition(const BranchResult& branch);
  bool is_where_claimed(const BranchResult& branch);
  /// Makes an array in the memory of another (taken_places.hpp).
  void claim_taken_place(const ir::Stm& stm);
  Scalar bounded_count(const ir::Atom& count, const Scalar& extent);
  View late_start(const ir::Stm& stm, const ir::Loop& loop, std::size_t param);
  void combine(const Accumulator& accumulator, const View& cell, const Expr& value);
  [[noreturn]] void refuse(const ir::Stm& stm, std::string_view construct);
  Scalar computed(const ir::Exp& exp);
  Scalar binop(const ir::BinOp& op);
  Scalar convert_(const ir::Convert& conversion);

  Context& context_;
  Identifiers& identifiers_;
  Surroundings surroundings_;
  std::unordered_map<ir::Name, Value> values_;
  std::vector<std::pair<ir::Name, Value>> rebound_;  // with the values that they had
  std::unordered_map<ir::Name, View> destinations_;
  std::unordered_map<ir::Name, const ir::Stm*> coerced_;  // arrays whose destinations have the sizes that these state
  ConcatParts concat_parts_;  // of arrays that have destinations
  BranchResults branch_results_;  // of arrays that have destinations
  TakenPlaces taken_places_;
  BranchResults made_in_place_;   // the same by the branches' results, from where they are made on
  Stms out_;
  std::optional<Stm> leave_;  // how to go on after a failed check
  bool left_ = false;         // the loop around may be left that way
  bool loop_left_ = false;    // so may the one that has just been collected
  Nonzero nonzero_;
  ScopedExprs sizes_;  // that are not negative
  ScopedExprs checked_;  // what has been found to be false: an access out of bounds
  int depth_ = 0;         // of loops over points
  int steps_ = 0;         // of other loops
  Parts* parts_ = nullptr;  // of the loop around
  void release(const Parts& parts);
  bool outside_ = false;  // operands are the host's expressions
  bool counts_ = false;   // the product counts elements: see counts.hpp
  /// What lanes that have the same cell are known by, and the indices of the cell.
  struct Peers {
    std::vector<ir::Atom> indices;
    Expr expr;
  };
  std::optional<Peers> peers_;  // of all lanes that come here
  /// Of additions that are the last statement so far, all of them under one condition.
  struct Guard {
    Expr condition;
    std::optional<Peers> peers;  // of those that they are for
  };
  std::optional<Guard> guard_;
  /// One addition to a cell, which emits nothing else; with those before it, if these have the same condition and the same peers.
  void add_inside(const std::optional<Expr>& condition, const std::vector<ir::Atom>& indices, const std::function<void()>& add);
  std::unordered_map<ir::Name, ir::Name> shifted_;  // sums of a name and a number: the name
  void note_shift(const ir::Name& sum, const ir::BinOp& e);
  bool differ_by_constants(const std::vector<ir::Atom>& x, const std::vector<ir::Atom>& y) const;
  /// The statements may end what is around them.
  static bool may_leave(const Stms& stms);
};

/// The array that result number `place` of an expression is an updated version of, in the same
/// memory.
std::optional<ir::Name> updated_in_place(const ir::Exp& exp, std::size_t place);

}  // namespace boustro::plan::planner
