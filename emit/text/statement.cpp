#include "emit/text/statement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/origins.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

using namespace plan;

std::string let(const Let& let, const Place& place) {
  const std::string declaration = let.changes || !let.value
                                      ? variable_text(let.type, let.name, place)
                                      : constant_text(let.type, let.name, place);
  return let.value ? fmt::format("{} = {};\n", declaration, expression(without_widening(*let.value), place))
                   : declaration + ";\n";
}

std::string swap_text(const Swap& swap, const Place& place) {
  if (!swap.pointers) return fmt::format("{}.swap({});\n", swap.x, swap.y);
  place.needs.headers.insert("utility");
  return fmt::format("std::swap({}, {});\n", swap.x, swap.y);
}

bool is_one(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.head);
  return literal && !values::is_float(literal->value.type) && literal->value.bits == 1;
}

/// `x += -y` as `x -= y`.
std::pair<std::optional<Op>, const Expr*> without_sign(const Assign& assign) {
  const bool turns = (assign.op == Op::add || assign.op == Op::sub) && assign.value.head == Head(Op::neg);
  if (!turns) return {assign.op, &assign.value};
  return {assign.op == Op::add ? Op::sub : Op::add, &assign.value.args[0]};
}

std::string assign(const Assign& assign, const Place& place) {
  const std::string target = expression(assign.target, place);
  const auto [op, value] = without_sign(assign);
  if (op == Op::add && is_one(*value)) return fmt::format("++{};\n", target);
  if (op == Op::sub && is_one(*value)) return fmt::format("--{};\n", target);
  return fmt::format("{} {}= {};\n", target, op ? plan::symbol_of(*op) : "", expression(without_widening(*value), place));
}

/// A body that needs no braces: one plain statement without a comment.
bool is_plain(const Stms& body) {
  if (body.size() != 1) return false;
  const Stm& only = body.front();
  const bool plain = std::visit(
      []<typename What>(const What&) {
        return std::is_same_v<What, Assign> || std::is_same_v<What, Do> ||
               std::is_same_v<What, Return> || std::is_same_v<What, Continue> ||
               std::is_same_v<What, Break>;
      },
      only.what);
  return only.above.empty() && plain && only.beside.empty();
}

/// `head { body }`, or without braces what fits into one line.
std::string compound(const std::string& head, const Stms& body, const Place& place) {
  const std::string text = statements(body, place.inner());
  const bool one_line =
      head.size() + 1 + text.size() + 2 * static_cast<std::size_t>(place.depth) <= page_width;
  if (is_plain(body) && one_line) return fmt::format("{} {}", head, text);
  return fmt::format("{} {}", head, braces(text));
}

std::string for_loop(const For& loop, const Place& place) {
  const bool one = !loop.step || is_one(*loop.step);
  const std::string step =
      one ? fmt::format("{}{}", loop.down ? "--" : "++", loop.name)
          : fmt::format("{} {} {}", loop.name,
                        loop.down ? "-=" : "+=", expression(without_widening(*loop.step), place));
  const Expr variable{Var{loop.name}, {}, loop.type};
  const Expr condition{loop.down ? Op::ge : Op::lt, {variable, loop.to}, Type{PrimType::boolean}};
  const std::string head =
      fmt::format("for ({} = {}; {}; {})", variable_text(loop.type, loop.name, place),
                  expression(without_widening(loop.from), place), expression(condition, place), step);
  return (loop.unrolled ? "#pragma unroll\n" : "") + compound(head, loop.body, place);
}

std::string conditional(const If& branch, const Place& place) {
  const std::string head = fmt::format("if ({})", expression(branch.condition, place));
  if (branch.else_body.empty()) return compound(head, branch.then_body, place);
  const std::string then_text = braces(statements(branch.then_body, place.inner()));
  const std::string else_text = statements(branch.else_body, place.inner());
  const Stm& first = branch.else_body.front();
  const bool chain = branch.else_body.size() == 1 && std::holds_alternative<If>(first.what) &&
                     first.above.empty() && first.beside.empty();
  return fmt::format("{} {} else {}", head, then_text.substr(0, then_text.size() - 1),
                     chain ? else_text : braces(else_text));
}

std::string local_array(const LocalArray& array, const Place& place) {
  const std::string columns = array.columns ? fmt::format("[{}]", expression(*array.columns, place)) : "";
  const std::string values = array.values.empty() && !array.zero ? "" : fmt::format(" = {{{}}}", initializers(array.values, place));
  return fmt::format("{}[{}]{}{};\n", variable_text(array.elem, array.name, place), expression(array.size, place), columns, values);
}

/// Without a stream, all work is done by then, so that checks have been made.
std::string success_text(const Place& place) {
  const bool checked = !place.dialect.has_stream && place.entry->can_fail;
  return checked ? "failure->check == 0 ? Status::success : Status::check_failed"
                 : std::string(place.dialect.success);
}

