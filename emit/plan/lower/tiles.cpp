#include "emit/plan/lower/tiles.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {
namespace {

using runtime::tile_depth, runtime::tile_pitch, runtime::tile_results, runtime::tile_threads, runtime::tile_width;

const Type int_type = type(PrimType::i32);

const std::string& name_of(const Expr& variable) { return std::get<Var>(variable.head).name; }

Stms joined(Stms stms, Stm last) {
  stms.push_back(std::move(last));
  return stms;
}

}  // namespace

Tiles::Tiles(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::Tiling& tiling, std::vector<Scalar> extents,
             const std::vector<OutPlace>& places)
    : code_(code), identifiers_(identifiers), nest_(nest), tiling_(tiling), places_(places), cell_(var(identifiers.fresh("cell"), int_type)) {
  const auto dimension = [&](std::size_t d) { return along(nest.point.params[d].name, extents[d], d == 0); };
  for (std::size_t d = 0; d < nest.space.size(); ++d)
    if (d != tiling.rows && d != tiling.columns) matrices_ = dimension(d);
  rows_ = dimension(tiling.rows);
  columns_ = dimension(tiling.columns);
  for (const ir::Name& value : tiling.of_rows) operands_.push_back(operand(value, true));
  for (const ir::Name& value : tiling.of_columns) operands_.push_back(operand(value, false));
}

Tiles::Along Tiles::along(const ir::Name& index, const Scalar& extent, bool wide) {
  std::string base = index.base;
  for (const char* other : {"j", "l", "t", "s"})
    if (base.size() == 1 && identifiers_.taken(base)) base = other;
  const std::string name = identifiers_.fresh(base);
  const Type of_index = wide ? type(PrimType::i64) : int_value(extent.expr) ? int_type : extent.expr.type;
  return {index, extent, name, of_index, {}};
}

Tiles::Operand Tiles::operand(const ir::Name& value, bool of_rows) {
  const Type elem = scalar_type(code_.context().names.type_of(value).elem);
  const std::string tile = identifiers_.fresh(value.base + "_tile"), own = identifiers_.fresh("own_" + value.base);
  return {value, elem, of_rows, var(tile, pointer_to(elem)), var(own, pointer_to(elem))};
}

Scalar Tiles::index(const Along& along, const Expr& value) const {
  Scalar result{value, {}, Range{0, (along.type.prim == PrimType::i32 ? int_size_range : size_range).high - 1}};
  result.end = along.extent.expr;
  return result;
}

Stms Tiles::run() {
  return code_.collect([&] {
    declare();
    const Type of_columns = columns_.type;
    const std::string first = identifiers_.fresh("first_" + columns_.name);
    columns_.first = var(first, of_columns);
    if (!matrices_) count_summands();
    Stms counting, columns;
    const auto fill = [&] { columns = code_.collect_loop(false, [&] { tile(); }); };
    if (matrices_) {
      counting = code_.collect_loop(false, [&] {
        count_summands();
        fill();
      });
    } else {
      fill();
    }
    Stm loop = For{.name = first,
                   .type = of_columns,
                   .from = cast(of_columns, position(Position::block_y)) * tile_width(),
                   .to = columns_.extent.expr,
                   .step = cast(of_columns, position(Position::grid_width_y)) * tile_width(),
                   .body = std::move(columns)};
    if (!matrices_) return code_.emit(std::move(loop).after_gap());
    code_.emit(Stm(For{.name = matrices_->name,
                       .type = matrices_->type,
                       .from = cast(matrices_->type, position(Position::block_z)),
                       .to = matrices_->extent.expr,
                       .step = cast(matrices_->type, position(Position::grid_width_z)),
                       .body = joined(std::move(counting), std::move(loop))})
                   .after_gap());
  });
}

/// And what else is the same for the whole matrix.
void Tiles::count_summands() {
  for (std::size_t i = 0; i < tiling_.sums; ++i) {
    const ir::Stm& stm = nest_.point.body.stms[i];
    const auto with = tiling_.varies_with.find(stm.pattern[0].name);
    const bool varies = with == tiling_.varies_with.end() || with->second.contains(rows_.index) || with->second.contains(columns_.index);
    if (varies) continue;
    code_.stm(stm);
    shared_.insert(stm.pattern[0].name);
  }
  Scalar count = code_.extents(sums().space)[0];
  count.expr = code_.named("count", count.expr);
  summands_ = along(sums().point.params[0].name, count, false);
}

std::vector<ir::Stm> Tiles::computing(ir::NameSet wanted, std::vector<ir::Stm> stms) const {
  std::erase_if(stms, [&](const ir::Stm& stm) { return std::holds_alternative<ir::Nest>(stm.exp) || shared_.contains(stm.pattern[0].name); });
  return ir::statements_for(wanted, stms);
}

std::vector<ir::Stm> Tiles::of_point() const {
  std::vector<ir::Stm> stms = nest_.point.body.stms;
  const auto& inside = sums().point.body.stms;
  stms.insert(stms.end(), inside.begin(), inside.end());
  return stms;
}

