// A nest of sums whose operands few points differ in, computed tile by tile: transform/facts/tiles.hpp.
//
// A block computes tile_width x tile_width results, each of its threads tile_results x tile_results of them, in registers. tile_depth
// summands at a time, what the tile needs of each operand is computed once and kept in shared memory. Each result is summed up in its
// own order, as by a thread of its own.
#pragma once

#include "emit/plan/lower/points.hpp"
#include "transform/facts/tiles.hpp"

namespace boustro::plan::planner {

/// What the threads of a kernel do.
class Tiles {
 public:
  /// `extents`: of the nest's space, as the kernel knows them. `places`: of the outs, likewise.
  Tiles(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::Tiling& tiling, std::vector<Scalar> extents,
        const std::vector<OutPlace>& places);

  Stms run();

 private:
  struct Operand {
    ir::Name value;
    Type elem;
    bool of_rows;
    Expr tile, own;  // in shared memory, and what the thread needs of it, in registers
  };
  struct Along {  // a dimension, or the summands
    ir::Name index;
    Scalar extent;
    std::string name;
    Type type;
    Expr first;  // of the tile
  };

  const ir::Nest& sums() const { return facts::sums_of(nest_, tiling_); }
  Along along(const ir::Name& index, const Scalar& extent, bool wide);
  Operand operand(const ir::Name& value, bool of_rows);
  Scalar index(const Along& along, const Expr& value) const;
  void declare();
  void count_summands();
  void tile();
  void start_sums();
  void stage(const Operand& operand);
  bool has_neighbouring_summands(const Operand& operand);
  bool varies_with_summand(const ir::DimIndex& at) const;
  void add();
  void read_own(const Expr& step);
  void store();
  void each_result(const std::function<void(const Expr& row, const Expr& column)>& fill);
  /// What the matrix has not computed before.
  std::vector<ir::Stm> computing(ir::NameSet wanted, std::vector<ir::Stm> stms) const;
  /// All statements of the point, those of the sums among them.
  std::vector<ir::Stm> of_point() const;
  void emit_all(const std::vector<ir::Stm>& stms);
  Scalar total(std::size_t out, const Expr& row, const Expr& column) const;

  Code& code_;
  Identifiers& identifiers_;
  const ir::Nest& nest_;
  const facts::Tiling& tiling_;
  const std::vector<OutPlace>& places_;
  Along rows_, columns_, summands_;
  std::optional<Along> matrices_;
  ir::NameSet shared_;  // what is the same for a whole matrix
  std::vector<Operand> operands_;
  std::vector<Expr> totals_;
  Expr thread_, row_thread_, column_thread_;
  Expr cell_;  // counts elements that a thread takes care of
};

}  // namespace boustro::plan::planner