std::string return_text(const Return& done, const Place& place) {
  if (done.value && std::holds_alternative<Construct>(done.value->head)) {  // of the result type
    return fmt::format("return {{{}}};\n", initializers(done.value->args, place));
  }
  if (done.value) return fmt::format("return {};\n", expression(*done.value, place));
  if (!place.entry) return "return;\n";
  const bool tells = done.failed && !place.dialect.has_stream;
  return fmt::format("return {};\n", tells ? "Status::check_failed" : success_text(place));
}

std::string reject(const RejectIf& reject, const Place& place) {
  return fmt::format("if ({}) return {};\n", expression(reject.condition, place),
                     place.dialect.invalid);
}

std::string what(const Stm& stm, const Place& place) {
  const auto by_target = [&](const auto&) { return place.dialect.target_statement(stm, place); };
  return ir::match(
      stm.what, [&](const Let& x) { return let(x, place); },
      [&](const Assign& x) { return assign(x, place); },
      [&](const Do& x) { return expression(x.call, place) + ";\n"; },
      [&](const LocalArray& x) { return local_array(x, place); },
      [&](const Buffer& x) {
        place.need_template("buffer");
        return fmt::format("Buffer<{}> {}({});\n", type_text(x.elem, place), x.name,
                           place.dialect.allocator);
      },
      [&](const Swap& x) { return swap_text(x, place); },
      [](const Release& x) { return fmt::format("*{} = {}.release();\n", x.output, x.buffer); },
      [&](const For& x) { return x.parallel || x.independent ? by_target(x) : for_loop(x, place); },
      [&](const While& x) {
        return compound(fmt::format("while ({})", expression(x.condition, place)), x.body, place);
      },
      [&](const If& x) { return conditional(x, place); },
      [&](const Return& x) { return return_text(x, place); },
      [](const Continue&) { return std::string("continue;\n"); },
      [](const Break&) { return std::string("break;\n"); },
      [&](const RejectIf& x) { return reject(x, place); }, by_target);
}

int launches_in(const Stms& stms) {
  int count = 0;
  for (const Stm& stm : stms) {
    count += ir::match(
        stm.what, [](const Launch&) { return 1; }, [](const For& x) { return launches_in(x.body); },
        [](const While& x) { return launches_in(x.body); },
        [](const If& x) { return launches_in(x.then_body) + launches_in(x.else_body); },
        [](const auto&) { return 0; });
  }
  return count;
}

/// At the end of the first line: behind `{`, or behind the whole statement if that is on one line.
std::string with_beside(std::string text, const std::string& beside) {
  const std::size_t end = text.find('\n');
  return text.insert(end, "  // " + beside);
}

/// A comment beside a statement stands above it where the line would be too long.
bool fits_beside(const std::string& text, const Stm& stm, const Place& place) {
  return text.find('\n') + 4 + stm.beside.size() + 2 * static_cast<std::size_t>(place.depth) <=
         page_width;
}

}  // namespace

std::string braces(const std::string& text) { return "{\n" + text + "}\n"; }

std::string checked(const std::string& call, const Place& place) {
  const std::string head = fmt::format("if (const auto error = {})", call);
  const bool one_line = head.size() + 14 + 2 * static_cast<std::size_t>(place.depth) <= page_width;
  return head + (one_line ? " return error;\n" : " {\nreturn error;\n}\n");
}

namespace {

/// A comment stands below directives, such as those for OpenMP: above it would be theirs.
std::string with_above(std::string text, const std::string& above) {
  std::size_t at = 0;
  while (text.compare(at, 1, "#") == 0) at = text.find('\n', at) + 1;
  return text.insert(at, above);
}

}  // namespace

std::string statement(const Stm& stm, const Place& place) {
  std::string text = what(stm, place);
  std::string above = comment(stm.above, place.depth);
  if (!stm.beside.empty()) {
    if (fits_beside(text, stm, place)) {
      text = with_beside(std::move(text), stm.beside);
    } else {
      above += comment(stm.beside, place.depth);
    }
  }
  return (stm.gap ? "\n" : "") + with_above(std::move(text), above);
}

std::string statements(const Stms& stms, const Place& place, bool last_is_tail) {
  Place inside = place;
  inside.only_launch = launches_in(stms) == 1;
  std::string result;
  for (std::size_t i = 0; i < stms.size(); ++i) {
    inside.tail = place.tail || (last_is_tail && i + 1 == stms.size());
    const std::string text = statement(stms[i], inside);
    // One alone belongs to what is around it, and its length decides about braces.
    result += place.marks && stms.size() > 1 ? marked({stms[i].origin}, text) : text;
  }
  return result;
}

}  // namespace boustro::text
