#include "emit/plan/planner/consumers.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

using Stms = std::vector<ir::Stm>;

/// Scalars and branches only.
bool is_scalar_code(const ir::Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const ir::Stm& stm) {
    if (const auto* branch = std::get_if<ir::If>(&stm.exp)) {
      return is_scalar_code(branch->then_body) && is_scalar_code(branch->else_body);
    }
    bool flat = true;
    ir::for_each_body(stm.exp, [&](const ir::Body&) { flat = false; });
    return flat && std::all_of(stm.pattern.begin(), stm.pattern.end(),
                               [](const ir::Param& param) { return param.type.is_scalar(); });
  });
}

/// The width of a scan that a library call can do: of scalars, all results being the scan's own.
std::optional<ir::Atom> width_of_scan(const ir::Stm& stm) {
  if (const auto* scan = std::get_if<ir::Scan>(&stm.exp)) {
    return all_scalar(scan->op.result_types) ? std::optional(scan->width) : std::nullopt;
  }
  const auto* scan = std::get_if<ir::MapScan>(&stm.exp);
  if (!scan) return std::nullopt;
  std::size_t operands = 0;
  for (const ir::Operator& op : scan->operators) {
    if (!all_scalar(op.op.result_types)) return std::nullopt;
    operands += op.neutral.size();
  }
  return operands == stm.pattern.size() ? std::optional(scan->width) : std::nullopt;
}

class Finder {
 public:
  Finder(const Stms& stms, const Context& context) : stms_(stms), context_(context) {}

  std::vector<ScanConsumer> run() {
    std::vector<ScanConsumer> found;
    for (std::size_t i = 0; i < stms_.size(); ++i) {
      const auto width = width_of_scan(stms_[i]);
      auto consumer = width ? consumer_of(i, *width) : std::nullopt;
      const bool taken =
          consumer && std::any_of(found.begin(), found.end(), [&](const ScanConsumer& other) {
            return other.map == consumer->map;
          });
      if (consumer && !taken) found.push_back(std::move(*consumer));
    }
    return found;
  }

 private:
  std::optional<ScanConsumer> consumer_of(std::size_t at, const ir::Atom& width) const {
    ScanConsumer result{.scan = &stms_[at]};
    std::size_t forwards = 0, backwards = 0, map_at = 0;
    for (std::size_t k = 0; k < stms_[at].pattern.size(); ++k) {
      ir::Name name = stms_[at].pattern[k].name;
      if (context_.uses.of(name).count == 0) continue;
      const ir::Stm* slice = only_reversal(name);
      if (slice) name = slice->pattern[0].name, result.slices.push_back(slice);
      slice ? ++backwards : ++forwards;
      const auto reader = only_map(name, width);
      if (!reader || (map_at != 0 && *reader != map_at)) return std::nullopt;
      map_at = *reader;
      const auto& arrays = std::get<ir::Map>(stms_[map_at].exp).arrays;
      result.component.resize(arrays.size());
      const auto position = std::find(arrays.begin(), arrays.end(), name) - arrays.begin();
      result.component[static_cast<std::size_t>(position)] = k;
    }
    if (map_at <= at || (forwards > 0 && backwards > 0)) return std::nullopt;
    for (std::size_t i = at; i <= map_at; ++i) {
      if (!ir::consumed_by(stms_[i].exp, &context_.core).empty()) return std::nullopt;
    }
    result.map = &stms_[map_at];
    result.reversed = backwards > 0;
    return result;
  }

  /// The statement that reverses the array, if it alone uses it.
  const ir::Stm* only_reversal(const ir::Name& array) const {
    if (context_.uses.of(array).count != 1) return nullptr;
    for (const ir::Stm& stm : stms_) {
      const auto* index = std::get_if<ir::Index>(&stm.exp);
      if (index && index->array == array && !index->checked && is_reversal(*index, context_.names))
        return &stm;
    }
    return nullptr;
  }

  /// The map of this width that takes the array element by element and is the only one to use it.
  std::optional<std::size_t> only_map(const ir::Name& array, const ir::Atom& width) const {
    if (context_.uses.of(array).count != 1) return std::nullopt;
    for (std::size_t i = 0; i < stms_.size(); ++i) {
      const auto* map = std::get_if<ir::Map>(&stms_[i].exp);
      if (!map || std::find(map->arrays.begin(), map->arrays.end(), array) == map->arrays.end())
        continue;
      const bool simple = map->width == width && map->accumulators.empty() &&
                          all_scalar(map->fn.result_types) && is_scalar_code(map->fn.body);
      return simple ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
  }

  const Stms& stms_;
  const Context& context_;
};

}  // namespace

std::vector<ScanConsumer> scan_consumers(const Stms& stms, const Context& context) {
  return Finder(stms, context).run();
}

/// In bounds, n elements with a stride of -1 out of n begin with the last.
bool is_reversal(const ir::Index& index, const ir::Names& names) {
  const auto* slice =
      index.indices.size() == 1 ? std::get_if<ir::Slice>(&index.indices[0]) : nullptr;
  const values::PrimValue* stride = slice ? ir::literal_in(slice->stride) : nullptr;
  return stride && stride->as_int() == -1 && slice->count == names.type_of(index.array).shape[0];
}

}  // namespace boustro::plan::planner
