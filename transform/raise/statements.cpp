// Statements as bindings. Most bind what their expression yields; where several arrays come as an array of tuples, it is unzipped.
#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/raise/origins.hpp"
#include "transform/raise/raiser.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

std::vector<std::string> tagged_names(const std::vector<Param>& pattern, std::size_t begin = 0) {
  std::vector<std::string> names;
  for (std::size_t i = begin; i < pattern.size(); ++i) names.push_back(tagged(pattern[i].name));
  return names;
}

ast::Pattern tuple_of(const std::vector<std::string>& names) {
  std::vector<ast::Pattern> patterns;
  for (const std::string& name : names) patterns.push_back(named(name));
  return flat_tuple(std::move(patterns));
}

const std::string* first_name(const ast::Pattern& pattern) {
  if (const auto* tuple = std::get_if<ast::TuplePattern>(&pattern.node)) {
    for (const ast::Pattern& element : tuple->elements)
      if (const std::string* name = first_name(element)) return name;
    return nullptr;
  }
  if (const auto* with_type = std::get_if<ast::AscribedPattern>(&pattern.node)) return first_name(*with_type->pattern);
  return single_name(pattern);
}

/// The function for so many dimensions: the language has those for three.
ast::Exp with_dimensions(const std::string& function, std::size_t dimensions) {
  if (dimensions == 1) return variable(function);
  const std::string name = function + "_" + std::to_string(dimensions) + "d";
  return dimensions > 3 ? core(name) : variable(name);
}

bool any_array(const std::vector<Type>& types) {
  return std::any_of(types.begin(), types.end(), [](const Type& type) { return !type.shape.empty(); });
}

}  // namespace

void Raiser::note(const Stm& stm, const ast::Pattern& first) {
  const std::string* name = first_name(first);
  if (!name) return;
  for (const Name& array : facts::consumed_by(stm.exp, *around_.functions)) memory.consumed[*name].push_back(tagged(array));
}

void Raiser::bind(const Stm& stm, ast::Pattern pattern, ast::Exp exp, Bindings& out, std::vector<ast::Identifier> sizes) {
  note(stm, pattern);
  ast::LetBinding binding{ast::LetPattern{std::move(sizes), std::move(pattern), std::move(exp)}, {}};
  binding.comment.text = origin_line(stm, around_.sources);
  out.push_back(std::move(binding));
}

/// let [n] (xs: [n]t, y) = ..
void Raiser::bind_sized(const Stm& stm, ast::Exp exp, Bindings& out) {
  const std::vector<bool> is_size = sizes_among(stm.pattern);
  const bool any = std::find(is_size.begin(), is_size.end(), true) != is_size.end();
  std::vector<ast::Identifier> sizes;
  std::vector<ast::Pattern> elements;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Param& p = stm.pattern[i];
    if (is_size[i]) sizes.push_back(identifier(tagged(p.name)));
    else elements.push_back(any ? ascribed(named(tagged(p.name)), type(p.type)) : named(tagged(p.name)));
  }
  bind(stm, flat_tuple(std::move(elements)), std::move(exp), out, std::move(sizes));
}

/// More than five arrays come apart step by step. What has a name is copied: in the language its parts share it, so that to
/// consume one would be to consume all.
void Raiser::bind_arrays(const Stm& stm, std::vector<std::string> names, ast::Exp zipped, Bindings& out) {
  const std::size_t n = names.size();
  if (n == 0) return bind(stm, wildcard(), std::move(zipped), out);
  if (n == 1) return bind(stm, named(names[0]), std::move(zipped), out);
  if (n <= 5) return bind(stm, tuple_of(names), applied(n == 2 ? "unzip" : "unzip" + std::to_string(n), {std::move(zipped)}), out);
  const std::string rest = fresh("rest");
  bind(stm, tuple_of({names[0], rest}), applied("unzip", {std::move(zipped)}), out);
  names.erase(names.begin());
  bind_arrays(stm, std::move(names), applied("copy", {variable(rest)}), out);
}