void Tiles::declare() {
  for (const Operand& operand : operands_)
    code_.emit(SharedArray{.name = name_of(operand.tile), .elem = operand.elem, .size = tile_depth() * tile_pitch()});
  const auto constant = [&](const std::string& base, const Expr& value) {
    const std::string name = identifiers_.fresh(base);
    code_.emit(Let{.name = name, .type = value.type, .value = value});
    return var(name, value.type);
  };
  column_thread_ = constant("column_thread", cast(PrimType::i32, position(Position::thread_x)));
  row_thread_ = constant("row_thread", cast(PrimType::i32, position(Position::thread_y)));
  thread_ = constant("thread_of_block", row_thread_ * tile_threads() + column_thread_);
  rows_.first = constant("first_" + rows_.name, cast(rows_.type, position(Position::block_x)) * tile_width());
  if (matrices_) code_.bind(matrices_->index, index(*matrices_, var(matrices_->name, matrices_->type)));
}

void Tiles::tile() {
  start_sums();
  const std::string first = identifiers_.fresh("first_" + summands_.name);
  summands_.first = var(first, summands_.type);
  Stms body = code_.collect_loop(false, [&] {
    for (const Operand& operand : operands_) stage(operand);
    code_.emit(Barrier{"the tiles are complete"});
    add();
    code_.emit(Barrier{"nobody needs the tiles any more"});
  });
  code_.emit(Stm(For{.name = first,
                     .type = summands_.type,
                     .from = lit(0, summands_.type.prim),
                     .to = summands_.extent.expr,
                     .step = cast(summands_.type, tile_depth()),
                     .body = std::move(body)})
                 .after_gap());
  store();
}

void Tiles::start_sums() {
  totals_.clear();
  Stms neutral;
  for (std::size_t out = 0; out < sums().outs.size(); ++out) {
    const ir::Param& result = nest_.point.body.stms[tiling_.sums].pattern[out];
    const Type elem = scalar_type(result.type.elem);
    const std::string name = identifiers_.fresh(result.name.base);
    totals_.push_back(var(name, pointer_to(elem)));
    code_.emit(LocalArray{.name = name, .elem = elem, .size = tile_results() * tile_results()});
    neutral.push_back(Assign{totals_.back()[cell_], code_.value(sums().outs[out].op->neutral[0])});
  }
  code_.emit(For{.name = name_of(cell_), .type = int_type, .from = lit(0, PrimType::i32), .to = tile_results() * tile_results(), .body = std::move(neutral)});
}

/// Each thread computes some elements of the tile. Behind the ends it has what is there last, which is not added or not stored.
void Tiles::stage(const Operand& operand) {
  const bool summands_first = has_neighbouring_summands(operand);
  const Expr step = summands_first ? cell_ % tile_depth() : cell_ / tile_width();
  const Expr at = summands_first ? cell_ / tile_depth() : cell_ % tile_width();
  Stms body = code_.collect_loop(false, [&] {
    const auto clamped = [&](const Along& along, const Expr& offset) {
      const Expr last = cast(along.type, along.extent.expr - 1);
      const Expr value = runtime::min(cast(along.type, along.first + offset), last);
      code_.emit(Let{.name = along.name, .type = along.type, .value = value});
      code_.bind(along.index, index(along, var(along.name, along.type)));
    };
    clamped(operand.of_rows ? rows_ : columns_, at);
    clamped(summands_, step);
    emit_all(computing({operand.value}, of_point()));
    code_.emit(Assign{operand.tile[step * tile_pitch() + at], cast(operand.elem, code_.value(operand.value))});
  });
  code_.emit(For{.name = name_of(cell_),
                 .type = int_type,
                 .from = thread_,
                 .to = tile_depth() * tile_width(),
                 .step = runtime::block_size(),
                 .body = std::move(body)});
}

/// Elements for neighbouring summands are next to each other in memory.
bool Tiles::has_neighbouring_summands(const Operand& operand) {
  ir::NameSet wanted{operand.value};
  const std::vector<ir::Stm> stms = ir::statements_for(wanted, of_point());
  for (const ir::Stm& stm : stms) {
    const auto* read = std::get_if<ir::Index>(&stm.exp);
    if (!read || !stm.pattern[0].type.is_scalar()) continue;
    // The dimension of the array outside, as views are seen through.
    ir::Name array = read->array;
    std::size_t dimension = read->indices.size();
    while (dimension-- > 0 && !varies_with_summand(read->indices[dimension])) {
    }
    if (dimension >= read->indices.size()) continue;
    for (auto view = stms.rbegin(); view != stms.rend(); ++view) {
      if (view->pattern[0].name != array) continue;
      if (const auto* row = std::get_if<ir::Index>(&view->exp)) {
        dimension += row->indices.size();
        array = row->array;
      } else if (const auto* rearranged = std::get_if<ir::Rearrange>(&view->exp)) {
        dimension = static_cast<std::size_t>(rearranged->permutation.at(dimension));
        array = rearranged->array;
      } else {
        return false;
      }
    }
    const View seen = code_.view(array);
    return seen.memory() && is_one(seen.memory()->strides.at(dimension));
  }
  return false;
}

