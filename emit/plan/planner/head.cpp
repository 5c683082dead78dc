#include "emit/plan/planner/head.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/planner/steps.hpp"

namespace boustro::plan::planner {
namespace {

/// So much of the body of an entry is shown: about two lines.
constexpr std::size_t max_body_text = 170;
/// Lines of a derivative, and characters of a line that are the formula's.
constexpr std::size_t most_lines = 36, line_text = 78;

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
  if (body.size() > max_body_text) body = body.substr(0, body.rfind(' ', max_body_text)) + " ...";
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

/// About as many as the page has of it.
std::size_t height(const Step& step) {
  std::size_t height = 0;
  for (const std::string& line : step.lines) height += 1 + line.size() / line_text;
  const std::size_t rules = fmt::formatted_size("{}", fmt::join(step.comment->rules, ", "));
  return height + (step.lines.back().size() % line_text + rules > line_text ? 1 : 0);
}

/// If they say more than a page holds, the longest are told where they are computed.
void fit_on_page(std::vector<Step>& steps) {
  std::size_t total = 0;
  for (const Step& step : steps) total += height(step);
  std::vector<Step*> longest;
  for (Step& step : steps) longest.push_back(&step);
  std::stable_sort(longest.begin(), longest.end(), [](const Step* a, const Step* b) { return height(*a) > height(*b); });
  for (Step* step : longest) {
    if (total <= most_lines) return;
    total -= height(*step);
    shorten(*step);
    total += height(*step);
  }
}

void add_steps(Program& plan, std::vector<Step> steps) {
  // What the source spells out belongs to the forward sweep of what follows it.
  const auto is_derivative = [](const Step& step) { return step.comment->sweep != ir::Sweep::none; };
  if (std::none_of(steps.begin(), steps.end(), is_derivative)) return;
  fit_on_page(steps);
  plan.head.push_back("");
  plan.head.push_back(fmt::format(
      "  The derivative, rule by rule (`boustro derive {}` prints it as a program):", plan.source));
  plan.head.push_back("");
  std::string_view last = "";
  for (const Step& step : steps) {
    std::string_view word = word_for(step.comment->sweep);
    if (word.empty()) word = last.empty() ? "forward" : last;
    std::string key(word == last ? "" : word);
    last = word;
    for (std::size_t i = 0; i < step.lines.size(); ++i) {
      const bool end = i + 1 == step.lines.size();
      const std::string rules =
          end && !step.comment->rules.empty() ? fmt::format("\t{}", fmt::join(step.comment->rules, ", ")) : "";
      plan.head.push_back(fmt::format("  {:<9}{}{}", key, step.lines[i], rules));
      key.clear();
    }
  }
}

}  // namespace

void add_to_head(Context& context, const ir::Function& function, const Entry& entry) {
  Program& plan = context.plan;
  if (!plan.head.empty()) plan.head.push_back("");
  add_signature(context, function, entry);
  add_steps(plan, steps_of(plan, entry));
}

}  // namespace boustro::plan::planner
