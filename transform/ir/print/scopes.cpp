// Functions, bodies, lambdas and the statements in them.
#include <algorithm>

#include "transform/ir/print/printer.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::printing {
namespace {

bool mentions(const std::vector<Type>& types, const Name& size) {
  return std::any_of(types.begin(), types.end(), [&](const Type& type) {
    return std::find(type.shape.begin(), type.shape.end(), Atom(size)) != type.shape.end();
  });
}

std::vector<Name> names_of(const std::vector<Param>& params) {
  std::vector<Name> names;
  for (const Param& param : params) names.push_back(param.name);
  return names;
}

int bodies_in(const Exp& exp) {
  int count = 0;
  for_each_body(exp, [&](const Body&) { ++count; });
  return count;
}

bool has_slice(const Exp& exp) {
  const auto* index = std::get_if<Index>(&exp);
  return index && std::any_of(index->indices.begin(), index->indices.end(), [](const DimIndex& i) {
           return std::holds_alternative<Slice>(i);
         });
}

}  // namespace

Printer::Printer(Namer names, std::unordered_map<Name, Type> types, const PrintOptions& options)
    : names_(std::move(names)), types_(std::move(types)), options_(options) {}

std::string Printer::function(const Function& f) {
  std::string text;
  for (std::size_t begin = 0; begin < f.doc.size();) {
    const std::size_t end = std::min(f.doc.find('\n', begin), f.doc.size());
    text += (begin == 0 ? "-- | " : "-- ") + f.doc.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  text += attributes(f.attributes);
  text += (f.entry ? "entry " : "def ") + callees.at(f.name).name;

  const std::vector<bool> sizes = sizes_among(f.params);
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    const bool implicit = static_cast<int>(i) < f.size_params && sizes[i];
    text += implicit ? " [" + name(f.params[i].name) + "]" : " " + param(f.params[i]);
  }
  if (f.params.empty()) text += " ()";

  // Sizes among the results are existential; the rest are the results that the caller sees. An entry shows no size,
  // not even one that turned out to be a constant.
  std::string existential;
  std::vector<bool> left_out;
  std::vector<std::string> types;
  for (std::size_t i = 0; i < f.result_types.size(); ++i) {
    const bool is_size = static_cast<int>(i) < f.size_results;
    const Name* size = is_size ? name_in(f.body.result.at(i)) : nullptr;
    const bool bound = size && mentions(f.result_types, *size);
    left_out.push_back(bound || (is_size && f.entry));
    const bool is_param = bound && std::any_of(f.params.begin(), f.params.end(),
                                               [&](const Param& p) { return p.name == *size; });
    if (bound && !is_param) existential += "[" + name(*size) + "]";
    if (!left_out[i]) types.push_back(type(f.result_types[i], i < fresh_results.size() && fresh_results[i]));
  }
  text += " : " + (existential.empty() ? "" : "?" + existential + ".") + flat_tuple(types) + " =";
  return text + line_start(2) + body(f.body, 2, left_out) + "\n";
}

std::string Printer::results(const std::vector<Atom>& results, const std::vector<bool>& left_out,
                             TupleStyle style) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i >= left_out.size() || !left_out[i]) texts.push_back(atom(results[i]));
  }
  return style == TupleStyle::flat ? flat_tuple(texts) : tuple(texts);
}

std::string Printer::statements(const Body& body, int indent) {
  std::string text;
  for (const Stm& stm : body.stms) text += statement(stm, indent) + line_start(indent);
  return text + (body.stms.empty() ? "" : "in ");
}

std::string Printer::body(const Body& body, int indent, const std::vector<bool>& left_out) {
  return statements(body, indent) + results(body.result, left_out, TupleStyle::flat);
}

/// On the same line if it is an operand or a single scalar expression, otherwise on lines of its own.
std::string Printer::nested_body(const Body& b, int indent, const std::vector<bool>& left_out, TupleStyle style) {
  if (b.stms.empty()) return " " + results(b.result, left_out, style);
  const Stm& only = b.stms[0];
  const bool is_result = b.stms.size() == 1 && only.pattern.size() == 1 && b.result.size() == 1 &&
                         b.result[0] == Atom(only.pattern[0].name) && only.attributes.empty();
  const bool is_simple = is_result && only.pattern[0].type.is_scalar() && provenance(only).empty() &&
                         bodies_in(only.exp) == 0;
  if (is_simple) return " " + expression(only.exp, indent);
  return line_start(indent) + statements(b, indent) + results(b.result, left_out, style);
}

std::string Printer::lambda(const Lambda& fn, int indent, const std::string& params, TupleStyle style) {
  return fmt::format("(\\{} ->{})", params, nested_body(fn.body, indent + 2, {}, style));
}

/// \(x: t) (y: u) -> ...
std::string Printer::curried(const Lambda& fn, int indent) {
  std::string params;
  for (const Param& p : fn.params) params += (params.empty() ? "" : " ") + param(p);
  return lambda(fn, indent, params, TupleStyle::nested);
}

/// (+), f64.max, (&&)
std::optional<std::string> Printer::operator_section(const Lambda& op) const {
  const auto kind = as_binop(op);
  if (!kind) return std::nullopt;
  // What is written in another way, or with its operands swapped, means the same.
  const auto* binop = std::get_if<BinOp>(&op.body.stms[0].exp);
  if (options_.exact && (!binop || binop->lhs != Atom(op.params[0].name))) return std::nullopt;
  const PrimType elem = op.params[0].type.elem;
  if (elem == PrimType::boolean) {
    if (*kind == BinOpKind::bit_and) return options_.exact ? "(&)" : "(&&)";
    if (*kind == BinOpKind::bit_or) return options_.exact ? "(|)" : "(||)";
    return std::nullopt;
  }
  if (!symbol_of(*kind).empty()) return fmt::format("({})", symbol_of(*kind));
  return fmt::format("{}.{}", values::name_of(elem), name_of(*kind));
}

