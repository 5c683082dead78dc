#include "emit/plan/lower/block_copies.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/plan/lower/by_warp.hpp"
#include "emit/plan/planner/layout.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "transform/facts/rounding.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::plan::planner {
namespace {

const Type wide = type(PrimType::i64), narrow = type(PrimType::i32);

Expr first_of(const Axis& axis, const Type& type) {
  return cast(type.prim, position(axis.block)) * position(axis.block_width) + position(axis.thread);
}

Expr product_of(const std::vector<Scalar>& extents) {
  std::vector<Expr> factors;
  for (const Scalar& extent : extents) factors.push_back(extent.expr);
  return product(factors);
}

bool adds(const Accumulator& target) { return access_of(target.kind) == Access::added_to; }

/// Itself, or the next number.
Expr odd(const Expr& cells) {
  const auto known = int_value(cells);
  return known ? lit(*known | 1, cells.type.prim) : op(Op::bit_or, cells, lit(1, PrimType::i32));
}

/// A cell, counted in a row.
View flat(const Expr& pointer, PrimType elem, const Expr& index) {
  return {elem, {}, Memory{pointer, index, {}}};
}

/// for (cell = thread; cell < cells; cell += block_size) body
Stm for_each_cell(const Expr& cells, Stms body) {
  return For{.name = "cell",
             .type = narrow,
             .from = var("thread", PrimType::i32),
             .to = cells,
             .step = runtime::block_size(),
             .body = std::move(body)};
}

ir::Atom neutral_of(const Accumulator& target) {
  const auto* combine = std::get_if<ir::Combine>(&target.kind);
  return combine ? combine->neutral : ir::Atom(PrimValue::zero(target.destination.elem));
}

}  // namespace

bool can_be_copied(const View& cells) {
  constexpr int least = 4;
  const auto is_zero_size = [](const Scalar& extent) { return int_value(extent.expr) == std::optional<std::int64_t>(0); };
  if (std::any_of(cells.extents.begin(), cells.extents.end(), is_zero_size)) return false;
  return values::byte_size(cells.elem) >= least && cells.rank() > 0 && is_contiguous(cells);
}

BlockCopies::BlockCopies(Host& host, const Space& space, std::vector<Accumulator> targets, const Host::Fill& fill)
    : host_(host), context_(host.context_), space_(space), targets_(std::move(targets)), elem_(targets_.at(0).destination.elem), fill_(fill), identifiers_(context_.file_names),
      capture_(context_, identifiers_), code_(context_, identifiers_, surroundings()) {}

Surroundings BlockCopies::surroundings() {
  Surroundings around = around_kernel(host_.code_, capture_);
  around.allocate = [&](const std::string& base, PrimType prim, const std::vector<Scalar>& extents) {
    return register_array(code_, identifiers_, base, prim, extents);
  };
  return around;
}

bool BlockCopies::plan() {
  indices_ = indices();
  Stms inside = code_.collect([&] {
    for (const Expr& extent : extents_) code_.assume_nonzero(extent);
    fill_(code_, capture_, indices_);
  });
  if (inside.empty()) return true;
  Stms body = has_rows() ? over_rows(std::move(inside)) : over_elements(std::move(inside));
  drop_unused(body);
  let_kernels_say_who_adds_together(body);
  capture_.keep(names_in(body));
  find_targets();
  if (targets_.empty()) return false;
  add_function(std::move(body));
  add_global_kernel();
  add_copies_kernel();
  Stms call = launches();
  context_.entry.definitions.push_back(std::move(function_));
  context_.entry.kernels.push_back(std::move(copies_));
  context_.entry.kernels.push_back(std::move(global_));
  host_.emit_if_any(space_.extents, std::move(call));
  return true;
}

// ---- The function: what all threads of the grid contribute

std::vector<Scalar> BlockCopies::indices() {
  std::vector<Scalar> result;
  capture_.keep_wide(space_.extents[0].expr);
  for (std::size_t i = 0; i < space_.extents.size(); ++i) {
    extents_.push_back(capture_.import(space_.extents[i].expr, "size"));
    const Type index = i == 0 ? wide : extents_[i].type;
    const Range sizes = index.prim == PrimType::i32 ? int_size_range : size_range;
    std::optional<Expr> upper;
    if (space_.extents[i].upper) upper = minus(*space_.extents[i].upper, lit(1));
    result.push_back({var(identifiers_.fresh(space_.index_bases[i]), index), upper, indices_below(sizes)});
    result.back().end = extents_[i];
  }
  return result;
}

Stms BlockCopies::over_elements(Stms inside) {
  const Axis along = space_.axis(0);
  return {For{.name = name_of(0),
              .type = wide,
              .from = first_of(along, wide),
              .to = extents_[0],
              .step = cast(PrimType::i64, position(along.grid_width)) * position(along.block_width),
              .body = std::move(inside)}};
}

