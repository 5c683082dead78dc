// Statements of a program whose annotations are checked: what they read and overwrite of watched arrays is noted. Views are free; what
// is done with them is noted where it happens.
#include "transform/ir/evaluate/compiler.hpp"
#include "transform/ir/operands.hpp"

namespace boustro::ir::evaluation {
namespace {

/// Arrays that the expression itself reads, all of them; what its bodies and lambdas do is noted there, and what is known to be
/// read in part is not listed.
std::vector<Name> read_whole(const Exp& exp, const std::function<int(const Name&)>& rank) {
  std::vector<Name> result;
  const auto add = [&](const Atom& atom) {
    if (const Name* name = name_in(atom); name && rank(*name) > 0) result.push_back(*name);
  };
  const auto add_all = [&](const auto& atoms) {
    for (const auto& atom : atoms) add(atom);
  };
  // A lambda that gets rows reads of them what it reads.
  const auto add_elements = [&](const std::vector<Name>& arrays) {
    for (const Name& name : arrays)
      if (rank(name) == 1) add(name);
  };
  match(
      exp, [&](const ArrayLiteral& e) { add_all(e.elements); }, [&](const Replicate& e) { add(e.value); },
      [&](const Concat& e) { add_all(e.arrays); }, [&](const Copy& e) { add(e.array); }, [&](const Sort& e) { add(e.array); },
      [&](const Reshape& e) { add(e.array); }, [&](const Update& e) { add(e.value); },
      [&](const UpdateAcc& e) { add(e.value); }, [&](const Map& e) { add_elements(e.arrays); },
      [&](const Reduce& e) { add_all(e.arrays), add_all(e.neutral); },
      [&](const Scan& e) { add_all(e.arrays), add_all(e.neutral); }, [&](const MapReduce& e) { add_elements(e.arrays); },
      [&](const MapScan& e) { add_elements(e.arrays); }, [&](const ReduceByIndex& e) { add_elements(e.arrays); },
      [&](const Scatter& e) { add_all(e.indices), add_all(e.values); }, [](const auto&) {});
  return result;
}

}  // namespace

/// The places that a scatter writes to.
static void note_scattered(const Array& to, const std::vector<const Array*>& indices, std::int64_t width) {
  for (std::int64_t i = 0; i < width; ++i) {
    Array part = to;
    bool inside = true;
    for (const Array* is : indices) {
      const auto at = static_cast<std::int64_t>(is->cells()[i * is->dims[0].stride]);
      inside = inside && at >= 0 && at < part.dims[0].size;
      part = row(part, inside ? at : 0);
    }
    if (inside) note_written(part);
  }
}

void Compiler::watch_params(const Loop& e) {
  for (std::size_t i = 0; versions_of_ && i < e.params.size(); ++i)
    if (e.params[i].true_dep)
      if (const auto versions = versions_of_(e, i)) versions_.insert(versions->begin(), versions->end());
}

std::vector<std::pair<int, std::string>> Compiler::watched_params(const Loop& e, const std::vector<Slot>& params) const {
  std::vector<std::pair<int, std::string>> result;
  for (std::size_t i = 0; i < e.params.size(); ++i)
    if (e.params[i].true_dep && versions_.contains(e.params[i].param.name))
      result.emplace_back(params[i].index, e.params[i].param.name.base);
  return result;
}

void Compiler::watch_results(const BodyCode& code) {
  if (!versions_of_) return;
  std::vector<int> arrays;
  for (const Slot& slot : code.results)
    if (slot.is_array) arrays.push_back(slot.index);
  if (arrays.empty()) return;
  bodies_.back().steps.emplace_back([arrays](Machine& m) {
    for (const int array : arrays)
      if (!m.array(array).accumulator) note_read(m.array(array));
  });
}

std::optional<Step> Compiler::noting(const Stm& stm) {
  const bool is_version = !stm.pattern.empty() && versions_.contains(stm.pattern[0].name);
  std::vector<Step> steps;
  const auto* copy = std::get_if<Copy>(&stm.exp);
  // What reverse mode reads to take updates back is none of the source's business.
  if (stm.origin.rule != "restore" && !(copy && is_version)) {
    const auto read = arrays(read_whole(stm.exp, [this](const Name& name) { return types_.at(name).rank(); }));
    if (!read.empty())
      steps.emplace_back([read](Machine& m) {
        for (const int array : read) note_read(m.array(array));
      });
    if (const auto* index = std::get_if<Index>(&stm.exp); index && stm.pattern[0].type.is_scalar())
      steps.push_back(noting_selection(index->array, index->indices, index->checked, &stm, note_read));
  }
  if (const auto* update = std::get_if<Update>(&stm.exp); update && is_version)
    steps.push_back(noting_selection(update->array, update->indices, update->checked, &stm, note_written));
  const auto* scatter = std::get_if<Scatter>(&stm.exp);
  if (scatter && is_version)
    steps.emplace_back([to = array(scatter->destinations.at(0)), indices = arrays(scatter->indices),
                        width = scalar(scatter->width)](Machine& m) {
      std::vector<const Array*> is;
      for (const int index : indices) is.push_back(&m.array(index));
      if (m.array(to).buffer && m.array(to).buffer->watch) note_scattered(m.array(to), is, m.size(width));
    });
  const bool is_writer = scatter || std::holds_alternative<Update>(stm.exp) ||
                         std::holds_alternative<ReduceByIndex>(stm.exp) || std::holds_alternative<WithAcc>(stm.exp);
  if (is_writer && !is_version)
    steps.emplace_back([consumed = arrays(consumed_operands(stm.exp))](Machine& m) {
      for (const int array : consumed) forget_watch(m.array(array));
    });
  if (steps.empty()) return std::nullopt;
  return [steps](Machine& m) {
    for (const Step& step : steps) step(m);
  };
}

/// A copy of a version is the next one.
std::optional<Step> Compiler::handing_on(const Stm& stm) {
  const auto* copy = std::get_if<Copy>(&stm.exp);
  if (!copy || !versions_.contains(stm.pattern.at(0).name)) return std::nullopt;
  return [from = array(copy->array), to = array(stm.pattern[0].name)](Machine& m) {
    m.array(to).buffer->watch = m.array(from).buffer->watch;
  };
}

}  // namespace boustro::ir::evaluation
