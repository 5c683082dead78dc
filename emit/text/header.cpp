// The header: documentation of the public functions, once.
#include <algorithm>
#include <ranges>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/walk.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/file.hpp"

namespace boustro::text {
namespace {

using namespace plan;

/// A line of documentation and what it is about, in two columns.
struct Row {
  std::string name, text;
};

bool late_results(const Entry& entry) {
  return std::any_of(entry.params.begin(), entry.params.end(),
                     [](const Param& param) { return param.late; });
}

std::vector<Row> rows(const Entry& entry, const Dialect& dialect) {
  std::vector<Row> result;
  bool failure = !entry.can_fail;
  const Row failure_row{
      "failure", fmt::format("{}, written: which check failed, if any; see failure_text",
                             dialect.memory)};
  for (const Param& param : entry.params) {
    const bool output = param.access == Access::written || param.access == Access::added_to;
    if (!failure && !output) result.push_back(failure_row), failure = true;
    const std::string note = param_note(param);
    if (!note.empty()) result.push_back({param.name, note});
  }
  if (!failure) result.push_back(failure_row);
  if (entry.allocates) {
    const std::string_view of = dialect.memory;
    result.push_back({"allocator", late_results(entry)
                                       ? fmt::format("where {} comes from, that of results included: "
                                                     "they are given back to it by the caller", of)
                                       : fmt::format("where {} comes from", of)});
  }
  result.push_back(
      {"scratch", fmt::format("{}, aligned to {}", dialect.memory,
                              dialect.has_stream ? "256 bytes as by cudaMalloc" : "64 bytes")});
  return result;
}

/// The rows under one another, all texts in the same column.
std::string table(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string result;
  for (const Row& row : rows) {
    result += comment(fmt::format("{:<{}}  {}", row.name, width, row.text), 0, "/// ",
                      static_cast<int>(width) + 2);
  }
  return result;
}

/// Documentation as it stands in the source, line breaks and all, as one text for each paragraph.
std::vector<std::string> split_paragraphs(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) {
    bool begins = true;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto first = line.find_first_not_of(" \t\r");
      if (first == line.npos) {
        begins = true;
        continue;
      }
      const std::string words = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
      if (begins)
        result.push_back(words);
      else
        result.back() += " " + words;
      begins = false;
    }
  }
  return result;
}

/// "a, b and c"
std::string enumeration(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  const auto before = names.end() - 1;
  return fmt::format("{} and {}", fmt::join(names.begin(), before, ", "), *before);
}

/// What there is to say of an entry that its program says nothing about.
std::string summary(const Entry& entry) {
  std::vector<std::string> results, arrays;
  for (const Param& param : entry.params) {
    if (param.access == Access::written || param.access == Access::added_to) results.push_back(param.name);
    if (param.access == Access::read) arrays.push_back(param.name);
  }
  if (results.empty()) return fmt::format("Entry point `{}`.", entry.name);
  return fmt::format("Entry point `{}`: computes {}{}.", entry.name, enumeration(results),
                     arrays.empty() ? "" : " from " + enumeration(arrays));
}

/// The first paragraph has the place in the source at its end.
std::string paragraphs(const Entry& entry) {
  std::vector<std::string> doc = split_paragraphs(entry.doc);
  if (doc.empty()) doc.push_back(summary(entry));
  std::string result;
  for (const std::string& text : doc) {
    result += result.empty() ? comment_with_note(text, entry.source, "/// ")
                             : "///\n" + comment(text, 0, "/// ");
  }
  const bool note_alone = doc.size() == 1 && result.ends_with(entry.source + "\n") &&
                          result.find("\n///  ") != std::string::npos;
  return result + (note_alone ? "" : "///\n");
}

/// Whether two runs give the same bits.
std::string order_text(const Entry& entry) {
  if (!entry.order_note.empty()) return entry.order_note;
  return entry.order_varies ? "The order of float operations, and so the last bits of the results, "
                              "varies between runs."
                            : "The results are the same, bit by bit, in every run on one device.";
}

/// "n, k * d: at most 2^30 each": what is limited alike is said once.
std::string limits_text(const std::vector<std::string>& limits) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // by what follows the colon
  for (const std::string& limit : limits) {
    const std::size_t colon = limit.rfind(": ");
    const std::string bound = limit.substr(colon + 2);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& other) { return other.first == bound; });
    if (group == groups.end())
      groups.push_back({bound, {limit.substr(0, colon)}});
    else
      group->second.push_back(limit.substr(0, colon));
  }
  std::vector<std::string> texts;
  for (const auto& [bound, limited] : groups)
    texts.push_back(fmt::format("{}: {}{}", fmt::join(limited, ", "), bound, limited.size() > 1 ? " each" : ""));
  return fmt::format("Limits: {}.", fmt::join(texts, "; "));
}

