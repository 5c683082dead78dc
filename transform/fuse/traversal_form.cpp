#include "transform/fuse/traversal_form.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/unnamed.hpp"
#include "transform/ir/words.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// \x -> x for the operands of an operator.
Lambda identity(const Lambda& op, Names& names) {
  Lambda fn;
  fn.result_types = op.result_types;
  for (std::size_t i = 0; i < op.result_types.size(); ++i) {
    fn.params.push_back(names.fresh_param(op.params[i].name.base, op.result_types[i]));
    fn.body.result.push_back(fn.params.back().name);
  }
  return fn;
}

/// By several statements, or results, or beside statements that have points of their own, for which it is computed before.
bool is_used_again(const Lambda& fn, const Name& name) {
  if (!std::all_of(fn.body.stms.begin(), fn.body.stms.end(), [](const Stm& stm) { return !is_traversal(stm.exp); })) return true;
  const auto mentions = [&](const Stm& stm) { return free_names(stm).contains(name); };
  const auto& result = fn.body.result;
  return std::count_if(fn.body.stms.begin(), fn.body.stms.end(), mentions) + std::count(result.begin(), result.end(), Atom(name)) > 1;
}

/// What is only called a term of a derivative is an element of the array that it was stored to: `weight_adj`, of `weights_adj`. A letter
/// says too little to be a name of what could stand where it is used once.
void call_after_array(Body& body, const Atom& element, const Name& array, bool used_again, Names& names) {
  const Name* term = name_in(element);
  const std::string base = element_of(array.base);
  if (!term || term->base != "term" || names_an_operation(base) || (base.find('_') <= 1 && !used_again)) return;
  for (Stm& stm : body.stms) {
    for (Param& param : stm.pattern) {
      if (param.name != *term) continue;
      param = names.fresh_param(base, param.type);
      return substitute(body, {{*term, param.name}});
    }
  }
}

TraversalForm of_operator(const Atom& width, Operator op, bool scans,
                          const std::vector<Name>& arrays, Names& names) {
  Lambda fn = identity(op.op, names);
  return {width, {std::move(op)}, scans, std::move(fn), arrays, {}};
}

/// List [begin, end) of a vector.
template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from, std::size_t begin, std::size_t end) {
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
            from.begin() + static_cast<std::ptrdiff_t>(end));
}
template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  append(to, from, 0, from.size());
}

/// Where accumulators, operands and mapped results of both forms end.
struct Sections {
  explicit Sections(const TraversalForm& form)
      : accumulators(form.accumulators.size()),
        operands(form.first_mapped()),
        mapped(form.fn.body.result.size()) {}
  std::size_t accumulators, operands, mapped;
};

/// Both lists, section by section.
template <typename T>
std::vector<T> interleave(const std::vector<T>& a, const Sections& in_a, const std::vector<T>& b,
                          const Sections& in_b) {
  std::vector<T> result;
  append(result, a, 0, in_a.accumulators);
  append(result, b, 0, in_b.accumulators);
  append(result, a, in_a.accumulators, in_a.operands);
  append(result, b, in_b.accumulators, in_b.operands);
  append(result, a, in_a.operands, in_a.mapped);
  append(result, b, in_b.operands, in_b.mapped);
  return result;
}

}  // namespace

std::size_t TraversalForm::operand_count() const {
  std::size_t count = 0;
  for (const Operator& op : operators) count += op.neutral.size();
  return count;
}

bool is_traversal(const Exp& exp) {
  return std::holds_alternative<Map>(exp) || std::holds_alternative<Reduce>(exp) ||
         std::holds_alternative<Scan>(exp) || std::holds_alternative<MapReduce>(exp) ||
         std::holds_alternative<MapScan>(exp);
}

std::optional<TraversalForm> as_traversal(const Exp& exp, Names& names) {
  using Form = TraversalForm;
  return match(
      exp,
      [](const Map& e) {
        return std::optional(Form{e.width, {}, false, e.fn, e.arrays, e.accumulators});
      },
      [&](const Reduce& e) {
        return std::optional(
            of_operator(e.width, {e.op, e.neutral, e.commutative}, false, e.arrays, names));
      },
      [&](const Scan& e) {
        return std::optional(of_operator(e.width, {e.op, e.neutral, false}, true, e.arrays, names));
      },
      [](const MapReduce& e) {
        return std::optional(Form{e.width, e.operators, false, e.fn, e.arrays, e.accumulators});
      },
      [](const MapScan& e) {
        return std::optional(Form{e.width, e.operators, true, e.fn, e.arrays, {}});
      },
      [](const auto&) { return std::optional<Form>(); });
}