Stms BlockCopies::over_rows(Stms inside) {
  Stms body;
  const auto constant = [&](const std::string& base, const Type& type, const Expr& value) {
    const std::string name = identifiers_.fresh(base);
    body.push_back(Let{.name = name, .type = type, .value = value});
    return var(name, type);
  };
  const Type row = indices_[1].expr.type;
  const Axis rows = space_.axis(0), columns = space_.axis(1);
  const Expr first_i = constant("first_" + name_of(0), wide, first_of(rows, wide));
  const Expr stride_i = constant("stride_" + name_of(0), wide, cast(PrimType::i64, position(rows.grid_width)) * position(rows.block_width));
  const Expr x = position(columns.block) * position(columns.block_width) + position(columns.thread);
  const Expr first_j = constant("first_" + name_of(1), row, cast(row, x));
  const Expr stride_j = constant("stride_" + name_of(1), row, cast(row, position(columns.grid_width) * position(columns.block_width)));
  const For elements{.name = name_of(1), .type = row, .from = first_j, .to = extents_[1], .step = stride_j};
  For all{.name = name_of(0), .type = wide, .from = first_i, .to = extents_[0], .step = stride_i, .body = along_row(std::move(inside), elements)};
  body.push_back(Stm(std::move(all)).after_gap());
  return body;
}

/// The loop over the elements of a row, inside of conditions that are the same for all of them.
Stms BlockCopies::along_row(Stms inside, For elements) const {
  Stms result = take_part_of_row(inside);
  auto* const branch = inside.size() == 1 ? std::get_if<If>(&inside[0].what) : nullptr;
  std::set<std::string> mentioned;
  if (branch) add_names(branch->condition, mentioned);
  if (branch && branch->else_body.empty() && !mentioned.contains(name_of(1))) {
    branch->then_body = along_row(std::move(branch->then_body), std::move(elements));
    result.push_back(std::move(inside[0]));
  } else {
    elements.body = std::move(inside);
    result.push_back(std::move(elements));
  }
  return result;
}

/// The constants that come first for each element and are the same for all of a row. Compilers leave it where it is: additions might change what it reads.
Stms BlockCopies::take_part_of_row(Stms& inside) const {
  const auto differs = [&](const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    return !let || let->changes || !let->value || names_in({stm}).contains(name_of(1));
  };
  const auto end = std::find_if(inside.begin(), inside.end(), differs);
  Stms result(std::make_move_iterator(inside.begin()), std::make_move_iterator(end));
  inside.erase(inside.begin(), end);
  return result;
}

/// Nobody adds to a target if all indices into it are known to be outside, like that of the element behind the last: it needs no copies.
void BlockCopies::find_targets() {
  params_ = capture_.params();
  args_ = capture_.args();
  std::erase_if(targets_, [&](const Accumulator& target) {
    const Memory& memory = *target.destination.memory();
    const auto arg = std::find_if(args_.begin(), args_.end(), [&](const Expr& expr) { return expr == memory.base || expr == memory.base + memory.offset; });
    if (arg == args_.end()) return true;
    places_.push_back(static_cast<std::size_t>(arg - args_.begin()));
    return false;
  });
}

/// Lanes combine what they have for a cell of global memory. Those of a block mostly have copies of their own.
void BlockCopies::let_kernels_say_who_adds_together(Stms& body) {
  if (ir::has_attribute(*space_.stm, aggregate)) return;
  for_each_stm(std::span(body), [&](Stm& stm) {
    Expr* const call = runtime::call_of_peers(stm);
    if (!call) return;
    if (!together_) together_ = Param{.name = identifiers_.fresh_outside("together"), .type = type(PrimType::boolean)};
    call->args.push_back(var(*together_));
  });
}

bool BlockCopies::all_add() const { return std::all_of(targets_.begin(), targets_.end(), adds); }

void BlockCopies::add_function(Stms body) {
  const std::string verb = all_add() ? "add" : "combine";
  function_ = {.name = context_.file_names.fresh(verb + "_" + space_.base), .params = params_, .body = std::move(body), .verb = verb};
  if (together_) function_.params.push_back(*together_);
  std::string cells = params_[places_[0]].name;
  for (std::size_t k = 1; k < places_.size(); ++k) cells += (k + 1 == places_.size() ? " and " : ", ") + params_[places_[k]].name;
  function_.comment.formula = {all_add() ? "Adds this thread's share to " + cells + "."
                                         : "Combines this thread's share with " + cells + "."};
  function_.comment.grid = threads_of_indices();
  for (Param& param : function_.params) param.type.restricted = false;
}

