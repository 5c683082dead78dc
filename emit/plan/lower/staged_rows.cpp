#include "emit/plan/lower/staged_rows.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/planner/layout.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "transform/parallel/flatten/memory.hpp"

namespace boustro::plan::planner {
namespace {

const Type long_count = type(PrimType::i64), short_count = type(PrimType::i32);

Expr narrowed(const Expr& size) { return size.type == short_count ? size : cast(PrimType::i32, size); }

bool writes_to(const View& written, const View& array) {
  return written.memory() && written.memory()->base == array.memory()->base;
}

}  // namespace

StagedRows::StagedRows(Host& host, const Space& space, const ir::Nest& nest, const std::vector<OutPlace>& outside)
    : host_(host), context_(host.context_), space_(space), identifiers_(context_.file_names), capture_(context_, identifiers_),
      code_(context_, identifiers_, surroundings()) {
  if (space.extents.size() != 1 || space.depth || parallel::needs_memory(nest.point.body, context_.callees)) return;
  std::vector<facts::OwnRow> own;
  std::vector<ir::Name> rows;
  for (facts::OwnRow& found : facts::own_rows_of(nest, context_.names)) {
    if (!can_be_staged(found, outside)) continue;
    rows.push_back(context_.names.fresh(found.base));
    staged_.push_back({found, rows.back(), host.code_.view(found.array)});
    own.push_back(std::move(found));
  }
  if (any()) nest_ = facts::reading_rows(nest, own, rows);
}

/// All in one shared array, so of one type: that of the first.
bool StagedRows::can_be_staged(const facts::OwnRow& own, const std::vector<OutPlace>& outside) const {
  const View* array = host_.code_.knows(own.array) ? std::get_if<View>(&host_.code_.value_of(own.array)) : nullptr;
  if (!array || !array->memory() || !lies_dense(*array, context_.tables)) return false;
  if (any() && array->elem != elem()) return false;
  for (const OutPlace& place : outside)
    for (const View& written : place.arrays)
      if (writes_to(written, *array)) return false;
  return true;
}

Surroundings StagedRows::surroundings() {
  Surroundings around = around_kernel(host_.code_, capture_);
  around.allocate = [&](const std::string& base, PrimType prim, const std::vector<Scalar>& extents) {
    return register_array(code_, identifiers_, base, prim, extents);
  };
  return around;
}

void StagedRows::plan(const std::function<Host::Fill(const ir::Nest&)>& fill_for, Stms by_themselves, const std::optional<Expr>& pays) {
  Stms call;
  name_pitches(call);
  const Expr n = space_.extents[0].expr;
  std::optional<Expr> row_bytes;
  for (const Staged& staged : staged_) {
    const Expr bytes = cast(size_type(), staged.pitch) * size_of(type(elem()));
    row_bytes = row_bytes ? *row_bytes + bytes : bytes;
  }
  const Expr bytes = named(call, "row_bytes", size_type(), *row_bytes);
  const Expr rows = named(call, "staged_rows", type(PrimType::u32), runtime::staged_rows_for(bytes));
  add_kernel(fill_for);
  std::vector<std::string> names;
  for (const Staged& staged : staged_) names.push_back(staged.own.array.base);
  Launch launch{.kernel = kernel_.name,
                .grid = {runtime::blocks_for(n, rows)},
                .block = {rows},
                .shared_bytes = rows * bytes,
                .args = capture_.args(),
                .why = fmt::format("rows of {} staged in shared memory, which neighbours read a row apart", fmt::join(names, " and "))};
  std::vector<Kernel>& kernels = context_.entry.kernels;
  kernels.insert(kernels.end() - 1, std::move(kernel_));
  const Expr fit = rows > lit(0, PrimType::u32);
  call.push_back(If{pays ? *pays && fit : fit, {std::move(launch)}, std::move(by_themselves), true});
  host_.emit_if_any(space_.extents, std::move(call));
}

Expr StagedRows::width_of(const View& array) const {
  std::vector<Expr> factors;
  for (std::size_t d = 1; d < array.extents.size(); ++d) factors.push_back(array.extents[d].expr);
  return product(factors);
}

void StagedRows::name_pitches(Stms& to) {
  for (Staged& staged : staged_) {
    const Expr value = runtime::row_pitch(cast(PrimType::i64, width_of(staged.array)), size_of(type(elem())));
    staged.pitch = named(to, "pitch", long_count, value);
    staged.pitch_inside = capture_.add("pitch", short_count, Access::value, cast(PrimType::i32, staged.pitch));
  }
}

Expr StagedRows::named(Stms& to, const std::string& base, const Type& type, const Expr& value) {
  const std::string name = host_.identifiers_.fresh(base);
  to.push_back(Let{.name = name, .type = type, .value = value});
  return var(name, type);
}

void StagedRows::add_kernel(const std::function<Host::Fill(const ir::Nest&)>& fill_for) {
  capture_.keep_wide(space_.extents[0].expr);
  const Expr n = capture_.import(space_.extents[0].expr, "size");
  const Expr first = var(identifiers_.fresh("first_" + space_.index_bases[0]), long_count);
  Stms body = copy_rows(n, first);
  const Expr i = var(identifiers_.fresh(space_.index_bases[0]), long_count);
  Scalar index{i, minus(context_.bound_here(space_.extents[0]), lit(1)), indices_below(size_range)};
  index.end = n;
  body.push_back(Stm(Let{.name = std::get<Var>(i.head).name, .type = long_count, .value = first + position(Position::thread_x)}).after_gap());
  body.push_back(If{i >= n, {Return{}}});
  Stms points = code_.collect([&] {
    code_.assume_nonzero(n);
    for (const Staged& staged : staged_) {
      const View array = capture_.written(staged.array, "", Access::read);
      const std::vector<Scalar> extents(array.extents.begin() + 1, array.extents.end());
      Expr own = staged.rows + cast(PrimType::i32, position(Position::thread_x)) * staged.pitch_inside;
      own.type = const_pointer_to(type(elem()));
      own = code_.named(staged.own.base, own);
      code_.bind(staged.row, dense_view(own, array.elem, extents));
    }
    fill_for(nest_)(code_, capture_, {index});
  });
  points.front().gap = true;
  body.insert(body.end(), std::make_move_iterator(points.begin()), std::make_move_iterator(points.end()));
  drop_unused(body);
  capture_.keep(names_in(body));
  kernel_ = {.name = context_.file_name(space_.base + "_staged_kernel"),
             .comment = comment_for(context_, space_.stm),
             .params = capture_.params(),
             .body = std::move(body)};
  kernel_.comment.grid = space_.grid_over({index}, kernel_.body);
  kernel_.comment.notes = {"The rows of a block are brought to shared memory first, where each thread then reads its own."};
  kernel_.of_tiles = true;
}

/// What all threads of a block do, those without a point, too.
Stms StagedRows::copy_rows(const Expr& n, const Expr& first) {
  const std::string base = "block_" + (staged_.size() == 1 ? staged_[0].own.array.base : "rows");
  std::string name = context_.file_names.fresh(base);
  while (identifiers_.taken(name)) name = context_.file_names.fresh(base);
  const Expr threads = position(Position::block_width_x);
  const Expr rows = var(identifiers_.fresh("rows"), PrimType::i32);
  Expr next = var(name, pointer_to(type(elem())));
  Stms body = {SharedArray{.name = name, .elem = type(elem())},
               Let{.name = std::get<Var>(first.head).name, .type = long_count, .value = cast(PrimType::i64, position(Position::block_x)) * threads},
               Let{.name = std::get<Var>(rows.head).name,
                   .type = short_count,
                   .value = cast(PrimType::i32, runtime::min(cast(PrimType::i64, threads), n - first))}};
  Stms copies = code_.collect([&] {
    for (Staged& staged : staged_) {
      staged.rows = next;
      const View array = capture_.written(staged.array, staged.own.array.base, Access::read);
      const Memory from = *code_.row(array, first).memory();
      code_.emit(Do{runtime::stage_rows(next, from.base + from.offset, rows, narrowed(width_of(array)), staged.pitch_inside)});
      if (&staged == &staged_.back()) continue;
      next = code_.named("next_rows", next + cast(PrimType::i32, threads) * staged.pitch_inside);
    }
  });
  body.insert(body.end(), std::make_move_iterator(copies.begin()), std::make_move_iterator(copies.end()));
  body.push_back(Barrier{name + " is complete"});
  return body;
}

}  // namespace boustro::plan::planner
