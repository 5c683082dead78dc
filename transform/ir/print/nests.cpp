// Nests: `core.nest (n, m) point outs`. `point` makes the values of one point, `outs` says what becomes of them, an attribute
// who shares the points and who runs one.
#include <algorithm>

#include "transform/ir/nest.hpp"
#include "transform/ir/print/printer.hpp"

namespace boustro::ir::printing {
namespace {

std::string argument(const std::string& text) {
  return text.find(' ') == std::string::npos || text.front() == '(' ? text : "(" + text + ")";
}

}  // namespace

/// (x: t), or (x: t, y: u), however many.
std::string Printer::flat_params(const std::vector<Param>& params) const {
  std::vector<std::string> texts;
  for (const Param& p : params) texts.push_back(name(p.name) + ": " + type(p.type, p.unique));
  return fmt::format("({})", fmt::join(texts, ", "));
}

std::string Printer::combination(const Out& out, std::size_t rank, int indent) {
  const auto with_operator = [&](const std::string& head) {
    return fmt::format("{} {} {}", head, operator_lambda(out.op->op, indent), tuple(all(out.op->neutral)));
  };
  const auto with_destinations = [&](const char* head) {
    return fmt::format("{} {} {}", head, out.bins.size(), flat_tuple(all(out.destinations)));
  };
  switch (out.kind) {
    case OutKind::store:
      return fmt::format("core.store {}", rank);
    case OutKind::reduce:
      return with_operator(fmt::format("core.reduce{} {}", out.op->commutative ? "_comm" : "", out.rank));
    case OutKind::scan:
      return with_operator(fmt::format("core.scan {}", out.rank));
    case OutKind::histogram:
      return with_operator(with_destinations("core.histogram"));
    case OutKind::scatter:
      return with_destinations("core.scatter");
  }
  return {};
}

std::string Printer::out_exp(const Out& out, std::size_t rank, int indent) {
  std::string text = combination(out, rank, indent);
  if (out.epilogue) {
    const Lambda& fn = *out.epilogue;
    text = fmt::format("core.epilogue ({}) {}", text,
                       lambda(fn, indent, flat_params(fn.params), TupleStyle::flat));
  }
  return out.method == Method::open ? text : fmt::format("core.{} ({})", text_of(out.method), text);
}

/// \(i: i64, j: i64) -> (y, x), or with accumulators \(acc: t) (i: i64, j: i64) -> (acc, (y, x))
std::string Printer::point_exp(const Lambda& fn, std::size_t carried, int indent) {
  const std::string arguments = flat_params(part(fn.params, carried, fn.params.size()));
  if (carried == 0) return lambda(fn, indent, arguments, TupleStyle::flat);
  const std::vector<std::string> results = all(fn.body.result);
  return fmt::format("(\\{} {} ->{}{}({}, {}))", flat_params(part(fn.params, 0, carried)), arguments,
                     line_start(indent + 2), statements(fn.body, indent + 2),
                     flat_tuple(part(results, 0, carried)),
                     flat_tuple(part(results, carried, results.size())));
}

std::string Printer::nest_exp(const Nest& e, int indent) {
  std::vector<std::string> space, outs;
  for (const Atom& extent : e.space) space.push_back(count(extent));
  for (const Out& out : e.outs) outs.push_back(out_exp(out, e.space.size(), indent + 2));
  std::string text = fmt::format("#[{}] ", text_of_levels(e.over, e.each));
  if (e.additions != Method::open) text += fmt::format("#[additions({})] ", text_of(e.additions));
  text += fmt::format("core.nest{} {}", e.accumulators.empty() ? "" : "_acc", flat_tuple(space));
  text += line_start(indent + 2) + point_exp(e.point, e.accumulators.size(), indent + 2) + line_start(indent + 2);
  if (!e.accumulators.empty()) text += flat_tuple(all(e.accumulators)) + " ";
  return text + argument(flat_tuple(outs));
}

/// (ys: [n]f64, total: f64), behind accumulators if there are any.
std::string Printer::typed_results(const Stm& stm, std::size_t accumulators) const {
  std::vector<std::string> carried, made;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Param& p = stm.pattern[i];
    if (i < accumulators)
      carried.push_back(name(p.name));
    else
      made.push_back(name(p.name) + ": " + type(p.type));
  }
  const std::string results = fmt::format("({})", fmt::join(made, ", "));
  return carried.empty() ? results : fmt::format("({}, {})", flat_tuple(carried), results);
}

std::string Printer::nest_statement(const Nest& e, const Stm& stm, int indent) {
  return let(typed_results(stm, e.accumulators.size()), attributes(stm.attributes) + nest_exp(e, indent + 2), stm,
             indent);
}

std::string Printer::fused_call(const Atom& width, const Lambda& fn, const std::vector<Name>& arrays,
                                const std::vector<Name>& accumulators, const std::vector<Out>& outs,
                                const Stm& stm, int indent) {
  std::vector<std::string> texts;
  for (const Out& out : outs) texts.push_back(out_exp(out, 1, indent + 4));
  std::string text = fmt::format("{}core.fused{} {}", attributes(stm.attributes), accumulators.empty() ? "" : "_acc",
                                 count(width));
  text += line_start(indent + 4) + point_exp(fn, accumulators.size(), indent + 4) + line_start(indent + 4);
  if (!accumulators.empty()) text += flat_tuple(all(accumulators)) + " ";
  text += flat_tuple(all(arrays)) + " " + argument(flat_tuple(texts));
  return let(typed_results(stm, accumulators.size()), text, stm, indent);
}

std::string Printer::print(const Nest& e, int indent) { return nest_exp(e, indent); }

}  // namespace boustro::ir::printing
