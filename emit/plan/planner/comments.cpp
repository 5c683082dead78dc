// Where the code of a kernel or library call comes from, for the comment over it.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/quotation.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

std::string_view name_of(ir::Sweep sweep) {
  switch (sweep) {
    case ir::Sweep::forward:
      return "forward sweep";
    case ir::Sweep::reverse:
      return "return sweep";
    case ir::Sweep::tangent:
      return "tangents";
    case ir::Sweep::none:
      break;
  }
  return "";
}

/// The rules that made a statement and those inside of it, each once, in their order.
void add_rules(const ir::Stm& stm, std::vector<std::string>& rules) {
  const std::string& rule = stm.origin.rule;
  if (!rule.empty() && std::find(rules.begin(), rules.end(), rule) == rules.end())
    rules.push_back(rule);
  ir::for_each_body(stm.exp, [&](const ir::Body& body) {
    for (const ir::Stm& inner : body.stms) add_rules(inner, rules);
  });
}

/// The same of where they come from.
void add_origins(const Context& context, const ir::Stm& stm, std::vector<MadeFor>& origins) {
  MadeFor origin = context.origin_of(stm);
  const auto is_same = [&](const MadeFor& other) { return other.text == origin.text; };
  if (!origin.text.empty() && std::none_of(origins.begin(), origins.end(), is_same)) origins.push_back(std::move(origin));
  ir::for_each_body(stm.exp, [&](const ir::Body& body) {
    for (const ir::Stm& inner : body.stms) add_origins(context, inner, origins);
  });
}

}  // namespace

std::string source_line(const Context& context, ir::Sweep sweep, source::SourceRange place) {
  const std::string name(name_of(sweep));
  if (!context.options.sources || !place.valid()) return name.empty() ? "" : ", " + name;
  const std::string begin = context.options.sources->file_and_line(place) + ", " + (name.empty() ? "" : name + " of ");
  const std::size_t most = 60, line = 85;  // behind `//   source  `, with the quotation marks
  const std::string text = quotation(context.options.sources->text(place), std::clamp(line - std::min(begin.size(), line), most / 2, most));
  return text.empty() ? begin.substr(0, begin.size() - (name.empty() ? 2 : 4)) : begin + "`" + text + "`";
}

Comment comment_for(const Context& context, const ir::Stm* stm) {
  Comment comment;
  if (!stm) return comment;
  comment.sweep = sweep_of(*stm);
  const std::vector<std::string>& functions = stm->origin.within.functions;
  if (!functions.empty()) comment.function = functions.front();
  add_rules(*stm, comment.rules);
  add_origins(context, *stm, comment.origins);
  const bool known = context.options.sources && !stm->origin.at.empty();
  comment.source = source_line(context, comment.sweep, known ? context.options.sources->shown(stm->origin.at) : source::SourceRange{});
  return comment;
}

}  // namespace boustro::plan::planner
