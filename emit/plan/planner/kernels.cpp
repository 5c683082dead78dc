// Kernels: which thread does what, and what they write.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// Arrays of up to this many elements are registers, or local memory, of a thread.
constexpr std::int64_t max_register_elements = 64;
/// Blocks along a row where every thread has memory: the others are for further rows.
constexpr std::int64_t max_blocks_along_row = 64;

std::vector<Expr> dense_strides(const std::vector<Scalar>& extents) {
  std::vector<Expr> strides(extents.size(), lit(1));
  for (std::size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = times(extents[i].expr, strides[i]);
  return strides;
}

std::optional<std::int64_t> constant_size(const std::vector<Scalar>& extents) {
  std::int64_t count = 1;
  for (const Scalar& extent : extents) {
    const auto size = int_value(extent.expr);
    if (!size || (*size > 0 && count > max_register_elements / *size)) return std::nullopt;
    count *= std::max<std::int64_t>(*size, 0);
  }
  return count;
}

Expr thread_along(Position block, Position width, Position thread) {
  return cast(PrimType::i64, position(block)) * position(width) + position(thread);
}

}  // namespace

View register_array(Code& code, Identifiers& identifiers, const std::string& base, PrimType elem,
                    const std::vector<Scalar>& extents) {
  const auto count = constant_size(extents);
  if (!count) throw NeedsScratch{};
  const std::string name = identifiers.fresh(base);
  code.emit(LocalArray{name, type(elem), lit(std::max<std::int64_t>(*count, 1), PrimType::i32)});
  return {elem, extents, Memory{var(name, pointer_to(elem)), lit(0), dense_strides(extents)}};
}

/// Memory of one kernel's threads.
class ThreadMemory {
 public:
  ThreadMemory(Context& context, Identifiers& host, Identifiers& inside, Capture& capture,
               const Space& space)
      : context_(context), host_(host), inside_(inside), capture_(capture), space_(space) {}

  View allocate(Code& code, const std::string& base, PrimType elem,
                const std::vector<Scalar>& extents) {
    if (constant_size(extents)) return register_array(code, inside_, base, elem, extents);
    return scratch(base, elem, extents);
  }

  bool used() const { return grid_.has_value(); }
  /// Of a kernel that has memory: so many threads as there is memory for.
  const Extents& grid() const { return *grid_; }
  const Extents& block() const { return block_; }

 private:
  /// [extents...][threads]: neighbouring threads access neighbouring elements.
  View scratch(const std::string& base, PrimType elem, const std::vector<Scalar>& extents) {
    const bool single = space_.extents.empty();
    if (!grid_) decide_grid();
    std::vector<Scalar> upper = extents;
    Expr count = upper_size(extents);
    if (!single) count = times(count, threads_);
    const std::string piece = host_.fresh(base);
    std::vector<std::string> shape;
    for (const Scalar& extent : extents)
      shape.push_back(to_string(extent.upper ? *extent.upper : extent.expr));
    if (!single) shape.push_back("threads");
    context_.entry.scratch.pieces.push_back(
        {.name = piece, .elem = type(elem), .count = count, .shape = shape});
    const Expr base_pointer = capture_.add(base, restricted(pointer_to(elem)), Access::scratch,
                                           scratch_field(piece, pointer_to(elem)), shape);
    if (single) return {elem, extents, Memory{base_pointer, lit(0), dense_strides(extents)}};
    std::vector<Expr> strides = dense_strides(extents);
    for (Expr& stride : strides) stride = times(stride, var("threads"));
    return {elem, extents, Memory{base_pointer, var("thread"), strides}};
  }