bool Tiles::varies_with_summand(const ir::DimIndex& at) const {
  const auto* atom = std::get_if<ir::Atom>(&at);
  const ir::Name* name = atom ? ir::name_in(*atom) : nullptr;
  const auto with = name ? tiling_.varies_with.find(*name) : tiling_.varies_with.end();
  return with != tiling_.varies_with.end() && with->second.contains(summands_.index);
}

void Tiles::add() {
  const std::string count = identifiers_.fresh("steps");
  const Expr steps = var(count, summands_.type);
  code_.emit(Let{.name = count,
                 .type = summands_.type,
                 .value = runtime::min(cast(summands_.type, tile_depth()), cast(summands_.type, summands_.extent.expr - summands_.first))});
  const std::string name = identifiers_.fresh("step");
  const Expr step = var(name, int_type);
  Stms body = code_.collect_loop(false, [&] {
    read_own(step);
    ir::NameSet staged;
    for (const Operand& operand : operands_) staged.insert(operand.value);
    std::vector<ir::Stm> stms = of_point();
    std::erase_if(stms, [&](const ir::Stm& stm) { return staged.contains(stm.pattern[0].name); });
    stms = computing(ir::names_among(sums().point.body.result), stms);
    each_result([&](const Expr& row, const Expr& column) {
      for (const Operand& operand : operands_) code_.bind(operand.value, Scalar{operand.own[operand.of_rows ? row : column]});
      code_.bind(rows_.index, index(rows_, rows_.first + (row_thread_ + row * tile_threads())));
      code_.bind(columns_.index, index(columns_, columns_.first + (column_thread_ + column * tile_threads())));
      code_.bind(summands_.index, index(summands_, summands_.first + step));
      emit_all(stms);
      for (std::size_t out = 0; out < totals_.size(); ++out) {
        Results running{total(out, row, column)};
        const ir::Atom& value = sums().point.body.result[out];
        code_.step(*sums().outs[out].op, running, {code_.scalar(value)});
      }
    });
  });
  code_.emit(For{.name = name, .type = int_type, .from = lit(0, PrimType::i32), .to = steps, .body = std::move(body)});
}

void Tiles::read_own(const Expr& step) {
  Stms body;
  for (const Operand& operand : operands_) {
    code_.emit(LocalArray{.name = name_of(operand.own), .elem = operand.elem, .size = tile_results()});
    const Expr thread = operand.of_rows ? row_thread_ : column_thread_;
    body.push_back(Assign{operand.own[cell_], operand.tile[step * tile_pitch() + (thread + cell_ * tile_threads())]});
  }
  code_.emit(For{.name = name_of(cell_), .type = int_type, .from = lit(0, PrimType::i32), .to = tile_results(), .body = std::move(body)});
}

void Tiles::store() {
  const std::vector<ir::Stm> stms = computing(ir::names_among(nest_.point.body.result), nest_.point.body.stms);
  each_result([&](const Expr& row, const Expr& column) {
    const auto define = [&](const Along& along, const Expr& offset) {
      code_.emit(Let{.name = along.name, .type = along.type, .value = cast(along.type, along.first + offset)});
      const Expr here = var(along.name, along.type);
      code_.bind(along.index, index(along, here));
      return here < along.extent.expr;
    };
    const Expr in_rows = define(rows_, row_thread_ + row * tile_threads());
    const Expr in_columns = define(columns_, column_thread_ + column * tile_threads());
    Stms inside = code_.collect([&] {
      for (std::size_t out = 0; out < totals_.size(); ++out)
        code_.bind(nest_.point.body.stms[tiling_.sums].pattern[out].name, total(out, row, column));
      emit_all(stms);
      for (std::size_t out = 0; out < places_.size(); ++out) {
        View cell = places_[out].arrays[0];
        for (std::size_t d = 0; d < nest_.space.size(); ++d) cell = code_.row(cell, code_.index(nest_.point.params[d].name));
        code_.store(cell, code_.final_value(nest_.point.body.result[out]));
      }
    });
    code_.emit(If{in_rows && in_columns, std::move(inside)});
  });
}

void Tiles::each_result(const std::function<void(const Expr&, const Expr&)>& fill) {
  const std::string r = identifiers_.fresh("r"), c = identifiers_.fresh("c");
  Stms body = code_.collect_loop(false, [&] { fill(var(r, int_type), var(c, int_type)); });
  For columns{.name = c, .type = int_type, .from = lit(0, PrimType::i32), .to = tile_results(), .body = std::move(body)};
  code_.emit(For{.name = r, .type = int_type, .from = lit(0, PrimType::i32), .to = tile_results(), .body = {std::move(columns)}});
  identifiers_.release(r), identifiers_.release(c);
}

void Tiles::emit_all(const std::vector<ir::Stm>& stms) {
  for (const ir::Stm& stm : stms) code_.stm(stm);
}

Scalar Tiles::total(std::size_t out, const Expr& row, const Expr& column) const {
  return Scalar{totals_[out][row * tile_results() + column]};
}

}  // namespace boustro::plan::planner
