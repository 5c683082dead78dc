#include "emit/plan/lanes/lanes.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "emit/plan/build.hpp"
#include "emit/plan/lanes/loops.hpp"
#include "emit/plan/lanes/spread.hpp"
#include "emit/plan/lanes/strides.hpp"
#include "emit/plan/lanes/unique.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

using planner::times;

/// `T* const name = buffers.piece + part * room;`
struct PartMemory {
  std::string piece;
  Expr part, room;
};

std::optional<PartMemory> memory_of_part(const Let& let) {
  if (!let.type.pointer || !let.value || let.changes) return std::nullopt;
  const Expr& value = *let.value;
  if (value.head != Head(Op::add)) return std::nullopt;
  const auto* piece = std::get_if<Field>(&value.args[0].head);
  if (!piece) return std::nullopt;
  const Expr& offset = value.args[1];
  if (std::holds_alternative<Var>(offset.head)) return PartMemory{piece->name, offset, lit(1)};
  if (offset.head != Head(Op::mul)) return std::nullopt;
  return PartMemory{piece->name, offset.args[0], offset.args[1]};
}

class Lanes {
 public:
  explicit Lanes(Entry& entry) : entry_(entry) {
    taken_ = names_in(entry.body);
    for (const Param& param : entry.params) taken_.insert(param.name);
    for (const Piece& piece : entry.scratch.pieces) taken_.insert(piece.name);
    for_each_stm(std::as_const(entry.body), [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.what)) taken_.insert(let->name);
    });
  }

  void visit(Stms& stms) {
    scopes_.push_back({&stms, loops_.size()});
    for (std::size_t at = 0; at < stms.size(); ++at) {
      const auto* loop = std::get_if<For>(&stms[at].what);
      const std::size_t before = stms.size();
      const bool done = loop && loop->points && !inner_points_are_closer(*loop) && spread(stms, at);
      if (done) {
        at += stms.size() - before;  // pointers to more memory stand before the loop now
        continue;
      }
      if (loop) loops_.push_back(loop->to);
      for_each_body(stms[at], [&](Stms& body) { visit(body); });
      if (loop) loops_.pop_back();
    }
    scopes_.pop_back();
  }

 private:
  /// Statements that are being visited, and how many loops are around them.
  struct Scope {
    Stms* stms;
    std::size_t loops;
  };

  /// Where the pointers are to the memory that the loop's points use: beside the loop, or beside one around it.
  Scope part_of(const For& loop) const {
    if (loop.own_memory) {
      for (std::size_t i = scopes_.size(); i-- > 0;)
        for (const Stm& stm : *scopes_[i].stms)
          if (const auto* let = std::get_if<Let>(&stm.what); let && memory_of_part(*let)) return scopes_[i];
    }
    return scopes_.back();
  }

  /// The pointers of the part to memory that only this loop uses.
  static std::set<std::string> temporaries_for(const Stms& part, For& loop) {
    const Stms body = std::exchange(loop.body, {});
    const std::set<std::string> elsewhere = names_in(part);
    loop.body = body;
    const std::set<std::string> here = names_in(body);
    std::set<std::string> result;
    for (const Stm& stm : part) {
      const auto* let = std::get_if<Let>(&stm.what);
      if (let && memory_of_part(*let) && here.contains(let->name) && !elsewhere.contains(let->name)) result.insert(let->name);
    }
    return result;
  }

  /// The part's other pointers.
  std::set<std::string> shared_in(const Stms& part, const std::set<std::string>& temporaries) const {
    std::set<std::string> result;
    for (const Stm& stm : part) {
      const auto* let = std::get_if<Let>(&stm.what);
      if (let && let->type.pointer && !let->type.read_only && !temporaries.contains(let->name)) result.insert(let->name);
      if (const auto* array = std::get_if<LocalArray>(&stm.what)) result.insert(array->name);
    }
    return result;
  }

  bool spread(Stms& stms, std::size_t at) {
    const For original = std::get<For>(stms[at].what);
    const bool in_part = !original.in_point || original.own_memory;
    const Scope scope = part_of(original);
    Stms& part = *scope.stms;
    const std::set<std::string> temporaries = in_part ? temporaries_for(part, std::get<For>(stms[at].what)) : std::set<std::string>();
    const auto points = prepared(original, temporaries);
    if (!points || points->type.prim != PrimType::i64) return false;
    const Variation variation(*points, temporaries);
    const std::set<std::string> shared = in_part ? shared_in(part, temporaries) : std::set<std::string>();
    if (!is_independent(*points, variation, shared) || !has_sums_in_order(points->body, variation))
      return false;
    Layouts layouts = layouts_for(part, *points, variation);
    if (original.own_memory)  // there is no place for more pointers, out there
      for (auto& [name, layout] : layouts) layout.rows = layout.rows && !layout.lanes;
    for (const auto& [name, layout] : layouts)
      if (layout.lanes && layout.rows && !taken_.insert(restored(rows_of(name))).second) return false;
    ForLanes result = Spread(*points, variation, layouts, taken_).run();
    if (!keeps_order(result, variation)) return false;
    restore_names(result.body, taken_);
    if (!original.parallel && !original.in_point) divide_by_tiles(part);
    replace(stms[at], original, std::move(result));
    if (widen(part, layouts)) have_more_room(scope);
    return true;
  }

  Layouts layouts_for(const Stms& part, const For& points, const Variation& variation) const {
    Layouts layouts;
    const auto add = [&](const std::string& name, const Expr& size) {
      if (variation.varies(name)) layouts[name].size = size;
    };
    for (const Stm& stm : part) {
      const auto* let = std::get_if<Let>(&stm.what);
      if (let && variation.is_temporary(let->name)) add(let->name, memory_of_part(*let)->room);
    }
    for_each_stm(points.body, [&](const Stm& stm) {
      if (const auto* array = std::get_if<LocalArray>(&stm.what)) add(array->name, array->size);
    });
    for (auto& [name, layout] : layouts) {
      find_readers(points.body, name, variation, layout);
      if (is_added_to(points.body, name)) layout.rows = false;
      if (!layout.rows) layout.lanes = true;
    }
    return layouts;
  }

  /// Sum loops that go along the array want rows, all other statements want lanes.
  void find_readers(const Stms& stms, const std::string& array, const Variation& variation, Layout& layout) const {
    for (const Stm& stm : stms) {
      const auto* loop = std::get_if<For>(&stm.what);
      if (loop && is_sum_loop(stm, variation) && reads_along(*loop, array)) {
        layout.rows = true;
        continue;
      }
      for_each_body(stm, [&](const Stms& body) { find_readers(body, array, variation, layout); });
      layout.lanes = layout.lanes || reads(stm, array);
    }
  }

  /// Then rows would have to be added to, too, which takes longer than what they gain.
  bool is_added_to(const Stms& stms, const std::string& array) const {
    bool result = false;
    for_each_stm(stms, [&](const Stm& stm) {
      const auto* assign = std::get_if<Assign>(&stm.what);
      result = result || (assign && assign->op && std::holds_alternative<Element>(assign->target.head) &&
                          is_variable(assign->target.args[0], array));
    });
    return result;
  }

  bool reads(const Stm& stm, const std::string& array) const {
    bool result = false;
    const auto* assign = std::get_if<Assign>(&stm.what);
    for_each_expr(stm, [&](const Expr& expr) {
      const bool target = assign && &expr == &assign->target;
      std::set<std::string> names;
      add_names(target && std::holds_alternative<Element>(expr.head) ? expr.args[1] : expr, names);
      result = result || names.contains(array);
    });
    return result;
  }

  /// `begin = part * n / parts` and `end = (part + 1) * n / parts` of the part.
  void divide_by_tiles(Stms& part) {
    for (Stm& stm : part) {
      auto* let = std::get_if<Let>(&stm.what);
      if (!let || !let->value || let->value->head != Head(Op::div)) continue;
      const Expr points = let->value->args[0], parts = let->value->args[1];
      const bool bound = !loops_.empty() && parts == loops_.back() && points.head == Head(Op::mul);
      if (bound) let->value = runtime::begin_of_part(points.args[0], points.args[1], parts);
    }
  }

  /// Workers share tiles of points, where they shared points.
  void replace(Stm& stm, const For& original, ForLanes points) {
    if (!original.parallel) {
      stm.what = std::move(points);
      return;
    }
    For tiles = original;
    tiles.name = fresh("tile", taken_);
    tiles.step = runtime::max_lanes();
    tiles.points = false;
    const Expr tile = var(tiles.name, tiles.type);
    points.from = tile;
    points.to = runtime::min(tile + runtime::max_lanes(), original.to);
    tiles.body = {std::move(points)};
    stm.what = std::move(tiles);
  }

  /// Room for as many points as there are lanes, in arrays of the part.
  bool widen(Stms& part, const Layouts& layouts) {
    bool any = false;
    for (const auto& [name, layout] : layouts) {
      const auto found = std::find_if(part.begin(), part.end(), [&, &name = name](const Stm& stm) {
        const auto* let = std::get_if<Let>(&stm.what);
        return let && let->name == name;
      });
      if (found == part.end()) continue;
      any = true;
      auto& let = std::get<Let>(found->what);
      const PartMemory memory = *memory_of_part(let);
      const Expr room = times(memory.room, runtime::max_lanes());
      const auto pointer = [&](const std::string& piece) {
        return scratch_field(piece, let.type) + times(memory.part, room);
      };
      let.value = pointer(memory.piece);
      Piece& piece = piece_of(memory.piece);
      piece.count = times(piece.count, runtime::max_lanes());
      piece.shape.insert(piece.shape.end() - (layout.lanes ? 0 : static_cast<std::ptrdiff_t>(piece.shape.size()) - 1), "max_lanes");
      if (!layout.lanes || !layout.rows) continue;
      Piece rows = piece;
      rows.name = rows_of(piece.name);
      rows.shape.pop_back();
      rows.shape.insert(rows.shape.begin() + 1, "max_lanes");
      Stm rows_pointer = Let{.name = rows_of(name), .type = let.type, .value = pointer(rows.name)};
      part.insert(found + 1, std::move(rows_pointer));
      entry_.scratch.pieces.push_back(std::move(rows));
    }
    return any;
  }

  /// Parts that need more room each are fewer.
  void have_more_room(const Scope& part) {
    const auto* count = part.loops == 0 ? nullptr : std::get_if<Var>(&loops_[part.loops - 1].head);
    const auto widen_in = [&](Stms& stms) {
      for_each_stm(std::span(stms), [&](Stm& stm) {
        auto* let = std::get_if<Let>(&stm.what);
        if (!count || !let || let->name != count->name || !let->value) return;
        const auto* call = std::get_if<Call>(&let->value->head);
        const bool has_room = call && call->function == "parts_for" && let->value->args.size() == 4;
        if (has_room && !planner::mentions(let->value->args[3], "max_lanes"))
          let->value->args[3] = times(let->value->args[3], runtime::max_lanes());
      });
    };
    widen_in(entry_.prologue);
    widen_in(entry_.body);
  }

  Piece& piece_of(const std::string& name) {
    return *std::find_if(entry_.scratch.pieces.begin(), entry_.scratch.pieces.end(),
                         [&](const Piece& piece) { return piece.name == name; });
  }

  Entry& entry_;
  std::set<std::string> taken_;
  std::vector<Expr> loops_;  // how far those around go
  std::vector<Scope> scopes_;
};

}  // namespace

void use_lanes(Entry& entry) { Lanes(entry).visit(entry.body); }

}  // namespace boustro::plan::lanes