  void decide_grid() {
    if (space_.extents.empty()) {
      grid_ = {lit(1)};
      return;
    }
    const Expr n = upper_size({space_.extents[0]});
    if (space_.extents.size() == 1) {
      const Expr blocks = size("_grid", runtime::blocks_for(runtime::min(n, runtime::max_threads()),
                                                            runtime::block_size()));
      threads_ = cast(PrimType::i64, blocks) * runtime::block_size();
      grid_ = {in_entry(blocks)};
      block_ = {runtime::block_size()};
      return;
    }
    const Expr m = upper_size({space_.extents[1]});
    const Expr row_threads = size("_row_threads", runtime::row_threads_for(m));
    const Expr height =
        size("_grid_height", runtime::min(runtime::blocks_for(m, row_threads),
                                          lit(max_blocks_along_row, PrimType::u32)));
    const Expr most = cast(PrimType::u32, runtime::max_threads() / runtime::block_size()) / height;
    const Expr width =
        size("_grid_width",
             runtime::min(runtime::blocks_for(n, runtime::block_size() / row_threads), most));
    threads_ = cast(PrimType::i64, width) * height * runtime::block_size();
    grid_ = {in_entry(width), in_entry(height)};
    block_ = {in_entry(row_threads), runtime::block_size() / in_entry(row_threads)};
  }

  /// A number that the layout of scratch memory and the launch share.
  Expr size(const std::string& suffix, Expr value) {
    const std::string name = host_.fresh(space_.base + suffix);
    context_.entry.scratch.sizes.push_back(
        {.name = name, .type = type(PrimType::u32), .value = std::move(value)});
    return var(name, PrimType::u32);
  }

  static Expr in_entry(const Expr& size) {
    return scratch_field(std::get<Var>(size.head).name, type(PrimType::u32));
  }

  Context& context_;
  Identifiers& host_;
  Identifiers& inside_;
  Capture& capture_;
  const Space& space_;
  Expr threads_;
  std::optional<Extents> grid_;
  Extents block_ = {lit(1)};
};

// ---- Spaces
// --------------------------------------------------------------------------------------

namespace {

/// Threads that have memory stride over both extents.
Stms striding(Identifiers& identifiers, const std::vector<Scalar>& indices,
              const std::vector<Expr>& extents, Stms body) {
  const Type wide = type(PrimType::i64), row = indices[1].expr.type;
  const auto along_x = [](Position position_in) {
    return cast(PrimType::i64, position(position_in));
  };
  Stms stms;
  stms.push_back(Let{.name = "threads",
                     .type = wide,
                     .value = along_x(Position::grid_width_x) * position(Position::grid_width_y) *
                              runtime::block_size()});
  const Expr block =
      along_x(Position::block_y) * position(Position::grid_width_x) + position(Position::block_x);
  stms.push_back(Let{.name = "thread",
                     .type = wide,
                     .value = block * runtime::block_size() +
                              position(Position::thread_y) * position(Position::block_width_x) +
                              position(Position::thread_x)});
  const auto stride = [&](const Expr& index, const Expr& value) {
    const std::string name = identifiers.fresh("stride_" + std::get<Var>(index.head).name);
    stms.push_back(Let{.name = name, .type = index.type, .value = value});
    return var(name, index.type);
  };
  const Expr stride_i =
      stride(indices[0].expr, along_x(Position::grid_width_x) * position(Position::block_width_y));
  const Expr stride_j = stride(indices[1].expr, cast(row, position(Position::grid_width_y) *
                                                              position(Position::block_width_x)));
  For columns{.name = std::get<Var>(indices[1].expr.head).name,
              .type = row,
              .from = cast(row, position(Position::block_y) * position(Position::block_width_x) +
                                    position(Position::thread_x)),
              .to = extents[1],
              .step = stride_j,
              .body = std::move(body)};
  stms.push_back(
      Stm(For{.name = std::get<Var>(indices[0].expr.head).name,
              .type = wide,
              .from = thread_along(Position::block_x, Position::block_width_y, Position::thread_y),
              .to = extents[0],
              .step = stride_i,
              .body = {std::move(columns)}})
          .after_gap());
  return stms;
}

}  // namespace