std::string BlockCopies::threads_of_indices() const {
  const auto along = [&](std::size_t dimension) {
    const bool by_x = space_.axis(dimension).thread == Position::thread_x;
    return fmt::format("`{}` (blockIdx.{}, threadIdx.{})", name_of(dimension), dimension == 0 ? "x" : "y", by_x ? "x" : "y");
  };
  return "Threads stride over " + along(0) + (has_rows() ? " and " + along(1) : "") + ".";
}

Stm BlockCopies::contribute_to(const std::vector<Expr>& cells, bool together) const {
  std::vector<Expr> values;
  for (const Param& param : params_) values.push_back(var(param));
  for (std::size_t k = 0; k < cells.size(); ++k) values[places_[k]] = cells[k];
  if (together_) values.push_back(lit(PrimValue::of_bool(together)));
  return Do{plan::call(function_.name, type(elem_), values)};
}

// ---- The kernels

/// Which matters where results are rounded.
std::string BlockCopies::order() const {
  const bool matters = std::any_of(targets_.begin(), targets_.end(), [](const Accumulator& target) { return facts::rounds(target.kind, target.destination.elem); });
  if (!matters) return "";
  return all_add() ? " The order of additions varies." : " The order varies.";
}

Comment BlockCopies::comment_of_kernel() const { return comment_for(context_, space_.stm); }

void BlockCopies::add_global_kernel() {
  global_ = {.name = context_.file_name(space_.base + "_global_kernel"), .comment = comment_of_kernel(), .params = params_};
  global_.comment.grid = fmt::format("one thread per `{}`{}; see {}", name_of(0), has_rows() ? " and `" + name_of(1) + "`" : "", function_.name);
  global_.beside_others = "Straight to global memory, for when copies do not fit or pay.";
  global_.comment.notes = {global_.beside_others + order()};
  global_.body = {contribute_to({}, true)};
}

Expr BlockCopies::thread_of_block() const {
  const Expr x = position(Position::thread_x);
  return cast(PrimType::i32, has_rows() ? position(Position::thread_y) * position(Position::block_width_x) + x : x);
}

void BlockCopies::add_copies_kernel() {
  copies_ = {.name = context_.file_name(space_.base + "_shared_kernel"), .comment = comment_of_kernel()};
  copies_.comment.grid = fmt::format("blocks stride over `{}`; see {}", name_of(0), function_.name);
  copies_.comment.notes = {(all_add() ? "Every block adds into copies in shared memory first, then once to the result. Threads that do so at a time share several, where there is room."
                                      : "Every block combines values with copies in shared memory first, then these once with the result. Threads that do so at a time "
                                        "share several, where there is room.") +
                           order()};
  std::vector<Expr> firsts{lit(0, PrimType::i32)};  // cells of the targets before
  for (std::size_t k = 1; k <= targets_.size(); ++k) {
    const Expr on_host = cells_of(k);
    const auto known = int_value(on_host);
    firsts.push_back(known ? lit(*known, PrimType::i32)
                           : capture_.add(k == targets_.size() ? "cells" : "cells_before", narrow, Access::value, cast(PrimType::i32, on_host)));
  }
  const Expr& cells = firsts.back();
  number_ = var(host_.identifiers_.fresh("copies"), PrimType::i32);
  const Expr copies = capture_.add("copies", narrow, Access::value, number_);
  // Of its own in the whole file: CUDA gives dynamic shared arrays of one name one type.
  const std::string what = targets_.size() == 1 ? params_[places_[0]].name : "cells", base = "block_" + what;
  std::string name = context_.file_names.fresh(base);
  while (identifiers_.taken(name)) name = context_.file_names.fresh(base);
  const Expr copy = var(name, pointer_to(elem_)), pitch = var("pitch", PrimType::i32);
  const Expr neutral = capture_.import(host_.code_.scalar(neutral_of(targets_[0])).expr, "neutral");
  copies_.params = capture_.params();

  const Expr row = has_rows() ? cast(PrimType::i32, position(space_.axis(0).thread)) : var("thread", PrimType::i32);
  Stms own_copy;
  std::vector<Expr> own{copy + row % copies * pitch};
  if (targets_.size() > 1) {
    const std::string own_name = identifiers_.fresh("own_" + what);
    own_copy.push_back(Stm(Let{.name = own_name, .type = pointer_to(elem_), .value = own[0]}).after_gap());
    own[0] = var(own_name, pointer_to(elem_));
    for (std::size_t k = 1; k < targets_.size(); ++k) own.push_back(own[0] + firsts[k]);
  }
  copies_.body = {SharedArray{.name = name, .elem = type(elem_)},
                  Let{.name = "thread", .type = narrow, .value = thread_of_block()},
                  Stm(Let{.name = "pitch", .type = narrow, .value = odd(cells)})
                      .with_above("Odd: the copies of a cell are in different banks."),
                  Stm(for_each_cell(copies * pitch, {Assign{copy[var("cell", PrimType::i32)], neutral}})).after_gap(),
                  Barrier{name + " is empty"}};
  Stm contribute = contribute_to(own, false);
  contribute.gap = own_copy.empty();
  copies_.body.insert(copies_.body.end(), own_copy.begin(), own_copy.end());
  copies_.body.push_back(std::move(contribute));
  copies_.body.push_back(Barrier{name + " is complete"});
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const Expr count = k == 0 ? firsts[1] : firsts[k + 1] - firsts[k];
    copies_.body.push_back(Stm(for_each_cell(count, collect(k, copy, firsts[k], pitch, copies))).after_gap());
  }
}

