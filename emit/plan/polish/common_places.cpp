#include "emit/plan/polish/common_places.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/plan/build.hpp"
#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/rows.hpp"
#include "emit/plan/walk.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::plan {
namespace {

using Names = std::set<std::string>;
using Terms = std::vector<Expr>;

/// Fewer elements are as clear by themselves.
constexpr std::size_t enough_elements = 3;

void add_terms(const Expr& expr, Terms& terms) {
  if (!is_op(expr, Op::add)) return terms.push_back(expr);
  for (const Expr& arg : expr.args) add_terms(arg, terms);
}

Terms terms_of(const Expr& index) {
  Terms terms;
  add_terms(index, terms);
  return terms;
}

Expr sum_of(const Terms& terms) {
  if (terms.empty()) return lit(0, i32);
  Expr sum = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) sum = sum + terms[i];
  return sum;
}

/// The terms without those in `out`, each of which is left out once.
Terms without(Terms terms, const Terms& out) {
  for (const Expr& term : out) terms.erase(std::find(terms.begin(), terms.end(), term));
  return terms;
}

Terms common(const Terms& x, Terms y) {
  Terms result;
  for (const Expr& term : x) {
    const auto found = std::find(y.begin(), y.end(), term);
    if (found == y.end()) continue;
    result.push_back(term);
    y.erase(found);
  }
  return result;
}

const Var* array_of(const Expr& expr) {
  const bool is_element = std::holds_alternative<Element>(expr.head) && expr.args.size() == 2 && expr.args[0].type.pointer;
  return is_element ? std::get_if<Var>(&expr.args[0].head) : nullptr;
}

/// Those in an index before the element that has it: what is written in their place later is written inside of that one.
void add_elements(Expr& expr, const std::string& array, std::vector<Expr*>& elements) {
  for (Expr& arg : expr.args) add_elements(arg, array, elements);
  if (const Var* variable = array_of(expr); variable && variable->name == array) elements.push_back(&expr);
}

std::vector<Expr*> elements_in(std::span<Stm> stms, const std::string& array) {
  std::vector<Expr*> elements;
  for_each_stm(stms, [&](Stm& stm) {
    for_each_expr(stm, [&](Expr& expr) { add_elements(expr, array, elements); });
  });
  return elements;
}

/// Which those behind the statement know.
void add_constant(const Stm& stm, Names& names) {
  if (const auto* let = std::get_if<Let>(&stm.what)) names.insert(let->name);
}

class Places {
 public:
  explicit Places(Kernel& kernel) : taken_(names_in(kernel.body)), changing_(changing_in(kernel.body)) {
    taken_.merge(called_in(kernel.body));
    for (const Param& param : kernel.params) known_.insert(param.name), arrays_.push_back(param);
    for_each_stm(std::span(kernel.body), [&](Stm& stm) {
      for (const std::string* name : declared(stm)) taken_.insert(*name);
    });
    taken_.insert(known_.begin(), known_.end());
    in(kernel.body, known_);
  }

 private:
  /// `known`: what is declared around the statements.
  void in(Stms& stms, Names known) {
    for (const Param& param : arrays_)
      if (param.type.pointer && !param.type.reference) point_into(param, stms, known);
    for (Stm& stm : stms) {
      Names inside = known;
      for (const std::string* name : declared(stm)) inside.insert(*name);
      if (auto* closure = std::get_if<Closure>(&stm.what))
        for (const Param& param : closure->params) inside.insert(param.name);
      for_each_body(stm, [&](Stms& body) { in(body, inside); });
      add_constant(stm, known);
    }
  }

  void point_into(const Param& param, Stms& stms, Names known) {
    if (all_in_one_body(stms, param.name)) return;
    const auto uses = [&](const Stm& stm) { return uses_variable(stm, param.name); };
    const auto first = std::find_if(stms.begin(), stms.end(), uses);
    for (auto stm = stms.begin(); stm != first; ++stm) add_constant(*stm, known);
    const auto elements = elements_in(std::span(stms), param.name);
    if (elements.size() < enough_elements) return;
    const auto place = common_place(elements, known);
    if (!place) return;
    const Expr pointer = pointer_for(param, *place, known), array = elements[0]->args[0];
    for (Expr* element : elements) *element = pointer[sum_of(without(terms_of(element->args[1]), *place))];
    Let let{std::get<Var>(pointer.head).name, pointer.type, array + sum_of(*place)};
    const auto added = stms.insert(first, std::move(let));
    added->origin = std::next(added)->origin;
    std::swap(added->gap, std::next(added)->gap);
  }

  /// Then they are closer to each other in there.
  static bool all_in_one_body(Stms& stms, const std::string& array) {
    const std::size_t all = elements_in(std::span(stms), array).size();
    bool result = all == 0;
    for (Stm& stm : stms) {
      for_each_body(stm, [&](Stms& body) { result = result || elements_in(std::span(body), array).size() == all; });
    }
    return result;
  }

  /// The terms that all of them have, of what is known and does not change; nothing if that is no row.
  std::optional<Terms> common_place(const std::vector<Expr*>& elements, const Names& known) const {
    Terms place = terms_of(elements[0]->args[1]);
    std::erase_if(place, [&](const Expr& term) { return int_value(term) || !is_steady(term, known); });
    bool alike = true;
    for (const Expr* element : elements) {
      place = common(place, terms_of(element->args[1]));
      alike = alike && element->args[1] == elements[0]->args[1];
    }
    if (alike && !place.empty() && place.size() == terms_of(elements[0]->args[1]).size()) place.pop_back();
    const bool has_row = std::any_of(place.begin(), place.end(), [](const Expr& term) { return is_op(term, Op::mul); });
    return has_row ? std::optional(place) : std::nullopt;
  }

  bool is_steady(const Expr& term, const Names& known) const {
    if (!is_index_arithmetic(term)) return false;
    Names names;
    add_names(term, names);
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return known.contains(name) && !changing_.contains(name); });
  }

  /// `xs_row`, whose elements are neighbours, or `own_xs`: those of one place in each of several rows.
  Expr pointer_for(const Param& param, const Terms& place, const Names& known) const {
    const bool in_rows = std::any_of(place.begin(), place.end(), [](const Expr& term) { return !is_op(term, Op::mul); });
    std::string name = in_rows ? "own_" + param.name : ir::with_ending(param.name, "_row");
    while (taken_.contains(name) || known.contains(name)) name = "other_" + name;
    Type type = param.type;
    type.restricted = false;
    return var(name, type);
  }

  std::vector<Param> arrays_;
  Names known_, taken_, changing_;
};

}  // namespace

void point_at_common_places(Program& plan) {
  for (Entry& entry : plan.entries)
    for (Kernel& kernel : entry.kernels) Places{kernel};
}

}  // namespace boustro::plan