void Host::launch(const Space& space, const Fill& fill) {
  const std::size_t rank = space.extents.size();
  Identifiers identifiers = context_.file_names;
  Capture capture(context_, identifiers);
  ThreadMemory memory(context_, identifiers_, identifiers, capture, space);
  Code* current = nullptr;
  Surroundings around;
  around.import = [&](const ir::Name& name) {
    return capture.import(code_.value_of(name), name.base);
  };
  around.allocate = [&](const std::string& base, PrimType elem,
                        const std::vector<Scalar>& extents) {
    return memory.allocate(*current, base, elem, extents);
  };
  around.failure = [&] {
    const Type failure = pointer_to(struct_type("Failure"));
    return capture.add("failure_record", failure, Access::updated, var("failure", failure));
  };
  Code code(context_, identifiers, around);
  current = &code;

  // The outermost index is int64_t; an extent that is also a row's width stays so too.
  if (rank > 0) capture.keep_wide(space.extents[0].expr);
  std::vector<Scalar> indices;
  std::vector<Expr> extents;
  for (std::size_t i = 0; i < rank; ++i) {
    extents.push_back(capture.import(space.extents[i].expr, "size"));
    const Type index_type = i == 0 ? type(PrimType::i64) : extents[i].type;
    const std::string name = identifiers.fresh(space.index_bases[i]);
    const std::int64_t most =
        index_type.prim == PrimType::i32 ? int_size_range.high : size_range.high;
    std::optional<Expr> upper;
    if (space.extents[i].upper) upper = minus(*space.extents[i].upper, lit(1));
    indices.push_back({var(name, index_type), upper, Range{0, most - 1}});
  }
  Stms body = code.collect([&] { fill(code, capture, indices); });
  if (body.empty()) return;

  const auto name_of = [&](std::size_t i) { return std::get<Var>(indices[i].expr.head).name; };
  Stms stms;
  const Expr along_x = thread_along(Position::block_x, Position::block_width_x, Position::thread_x);
  const Expr thread = cast(PrimType::i64, position(Position::block_x)) * runtime::block_size() +
                      position(Position::thread_x);
  if (rank == 0) {
    stms = std::move(body);
  } else if (rank == 1 && memory.used()) {
    stms.push_back(Let{
        .name = "threads",
        .type = type(PrimType::i64),
        .value = cast(PrimType::i64, position(Position::grid_width_x)) * runtime::block_size()});
    stms.push_back(Let{.name = "thread", .type = type(PrimType::i64), .value = thread});
    stms.push_back(Stm(For{.name = name_of(0),
                           .type = type(PrimType::i64),
                           .from = var("thread"),
                           .to = extents[0],
                           .step = var("threads"),
                           .body = std::move(body)})
                       .after_gap());
  } else if (rank == 1) {
    stms.push_back(Let{.name = name_of(0), .type = type(PrimType::i64), .value = thread});
    stms.push_back(If{indices[0].expr >= extents[0], {Return{}}});
    body.front().gap = true;
    stms.insert(stms.end(), std::make_move_iterator(body.begin()),
                std::make_move_iterator(body.end()));
  } else if (memory.used()) {
    stms = striding(identifiers, indices, extents, std::move(body));
  } else {
    const Type row = indices[1].expr.type;
    const std::string stride = identifiers.fresh("stride");
    stms.push_back(
        Let{.name = name_of(0),
            .type = type(PrimType::i64),
            .value = thread_along(Position::block_x, Position::block_width_y, Position::thread_y)});
    stms.push_back(If{indices[0].expr >= extents[0], {Return{}}});
    stms.push_back(Stm(Let{.name = stride,
                           .type = row,
                           .value = cast(row, position(Position::grid_width_y) *
                                                  position(Position::block_width_x))})
                       .after_gap());
    const Expr first = position(Position::block_y) * position(Position::block_width_x) +
                       position(Position::thread_x);
    stms.push_back(For{.name = name_of(1),
                       .type = row,
                       .from = cast(row, first),
                       .to = extents[1],
                       .step = var(stride, row),
                       .body = std::move(body)});
  }

  capture.keep(names_in(stms));
  Kernel kernel{.name = context_.file_names.fresh(space.base + "_kernel"),
                .comment = comment_for(context_, space.stm),
                .params = capture.params(),
                .body = std::move(stms)};
  kernel.comment.grid = space.grid;

  // The launch. CUDA rejects an empty grid.
  Launch launch{.kernel = kernel.name, .grid = {lit(1)}, .block = {lit(1)}, .args = capture.args()};
  Stms call;
  if (memory.used()) {
    launch.grid = memory.grid();
    launch.block = memory.block();
  } else if (rank == 1) {
    const Expr n = space.extents[0].expr;
    launch.grid = {runtime::blocks_for(n, runtime::block_size())};
    launch.block = {runtime::block_size()};
  } else if (rank == 2) {
    const Expr n = space.extents[0].expr, m = space.extents[1].expr;
    const std::string threads = identifiers_.fresh("row_threads");
    const Expr row_threads = var(threads, PrimType::u32);
    call.push_back(
        Let{.name = threads, .type = type(PrimType::u32), .value = runtime::row_threads_for(m)});
    launch.block = {row_threads, runtime::block_size() / row_threads};
    launch.grid = {runtime::blocks_for(n, runtime::block_size() / row_threads),
                   runtime::min(runtime::blocks_for(m, row_threads), runtime::max_grid_height())};
  }
  call.push_back(std::move(launch));
  std::optional<Expr> some;
  for (const Scalar& extent : space.extents) {
    const auto size = int_value(extent.expr);
    if (size && *size > 0) continue;
    some = some ? *some && extent.expr > 0 : extent.expr > 0;
  }
  context_.entry.kernels.push_back(std::move(kernel));
  if (some) {
    code_.emit(Stm(If{*some, std::move(call)}).after_gap());
  } else {
    for (Stm& stm : call) code_.emit(std::move(stm));
  }
}

