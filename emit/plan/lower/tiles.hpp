// A nest of sums whose operands few points differ in, computed tile by tile: transform/facts/tiles.hpp.
//
// A block computes tile_width x tile_width results, each of its threads 8 x 8 of them, in registers; or 4 x 4, where these are several
// sums. tile_depth summands at a time, what the tile needs of each operand is computed once and kept in shared memory, from where it is
// added while the next is on its way. Each result is summed up in its own order, as by a thread of its own.
//
// A product of matrices of f64 is one of the tensor cores: a warp multiplies 8 x 4 by 4 x 8 elements at a time, of which each lane reads
// one, and a thread has 4 x 16 results. Behind the last summand there are zeros.
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

/// What the threads of a kernel do: tiles.cpp goes through tiles, tile_loads.cpp reads, tile_sums.cpp adds, tile_folds.cpp folds.
class Tiles {
 public:
  /// `zeros`: of the program around the nest. `extents`: of the nest's space, as the kernel knows them. `places`: of the outs, likewise.
  Tiles(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::Tiling& tiling, const facts::Zeros& zeros,
        std::vector<Scalar> extents, const std::vector<OutPlace>& places);

  Stms run();
  /// What they read once and what they leave out, for --explain-plan.
  std::string reason() const;

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
    bool summands_first;   // those of neighbouring summands are next to each other in memory
    Expr tile, next, own;  // in shared memory; in registers: what the thread loads for the next step, and what it needs of this one
  };
  struct Along {  // a dimension, or the summands
    ir::Name index;
    Scalar extent;
    std::string name;
    Type type;
    Expr first;  // of the tile
  };

  inline static const Type int_type = type(PrimType::i32);
  inline static const Expr eight = lit(8, PrimType::i32);  // rows and columns of matrices that a warp multiplies
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
  Operand operand(const ir::Name& value, bool of_rows);
  Scalar index(const Along& along, const Expr& value) const;
  static Expr pitch(const Operand& operand);
  Expr row_place(const Expr& row) const;
  Expr column_place(const Expr& column) const;
  void declare();
  Expr constant(const std::string& base, const Expr& value);
  void share_results();
  void count_summands();
  void over_columns();
  void tile();
  void find_diagonal(facts::Zeros zeros);
  void bound_summands();
  Stms where_not_zero(const Expr& group, const Expr& summand, Stms body) const;
  void start_sums();
  void start_folds();
  void load(const Operand& operand);
  void stage(const Operand& operand);
  /// The row or column in the tile, and the summand, of the element that a thread loads.
  std::pair<Expr, Expr> place_of_load(const Operand& operand) const;
  void over_loads(const std::function<void(const Expr& number)>& fill);
  bool has_neighbouring_summands(const Operand& operand);
  bool varies_with_summand(const ir::DimIndex& at) const;
  void add(const Expr& first);
  void read_own(const Expr& step);
  void multiply(const Expr& first);
  Expr columns_of_warp() const { return column_results_ / lit(2, PrimType::i32); }
  void read_of_warp(const Operand& operand, const Expr& step);
  void use_sums();
  void fold_columns(const Expr& row);
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
  Expr begin_, end_;  // of the summands of a tile
  std::optional<Along> matrices_;
  ir::NameSet shared_;  // what is the same for a whole matrix
  std::vector<Operand> operands_;
  std::vector<Expr> totals_;
  std::vector<std::vector<Expr>> folds_;  // of each out of the fold, for each row of the thread
  bool is_product_;                       // of matrices, by warps
  Shape shape_;
  Expr row_results_, column_results_;     // of each thread
  Expr row_threads_, column_threads_;     // of a block
  Expr loads_;                            // of a thread for each step, of each operand
  Expr thread_, row_thread_, column_thread_;
  Expr cell_;  // counts elements that a thread takes care of
};

}  // namespace boustro::plan::planner
