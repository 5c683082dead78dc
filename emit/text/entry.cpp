#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/query_name.hpp"
#include "emit/plan/walk.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/file.hpp"
#include "emit/text/function.hpp"
#include "emit/text/library_needs.hpp"
#include "emit/text/statement.hpp"
#include "emit/text/types.hpp"

namespace boustro::text {
namespace {

using namespace plan;

bool is_output(const Param& param) {
  return param.access == Access::written || param.access == Access::added_to;
}

/// By value, and an integer: the scratch memory may depend on it.
bool is_size(const Param& param) {
  return !param.type.pointer && values::is_integer(param.type.prim);
}

Names names_in_rejects(const Entry& entry) {
  Names names;
  for (const RejectIf& reject : entry.rejects) add_names(reject.condition, names);
  return names;
}

void add_scratch_params(const Entry& entry, Names& names) {
  for (const Param& param : entry.scratch.params) names.insert(param.name);
}

/// What the query mentions, and the part of the prologue that it runs.
struct Query {
  explicit Query(const Entry& entry) : used(names_in_rejects(entry)) {
    add_scratch_params(entry, used);
    prologue = needed_part(entry.prologue, used);
  }
  Names used;
  Stms prologue;
};

/// That there is as much memory as the query says, which it is handed on with.
std::string ask_for_libraries(const Entry& entry, const Place& place) {
  std::string sizes;
  for (const Param& param : query_params(entry)) sizes += ", " + param.name;
  return fmt::format("std::size_t needed_bytes = 0;\n{}if (scratch == nullptr || scratch_bytes < needed_bytes) return {};\n",
                     checked(fmt::format("{}(&needed_bytes{})", query_name(entry.name), sizes), place), place.dialect.invalid);
}

/// `buffers`, and that there is as much memory as it needs.
std::string make_buffers(const Entry& entry, const Place& place) {
  const Scratch& scratch = entry.scratch;
  if (scratch.empty() || is_only_for_libraries(scratch)) return "";
  const std::string result = fmt::format("const {} buffers{};\n", scratch.name, scratch_value(scratch, "scratch"));
  if (scratch.library.empty()) {
    return result +
           fmt::format("if (!buffers.fits(scratch_bytes)) return {};\n", place.dialect.invalid);
  }
  // CUB takes a null pointer for a question.
  return result + fmt::format(
                      "if (buffers.status != {0}) return buffers.status;\n"
                      "if (!buffers.fits(scratch_bytes)) return {1};\n"
                      "std::size_t library_bytes = buffers.library_bytes;\n",
                      place.dialect.success, place.dialect.invalid);
}

/// Where the entry fails, there are no results to give back.
std::string clear_late_results(const Entry& entry) {
  std::string result;
  for (const Param& param : entry.params) {
    if (param.late)
      result += fmt::format("*{} = {};\n", param.name, param.shape.empty() ? "0" : "nullptr");
  }
  return result;
}

std::string clear_failure(const Entry& entry, const Place& place) {
  if (!entry.can_fail) return "";
  if (!place.dialect.has_stream) return "*failure = Failure{};\n";
  return checked("cudaMemsetAsync(failure, 0, sizeof(Failure), stream)", place);
}

/// `n < 0`, or several of these.
bool asks_for_sign(const Expr& condition) {
  const Op* op = std::get_if<Op>(&condition.head);
  if (op && *op == Op::logical_or)
    return asks_for_sign(condition.args[0]) && asks_for_sign(condition.args[1]);
  return op && *op == Op::lt && int_value(condition.args[1]) == 0;
}

/// First whether a size is negative, then whether one is too large: each in one condition, of which
/// C++ evaluates as much as it takes.
std::string rejects(const Entry& entry, const Place& place) {
  std::optional<Expr> negative, large;
  for (const RejectIf& reject : entry.rejects) {
    std::optional<Expr>& all = asks_for_sign(reject.condition) ? negative : large;
    all = all ? *all || reject.condition : reject.condition;
  }
  std::string result;
  if (negative) result += statement(RejectIf{*negative}, place);
  if (large) result += statement(RejectIf{*large}, place);
  return result;
}

/// Whether the last statement is one that returns on every path.
bool ends_with_return(const Stms& body) {
  return !body.empty() && std::holds_alternative<Return>(body.back().what);
}

bool is_device_call(const Stm& stm) {
  return std::visit(
      []<typename What>(const What&) {
        return std::is_same_v<What, Launch> || std::is_same_v<What, Run> ||
               std::is_same_v<What, Fill> || std::is_same_v<What, Copy>;
      },
      stm.what);
}

/// The body; its last call, if that is what it ends with, gives the result: `return
/// cudaGetLastError();`.
std::string body_text(const Entry& entry, const Place& place) {
  if (ends_with_return(entry.body)) return statements(entry.body, place);
  if (place.dialect.has_stream && !entry.body.empty() && is_device_call(entry.body.back())) {
    return statements(entry.body, place, true);
  }
  return statements(entry.body, place) + statement(Return{}, place);
}

/// Names that the printer adds and that may go unused.
void add_own_names(const Entry& entry, const std::string& body, Names& names) {
  if (!entry.scratch.empty()) names.insert({"scratch", "scratch_bytes"});
  if (entry.can_fail) names.insert("failure");
  if (body.find("stream") != std::string::npos) names.insert("stream");
  if (entry.allocates) names.insert("allocator");
  for (const Param& param : entry.params)
    if (param.late) names.insert(param.name);
}

/// T** name
std::string late_param(const Param& param, const Place& place) {
  return fmt::format("{}* {}", type_text(param.type, place), param.name);
}

std::string own_param(std::string_view type, const std::string& name, const Names& used) {
  return fmt::format(fmt::runtime(used.contains(name) ? "{} {}" : "{} /*{}*/"), type, name);
}

}  // namespace

std::string entry_signature(const Entry& entry, const Names& used, const Place& place,
                            bool restricted) {
  std::vector<std::string> params;
  bool failure = !entry.can_fail;  // its parameter is there
  for (const Param& param : entry.params) {
    if (!failure && !is_output(param)) {
      params.push_back(own_param("Failure*", "failure", used));
      failure = true;
    }
    Param shown = param;
    shown.type.restricted = restricted && param.type.pointer && !param.late;
    const bool pointed_to = param.late && !param.shape.empty();
    params.push_back(pointed_to ? late_param(param, place) : param_text(shown, used, place));
  }
  if (!failure) params.push_back(own_param("Failure*", "failure", used));
  if (entry.allocates) params.push_back(own_param("Allocator&", "allocator", used));
  params.push_back(own_param("void*", "scratch", used));
  params.push_back(own_param("std::size_t", "scratch_bytes", used));
  if (place.dialect.has_stream) params.push_back(own_param("cudaStream_t", "stream", used));
  return fmt::format("{} {}({})", place.dialect.error_type, entry.name, fmt::join(params, ", "));
}

std::vector<Param> query_params(const Entry& entry) {
  const Names used = Query(entry).used;
  std::vector<Param> params;
  for (const Param& param : entry.params)
    if (is_size(param) || (!param.type.pointer && used.contains(param.name))) params.push_back(param);
  return params;
}

std::string query_signature(const Entry& entry, const Names& used, const Place& place) {
  std::string params = "std::size_t* bytes";
  for (const Param& param : query_params(entry)) params += ", " + param_text(param, used, place);
  return fmt::format("{} {}({})", place.dialect.error_type, query_name(entry.name), params);
}

Names all_params(const Entry& entry) {
  Names names{"allocator", "failure", "scratch", "scratch_bytes", "stream"};
  for (const Param& param : entry.params) names.insert(param.name);
  return names;
}

std::string scratch_query(const Entry& entry, const Place& place) {
  const Scratch& scratch = entry.scratch;
  const Query query(entry);
  const Place inside = place.inner();
  const std::string prologue = statements(query.prologue, inside);
  std::string result = fmt::format("{} {{\n{}{}", query_signature(entry, query.used, place),
                                   rejects(entry, inside), prologue);
  if (is_only_for_libraries(scratch)) return result + ask_libraries(scratch, inside) + "}\n\n";
  const std::string value = scratch_value(scratch, "nullptr");
  if (scratch.empty()) {
    result += "*bytes = 0;\n";
  } else if (scratch.library.empty()) {
    result += fmt::format("*bytes = {}{}.bytes();\n", scratch.name, value);
  } else {
    return result + fmt::format("const {} buffers{};\n*bytes = buffers.bytes();\nreturn buffers.status;\n}}\n\n", scratch.name, value);
  }
  return result + fmt::format("return {};\n}}\n\n", place.dialect.success);
}

std::string entry_function(const Entry& entry, const Place& place) {
  Place inside = place.inner();
  inside.entry = &entry;
  Names used = names_in(entry.body);
  add_scratch_params(entry, used);
  const std::string prologue = statements(needed_part(entry.prologue, used), inside);
  used.merge(names_in_rejects(entry));
  const std::string body =
      make_buffers(entry, inside) + clear_failure(entry, inside) + body_text(entry, inside);
  add_own_names(entry, body, used);
  // The query rejects what the entry does.
  const bool asks = is_only_for_libraries(entry.scratch);
  if (asks)
    for (const Param& param : query_params(entry)) used.insert(param.name);
  const std::string checks = asks ? ask_for_libraries(entry, inside) : rejects(entry, inside);
  return fmt::format("{} {{\n{}{}{}}}\n\n", entry_signature(entry, used, place, !place.dialect.has_stream), clear_late_results(entry) + checks, prologue, body);
}

}  // namespace boustro::text
