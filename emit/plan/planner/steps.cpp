#include "emit/plan/planner/steps.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula.hpp"
#include "emit/plan/polish/words.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const Comment& step) {
  if (!step.formula.empty()) return step.formula;
  const auto start = step.source.find('`');
  return {start == std::string::npos ? step.source : step.source.substr(start)};
}

/// What the entry calls the arguments for parameters.
struct Arguments {
  std::map<std::string, std::string> names = {};
  std::set<std::string> nameless = {};  // parameters whose arguments have no name
};

/// Of a variable, a piece of scratch memory or a number, whatever type it has got.
std::optional<std::string> name_of_argument(const Expr& arg) {
  if (const auto* piece = std::get_if<Field>(&arg.head); piece && arg == scratch_field(piece->name, arg.type)) return piece->name;
  if (std::holds_alternative<Cast>(arg.head)) return name_of_argument(arg.args[0]);
  if (const auto* variable = std::get_if<Var>(&arg.head)) return variable->name;
  if (const auto number = int_value(arg)) return std::to_string(*number);
  return std::nullopt;
}

Arguments arguments_of(const std::vector<Param>& params, const std::vector<Expr>& args) {
  Arguments result;
  for (std::size_t i = 0; i < std::min(params.size(), args.size()); ++i) {
    const auto name = name_of_argument(args[i]);
    if (!name) result.nameless.insert(params[i].name);
    if (name) result.names.emplace(params[i].name, *name);
  }
  return result;
}

bool says(const std::string& text, const std::string& name) { return with_words(text, {{name, ""}}) != text; }

/// Not if the entry has no name for an argument, or the formula means something else by it, such as an index.
bool can_be_said(const Lines& lines, const Arguments& arguments) {
  const auto is_mentioned = [&](const std::string& name) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return says(line, name); });
  };
  if (std::any_of(arguments.nameless.begin(), arguments.nameless.end(), is_mentioned)) return false;
  return std::none_of(arguments.names.begin(), arguments.names.end(), [&](const auto& renamed) {
    return is_mentioned(renamed.first) && is_mentioned(renamed.second) && !arguments.names.contains(renamed.second);
  });
}

/// In the entry's words, if it has them.
bool in_words_of_entry(Lines& lines, const Arguments& arguments) {
  if (!can_be_said(lines, arguments)) return false;
  for (std::string& line : lines) line = with_words(line, arguments.names);
  return true;
}

class Steps {
 public:
  Steps(const Program& plan, const Entry& entry) : plan_(plan), entry_(entry) {
    for_each_stm(entry.body, [&](const Stm& stm) {
      for (const Entry& owner : plan_.entries) {  // entries call what those before them have
        if (const auto* launch = std::get_if<Launch>(&stm.what)) add(owner, owner.kernels, launch->kernel, launch->args);
        if (const auto* run = std::get_if<Run>(&stm.what)) add(owner, owner.libraries, run->library, run->args);
      }
    });
  }

  std::vector<Step> take() {
    for (const auto& [step, arguments] : unsaid_) {
      shorten(steps_[step]);
      in_words_of_entry(steps_[step].lines, arguments);
    }
    for (Step& step : steps_) say_where(step);
    return std::move(steps_);
  }

 private:
  template <typename Pieces>
  void add(const Entry& owner, const Pieces& pieces, const std::string& name, const std::vector<Expr>& args) {
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const auto& one) { return one.name == name; });
    if (piece == pieces.end()) return;
    Lines lines = lines_of(piece->comment);
    if (lines[0].empty()) return;
    const Arguments arguments = arguments_of(piece->params, args);
    const bool is_formula = !piece->comment.formula.empty(), is_said = is_formula && in_words_of_entry(lines, arguments);
    // Two ways to do the same stand one after the other.
    if (!steps_.empty() && steps_.back().lines == lines) return;
    steps_.push_back({name, &piece->comment, std::move(lines)});
    if (is_formula && !is_said && &owner != &entry_) unsaid_.emplace_back(steps_.size() - 1, arguments);
  }

  /// Nothing is below here.
  static void say_where(Step& step) {
    for (std::string& line : step.lines)
      if (line.ends_with(step_by_step)) line.replace(line.size() - step_by_step.size(), std::string::npos, ": see " + step.piece);
  }

  const Program& plan_;
  const Entry& entry_;
  std::vector<Step> steps_;
  std::vector<std::pair<std::size_t, Arguments>> unsaid_;  // steps of other entries whose formulas have no words here
};

}  // namespace

std::vector<Step> steps_of(const Program& plan, const Entry& entry) { return Steps(plan, entry).take(); }

void shorten(Step& step) {
  const auto end = std::min(step.lines[0].find(" = "), step.lines[0].find(" += "));
  if (end != std::string::npos) step.lines = {fmt::format("{}: see {}", step.lines[0].substr(0, end), step.piece)};
}

}  // namespace boustro::plan::planner