// ---- map
// -----------------------------------------------------------------------------------------

namespace {

/// What may stand before the inner map of a nest: cheap enough for every thread of the inner one.
bool is_cheap(const ir::Stm& stm) {
  const ir::Exp& e = stm.exp;
  return std::holds_alternative<ir::AtomExp>(e) || std::holds_alternative<ir::UnOp>(e) ||
         std::holds_alternative<ir::BinOp>(e) || std::holds_alternative<ir::CmpOp>(e) ||
         std::holds_alternative<ir::Convert>(e) || std::holds_alternative<ir::Index>(e) ||
         std::holds_alternative<ir::Rearrange>(e) || std::holds_alternative<ir::Reshape>(e) ||
         std::holds_alternative<ir::Iota>(e);
}

/// One level of a nest of maps: what stands before the inner map, and the condition that the inner
/// map stands under.
struct Level {
  const ir::Map* map;
  std::vector<const ir::Stm*> before = {}, under = {};
  std::optional<ir::Atom> condition = {};
};

/// Result number `i` has this name; accumulators may come in another order.
bool yields(const ir::Stm& stm, std::size_t i, const ir::Name& name) {
  if (!stm.pattern[i].type.accumulator) return stm.pattern[i].name == name;
  return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const ir::Param& param) {
    return param.type.accumulator && param.name == name;
  });
}

/// The last statement, if the others are cheap and its results are those of the body.
const ir::Stm* last_of(const ir::Body& body, std::vector<const ir::Stm*>& before) {
  if (body.stms.empty()) return nullptr;
  const ir::Stm& last = body.stms.back();
  if (last.pattern.size() != body.result.size()) return nullptr;
  for (std::size_t i = 0; i + 1 < body.stms.size(); ++i) {
    if (!is_cheap(body.stms[i])) return nullptr;
    before.push_back(&body.stms[i]);
  }
  for (std::size_t i = 0; i < last.pattern.size(); ++i) {
    const ir::Name* name = ir::name_in(body.result[i]);
    if (!name || !yields(last, i, *name)) return nullptr;
  }
  return &last;
}