/// What all copies have for a cell, in the first one, and from there to the result.
Stms BlockCopies::collect(std::size_t target, const Expr& copy, const Expr& first, const Expr& pitch, const Expr& copies) {
  const Expr cell = var("cell", PrimType::i32), other = var("other", PrimType::i32), here = target == 0 ? cell : first + cell;
  Accumulator own = targets_[target], all = targets_[target];
  own.shared = false;
  all.shared = true;
  return code_.collect([&] {
    Stms add = code_.collect([&] {
      code_.add_to(own, flat(copy, elem_, here), Value(Scalar{copy[target == 0 ? other * pitch + cell : other * pitch + first + cell]}));
    });
    code_.emit(For{.name = "other", .type = narrow, .from = lit(1, PrimType::i32), .to = copies, .step = lit(1, PrimType::i32), .body = std::move(add)});
    code_.add_to(all, flat(var(params_[places_[target]]), elem_, cell), Value(Scalar{copy[here]}));
  });
}

Expr BlockCopies::cells_of(std::size_t targets) const {
  Expr result = product_of(targets_[0].destination.extents);
  for (std::size_t k = 1; k < targets; ++k) result = result + product_of(targets_[k].destination.extents);
  return result;
}

// ---- The launch

/// How many cells there are for each place of a row.
Expr BlockCopies::cells_per_addition() const {
  if (!has_rows()) return cells_of(targets_.size());
  const Expr& width = space_.extents[1].expr;
  std::optional<Expr> result;
  for (const Accumulator& target : targets_) {
    std::vector<Scalar> extents = target.destination.extents;
    if (extents.back().expr != width) return cells_of(targets_.size()) / width;
    extents.pop_back();
    result = result ? *result + product_of(extents) : product_of(extents);
  }
  return *result;
}

Expr BlockCopies::named(Stms& to, const std::string& base, const Type& type, const Expr& value) {
  const std::string name = host_.identifiers_.fresh(base);
  to.push_back(Let{.name = name, .type = type, .value = value});
  return var(name, type);
}

Stms BlockCopies::launches() {
  Stms call;
  const Expr n = space_.extents[0].expr;
  Launch to_copies{.kernel = copies_.name, .grid = {lit(1)}, .block = {runtime::block_size()}, .args = capture_.args(), .why = together_ ? space_.why : space_.reasons()};
  Launch to_global{.kernel = global_.name, .grid = {runtime::blocks_for(n, runtime::block_size())}, .block = {runtime::block_size()}, .args = args_, .why = space_.reasons()};
  Expr rows_at_a_time = runtime::block_size();
  if (has_rows()) {
    const Expr m = space_.extents[1].expr;
    const Expr row_threads = named(call, space_.neighbours_first ? "column_threads" : "row_threads", type(PrimType::u32), space_.row_threads(n, m));
    to_copies.block = to_global.block = space_.block(row_threads);
    rows_at_a_time = space_.threads_along(0, row_threads);
    to_global.grid = {runtime::blocks_for(n, rows_at_a_time),
                      runtime::grid_height_for(m, space_.threads_along(1, row_threads))};
  }
  const Expr cells = cast(size_type(), cells_of(targets_.size()));
  const Expr copy_bytes = named(call, "copy_bytes", size_type(), odd(cells) * size_of(type(elem_)));
  const Expr per_block = named(call, "rows_per_block", wide, runtime::rows_per_copy(n, cells_per_addition()));
  to_copies.grid = {runtime::blocks_for(n, per_block)};
  to_copies.shared_bytes = cast(size_type(), number_) * copy_bytes;
  Let copies{.name = std::get<Var>(number_.head).name, .type = narrow,
             .value = runtime::copies_for(copy_bytes, cells_per_addition(), per_block, rows_at_a_time)};
  call.push_back(If{.condition = runtime::copies_pay(n, per_block, copy_bytes),
                    .then_body = {std::move(copies), std::move(to_copies)},
                    .else_body = {std::move(to_global)},
                    .versions = true});
  return call;
}

}  // namespace boustro::plan::planner
