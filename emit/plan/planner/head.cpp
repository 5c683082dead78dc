#include "emit/plan/planner/head.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

/// The body of an entry is shown if it is no longer than this.
constexpr std::size_t max_body_text = 88;

/// Without comments, and with single spaces.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("--")) i = std::min(text.find('\n', i), text.size() - 1);
    const bool space = std::isspace(static_cast<unsigned char>(text[i])) != 0;
    if (!space) result += text[i];
    if (space && !result.empty() && result.back() != ' ') result += ' ';
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// Where the `=` of a definition stands: the first one outside of brackets.
std::size_t equals_sign(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("([{").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(text[i]) != std::string_view::npos) --depth;
    if (depth == 0 && text.substr(i).starts_with(" = ")) return i + 1;
  }
  return std::string_view::npos;
}

void add_signature(Context& context, const ir::Function& function, const Entry& entry) {
  auto& head = context.plan.head;
  const std::string text = context.options.sources && function.at.valid()
                               ? plain(context.options.sources->text(function.at))
                               : "";
  const std::string keyword = "entry ";
  const auto start = text.find(keyword);
  const auto equals = equals_sign(text);
  if (!function.entry ||
      !text.substr(std::min(start, text.size()))
           .starts_with(keyword + function.entry->name + " ") ||
      equals == std::string_view::npos) {
    head.push_back("  " + entry.name + "\t" + entry.source);
    return;
  }
  const auto begin = start + keyword.size();
  std::string body = text.substr(equals);
  if (body.size() > max_body_text) body = "= ...";
  head.push_back("  " + text.substr(begin, equals - 1 - begin));
  head.push_back("    " + body + "\t" + entry.source);
}

std::string_view word_for(ir::Sweep sweep) {
  switch (sweep) {
    case ir::Sweep::forward:
      return "forward";
    case ir::Sweep::reverse:
      return "return";
    case ir::Sweep::tangent:
      return "tangents";
    case ir::Sweep::none:
      break;
  }
  return "";
}

/// What a step computes: its formula, or else the text that it comes from.
std::vector<std::string> lines_of(const Comment& step) {
  if (!step.formula.empty()) return step.formula;
  const auto quoted = step.source.find('`');
  return {quoted == std::string::npos ? step.source : step.source.substr(quoted)};
}

/// The comments of kernels and library calls in the order in which the entry runs them.
std::vector<const Comment*> steps_of(const Entry& entry) {
  std::vector<const Comment*> steps;
  const auto add = [&](const auto& pieces, const std::string& name) {
    for (const auto& piece : pieces) {
      if (piece.name != name || lines_of(piece.comment)[0].empty()) continue;
      // Two ways to do the same stand one after the other.
      if (steps.empty() || lines_of(*steps.back()) != lines_of(piece.comment)) {
        steps.push_back(&piece.comment);
      }
    }
  };
  for_each_stm(entry.body, [&](const Stm& stm) {
    if (const auto* launch = std::get_if<Launch>(&stm.what)) add(entry.kernels, launch->kernel);
    if (const auto* run = std::get_if<Run>(&stm.what)) add(entry.libraries, run->library);
  });
  return steps;
}

void add_steps(Program& plan, const std::vector<const Comment*>& steps) {
  // What the source spells out belongs to the forward sweep of what follows it.
  bool differentiated = false;
  for (const Comment* step : steps)
    differentiated = differentiated || step->sweep != ir::Sweep::none;
  if (!differentiated) return;
  plan.head.push_back("");
  plan.head.push_back(fmt::format(
      "  The derivative, rule by rule (`boustro derive {}` prints it as a program):", plan.source));
  plan.head.push_back("");
  std::string_view last = "";
  for (const Comment* step : steps) {
    std::string_view word = word_for(step->sweep);
    if (word.empty()) word = last.empty() ? "forward" : last;
    std::string key(word == last ? "" : word);
    last = word;
    const std::vector<std::string> lines = lines_of(*step);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool end = i + 1 == lines.size();
      const std::string rules =
          end && !step->rules.empty() ? fmt::format("\t{}", fmt::join(step->rules, ", ")) : "";
      plan.head.push_back(fmt::format("  {:<9}{}{}", key, lines[i], rules));
      key.clear();
    }
  }
}

}  // namespace

void add_to_head(Context& context, const ir::Function& function, const Entry& entry) {
  Program& plan = context.plan;
  if (!plan.head.empty()) plan.head.push_back("");
  add_signature(context, function, entry);
  add_steps(plan, steps_of(entry));
}

}  // namespace boustro::plan::planner