/// The map inside of a map, if the outer one does nothing else, or adds to accumulators on a
/// condition.
const ir::Map* inner_map(Level& level) {
  const ir::Stm* last = last_of(level.map->fn.body, level.before);
  if (!last) return nullptr;
  if (const auto* map = std::get_if<ir::Map>(&last->exp)) return map;
  const auto* branch = std::get_if<ir::If>(&last->exp);
  const bool accumulates = branch && branch->else_body.stms.empty() &&
                           level.map->fn.result_types.size() == level.map->accumulators.size();
  const ir::Stm* under = accumulates ? last_of(branch->then_body, level.under) : nullptr;
  if (!under || !std::holds_alternative<ir::Map>(under->exp)) return nullptr;
  level.condition = branch->condition;
  return &std::get<ir::Map>(under->exp);
}

}  // namespace

void Host::map(const ir::Stm& stm, const ir::Map& e) {
  const std::size_t accumulators = e.accumulators.size();
  std::vector<View> outputs;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    if (i < accumulators) {
      code_.bind(stm.pattern[i].name, code_.accumulator(e.accumulators[i]));
    } else {
      outputs.push_back(place(stm.pattern[i]));
      code_.bind(stm.pattern[i].name, outputs.back());
    }
  }
  // The levels of a perfect nest: the outermost and the innermost become the grid, those between
  // are loops.
  std::vector<Level> levels{{&e}};
  while (const ir::Map* inner = inner_map(levels.back())) {
    const ir::Name* width = ir::name_in(inner->width);
    if (width && !code_.knows(*width)) break;
    levels.push_back({inner});
  }
  const std::string base = outputs.empty() ? std::get<ir::Name>(ir::Atom(e.accumulators[0])).base
                                           : stm.pattern[accumulators].name.base;

  bool share = true;
  const auto plan = [&](std::size_t depth) {
    Space space{.base = base, .extents = {}, .index_bases = {}, .stm = &stm, .grid = {}};
    const auto add_extent = [&](const ir::Map& level, std::string_view letter) {
      space.extents.push_back(code_.extents({level.width})[0]);
      std::vector<View> inputs;
      std::string index(letter);
      for (std::size_t i = 0; i < level.arrays.size(); ++i) {
        if (!code_.knows(level.arrays[i])) continue;
        const View view = code_.view(level.arrays[i]);
        const auto* counting = std::get_if<Counting>(&view.data);
        if (counting && is_zero(counting->start) && is_one(counting->step)) {
          index = level.fn.params[level.accumulators.size() + i].name.base;
        }
      }
      space.index_bases.push_back(index);
    };
    add_extent(*levels.front().map, "i");
    if (depth > 1) add_extent(*levels[depth - 1].map, "j");
    space.grid = depth > 1 ? "one thread per pair: rows to blockIdx.x and threadIdx.y, elements of "
                             "a row to blockIdx.y "
                             "and threadIdx.x"
                           : "one thread per element of the outermost dimension";
    const Fill fill = [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
      std::vector<View> written;
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        written.push_back(capture.written(outputs[i], stm.pattern[accumulators + i].name.base));
      }
      const std::function<void(std::size_t, const std::vector<View>&)> level =
          [&](std::size_t at, const std::vector<View>& rows) {
            const ir::Map& here = *levels[at].map;
            const auto inside = [&](const Scalar& index) {
              code.enter(here, index);
              std::vector<View> cells;
              for (const View& row : rows) cells.push_back(code.row(row, index.expr));
              if (at + 1 < depth) {
                for (const ir::Stm* before : levels[at].before) code.stm(*before);
                std::optional<Expr> condition;
                if (levels[at].condition) condition = code.value(*levels[at].condition);
                return code.guarded(condition, [&] {
                  for (const ir::Stm* under : levels[at].under) code.stm(*under);
                  level(at + 1, cells);
                });
              }
              code.leave(here, cells);
            };
            if (at == 0) return inside(indices[0]);
            if (at + 1 == depth) return inside(indices[1]);
            code.loop(code.extents({here.width})[0], "l", inside);
          };
      level(0, written);
    };
    const bool adds_only = accumulators == 1 && stm.pattern.size() == 1;
    if (share && adds_only) {
      if (accumulate(space, code_.accumulator(e.accumulators[0]), fill)) return;
    }
    launch(space, fill);
  };
  // Preferably with one thread for each element of the innermost rows, and a copy of accumulators
  // per block.
  for (const auto& [depth, sharing] :
       {std::pair(levels.size(), true), {levels.size(), false}, {std::size_t{1}, false}}) {
    share = sharing;
    try {
      return plan(depth);
    } catch (const NeedsScratch&) {
      if (depth == 1 && !sharing) throw;
    }
  }
}