ast::Exp Raiser::attributed(const Stm& stm, ast::Exp exp) const {
  for (auto attribute = stm.attributes.rbegin(); attribute != stm.attributes.rend(); ++attribute) {
    ast::Attribute node{attribute->name, {}, {}};
    for (const Atom& arg : attribute->args) {
      const Name* name = name_in(arg);
      node.args.push_back({name ? tagged(*name) : std::to_string(std::get<PrimValue>(arg).as_int()), {}, {}});
    }
    exp = raise::exp(ast::Attributed{std::move(node), std::move(exp)});
  }
  return exp;
}

void Raiser::statement(const Stm& stm, Bindings& out) {
  if (std::holds_alternative<Iota>(stm.exp)) level_of_[stm.pattern.at(0).name] = level_;
  if (stm.attributes.empty()) {
    if (auto found = idiom(*this, stm)) return bind(stm, std::move(found->pattern), std::move(found->exp), out);
  }
  match(
      stm.exp,  //
      [&](const Map& e) { bind_map(stm, e, out); },
      [&](const Reduce& e) {
        ast::Exp exp = attributed(stm, folded(e.commutative ? "reduce_comm" : "reduce", e.op, e.neutral, e.arrays));
        // One that yields arrays may yield an operand in the language; ours is fresh.
        if (any_array(e.op.result_types)) exp = applied("copy", {std::move(exp)});
        bind(stm, names_of(stm.pattern), std::move(exp), out);
      },
      [&](const Scan& e) {
        bind_arrays(stm, tagged_names(stm.pattern), attributed(stm, folded("scan", e.op, e.neutral, e.arrays)), out);
      },
      [&](const ReduceByIndex& e) { bind_histograms(stm, e, out); }, [&](const Scatter& e) { bind_scatter(stm, e, out); },
      [&](const If&) { bind_sized(stm, attributed(stm, expression(stm)), out); },
      [&](const Loop&) { bind_sized(stm, attributed(stm, expression(stm)), out); },
      [&](const Call&) { bind_sized(stm, attributed(stm, expression(stm)), out); },
      [&](const Assert&) { bind(stm, wildcard(), expression(stm), out); },
      [&](const auto&) { bind(stm, tuple_of(tagged_names(stm.pattern)), attributed(stm, expression(stm)), out); });
}

void Raiser::bind_map(const Stm& stm, const Map& e, Bindings& out) {
  if (e.accumulators.empty()) return bind_arrays(stm, tagged_names(stm.pattern), attributed(stm, mapped(e, stm.pattern)), out);
  const std::size_t n = e.accumulators.size();
  std::vector<Name> like;
  for (const Param& p : stm.pattern) like.push_back(p.name);
  std::vector<ast::Pattern> operands;
  operands.push_back(nested_tuple(params(e.fn.params, 0, n)));
  operands.push_back(e.arrays.empty() ? wildcard() : nested_tuple(params(e.fn.params, n, e.arrays.size())));

  const int before = level_;
  level_ = ++levels_;
  std::vector<ast::Exp> yielded = results(e.fn.body, like, {});
  const auto middle = yielded.begin() + static_cast<std::ptrdiff_t>(n);
  ast::Exp accumulators = nested_tuple(std::vector<ast::Exp>(yielded.begin(), middle));
  ast::Exp others = nested_tuple(std::vector<ast::Exp>(middle, yielded.end()));
  ast::Exp fn = exp(ast::Lambda{std::move(operands), std::nullopt,
                                scope(e.fn.body, exp(ast::Tuple{{std::move(accumulators), std::move(others)}}))});
  level_ = before;

  std::vector<ast::Exp> given;
  for (const Name& accumulator : e.accumulators) given.push_back(variable(accumulator));
  ast::Exp over = e.arrays.empty() ? applied("iota", {count(e.width)}) : zipped(arrays(e.arrays));
  ast::Exp call = attributed(stm, applied(core("map"), {std::move(fn), nested_tuple(std::move(given)), std::move(over)}));

  const std::vector<std::string> mapped_names = tagged_names(stm.pattern, n);
  ast::Pattern finished = names_of({stm.pattern.begin(), stm.pattern.begin() + static_cast<std::ptrdiff_t>(n)});
  const auto bind_pair = [&](ast::Pattern second) {
    bind(stm, ast::Pattern{ast::TuplePattern{{std::move(finished), std::move(second)}}, {}}, std::move(call), out);
  };
  if (mapped_names.empty()) return bind_pair(wildcard());
  if (mapped_names.size() == 1) return bind_pair(named(mapped_names[0]));
  const std::string rows = fresh("rows");
  bind_pair(named(rows));
  bind_arrays(stm, mapped_names, applied("copy", {variable(rows)}), out);
}

