// How the threads of a block fold the columns of rows, tile by tile.
#include "emit/plan/lower/tiles.hpp"

#include "emit/plan/lower/combine_threads.hpp"
#include "emit/plan/planner/in_order.hpp"
#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {

void Tiles::start_folds() {
  folds_.clear();
  std::size_t next = 0;
  for (const ir::Out& out : fold()->outs) {
    folds_.emplace_back();
    for (const ir::Atom& start : out.op->neutral) {
      const ir::Param& result = nest_.point.body.stms[tiling_.fold].pattern[next++];
      folds_.back().push_back(declare_own("own_" + result.name.base, scalar_type(result.type.elem), code_.value(start), true));
    }
  }
}

Results Tiles::own(std::size_t out, const Expr& row) const {
  Results result;
  for (const Expr& values : folds_[out]) result.push_back(Scalar{values[row]});
  return result;
}

/// A thread gets to its columns in their order, but for those of a MatrixTile.
void Tiles::fold_columns(const Expr& row) {
  const auto& results = fold()->point.body.result;
  std::size_t next = 0;
  for (std::size_t out = 0; out < fold()->outs.size(); ++out) {
    std::vector<bool> counts;
    Results values, running = own(out, row);
    for (std::size_t k = 0; k < running.size(); ++k, ++next) {
      counts.push_back(results[next] == ir::Atom(columns_.index));
      values.push_back(code_.scalar(results[next]));
    }
    const ir::Operator& op = *fold()->outs[out].op;
    code_.step(is_product_ ? op : in_order(op, counts), running, values);
  }
}

void Tiles::store_folds() {
  const std::string name = identifiers_.fresh("r");
  const Expr row = var(name, int_type);
  Stms body = code_.collect_loop(false, [&] {
    const ir::Stm& stm = nest_.point.body.stms[tiling_.fold];
    auto next = stm.pattern.begin();
    for (std::size_t out = 0; out < folds_.size(); ++out) {
      const auto end = next + static_cast<std::ptrdiff_t>(folds_[out].size());
      combine_threads(code_, identifiers_, *fold()->outs[out].op, own(out, row), {next, end}, true);
      next = end;
    }
    const Expr in_rows = define(rows_, runtime::row_of_tile(shape_, row));
    Stms inside = code_.collect([&] {
      emit_all(computing(ir::names_among(nest_.point.body.result), nest_.point.body.stms));
      store();
    });
    code_.emit(If{equal(position(Position::thread_x), lit(0, PrimType::i32)) && in_rows, std::move(inside)});
  });
  code_.emit(Stm(over_own(name, runtime::rows_of_thread(shape_), std::move(body))).after_gap());
}

}  // namespace boustro::plan::planner