/// The numbers that must be equal where this is not to hold.
void add_equal(const Expr& rejected, std::vector<const Expr*>& result) {
  if (rejected.head == plan::Head(Op::logical_or))
    for (const Expr& part : rejected.args) add_equal(part, result);
  if (rejected.head == plan::Head(Op::ne) && plan::is_integer(rejected.args[0].type)) result.push_back(&rejected);
}

/// "m == l * 2 and w == b * 4, where l = m / 2": sizes that the entry rejects otherwise. Empty if there are none.
std::string requirements(const Entry& entry, const Place& place) {
  std::vector<const Expr*> equal;
  for (const Stm& stm : entry.prologue)
    if (const auto* reject = std::get_if<plan::RejectIf>(&stm.what)) add_equal(reject->condition, equal);
  if (equal.empty()) return "";
  std::vector<std::string> texts, where;
  std::set<std::string> mentioned;
  for (const Expr* pair : equal) {
    texts.push_back(expression(pair->args[0], place) + " == " + expression(pair->args[1], place));
    plan::add_names(*pair, mentioned);
  }
  for (const Stm& stm : entry.prologue | std::views::reverse) {  // uses stand behind definitions
    const auto* let = std::get_if<plan::Let>(&stm.what);
    if (!let || !let->value || !mentioned.contains(let->name)) continue;
    where.push_back(let->name + " = " + expression(*let->value, place));
    plan::add_names(*let->value, mentioned);
  }
  return fmt::format("Sizes: {}{}{}.", enumeration(texts), where.empty() ? "" : ", where ", where.empty() ? "" : enumeration(where));
}

/// Sizes, limits, renamed identifiers, order of additions, waiting: one paragraph each.
std::string remarks(const Entry& entry, const Place& place) {
  std::vector<std::string> texts;
  if (std::string text = requirements(entry, place); !text.empty()) texts.push_back(std::move(text));
  if (!entry.limits.empty()) texts.push_back(limits_text(entry.limits));
  if (!entry.renamed.empty())
    texts.push_back(fmt::format("Renamed: {}.", fmt::join(entry.renamed, ", ")));
  texts.push_back(order_text(entry));
  if (entry.waits) {
    texts.push_back(fmt::format("This function waits for the device, because {} on data.",
                                entry.allocates ? "sizes or control flow depend"
                                                : "control flow depends"));
  }
  if (late_results(entry)) {
    texts.push_back(
        "What it allocates for results is the caller's, and null where they have no elements or "
        "the function fails.");
  }
  std::string result;
  for (const std::string& text : texts) result += "///\n" + comment(text, 0, "/// ");
  return result;
}

std::string allocator_declarations(const Program& program, const Dialect& dialect,
                                   const Place& place) {
  if (!allocates(program)) return "";
  const templates::Template& allocator = *templates::find("allocator", dialect.language);
  for (const std::string& header : allocator.system_headers)
    if (header != "cstddef") place.need_header(header);
  return allocator.text + "\n";
}

std::string declarations(const Entry& entry, const Place& place) {
  const Names names = all_params(entry);
  return fmt::format(
      "{}{}{}[[nodiscard]] {};\n\n{}[[nodiscard]] {};\n\n",
      paragraphs(entry), table(rows(entry, place.dialect)), remarks(entry, place), entry_signature(entry, names, place),
      comment(fmt::format("Writes to `bytes` how much scratch {} needs for these sizes{}.", entry.name,
                          entry.scratch.library.empty() ? "" : " on the current device"),
              0, "/// "),
      query_signature(entry, names, place));
}

std::string failure_declarations(const Program& program, const Dialect& dialect) {
  if (!has_checks(program)) return "";
  return fmt::format(
      "{}\n/// What went wrong, for people; empty if nothing did.{}\n"
      "[[nodiscard]] std::string failure_text(const Failure& failure);\n\n",
      templates::find("failure", dialect.language)->text,
      dialect.has_stream ? " `failure` has been copied to the host." : "");
}

}  // namespace

std::string header(const Program& program, const Dialect& dialect, std::string_view opening,
                   std::string_view includes, std::string_view types) {
  Needs needs;
  const Place place{dialect, needs};
  std::string functions;
  for (const Entry& entry : program.entries) functions += declarations(entry, place);
  const std::string allocator = allocator_declarations(program, dialect, place);
  std::string more;  // such as cuda_fp16.h
  for (const std::string& header : needs.headers) more += fmt::format("#include <{}>\n", header);
  return fmt::format(
      "// {}.hpp: the entry points of {} as functions on {}.\n//\n{}{}#pragma once\n\n"
      "#include <cstddef>\n#include <cstdint>\n{}\n{}{}\nnamespace {} {{\n\n{}{}{}{}}}  // "
      "namespace {}\n",
      program.name, program.source, dialect.memory, opening, example(program, place),
      has_checks(program) ? "#include <string>\n" : "", includes, more, program.name_space, types,
      failure_declarations(program, dialect), allocator, functions, program.name_space);
}

}  // namespace boustro::text
