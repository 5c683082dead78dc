#include "emit/driver/explain_memory.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "transform/ad/kept.hpp"

namespace boustro::driver {
namespace {

std::string place_of(const ir::Provenance& origin, const source::SourceMap& sources) {
  return origin.at.empty() ? "" : sources.file_and_line(sources.shown(origin.at));
}

std::string formula_of(const ad::KeptArray& kept) {
  std::vector<std::string> factors = kept.factors();
  factors.insert(factors.begin(), fmt::to_string(kept.bytes()));
  return fmt::format("{}", fmt::join(factors, " * "));
}

/// "in each point of kmeans.fut:9"
std::string around(const ad::KeptArray& kept, const source::SourceMap& sources) {
  std::string text;
  for (const ir::Stm* stm : kept.around) {
    const bool is_loop = std::holds_alternative<ir::Loop>(stm->exp);
    if (std::holds_alternative<ir::If>(stm->exp)) continue;
    const std::string place = place_of(stm->origin, sources);
    text += fmt::format(", in each {}{}", is_loop ? "step" : "point", place.empty() ? "" : " of " + place);
  }
  return text;
}

std::string explained(const ir::Function& function, const source::SourceMap& sources) {
  const std::vector<ad::KeptArray> kept = ad::kept_arrays(function);
  const std::string name = function.entry ? function.entry->name : function.name.base;
  if (kept.empty()) return fmt::format("{} keeps no array for its return sweep\n", name);
  std::size_t width = 0, names = 0;
  for (const ad::KeptArray& one : kept) {
    width = std::max(width, formula_of(one).size());
    names = std::max(names, one.array.name.base.size());
  }
  std::string text = fmt::format("{} keeps for its return sweep, in bytes, the largest first:\n", name);
  for (const ad::KeptArray& one : kept)
    text += fmt::format("  {:{}}  {:{}}  {}{}\n", formula_of(one), width, one.array.name.base, names, place_of(one.origin, sources), around(one, sources));
  return text;
}

}  // namespace

std::string explained_memory(const Session& session, const ir::Program& program) {
  std::string text;
  for (const ir::Function& function : program.functions)
    if (ad::has_return_sweep(function)) text += explained(function, session.sources);
  return text.empty() ? "nothing in this program has a return sweep: `--vjp FUNCTION` adds one\n" : text;
}

}  // namespace boustro::driver
