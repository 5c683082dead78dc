// Parallel operators and derivatives: what takes and yields several arrays goes through zip and unzip.
#include <algorithm>

#include "transform/ir/print/printer.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::printing {
namespace {

std::string in_parentheses(const std::string& text) {
  const bool simple = text.find(' ') == std::string::npos || text.front() == '(';
  return simple ? text : "(" + text + ")";
}

/// `suffix` of functions for several dimensions.
std::string with_dimensions(const std::string& function, std::size_t dimensions) {
  if (dimensions == 1) return function;
  return fmt::format("{}{}_{}d", dimensions > 3 ? "core." : "", function, dimensions);
}

/// zip below the outer dimensions of arrays: map2 zip xss yss.
std::string zipped_below(const std::vector<std::string>& arrays, std::size_t rank) {
  if (arrays.size() == 1 || rank == 1) return zipped(arrays);
  const std::string many = arrays.size() == 2 ? "" : std::to_string(arrays.size());
  std::string function = "zip" + many;
  for (std::size_t r = 1; r < rank; ++r) {
    function = fmt::format("map{} {}", arrays.size(), r == 1 ? function : "(" + function + ")");
  }
  return fmt::format("({} {})", function, fmt::join(arrays, " "));
}

/// The opposite, apart from the outermost unzip.
std::string unzipped_below(std::string array, std::size_t arrays, std::size_t rank) {
  if (arrays == 1) return array;
  const std::string unzip = "unzip" + (arrays == 2 ? "" : std::to_string(arrays));
  for (std::size_t depth = rank - 1; depth > 0; --depth) {
    std::string function = unzip;
    for (std::size_t d = 0; d < depth; ++d) function = d == 0 ? "map " + function : "map (" + function + ")";
    array = function + " " + in_parentheses(array);
  }
  return array;
}

}  // namespace

std::string Printer::map_exp(const Lambda& fn, const Atom& width, const std::vector<Name>& arrays, int indent) {
  if (arrays.empty()) {
    return fmt::format("map {} (iota {})", lambda(fn, indent, "_", TupleStyle::nested), count(width));
  }
  if (arrays.size() > 5) {
    return fmt::format("map {} {}", lambda(fn, indent, params_tuple(fn.params), TupleStyle::nested),
                       zipped(all(arrays)));
  }
  const std::string number = arrays.size() == 1 ? "" : std::to_string(arrays.size());
  const auto section = operator_section(fn);
  return fmt::format("map{} {} {}", number, section ? *section : curried(fn, indent), fmt::join(all(arrays), " "));
}

std::string Printer::bind_map(const std::vector<std::string>& names, const Atom& width, const Lambda& fn,
                              const std::vector<Name>& arrays, const std::vector<Name>& accumulators,
                              const Stm& stm, int indent) {
  const std::string attribute_text = attributes(stm.attributes);
  if (accumulators.empty()) {
    return unzip_lets(names, attribute_text + map_exp(fn, width, arrays, indent), stm, indent);
  }
  const std::size_t n = accumulators.size();
  const std::string params = fmt::format("{} {}", params_tuple(part(fn.params, 0, n)),
                                         arrays.empty() ? "_" : params_tuple(part(fn.params, n, arrays.size())));
  const std::vector<std::string> results = all(fn.body.result);
  const std::string body = line_start(indent + 2) + statements(fn.body, indent + 2) +
                           fmt::format("({}, {})", tuple(part(results, 0, n)), tuple(part(results, n, results.size())));
  const std::string inputs = arrays.empty() ? fmt::format("(iota {})", count(width)) : zipped(all(arrays));
  const std::string exp = fmt::format("{}core.map (\\{} ->{}) {} {}", attribute_text, params, body,
                                      tuple(all(accumulators)), inputs);
  const std::vector<std::string> mapped = part(names, n, names.size());
  const std::string accs = tuple(part(names, 0, n));
  if (mapped.size() <= 1) {
    return let(fmt::format("({}, {})", accs, mapped.empty() ? "_" : mapped[0]), exp, stm, indent);
  }
  const std::string rows = names_.fresh("rows");
  return let(fmt::format("({}, {})", accs, rows), exp, stm, indent) + line_start(indent) +
         unzip_lets(mapped, own(rows), stm, indent);
}

