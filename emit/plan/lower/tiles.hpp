// A nest of sums whose operands few points differ in, computed tile by tile: transform/facts/tiles.hpp.
//
// A block computes tile_width x tile_width results, each of its threads 8 x 4 of them, in registers; or 4 x 4, where these are several
// sums. How that is done stands in templates, above all accumulate.cuh: Tile::depth summands at a time, as many as fit, what the tile needs of each operand
// is computed once and kept in shared memory, from where it is added while the next is on its way. Each result is summed up in its own
// order, as by a thread of its own. The kernel says what operands are, what is added, and what becomes of results: closures and loops.
//
// A product of matrices of f64 is one of the tensor cores: a warp multiplies 16 x 4 by 4 x 8 elements at a time, of which each lane reads
// two and one, and a thread has 2 x 16 results. Behind the last summand there are zeros.
//
// Where summands are zero by construction on one side of a diagonal (transform/facts/zeros.hpp), a tile's sums begin or end where that
// of its outermost row or column does, and what a thread adds to some of its columns is left out once these are past the diagonal.
//
// Where points are rows, which fold what comes of their columns, a block goes through all columns, one tile after the other. Each thread
// folds what comes of its own columns, and in the end the threads of a row combine what they have.
#pragma once

#include "emit/plan/lower/points.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/facts/zeros.hpp"

namespace boustro::plan::planner {

/// What the threads of a kernel do: tiles.cpp goes through tiles, tile_operands.cpp says what operands are, tile_sums.cpp what is added,
/// tile_folds.cpp folds.
class Tiles {
 public:
  /// `zeros`: of the program around the nest. `extents`: of the nest's space, as the kernel knows them. `places`: of the outs, likewise.
  Tiles(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::Tiling& tiling, const facts::Zeros& zeros,
        std::vector<Scalar> extents, const std::vector<OutPlace>& places);

  Stms run();
  /// Threads along the columns of a tile, and along its rows.
  Extents block() const { return runtime::block_of_tile(shape_.type); }
  /// What they read once and what they leave out, for --explain-plan.
  std::string reason() const;
  /// Which results are whose, for the comment of the kernel.
  std::string grid() const;

  /// Threads of a block along the columns of a tile, and along its rows.
  struct Shape {
    int columns, rows;
  };
  static Shape threads_along(const ir::Nest& nest, const facts::Tiling& tiling);
  /// All of them: a constant of the runtime.
  static Expr threads_of_block(const ir::Nest& nest, const facts::Tiling& tiling);

 private:
  struct Operand {
    ir::Name value;
    Type elem;
    bool of_rows;
    bool summands_first = false;  // those of neighbouring summands are next to each other in memory
    Expr load = {};               // the closure
  };
  struct Along {  // a dimension, or the summands
    ir::Name index;
    Scalar extent;
    std::string name;
    Type type;
    Expr first;  // of the tile
  };

  inline static const Type int_type = type(PrimType::i32);
  static const std::string& name_of(const Expr& variable) { return std::get<Var>(variable.head).name; }
  /// A loop over elements of arrays that stay in registers.
  static For over_own(const std::string& name, const Expr& size, Stms body) {
    return {.name = name, .type = int_type, .from = lit(0, PrimType::i32), .to = size, .unrolled = true, .body = std::move(body)};
  }

  const ir::Nest& sums() const { return facts::sums_of(nest_, tiling_); }
  const ir::Nest* fold() const { return facts::fold_of(nest_, tiling_); }
  /// The body that the sums stand in, and the statement.
  const ir::Body& around_sums() const { return (fold() ? fold()->point : nest_.point).body; }
  const ir::Stm& sums_stm() const { return around_sums().stms[tiling_.sums]; }
  Along along(const ir::Name& index, const Scalar& extent, bool wide);
  Scalar index(const Along& along, const Expr& value) const;
  void declare();
  void count_summands();
  void over_columns();
  void tile();
  /// A variable of that name for values of a thread's rows, or of all its results, which are all the same at first.
  Expr declare_own(const std::string& base, const Type& elem, const Expr& start, bool of_rows);
  Operand operand(const ir::Name& value, bool of_rows) const;
  /// Twice tile_depth summands of all operands fit into shared memory.
  bool fits_twice() const;
  void define_operands();
  /// How the sums take it.
  Expr staged(const Operand& operand) const;
  bool has_neighbouring_summands(const Operand& operand);
  bool varies_with_summand(const ir::DimIndex& at) const;
  void find_diagonal(facts::Zeros zeros);
  Expr summands() const;
  void start_sums();
  Expr define_addition();
  void add(const Expr& row, const Expr& group, const std::vector<Expr>& own);
  /// The statements that compute what is added from what operands are.
  std::vector<ir::Stm> of_summand() const;
  void use_sums();
  void fold_columns(const Expr& row);
  void start_folds();
  void store();
  void store_folds();
  Expr define(const Along& along, const Expr& offset);
  void each_result(const std::function<void(const Expr& row, const Expr& column)>& fill);
  /// What the matrix has not computed before.
  std::vector<ir::Stm> computing(ir::NameSet wanted, std::vector<ir::Stm> stms) const;
  /// All statements of the point, those of the sums among them, or all but these.
  std::vector<ir::Stm> of_point() const;
  std::vector<ir::Stm> outside_sums() const;
  void emit_all(const std::vector<ir::Stm>& stms);
  Scalar total(std::size_t out, const Expr& row, const Expr& column) const;
  /// What the thread has folded in a row.
  Results own(std::size_t out, const Expr& row) const;

  Code& code_;
  Identifiers& identifiers_;
  const ir::Nest& nest_;
  const facts::Tiling& tiling_;
  const std::vector<OutPlace>& places_;
  Along rows_, columns_, summands_;
  /// Summands are zero behind the diagonal, or before it, which this dimension goes along.
  struct Diagonal {
    const Along* along;
    bool zero_behind;
  };
  std::optional<Diagonal> diagonal_;
  std::optional<Along> matrices_;
  ir::NameSet shared_;  // what is the same for a whole matrix
  std::vector<Operand> operands_;
  std::vector<Expr> totals_;
  std::vector<std::vector<Expr>> folds_;  // of each out of the fold, for each row of the thread
  bool is_product_;                       // of matrices, by warps
  Alias shape_;                           // which results a thread has
};

}  // namespace boustro::plan::planner
