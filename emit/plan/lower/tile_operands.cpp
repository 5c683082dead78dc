// What the operands of a tile's sums are, and how they lie in memory.
#include "emit/plan/lower/tiles.hpp"

#include <optional>

#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {
namespace {

/// Which dimension of the array is this one of a part of it, `xs[:, j]`; nothing if the part has only some of its elements, farther apart.
std::optional<std::size_t> dimension_seen(const ir::Index& part, std::size_t dimension) {
  std::size_t of_part = 0;
  for (std::size_t d = 0; d < part.indices.size(); ++d) {
    const auto* slice = std::get_if<ir::Slice>(&part.indices[d]);
    if (!slice || of_part++ != dimension) continue;
    const values::PrimValue* stride = ir::literal_in(slice->stride);
    return stride && stride->as_int() == 1 ? std::optional(d) : std::nullopt;
  }
  return part.indices.size() + dimension - of_part;
}

}  // namespace

Tiles::Operand Tiles::operand(const ir::Name& value, bool of_rows) const {
  return {value, scalar_type(code_.context().names.type_of(value).elem), of_rows};
}

/// As closures of the row, or the column, and the summand. The index of the summand is one, too, if it is asked for.
void Tiles::define_operands() {
  ir::NameSet wanted = ir::names_among(sums().point.body.result);
  ir::statements_for(wanted, of_summand());
  if (wanted.contains(summands_.index)) operands_.push_back(operand(summands_.index, true));
  for (Operand& operand : operands_) {
    operand.summands_first = has_neighbouring_summands(operand);
    const Along& along = operand.of_rows ? rows_ : columns_;
    Stms body = code_.collect_loop(false, [&] {
      code_.bind(along.index, index(along, var(along.name, along.type)));
      code_.bind(summands_.index, index(summands_, var(summands_.name, summands_.type)));
      emit_all(computing({operand.value}, of_point()));
      code_.emit(Return{cast(operand.elem, code_.value(operand.value))});
    });
    const std::string name = identifiers_.fresh(operand.value.base + "_at");
    code_.emit(Closure{name, {{along.name, along.type}, {summands_.name, summands_.type}}, std::move(body)});
    operand.load = var(name, struct_type("auto"));
  }
  identifiers_.release(summands_.name);
}

Expr Tiles::staged(const Operand& operand) const {
  const Along& along = operand.of_rows ? rows_ : columns_;
  return runtime::tile_operand(shape_, operand.of_rows, operand.summands_first, along.first, along.extent.expr, operand.load);
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
      if (const auto* part = std::get_if<ir::Index>(&view->exp)) {
        const auto seen = dimension_seen(*part, dimension);
        if (!seen) return false;
        dimension = *seen;
        array = part->array;
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