std::string Printer::fold_exp(const std::string& function, const Lambda& op, const std::vector<Atom>& neutral,
                              const std::vector<std::string>& arrays, int indent) {
  return fmt::format("{} {} {} {}", function, operator_lambda(op, indent), tuple(all(neutral)), zipped(arrays));
}

std::string Printer::own(const std::string& array) const {
  return (options_.exact ? "core.fresh " : "copy ") + array;
}

std::string Printer::fresh_fold(const std::string& exp, const Lambda& op) const {
  const bool any_array = std::any_of(op.result_types.begin(), op.result_types.end(),
                                     [](const Type& type) { return !type.shape.empty(); });
  return any_array ? own("(" + exp + ")") : exp;
}

std::string Printer::print(const Reduce& e, int indent) {
  return fold_exp(e.commutative ? "reduce_comm" : "reduce", e.op, e.neutral, all(e.arrays), indent);
}

std::string Printer::print(const Scan& e, int indent) {
  return fold_exp("scan", e.op, e.neutral, all(e.arrays), indent);
}

/// The map, then each reduction or scan of its results.
std::string Printer::fused_statement(const Atom& width, const std::vector<Operator>& operators, const Lambda& fn,
                                     const std::vector<Name>& arrays, const std::vector<Name>& accumulators,
                                     bool scan, const Stm& stm, int indent) {
  std::size_t operands = 0;
  for (const Operator& op : operators) operands += op.neutral.size();
  const std::size_t first = accumulators.size();

  std::vector<std::string> mapped, bound;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const bool is_operand = i >= first && i < first + operands;
    const std::string name_text = name(stm.pattern[i].name);
    bound.push_back(name_text);
    mapped.push_back(is_operand ? names_.fresh(name_text + "_terms") : name_text);
  }
  std::string text = bind_map(mapped, width, fn, arrays, accumulators, stm, indent);
  std::size_t next = first;
  for (const Operator& op : operators) {
    const std::size_t count = op.neutral.size();
    const char* verb = scan ? "scan" : op.commutative ? "reduce_comm" : "reduce";
    const std::string exp = fold_exp(verb, op.op, op.neutral, part(mapped, next, count), indent);
    const std::vector<std::string> names = part(bound, next, count);
    text += line_start(indent) + (scan ? unzip_lets(names, exp, stm, indent) : let(tuple(names), fresh_fold(exp, op.op), stm, indent));
    next += count;
  }
  return text;
}

std::string Printer::print(const Map& e, int indent) { return map_exp(e.fn, e.width, e.arrays, indent); }

// Forms that only a statement can show in full; this is for messages.
std::string Printer::print(const MapReduce& e, int indent) { return "reduce of " + map_exp(e.fn, e.width, e.arrays, indent); }
std::string Printer::print(const MapScan& e, int indent) { return "scan of " + map_exp(e.fn, e.width, e.arrays, indent); }
std::string Printer::print(const ReduceByIndex& e, int) {
  return fmt::format("reduce_by_index into {}", fmt::join(all(e.histograms.at(0).destinations), ", "));
}
std::string Printer::print(const Scatter& e, int) {
  return fmt::format("scatter into {}", fmt::join(all(e.destinations), ", "));
}

std::string Printer::histogram(const Histogram& h, const std::vector<std::string>& indices,
                               const std::vector<std::string>& values, int indent) {
  const std::size_t rank = h.shape.size();
  return fmt::format("{} {} {} {} {} {}", with_dimensions("reduce_by_index", rank),
                     zipped_below(all(h.destinations), rank), operator_lambda(h.op, indent), tuple(all(h.neutral)),
                     zipped(indices), zipped(values));
}

