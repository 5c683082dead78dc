// The gpu target: what the host does, statement by statement. Parallel operators become kernels and
// library calls; scalars that the host knows stay there, others live in device memory.
#pragma once

#include <functional>

#include "emit/plan/planner/capture.hpp"
#include "emit/plan/lower/points.hpp"
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/final_places.hpp"
#include "emit/plan/planner/entry.hpp"
#include "emit/plan/lower/neighbours.hpp"
#include "transform/facts/part_scans.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

/// Which numbers of a thread count along an extent.
struct Axis {
  Position block, grid_width, thread, block_width;
};

/// The kernel for one or two extents: threads along them, and what each does.
struct Space {
  std::string base;                           // name of the kernel
  std::vector<Scalar> extents = {};           // one or two; none: a single thread
  std::vector<std::string> index_bases = {};  // names of the indices
  const ir::Stm* stm = nullptr;               // what it implements, for its comment
  std::string grid = {};                      // for its comment; {0} and {1} stand for the names of the indices
  std::optional<Scalar> depth = {};           // a third extent: blocks stride over it by z
  bool neighbours_first = false;              // neighbouring threads are along the first of two extents
  std::string why = {};                       // they are, or are not; for --explain-plan
  std::string additions = {};                 // how lanes of a warp make them, for --explain-plan; empty if each by itself

  /// `grid` with the variables that the indices have become, in backquotes; {2} and {3} are where the one of `depth` is added, if the body
  /// has one.
  std::string grid_over(const std::vector<Scalar>& indices, const Stms& body) const;

  /// Blocks go along the first extent by x, since most of them fit there, threads along that of neighbours.
  Axis axis(std::size_t extent) const;
  /// Of two extents n and m: how many threads of a block are along that of neighbours.
  Expr row_threads(const Expr& n, const Expr& m) const;
  /// Then so many are along the extent, ...
  Expr threads_along(std::size_t extent, const Expr& row_threads) const;
  /// ... and this is the block.
  Extents block(const Expr& row_threads) const;
  /// All that --explain-plan says.
  std::string reasons() const { return why.empty() || additions.empty() ? why + additions : why + ", " + additions; }
};

class Host {
 public:
  Host(Context& context, const ir::Function& function);
  void run();
  /// What a thread does at the indices, which are along the extents of a space.
  using Fill = std::function<void(Code&, Capture&, const std::vector<Scalar>& indices)>;

 private:
  // host.cpp
  void stms(const std::vector<ir::Stm>& stms);
  void lay_out(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Param& made);
  void stm(const ir::Stm& stm);
  void work(const ir::Stm& stm);
  bool is_host_scalar(const ir::Stm& stm);
  bool is_view(const ir::Stm& stm);
  bool is_known(const ir::Atom& atom) const { return code_.is_known(atom); }
  bool is_known(const std::vector<ir::DimIndex>& indices) const { return code_.is_known(indices); }
  void replicate(const ir::Stm& stm, const ir::Replicate& e);
  void index(const ir::Stm& stm, const ir::Index& e);
  Value value_of(const ir::Atom& atom);
  /// A result that the host knows, and where the caller wants it.
  struct Stored {
    Expr pointer;
    Scalar scalar;
  };
  /// Those that have not been stored yet, if the code here runs in every call; from now on they count as stored.
  std::vector<Stored> known_results();
  static void store(const std::vector<Stored>& known, Code& code, Capture& capture);
  Cell cell_for(const ir::Name& name, PrimType elem);
  View place(const ir::Param& param);

  // host_single.cpp
  bool is_glue(const ir::Stm& stm);
  void defer(const ir::Stm& stm);
  bool sees_what_is_pending(const ir::Stm& stm);
  void flush();
  void sequential(const ir::Stm& stm);

  // host_needs.cpp
  bool follows_from_needs(const ir::Stm& stm);
  void note_needs(const std::vector<ir::Stm>& stms);
  void need(const ir::Atom& atom, const std::unordered_map<ir::Name, const ir::Stm*>& definitions);
  std::optional<Cell> element_cell(const ir::Stm& stm);
  bool stays_in_array(const ir::Stm& stm);
  bool compute_here(const ir::Stm& stm);

  // host_control.cpp
  void if_(const ir::Stm& stm, const ir::If& e);
  void loop(const ir::Stm& stm, const ir::Loop& e);
  std::pair<View, View> two_places(const ir::Param& param, const std::vector<Scalar>& extents,
                                   const View* start = nullptr);
  bool only_starts(const ir::Atom& init);
  std::optional<std::pair<View, View>> taken_over(const ir::Name& init, const ir::Name& made);
  void made_at(const ir::Atom& result, const Value& place);
  Stms block(const ir::Body& body, const std::function<void()>& finish,
             const Destinations& destinations);
  std::vector<bool> host_params(const ir::Loop& loop, const ir::NameSet& assumed = {});
  void set(const Value& place, const ir::Atom& value);
  Expr read(const ir::Atom& atom);

  // host_late.cpp
  /// What a statement is sized by, if only the device knows it: the host waits for it.
  void fetch_sizes(const ir::Stm& stm);
  void wait_before_flush(const ir::Stm& stm);
  void bound_thread_memory(const ir::Stm& stm);
  void settle(const ir::Name& name, Scalar scalar);
  Scalar fetch(const ir::Atom& atom);
  void note_arithmetic(const ir::Stm& stm);
  bool compute(const ir::Name& name);
  void forget_fetched(std::size_t count);
  View moved(const View& destination, const View& array, const std::string& base,
             const ir::Stm* stm, std::string why);
  Expr late_variable(const ir::Param& param, std::optional<Expr> value);
  View late_start(const ir::Stm& stm, const ir::Loop& loop, std::size_t param);
  void hand_over_late_results();

