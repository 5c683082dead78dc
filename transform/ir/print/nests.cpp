// Nests: `core.nest_2d n m point outs`, where `point` makes the values of one point and `outs`, given all values as one
// array of tuples, combines them. An attribute tells the levels.
#include "transform/ir/print/printer.hpp"

namespace boustro::ir::printing {
namespace {

std::string parenthesised(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

/// f, applied below so many dimensions: map (map f)
std::string below(std::string function, int dimensions) {
  for (int d = 0; d < dimensions; ++d) function = "map " + parenthesised(function);
  return function;
}

/// `flatten` of so many dimensions to one.
std::string flattened(const std::string& array, std::size_t dimensions) {
  if (dimensions <= 1) return array;
  return fmt::format("(flatten{} {})",
                     dimensions == 2 ? "" : "_" + std::to_string(dimensions) + "d", array);
}

}  // namespace

std::string_view name_of(Level level) {
  constexpr std::string_view names[] = {"grid", "block", "warp", "thread", "workers", "lanes"};
  return names[static_cast<std::size_t>(level)];
}

/// What an out makes of columns of the values: indices, then values.
std::vector<std::string> Printer::out_exps(const Out& out, std::size_t rank,
                                           const std::vector<std::string>& columns, int indent) {
  const std::vector<std::string> indices = part(columns, 0, out.indices());
  std::vector<std::string> values = part(columns, out.indices(), out.values());
  const auto flat = [&](const std::string& array) { return flattened(array, rank); };
  switch (out.kind) {
    case OutKind::store:
      return values;
    case OutKind::reduce: {
      const int combined = static_cast<int>(rank) - out.rank;
      const std::string fold =
          fmt::format("{} {} {}", out.op->commutative ? "reduce_comm" : "reduce",
                      operator_lambda(out.op->op, indent), tuple(all(out.op->neutral)));
      const std::string function =
          combined == 1 ? fold
                        : fmt::format("\\xs -> {} {}", fold,
                                      flattened("xs", static_cast<std::size_t>(combined)));
      const std::string whole = out.rank == 0 && combined == 1 ? fold : parenthesised(function);
      return {out.rank == 0 ? fmt::format("{} {}", whole, zipped(values))
                            : fmt::format("{} {}", below(function, out.rank), zipped(values))};
    }
    case OutKind::scan: {
      const std::string fold = fmt::format("scan {} {}", operator_lambda(out.op->op, indent),
                                           tuple(all(out.op->neutral)));
      return {fmt::format("{} {}", below(fold, out.rank), zipped(values))};
    }
    case OutKind::histogram: {
      std::vector<std::string> flat_indices, flat_values;
      for (const std::string& index : indices) flat_indices.push_back(flat(index));
      for (const std::string& value : values) flat_values.push_back(flat(value));
      const Histogram histogram{out.bins, out.destinations, out.op->op, out.op->neutral};
      return {this->histogram(histogram, flat_indices, flat_values, indent)};
    }
    case OutKind::scatter: {
      std::vector<std::string> flat_indices, texts;
      for (const std::string& index : indices) flat_indices.push_back(flat(index));
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::string function =
            indices.size() == 1 ? "scatter" : fmt::format("scatter_{}d", indices.size());
        texts.push_back(fmt::format("{} {} {} {}", function, name(out.destinations[k]),
                                    zipped(flat_indices), flat(values[k])));
      }
      return texts;
    }
  }
  return {};
}

std::string Printer::nest_statement(const Nest& e, const Stm& stm, int indent) {
  const std::size_t accumulators = e.accumulators.size(), rank = e.space.size();
  std::vector<std::string> columns;
  for (std::size_t i = accumulators; i < e.point.body.result.size(); ++i) {
    const Name* result = name_in(e.point.body.result[i]);
    columns.push_back(names_.fresh((result ? name(*result) : "value") + "_all"));
  }
  std::string outs;
  std::vector<std::string> results;
  std::size_t next = 0;
  for (const Out& out : e.outs) {
    const std::size_t count = out.indices() + out.values();
    for (const std::string& text : out_exps(out, rank, part(columns, next, count), indent + 4))
      results.push_back(text);
    next += count;
  }
  const std::string body_of_outs = columns.size() == 1 ? results.at(0) : tuple(results);
  std::string text = fmt::format("#[{}_{}] core.nest_{}d", name_of(e.over), name_of(e.each), rank);
  for (const Atom& extent : e.space) text += " " + count(extent);
  if (accumulators > 0) text += " " + tuple(all(e.accumulators));
  std::string params;
  if (accumulators > 0) params = params_tuple(part(e.point.params, 0, accumulators)) + " ";
  for (std::size_t d = accumulators; d < e.point.params.size(); ++d)
    params += (d == accumulators ? "" : " ") + param(e.point.params[d]);
  text += line_start(indent + 4) + lambda(e.point, indent + 4, params, TupleStyle::flat);
  text += line_start(indent + 4) + fmt::format("(\\{} -> {})", flat_tuple(columns), body_of_outs);
  std::vector<std::string> names;
  for (const Param& p : stm.pattern) names.push_back(name(p.name));
  return let(flat_tuple(names), attributes(stm.attributes) + text, stm, indent);
}

std::string Printer::print(const Nest& e, int) {
  return fmt::format("core.nest_{}d over {}", e.space.size(), name_of(e.over));
}

}  // namespace boustro::ir::printing