std::string Printer::histogram_statement(const ReduceByIndex& e, const Stm& stm, int indent) {
  std::string text;
  std::vector<std::string> columns = all(e.arrays);  // indices and values
  if (!is_identity(e.fn)) {
    columns.clear();
    for (const Atom& result : e.fn.body.result) {
      const Name* result_name = name_in(result);
      columns.push_back(names_.fresh((result_name ? name(*result_name) : "value") + "_all"));
    }
    text = bind_map(columns, e.width, e.fn, e.arrays, {}, stm, indent) + line_start(indent);
  }
  std::size_t next_column = 0, next_name = 0;
  for (const Histogram& h : e.histograms) {
    const std::size_t rank = h.shape.size(), count = h.destinations.size();
    const std::string exp = histogram(h, part(columns, next_column, rank), part(columns, next_column + rank, count), indent);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < count && next_name < stm.pattern.size(); ++k) {
      names.push_back(name(stm.pattern[next_name++].name));
    }
    text += (next_column == 0 ? "" : line_start(indent)) +
            unzip_lets(names, unzipped_below(exp, count, rank), stm, indent);
    next_column += rank + count;
  }
  return text;
}

std::string Printer::scatter_statement(const Scatter& e, const Stm& stm, int indent) {
  std::string text;
  for (std::size_t k = 0; k < e.destinations.size(); ++k) {
    const std::string exp =
        fmt::format("{} {} {} {}", with_dimensions("scatter", e.indices.size()), name(e.destinations[k]),
                    zipped(all(e.indices)), name(e.values.at(k)));
    text += (k == 0 ? "" : line_start(indent)) + let(name(stm.pattern.at(k).name), exp, stm, indent);
  }
  return text;
}

// ---- Derivatives ---------------------------------------------------------------------------------

/// let (y, x_adj) = vjp2 f x y_adj; seeds and their results are arrays of tuples where there are several.
std::string Printer::derivative_statement(const std::string& function, const Lambda& fn,
                                          const std::vector<Atom>& args, const std::vector<Atom>& seeds,
                                          const Shape& seed_shape, const Stm& stm, int indent) {
  const std::string seed = seed_shape.empty() ? tuple(all(seeds)) : zipped(all(seeds));
  const std::string call = fmt::format(
      "{} {} {} {}", function, lambda(fn, indent, params_tuple(fn.params), TupleStyle::nested), tuple(all(args)), seed);
  const std::string exp = attributes(stm.attributes) + (options_.exact ? own("(" + call + ")") : call);
  std::vector<std::string> names;
  for (const Param& p : stm.pattern) names.push_back(name(p.name));
  const std::size_t primal = fn.result_types.size();
  const std::string primals = tuple(part(names, 0, primal));
  const std::vector<std::string> derivatives = part(names, primal, names.size());
  if (seed_shape.empty() || derivatives.size() <= 1) {
    return let(fmt::format("({}, {})", primals, tuple(derivatives)), exp, stm, indent);
  }
  const std::string rows = names_.fresh("rows");
  return let(fmt::format("({}, {})", primals, rows), exp, stm, indent) + line_start(indent) +
         unzip_lets(derivatives, own(rows), stm, indent);
}

std::string Printer::print(const Jvp& e, int indent) {
  return fmt::format("{} {} {} {}", e.seed_shape.empty() ? "jvp2" : "jmp2",
                     lambda(e.fn, indent, params_tuple(e.fn.params), TupleStyle::nested), tuple(all(e.args)),
                     tuple(all(e.tangents)));
}

std::string Printer::print(const Vjp& e, int indent) {
  return fmt::format("{} {} {} {}", e.seed_shape.empty() ? "vjp2" : "mjp2",
                     lambda(e.fn, indent, params_tuple(e.fn.params), TupleStyle::nested), tuple(all(e.args)),
                     tuple(all(e.adjoints)));
}

std::string Printer::print(const WithVjp& e, int indent) {
  const std::size_t primal = e.fn.result_types.size();
  const std::string vjp_params =
      params_tuple(part(e.vjp.params, 0, primal)) + " " + params_tuple(part(e.vjp.params, primal, primal));
  return fmt::format("with_vjp {} {} {}", lambda(e.fn, indent, params_tuple(e.fn.params), TupleStyle::nested),
                     lambda(e.vjp, indent, vjp_params, TupleStyle::nested), tuple(all(e.args)));
}

}  // namespace boustro::ir::printing