// ---- Copies
// --------------------------------------------------------------------------------------

namespace {

bool is_dense(const View& view) {
  const Memory* memory = view.memory();
  return memory && memory->strides == dense_strides(view.extents) &&
         std::none_of(memory->offset.args.begin(), memory->offset.args.end(),
                      [](const Expr& arg) { return std::holds_alternative<Element>(arg.head); }) &&
         !std::holds_alternative<Element>(memory->offset.head);
}

Expr start_of(const View& view) {
  const Memory& memory = *view.memory();
  return is_zero(memory.offset) ? memory.base : memory.base + memory.offset;
}

Expr count_of(const View& view) {
  std::vector<Expr> factors;
  for (const Scalar& extent : view.extents) factors.push_back(extent.expr);
  return product(factors);
}

bool is_zero_constant(const View& view) {
  const auto* constant = std::get_if<Constant>(&view.data);
  const auto* literal = constant ? std::get_if<Literal>(&constant->value.head) : nullptr;
  return literal && literal->value.bits == 0;
}

bool same_memory(const View& x, const View& y) {
  return x.memory() && y.memory() && x.memory()->base == y.memory()->base &&
         x.memory()->offset == y.memory()->offset && x.memory()->strides == y.memory()->strides;
}

}  // namespace

void Host::copy(const View& to, const View& from, const std::string& base, const ir::Stm* stm) {
  if (same_memory(to, from)) return;
  if (is_dense(to) && is_zero_constant(from))
    return code_.emit(plan::Fill{start_of(to), count_of(to)});
  if (is_dense(to) && is_dense(from))
    return code_.emit(plan::Copy{start_of(to), start_of(from), count_of(to)});
  Space space{
      .base = base, .extents = {}, .index_bases = {}, .stm = stm, .grid = "one thread per element"};
  if (to.rank() > 0) space.extents.push_back(to.extents.front()), space.index_bases.push_back("i");
  if (to.rank() > 1) space.extents.push_back(to.extents.back()), space.index_bases.push_back("j");
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    const View target = capture.written(to, base);
    const View source = std::get<View>(capture.import(Value(from), "source"));
    const std::function<void(const View&, const View&, std::size_t)> level =
        [&](const View& x, const View& y, std::size_t at) {
          if (x.rank() == 0) return code.copy(x, y);
          const auto inside = [&](const Scalar& i) {
            level(code.row(x, i.expr), code.row(y, i.expr), at + 1);
          };
          if (at == 0) return inside(indices[0]);
          if (x.rank() == 1) return inside(indices[1]);
          code.loop(x.extents[0], "l", inside);
        };
    level(target, source, 0);
  });
}

