#include "transform/lower/result_names.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/ir/traversal.hpp"
#include "transform/ir/unnamed.hpp"
#include "transform/ir/words.hpp"

namespace boustro::lower {
namespace {

using Functions = std::unordered_map<ir::Name, const ir::Function*>;

/// The statement that computes this and nothing else, if there is one.
const ir::Stm* maker_of(const ir::Body& body, const ir::Name& name) {
  const auto makes = [&](const ir::Stm& stm) { return stm.pattern.size() == 1 && stm.pattern[0].name == name; };
  const auto maker = std::find_if(body.stms.begin(), body.stms.end(), makes);
  return maker == body.stms.end() ? nullptr : &*maker;
}

/// ... of the only result.
const ir::Stm* maker_of_result(const ir::Body& body) {
  const ir::Name* result = body.result.size() == 1 ? ir::name_in(body.result[0]) : nullptr;
  return result ? maker_of(body, *result) : nullptr;
}

class Namer {
 public:
  explicit Namer(const Functions& functions) : functions_(functions) {}

  /// Outer results first, so that what is inside of them is called after them.
  void visit(const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) {
      if (const auto* map = std::get_if<ir::Map>(&stm.exp)) {
        name(map->fn.body, stm, [](const std::string& array) { return ir::singular(array); });
      } else if (const auto* branch = std::get_if<ir::If>(&stm.exp)) {
        for (const ir::Body* side : {&branch->then_body, &branch->else_body}) name(*side, stm, [](const std::string& whole) { return whole; });
      }
      if (const auto* by_index = std::get_if<ir::ReduceByIndex>(&stm.exp)) name_destinations(body, stm, *by_index);
      ir::for_each_body(stm.exp, [&](const ir::Body& inner) { visit(inner); });
    }
  }

  /// What a function yields is its result, and so its derivative takes a `result_adj`.
  void name_result(const ir::Body& body) {
    const ir::Stm* maker = maker_of_result(body);
    if (maker && maker->pattern[0].name.base == base_without_name(maker->exp)) better_.emplace(maker->pattern[0].name, "result");
  }

  ir::Name renamed(const ir::Name& name) const {
    const auto found = better_.find(name);
    return found == better_.end() ? name : ir::Name{found->second, name.tag};
  }

 private:
  template <typename Part>
  void name(const ir::Body& body, const ir::Stm& whole, const Part& part) {
    // The results of an If are those of its sizes first.
    const std::size_t count = std::min(body.result.size(), whole.pattern.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string base = renamed(whole.pattern[i].name).base;
      const ir::Name* result = ir::name_in(body.result[i]);
      if (base.empty() || base == ir::unnamed_base(whole.exp) || !result) continue;
      const ir::Stm* maker = maker_of(body, *result);
      if (maker && result->base == base_without_name(maker->exp)) better_.emplace(*result, part(base));
    }
  }

  /// What is there before, if it is only there for that, is called as what comes of it.
  void name_destinations(const ir::Body& body, const ir::Stm& stm, const ir::ReduceByIndex& by_index) {
    std::size_t result = 0;
    for (const ir::Histogram& histogram : by_index.histograms) {
      for (const ir::Name& destination : histogram.destinations) {
        const ir::Name& name = stm.pattern.at(result++).name;
        const ir::Stm* maker = maker_of(body, destination);
        const bool is_made_for_it = maker && std::holds_alternative<ir::Replicate>(maker->exp) && destination.base == "xs";
        if (is_made_for_it) better_.emplace(destination, renamed(name).base);
      }
    }
  }

  /// A call without a name has that of its function's result, if that has none either.
  std::string base_without_name(const ir::Exp& exp) const {
    const auto* call = std::get_if<ir::Call>(&exp);
    if (!call) return ir::unnamed_base(exp);
    const ir::Stm* maker = maker_of_result(functions_.at(call->function)->body);
    const bool has_none = maker && maker->pattern[0].name.base == base_without_name(maker->exp);
    return has_none ? maker->pattern[0].name.base : "";
  }

  const Functions& functions_;
  std::unordered_map<ir::Name, std::string> better_;
};

}  // namespace

void name_results(ir::Program& program) {
  Functions functions;
  for (const ir::Function& function : program.functions) functions.emplace(function.name, &function);
  // Callers first: their calls look at what callees' results are called so far.
  for (auto next = program.functions.rbegin(); next != program.functions.rend(); ++next) {
    ir::Function& function = *next;
    Namer namer(functions);
    if (!function.entry) namer.name_result(function.body);
    namer.visit(function.body);
    ir::change_names(function, [&](const ir::Name& name) { return namer.renamed(name); });
  }
}

}  // namespace boustro::lower
