#include "emit/plan/planner/steps.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula.hpp"
#include "emit/plan/formula/notation.hpp"
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

/// The kernel has another name for the first row of one of the entry's arrays.
bool is_first_row(const Param& param, const std::string& argument, const std::vector<Param>& of_entry) {
  const auto array = std::ranges::find(of_entry, argument, &Param::name);
  return array != of_entry.end() && param.name != argument && param.shape.size() < array->shape.size();
}

Arguments arguments_of(const std::vector<Param>& params, const std::vector<Expr>& args, const std::vector<Param>& of_entry) {
  Arguments result;
  for (std::size_t i = 0; i < std::min(params.size(), args.size()); ++i) {
    auto name = name_of_argument(args[i]);
    if (name && is_first_row(params[i], *name, of_entry)) name.reset();
    if (!name) result.nameless.insert(params[i].name);
    if (name) result.names.emplace(params[i].name, *name);
  }
  return result;
}

/// Those that kernel and entry have one name for.
Arguments called_the_same(Arguments arguments) {
  std::erase_if(arguments.names, [](const auto& renamed) { return renamed.first != renamed.second; });
  return arguments;
}

bool mentions(const Lines& lines, const std::string& name) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return says(line, name); });
}

/// Not if the entry has no name for an argument, or the formula means something else by it, such as an index.
bool can_be_said(const Lines& lines, const Arguments& arguments) {
  const auto is_mentioned = [&](const std::string& name) { return mentions(lines, name); };
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

/// Longer ones keep their names, as what the host computes.
constexpr std::size_t most_of_number = 30;

/// Behind others that it has, if any.
void add_explanation(Lines& lines, const std::string& text) {
  const bool is_first = std::none_of(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("  where "); });
  lines.push_back((is_first ? "  where " : "        ") + text);
}

/// Numbers that the host computes for a kernel, in words of formulas: `-n / total` for `-n_real / total`, `where total_adj = -1 / (b * t)`.
class HostNumbers {
 public:
  explicit HostNumbers(const Entry& entry) {
    for (const Stms* stms : {&entry.prologue, &entry.body})
      for_each_stm(*stms, [&](const Stm& stm) {
        const auto* let = std::get_if<Let>(&stm.what);
        if (let && let->value && !let->changes && !let->type.pointer && let->type.name.empty()) add(*let);
      });
  }

  /// Of a kernel that is given these; other names may be the formula's own, and so may those in a number. What has parentheses, or is in
  /// the kernel's words if `explained`, is explained, once in all.
  void spell_out(Lines& lines, const Arguments& arguments, bool explained) {
    std::set<std::string> known;
    for (const auto& [param, name] : arguments.names) known.insert(name);
    std::map<std::string, std::string> given;
    Lines explanations;
    for (const std::string& name : known) {
      const auto found = numbers_.find(name);
      if (found == numbers_.end() || !mentions(lines, name)) continue;
      const auto& [text, names] = found->second;
      const bool is_clear = std::all_of(names.begin(), names.end(), [&](const std::string& of) { return known.contains(of) || !mentions(lines, of); });
      if (!is_clear) continue;
      const bool is_word = text.find(' ') == std::string::npos && text.front() != '-';
      if (!explained && text.find('(') == std::string::npos) given.emplace(name, is_word ? text : "(" + text + ")");
      else if (explained_.insert(name).second) explanations.push_back(name + " = " + text);
    }
    for (std::string& line : lines) line = first_without_parentheses(with_words(line, given));
    for (const std::string& text : explanations) add_explanation(lines, text);
  }

 private:
  struct Number {
    std::string text;
    std::set<std::string> names;
  };

  /// `x = (-n) / total` as `x = -n / total`.
  static std::string first_without_parentheses(std::string line) {
    const std::string opens = " = (-";
    const std::size_t at = line.find(opens), end = at == std::string::npos ? at : line.find_first_of(" ()", at + opens.size());
    if (end == std::string::npos || line[end] != ')') return line;
    return line.erase(end, 1).erase(at + opens.size() - 2, 1);
  }

  static bool has_field(const Expr& expr) { return std::holds_alternative<Field>(expr.head) || std::any_of(expr.args.begin(), expr.args.end(), has_field); }

  void add(const Let& let) {
    Number number{formula::Notation({}, {&*let.value}).text(*let.value), {}};
    if (number.text.size() > most_of_number || has_field(*let.value)) return;
    add_names(*let.value, number.names);
    numbers_.emplace(let.name, std::move(number));
  }

  std::map<std::string, Number> numbers_;
  std::set<std::string> explained_;
};

class Steps {
 public:
  Steps(const Program& plan, const Entry& entry) : plan_(plan), entry_(entry), numbers_(entry) {
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
    const Arguments arguments = arguments_of(piece->params, args, entry_.params);
    const bool is_formula = !piece->comment.formula.empty(), is_said = is_formula && in_words_of_entry(lines, arguments);
    // Two ways to do the same stand one after the other.
    if (lines == last_) return;
    last_ = lines;
    if (is_said || &owner == &entry_) numbers_.spell_out(lines, is_said ? arguments : called_the_same(arguments), !is_said);
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
  HostNumbers numbers_;
  std::vector<Step> steps_;
  Lines last_;  // of the last step, without numbers
  std::vector<std::pair<std::size_t, Arguments>> unsaid_;  // steps of other entries whose formulas have no words here
};

}  // namespace

std::vector<Step> steps_of(const Program& plan, const Entry& entry) { return Steps(plan, entry).take(); }

void shorten(Step& step) {
  const auto end = std::min(step.lines[0].find(" = "), step.lines[0].find(" += "));
  if (end != std::string::npos) step.lines = {fmt::format("{}: see {}", step.lines[0].substr(0, end), step.piece)};
}

}  // namespace boustro::plan::planner