/// The operator of a reduction: of two operands, which are tuples if it has several components.
std::string Printer::operator_lambda(const Lambda& op, int indent) {
  if (const auto section = operator_section(op)) return *section;
  const auto middle = op.params.begin() + static_cast<std::ptrdiff_t>(op.params.size() / 2);
  const std::string params = params_tuple({op.params.begin(), middle}) + " " + params_tuple({middle, op.params.end()});
  return lambda(op, indent, params, TupleStyle::nested);
}

// ---- Statements ----------------------------------------------------------------------------------

std::string Printer::let(const std::string& pattern, const std::string& exp, const Stm& stm, int indent) {
  std::string text = fmt::format("let {} =", pattern);
  const bool is_scope = exp.starts_with("if ") || exp.starts_with("loop ") || exp.starts_with("#[");
  text += exp.find('\n') != std::string::npos && is_scope ? line_start(indent + 2) + exp : " " + exp;
  const std::string comment = provenance(stm);
  if (!comment.empty()) text.insert(std::min(text.find('\n'), text.size()), comment);
  return text;
}

std::string Printer::statement(const Stm& stm, int indent) {
  if (const auto text = exact_fused(stm, indent)) return *text;
  return match(
      stm.exp,  //
      [&](const Map& e) {
        return bind_map(all(names_of(stm.pattern)), e.width, e.fn, e.arrays, e.accumulators, stm, indent);
      },
      [&](const MapReduce& e) {
        return fused_statement(e.width, e.operators, e.fn, e.arrays, e.accumulators, false, stm, indent);
      },
      [&](const MapScan& e) {
        return fused_statement(e.width, e.operators, e.fn, e.arrays, {}, true, stm, indent);
      },
      [&](const Reduce& e) {
        const std::string exp = attributes(stm.attributes) + print(e, indent);
        return let(tuple(all(names_of(stm.pattern))), fresh_fold(exp, e.op), stm, indent);
      },
      [&](const Scan& e) {
        return unzip_lets(all(names_of(stm.pattern)), attributes(stm.attributes) + print(e, indent), stm, indent);
      },
      [&](const ReduceByIndex& e) { return histogram_statement(e, stm, indent); },
      [&](const Scatter& e) { return scatter_statement(e, stm, indent); },
      [&](const Nest& e) { return nest_statement(e, stm, indent); },
      [&](const Jvp& e) {
        const char* function = e.seed_shape.empty() ? "jvp2" : "jmp2";
        return derivative_statement(function, e.fn, e.args, e.tangents, e.seed_shape, stm, indent);
      },
      [&](const Vjp& e) {
        const char* function = e.seed_shape.empty() ? "vjp2" : "mjp2";
        return derivative_statement(function, e.fn, e.args, e.adjoints, e.seed_shape, stm, indent);
      },
      [&](const WithVjp& e) {
        return let(tuple(all(names_of(stm.pattern))), print(e, indent), stm, indent);
      },
      [&](const If& e) {
        const std::vector<bool> sizes = sizes_among(stm.pattern);
        return let(pattern(stm, sizes), attributes(stm.attributes) + if_exp(e, indent + 2, sizes), stm, indent);
      },
      [&](const Assert&) { return let("_", expression(stm.exp, indent + 2), stm, indent); },
      [&](const auto&) { return plain_statement(stm, indent); });
}

std::string Printer::plain_statement(const Stm& stm, int indent) {
  const bool may_bind_sizes = std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<Call>(stm.exp);
  const std::vector<bool> sizes =
      may_bind_sizes ? sizes_among(stm.pattern) : std::vector<bool>(stm.pattern.size(), false);
  const int inner = std::holds_alternative<WithAcc>(stm.exp) ? indent : indent + 2;
  std::string exp = attributes(stm.attributes) + expression(stm.exp, inner);
  // The language computes the size of a slice; ours has a name.
  if (!options_.exact && has_slice(stm.exp) && !stm.pattern.empty()) exp += " :> " + type(stm.pattern[0].type);
  return let(pattern(stm, sizes), exp, stm, indent);
}

/// let (a, b) = unzip zipped; more than five come apart step by step. What has a name is copied, for in the language its
/// parts share it, so that to consume one would be to consume all.
std::string Printer::unzip_lets(const std::vector<std::string>& names, const std::string& zipped_arrays,
                                const Stm& stm, int indent) {
  const std::size_t n = names.size();
  if (n <= 1) return let(n == 0 ? "_" : names[0], zipped_arrays, stm, indent);
  const std::string argument = zipped_arrays.find(' ') == std::string::npos ? zipped_arrays : "(" + zipped_arrays + ")";
  if (n <= 5) {
    const std::string unzip = n == 2 ? "unzip " : fmt::format("unzip{} ", n);
    return let(flat_tuple(names), unzip + argument, stm, indent);
  }
  const std::string rest = names_.fresh("rest");
  const std::string first = let(fmt::format("({}, {})", names[0], rest), "unzip " + argument, stm, indent);
  return first + line_start(indent) + unzip_lets({names.begin() + 1, names.end()}, own(rest), stm, indent);
}

}  // namespace boustro::ir::printing