void Raiser::bind_scatter(const Stm& stm, const Scatter& e, Bindings& out) {
  for (std::size_t k = 0; k < e.destinations.size(); ++k) {
    bind(stm, named(tagged(stm.pattern.at(k).name)),
         applied(with_dimensions("scatter", e.indices.size()),
                 {variable(e.destinations[k]), zipped(arrays(e.indices)), array(e.values.at(k))}),
         out);
  }
}

/// The arrays that `fn` makes of those of a statement: one that it hands on is itself, what is the same for all elements is repeated.
std::vector<ast::Exp> Raiser::columns(const Stm& stm, const Lambda& fn, const Atom& width, const std::vector<Name>& from, Bindings& out) {
  std::vector<ast::Exp> result;
  if (fn.body.stms.empty()) {
    for (const Atom& yielded : fn.body.result) {
      const auto param = std::find_if(fn.params.begin(), fn.params.end(), [&](const Param& p) { return Atom(p.name) == yielded; });
      if (param == fn.params.end()) result.push_back(applied("replicate", {count(width), operand(yielded, false)}));
      else result.push_back(array(from.at(static_cast<std::size_t>(param - fn.params.begin()))));
    }
    return result;
  }
  std::vector<std::string> names;
  for (const Atom& yielded : fn.body.result) {
    const Name* name = name_in(yielded);
    names.push_back(fresh((name ? name->base : "value") + "s"));
    result.push_back(variable(names.back()));
  }
  bind_arrays(stm, std::move(names), mapped({width, fn, from, {}}, {}), out);
  return result;
}

void Raiser::bind_histograms(const Stm& stm, const ReduceByIndex& e, Bindings& out) {
  const std::vector<ast::Exp> all = columns(stm, e.fn, e.width, e.arrays, out);
  std::size_t column = 0, result = 0;
  const auto next_columns = [&](std::size_t n) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(column);
    column += n;
    return zipped(std::vector<ast::Exp>(first, first + static_cast<std::ptrdiff_t>(n)));
  };
  for (const Histogram& h : e.histograms) {
    const std::size_t n = h.destinations.size();
    if (n > 1 && h.shape.size() > 1) throw NotRaised{};
    std::vector<ast::Exp> destinations, neutral;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < n; ++k) {
      destinations.push_back(variable(h.destinations[k]));
      neutral.push_back(operand(h.neutral.at(k), h.destinations[k]));
      names.push_back(tagged(stm.pattern.at(result++).name));
    }
    ast::Exp indices = next_columns(h.shape.size());
    ast::Exp values = next_columns(n);
    bind_arrays(stm, std::move(names),
                applied(with_dimensions("reduce_by_index", h.shape.size()),
                        {zipped(std::move(destinations)), operator_exp(h.op, h.destinations), nested_tuple(std::move(neutral)),
                         std::move(indices), std::move(values)}),
                out);
  }
}

}  // namespace boustro::raise