View Host::in_memory(const View& view, const std::string& base, const ir::Stm* stm) {
  const View to = allocate_piece(context_, identifiers_, base, view.elem, view.extents);
  copy(to, view, base, stm);
  return to;
}

/// An array that is consumed, as memory of the entry that may be written.
View Host::writable(const ir::Name& name, const ir::Stm* stm) {
  const View view = code_.view(name);
  if (view.memory() && !view.memory()->base.type.read_only) return view;
  if (const auto claimed = code_.destination(name)) {
    copy(*claimed, view, name.base, stm);
    return *claimed;
  }
  return in_memory(view, name.base, stm);
}

void Host::concat(const ir::Stm& stm, const ir::Concat& e) {
  const View to = place(stm.pattern[0]);
  Expr start = lit(0);
  for (const ir::Name& name : e.arrays) {
    const View from = code_.view(name);
    View part = to;
    Memory memory = *to.memory();
    memory.offset = plus(memory.offset, times(start, memory.strides[0]));
    part.data = memory;
    part.extents[0] = from.extents[0];
    copy(part, from, stm.pattern[0].name.base, &stm);
    start = plus(start, from.extents[0].expr);
  }
  code_.bind(stm.pattern[0].name, to);
}

void Host::array_literal(const ir::Stm& stm, const ir::ArrayLiteral& e) {
  if (e.row.is_scalar()) return sequential(stm);
  const View to = place(stm.pattern[0]);
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    const View row = code_.row(to, lit(static_cast<std::int64_t>(i)));
    copy(row, std::get<View>(value_of(e.elements[i])), stm.pattern[0].name.base, &stm);
  }
  code_.bind(stm.pattern[0].name, to);
}

// ---- Writing by index
// ----------------------------------------------------------------------------

void Host::update(const ir::Stm& stm, const ir::Update& e) {
  const View whole = writable(e.array, &stm);
  bool known = true;
  for (const ir::DimIndex& dim : e.indices) {
    ir::match(
        dim, [&](const ir::Atom& atom) { known = known && is_known(atom); },
        [&](const ir::Slice& s) {
          known = known && is_known(s.start) && is_known(s.count) && is_known(s.stride);
        });
  }
  const Value value = value_of(e.value);
  const View* array = std::get_if<View>(&value);
  if (known && !e.checked && array && array->rank() > 0) {
    copy(code_.slice(whole, e.indices), *array, stm.pattern[0].name.base, &stm);
  } else {
    launch({.base = stm.pattern[0].name.base, .stm = &stm, .grid = "one thread"},
           [&](Code& code, Capture& capture, const std::vector<Scalar>&) {
             code.bind(e.array, capture.written(whole, e.array.base, Access::updated));
             code.stm(stm);
           });
  }
  code_.bind(stm.pattern[0].name, whole);
}

void Host::scatter(const ir::Stm& stm, const ir::Scatter& e) {
  std::vector<View> destinations;
  for (std::size_t i = 0; i < e.destinations.size(); ++i) {
    destinations.push_back(writable(e.destinations[i], &stm));
    code_.bind(stm.pattern[i].name, destinations.back());
  }
  const View values = code_.view(e.values[0]);
  Space space{.base = stm.pattern[0].name.base,
              .extents = {code_.extents({e.width})[0]},
              .index_bases = {"i"},
              .stm = &stm,
              .grid = "one thread per value"};
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      code.bind(e.destinations[i],
                capture.written(destinations[i], e.destinations[i].base, Access::updated));
    }
    code.scatter_one(e, indices[0]);
  });
}