  // kernels.cpp
  void launch(const Space& space, const Fill& fill);
  /// The same without asking whether there is a point.
  Stms launch_of(const Space& space, const Fill& fill);
  /// CUDA rejects an empty grid: the call if no extent is zero.
  void emit_if_any(const std::vector<Scalar>& extents, Stms call);
  // lower/grid.cpp
  void nest(const ir::Stm& stm, const ir::Nest& nest);
  void kernel(const ir::Stm& stm, const ir::Nest& nest);
  std::vector<Accumulator> copied_by_blocks(const ir::Nest& nest, const std::vector<OutPlace>& outside);
  std::vector<OutPlace> places(const ir::Stm& stm, const ir::Nest& nest);
  std::vector<OutPlace> places_inside(const ir::Stm& stm, const ir::Nest& nest,
                                      const std::vector<OutPlace>& outside, Code& code,
                                      Capture& capture);
  // lower/blocks.cpp
  /// What a thread does at the points of a nest: the one that is planned, or what else computes the same.
  using FillFor = std::function<Fill(const ir::Nest&)>;
  /// By blocks whose threads work together, if that may pay; false if not. `fill_for` is for threads that do not.
  bool by_blocks(const Space& space, const ir::Nest& nest, const Neighbours& neighbours, const std::vector<OutPlace>& outside, const FillFor& fill_for);
  /// By threads by themselves, which may have their rows staged.
  void launch_points(const Space& space, const ir::Nest& nest, const std::vector<OutPlace>& outside, const FillFor& fill_for);
  void launch_joint_sums(const Space& space, const ir::Nest& nest, const facts::JointSums& sums, const Neighbours& neighbours,
                         const std::vector<OutPlace>& outside, const FillFor& fill_for);
  /// One block a part. What a thread would do by itself is planned for the kernel's comment.
  void launch_part_scans(const ir::Stm& stm, const facts::PartScans& scans, const std::vector<OutPlace>& outside);
  Expr tiles_pay(const ir::Nest& nest, const facts::Tiling& tiling, const std::function<bool(const ir::Name&)>& knows);
  /// One block a tile of results, where threads of one result each would read everything many times.
  void launch_tiles(const Space& space, const ir::Nest& nest, const facts::Tiling& tiling, const std::vector<OutPlace>& outside);

  // host_arrays.cpp
  void copy(const View& to, const View& from, const std::string& base, const ir::Stm* stm, std::string why);
  void copy_part(const ir::Stm& stm, const ir::Index& e);
  View in_memory(const View& view, const std::string& base, const ir::Stm* stm);
  View writable(const ir::Name& name, const ir::Stm* stm);
  void reshape(const ir::Stm& stm, const ir::Reshape& e);
  void concat(const ir::Stm& stm, const ir::Concat& e);
  void array_literal(const ir::Stm& stm, const ir::ArrayLiteral& e);

  // host_sort.cpp
  void sort(const ir::Stm& stm, const ir::Sort& e);

  // host_writes.cpp
  void update(const ir::Stm& stm, const ir::Update& e);
  void with_acc(const ir::Stm& stm, const ir::WithAcc& e);
  void update_acc(const ir::Stm& stm, const ir::UpdateAcc& e);

  Context& context_;
  const ir::Function& function_;
  Identifiers identifiers_;
  Interface interface_;
  Code code_;
  int depth_ = 0;  // of blocks inside of branches and loops
  std::vector<const ir::Stm*> glue_;
  ir::NameSet needed_;                                // scalars that it waits for, or computes from what it waits for
  /// That was left to kernels; and how much the host had waited for when it last tried to compute it.
  struct Arithmetic {
    ir::Stm stm;
    int tried = 0;
  };
  std::unordered_map<ir::Name, Arithmetic> arithmetic_;
  int waits_ = 0;
  std::vector<std::pair<ir::Name, std::optional<Value>>> fetched_;   // in the blocks around: what stands for them outside
  std::unordered_map<ir::Name, Expr> cells_;          // where scalars go that are results of the entry, of branches or iterations
  std::vector<bool> stored_;                          // of each result, whether some kernel has stored what the host knows
  /// Where the state of a loop is, and where the next one is made: what its body yields under that name.
  struct State {
    View here, there;
    ir::Name next;
    bool is_taken_over = false;  // by a loop inside
  };
  std::unordered_map<ir::Name, State> states_;        // by parameters of loops
  ir::NameSet own_;                                   // arrays that were made in memory of their own
  friend class LibraryPlanner;
  friend class BlockCopies;
  friend class StagedRows;
};

/// Only scalars, at any depth, and nothing but operations outside of branches and loops that is checked.
bool is_pure_scalar_code(Context& context, const ir::Exp& exp);

/// Adds the atoms that say how large arrays are which the statement makes or goes through.
void add_own_sizes(const ir::Stm& stm, std::vector<ir::Atom>& sizes);

/// What code of a kernel takes from the host, whose values it captures; where a check fails its thread leaves. Memory of the thread is left
/// to the caller. Both references have to outlive the result.
Surroundings around_kernel(Code& host, Capture& capture);
/// A small array of constant size in registers. Internal error for others: `choose` puts what needs memory elsewhere.
View register_array(Code& code, Identifiers& identifiers, const std::string& base, PrimType elem,
                    const std::vector<Scalar>& extents);

/// `kmeans.fut:9, return sweep of `map f xs``; what is not known is left out.
std::string source_line(const Context& context, ir::Sweep sweep, source::SourceRange place);
/// The comment of a kernel or library call for a statement.
Comment comment_for(const Context& context, const ir::Stm* stm);

}  // namespace boustro::plan::planner
