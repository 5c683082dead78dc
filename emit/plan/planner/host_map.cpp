// Maps at the host's level: perfect nests become grids of two extents, other maps of one.
#include <algorithm>

#include "emit/plan/planner/host.hpp"

namespace boustro::plan::planner {
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
  if (e.arrays.empty()) code_.check_sizes(stm, {e.width});
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

}  // namespace boustro::plan::planner