void Host::reduce_by_index(const ir::Stm& stm, const ir::ReduceByIndex& e) {
  for (const ir::Histogram& histogram : e.histograms) {
    // Several components change together, which no atomic operation does.
    if (histogram.destinations.size() > 1) return sequential(stm);
  }
  std::vector<View> bins;
  for (const ir::Histogram& histogram : e.histograms) {
    bins.push_back(writable(histogram.destinations[0], &stm));
    code_.bind(stm.pattern[bins.size() - 1].name, bins.back());
  }
  context_.entry.order_varies = true;
  Space space{.base = stm.pattern[0].name.base,
              .extents = {code_.extents({e.width})[0]},
              .index_bases = {"i"},
              .stm = &stm,
              .grid = "one thread per value; the order of additions varies"};
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    std::vector<Accumulator> accumulators;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const ir::Histogram& histogram = e.histograms[i];
      const View inside =
          capture.written(bins[i], histogram.destinations[0].base, Access::added_to);
      accumulators.push_back({inside, lambda_kind(histogram), true});
    }
    code.add_by_index(e, accumulators, indices[0]);
  });
}

void Host::with_acc(const ir::Stm& stm, const ir::WithAcc& e) {
  std::vector<View> destinations;
  for (std::size_t i = 0; i < e.inputs.size(); ++i) {
    destinations.push_back(writable(e.inputs[i].destination, &stm));
    code_.bind(e.fn.params[i].name, Accumulator{destinations.back(), e.inputs[i].kind, true});
    if (!std::holds_alternative<ir::Overwrite>(e.inputs[i].kind))
      context_.entry.order_varies = true;
  }
  for (std::size_t i = e.inputs.size(); i < stm.pattern.size(); ++i) {
    if (const auto claimed = code_.destination(stm.pattern[i].name)) {
      code_.claim(e.fn.body.stms, e.fn.body.result[i], *claimed);
    }
  }
  stms(e.fn.body.stms);
  flush();
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    code_.bind(stm.pattern[i].name,
               i < destinations.size() ? Value(destinations[i]) : value_of(e.fn.body.result[i]));
  }
}

void Host::update_acc(const ir::Stm& stm, const ir::UpdateAcc& e) {
  Accumulator accumulator = code_.accumulator(e.accumulator);
  code_.bind(stm.pattern[0].name, accumulator);
  const Value value = value_of(e.value);
  const View* array = std::get_if<View>(&value);
  Space space{.base = e.accumulator.base,
              .extents = {},
              .index_bases = {},
              .stm = &stm,
              .grid = "one thread per element"};
  if (array && array->rank() > 0)
    space.extents.push_back(array->extents[0]), space.index_bases.push_back("i");
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    const View cells =
        capture.written(accumulator.destination, e.accumulator.base, Access::added_to);
    // The kernel is alone, and its threads add to different cells.
    code.bind(e.accumulator, Accumulator{cells, accumulator.kind, false});
    code.add_one(e, indices);
  });
}

// ---- Comments
// ------------------------------------------------------------------------------------

Comment comment_for(const Context& context, const ir::Stm* stm) {
  Comment comment;
  if (!stm) return comment;
  const std::string line = context.line_of(stm->origin);
  std::string sweep;
  if (stm->origin.sweep == ir::Sweep::forward) sweep = "forward sweep";
  if (stm->origin.sweep == ir::Sweep::reverse) sweep = "return sweep";
  if (stm->origin.sweep == ir::Sweep::tangent) sweep = "tangents";
  std::string text;
  if (context.options.sources && !stm->origin.at.empty()) {
    text = context.options.sources->text(context.options.sources->shown(stm->origin.at));
    text = text.substr(0, text.find('\n'));
    if (text.size() > 60) text = text.substr(0, 57) + "...";
  }
  comment.source = line;
  if (!sweep.empty() || !text.empty()) comment.source += ", ";
  if (!sweep.empty()) comment.source += sweep + (text.empty() ? "" : " of ");
  if (!text.empty()) comment.source += "`" + text + "`";
  if (!stm->origin.rule.empty()) comment.rules.push_back(stm->origin.rule);
  return comment;
}

}  // namespace boustro::plan::planner