Exp to_exp(TraversalForm form) {
  if (form.operators.empty()) {
    return Map{form.width, std::move(form.fn), std::move(form.arrays),
               std::move(form.accumulators)};
  }
  const bool only_one = form.operators.size() == 1 && form.accumulators.empty() &&
                        is_identity(form.fn) && form.operand_count() == form.fn.body.result.size();
  if (form.scans) {
    if (only_one) {
      return Scan{form.width, std::move(form.operators[0].op), std::move(form.operators[0].neutral),
                  std::move(form.arrays)};
    }
    return MapScan{form.width, std::move(form.operators), std::move(form.fn),
                   std::move(form.arrays)};
  }
  if (only_one) {
    return Reduce{form.width, std::move(form.operators[0].op), std::move(form.operators[0].neutral),
                  std::move(form.arrays), form.operators[0].commutative};
  }
  return MapReduce{form.width, std::move(form.operators), std::move(form.fn),
                   std::move(form.arrays), std::move(form.accumulators)};
}

Stm merge(const Stm& earlier, const Stm& later, Names& names) {
  TraversalForm a = *as_traversal(earlier.exp, names);
  TraversalForm b = *as_traversal(later.exp, names);
  const Sections in_a(a), in_b(b);

  // What flows from one to the other stays an element. Arrays that both read are read once.
  Substitution elements;
  for (std::size_t i = in_a.operands; i < in_a.mapped; ++i) {
    const Name& array = earlier.pattern[i].name;
    const auto read = std::find(b.arrays.begin(), b.arrays.end(), array);
    const bool used_again = read != b.arrays.end() && is_used_again(b.fn, b.fn.params[in_b.accumulators + static_cast<std::size_t>(read - b.arrays.begin())].name);
    call_after_array(a.fn.body, a.fn.body.result[i], array, used_again, names);
    elements.emplace(earlier.pattern[i].name, a.fn.body.result[i]);
  }
  Substitution params;
  std::vector<bool> kept;
  for (std::size_t i = 0; i < b.arrays.size(); ++i) {
    const Name& param = b.fn.params[in_b.accumulators + i].name;
    const auto flows = elements.find(b.arrays[i]);
    const auto shared = std::find(a.arrays.begin(), a.arrays.end(), b.arrays[i]);
    const auto at = static_cast<std::size_t>(shared - a.arrays.begin());
    kept.push_back(flows == elements.end() && shared == a.arrays.end());
    if (flows != elements.end())
      params.emplace(param, flows->second);
    else if (!kept.back())
      params.emplace(param, a.fn.params[in_a.accumulators + at].name);
  }
  substitute(b.fn.body, params);

  TraversalForm merged;
  merged.width = a.width;
  merged.scans = a.scans || b.scans;
  append(merged.operators, a.operators);
  append(merged.operators, b.operators);
  append(merged.accumulators, a.accumulators);
  append(merged.accumulators, b.accumulators);
  append(merged.arrays, a.arrays);
  append(merged.fn.params, a.fn.params, 0, in_a.accumulators);
  append(merged.fn.params, b.fn.params, 0, in_b.accumulators);
  append(merged.fn.params, a.fn.params, in_a.accumulators, a.fn.params.size());
  for (std::size_t i = 0; i < b.arrays.size(); ++i) {
    if (!kept[i]) continue;
    merged.arrays.push_back(b.arrays[i]);
    merged.fn.params.push_back(b.fn.params[in_b.accumulators + i]);
  }
  merged.fn.body.stms = std::move(a.fn.body.stms);
  append(merged.fn.body.stms, b.fn.body.stms);
  merged.fn.body.result = interleave(a.fn.body.result, in_a, b.fn.body.result, in_b);
  merged.fn.result_types = interleave(a.fn.result_types, in_a, b.fn.result_types, in_b);

  Stm stm{interleave(earlier.pattern, in_a, later.pattern, in_b), to_exp(std::move(merged)),
          later.origin, earlier.attributes};
  append(stm.attributes, later.attributes);
  return stm;
}

}  // namespace boustro::fuse
