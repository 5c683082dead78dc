// How the threads of a block bring what a tile needs to shared memory.
#include "emit/plan/lower/tiles.hpp"

#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {

using runtime::tile_depth, runtime::tile_width;

/// Each thread computes some elements of the next tile. Behind the ends it has what is there last, which is not added or not stored.
void Tiles::load(const Operand& operand) {
  code_.emit(LocalArray{.name = name_of(operand.next), .elem = operand.elem, .size = loads_});
  over_loads([&](const Expr& number) {
    const auto [at, step] = place_of_load(operand);
    const auto clamped = [&](const Along& along, const Expr& offset) {
      const Expr last = cast(along.type, along.extent.expr - 1);
      const Expr value = runtime::min(cast(along.type, along.first + offset), last);
      code_.emit(Let{.name = along.name, .type = along.type, .value = value});
      code_.bind(along.index, index(along, var(along.name, along.type)));
    };
    clamped(operand.of_rows ? rows_ : columns_, at);
    clamped(summands_, step);
    emit_all(computing({operand.value}, of_point()));
    code_.emit(Assign{operand.next[number], cast(operand.elem, code_.value(operand.value))});
  });
}

/// Puts them into shared memory. Matrices have zeros behind the last summand.
void Tiles::stage(const Operand& operand) {
  over_loads([&](const Expr& number) {
    const auto [at, step] = place_of_load(operand);
    const Expr zero = lit(values::PrimValue::zero(operand.elem.prim)), next = operand.next[number];
    const Expr value = is_product_ ? select(summands_.first + step < summands_.extent.expr, next, zero) : next;
    code_.emit(Assign{operand.tile[step * pitch(operand) + at], value});
  });
}

/// Neighbouring threads take neighbours in memory.
std::pair<Expr, Expr> Tiles::place_of_load(const Operand& operand) const {
  if (operand.summands_first) return {cell_ / tile_depth(), cell_ % tile_depth()};
  return {cell_ % tile_width(), cell_ / tile_width()};
}

void Tiles::over_loads(const std::function<void(const Expr& number)>& fill) {
  const std::string name = identifiers_.fresh("number");
  Stms body = code_.collect_loop(false, [&] {
    const Expr number = var(name, int_type);
    code_.emit(Let{.name = name_of(cell_), .type = int_type, .value = thread_ + number * threads_of_block(nest_, tiling_)});
    fill(number);
  });
  code_.emit(over_own(name, loads_, std::move(body)));
  identifiers_.release(name);
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

}  // namespace boustro::plan::planner
