#include "emit/plan/polish/slab_loops.hpp"

#include <algorithm>
#include <utility>

#include "emit/plan/build.hpp"
#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// Stands for the new index until nothing is left of the old one.
const std::string element = "$element";

struct Slab {
  std::string first;
  Expr size;
  Expr count = {};  // of the elements of all slabs, of a loop in it
};

bool is_sum_of(const Expr& expr, const std::string& x, const std::string& y) {
  if (expr.head != Head(Op::add) || expr.args.size() != 2) return false;
  const auto are = [&](std::size_t i) { return is_variable(expr.args[i], x) && is_variable(expr.args[1 - i], y); };
  return are(0) || are(1);
}

/// `const int64_t first = slab * size;`
std::optional<Slab> as_slab(const Stm& stm) {
  const auto* let = std::get_if<Let>(&stm.what);
  if (!let || let->changes || !let->value || let->value->head != Head(Op::mul) || let->type != type(i64)) return std::nullopt;
  return Slab{let->name, let->value->args[1]};
}

/// n, if the expression is min(n - first, size), in either order.
std::optional<Expr> count_before(const Expr& end, const Slab& slab) {
  if (extremum_of(end) != ir::BinOpKind::min) return std::nullopt;
  for (const std::size_t i : {0u, 1u}) {
    const Expr& left = end.args[i];
    if (end.args[1 - i] == slab.size && left.head == Head(Op::sub) && left.args.size() == 2 && is_variable(left.args[1], slab.first)) return left.args[0];
  }
  return std::nullopt;
}

class InKernel {
 public:
  explicit InKernel(Kernel& kernel) : taken_(names_in(kernel.body)) {
    for (const Param& param : kernel.params) {
      taken_.insert(param.name);
      if (!param.type.pointer) sizes_.insert(param.name);
    }
    for_each_stm(std::span(kernel.body), [&](Stm& stm) {
      for (const std::string* name : declared(stm)) taken_.insert(*name);
      if (const auto* assign = std::get_if<Assign>(&stm.what)) add_names(assign->target, changed_);
    });
    taken_.merge(called_in(kernel.body));
    in(kernel.body);
  }

 private:
  void in(Stms& stms) {
    for (std::size_t i = 0; i < stms.size(); ++i) {
      for_each_body(stms[i], [&](Stms& inside) { in(inside); });
      auto slab = as_slab(stms[i]);
      if (!slab || !is_size(slab->size)) continue;
      const auto behind = std::span(stms).subspan(i + 1);
      const std::string end = end_of(slab->first);
      bool found = false;
      for_each_stm(behind, [&](Stm& stm) {
        auto* loop = std::get_if<For>(&stm.what);
        const auto count = loop && !loop->down ? count_before(loop->to, *slab) : std::nullopt;
        if (!count || !is_size(*count) || (found && *count != slab->count) || !count_in_array(*loop, slab->first, end)) return;
        slab->count = *count;
        found = true;
      });
      if (!found) continue;
      taken_.insert(end);
      const Expr last = var(slab->first, i64) + slab->size;
      insert(stms, i + 1, {end, type(i64), call("min", type(i64), {last, cast(i64, slab->count)})});
      i += name_slab(stms, i) ? 2 : 1;
    }
  }

  /// Its number, so that comments can speak of it, if it is not a variable: `const int64_t slab = block / k;`
  bool name_slab(Stms& stms, std::size_t i) {
    Expr& number = std::get<Let>(stms[i].what).value->args[0];
    if (std::holds_alternative<Var>(number.head) || number.type != type(i64)) return false;
    std::string name = "slab";
    while (taken_.contains(name)) name += "_of_block";
    taken_.insert(name);
    insert(stms, i, {name, number.type, std::exchange(number, var(name, i64))});
    return true;
  }

  static void insert(Stms& stms, std::size_t at, Let let) {
    const MadeFor origin = stms[at - (at > 0 ? 1 : 0)].origin;
    stms.insert(stms.begin() + static_cast<std::ptrdiff_t>(at), std::move(let))->origin = origin;
  }

  /// What the kernel is given, and leaves as it is.
  bool is_size(const Expr& expr) const {
    std::set<std::string> names;
    add_names(expr, names);
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return sizes_.contains(name) && !changed_.contains(name); });
  }

  /// `end`, of `first`
  std::string end_of(const std::string& first) const {
    const std::size_t at = first.rfind("first");
    std::string name = at == std::string::npos ? first + "_end" : first.substr(0, at) + "end" + first.substr(at + 5);
    while (taken_.contains(name)) name += "_of_slab";
    return name;
  }

  /// False, and nothing is changed, if it uses its index otherwise.
  bool count_in_array(For& loop, const std::string& first, const std::string& end) const {
    if (loop.type != type(i64) || changed_.contains(first)) return false;
    Stms body = loop.body;
    // What the number of the element in the array is called.
    std::set<std::string> others;
    std::erase_if(body, [&](const Stm& stm) {
      const auto* let = std::get_if<Let>(&stm.what);
      const bool is_number = let && !let->changes && let->value && is_sum_of(*let->value, first, loop.name);
      return is_number && others.insert(let->name).second;
    });
    for_each_stm(std::span(body), [&](Stm& stm) {
      for_each_expr(stm, [&](Expr& expr) { replace(expr, others, first, loop.name); });
    });
    const bool left = std::any_of(body.begin(), body.end(), [&](const Stm& stm) { return uses_variable(stm, loop.name); });
    if (left || !names_in(body).contains(element)) return false;
    for_each_stm(std::span(body), [&](Stm& stm) { for_each_expr(stm, [&](Expr& expr) { rename_variables(expr, {{element, loop.name}}); }); });
    loop.body = std::move(body);
    loop.from = int_value(loop.from) == 0 ? var(first, i64) : var(first, i64) + cast(i64, loop.from);
    loop.to = var(end, i64);
    return true;
  }

  static void replace(Expr& expr, const std::set<std::string>& others, const std::string& first, const std::string& index) {
    const auto* variable = std::get_if<Var>(&expr.head);
    if ((variable && others.contains(variable->name)) || is_sum_of(expr, first, index)) expr = var(element, i64);
    for (Expr& arg : expr.args) replace(arg, others, first, index);
  }

  std::set<std::string> taken_, sizes_, changed_;
};

}  // namespace

void loop_over_slabs(Entry& entry) {
  for (Kernel& kernel : entry.kernels) InKernel{kernel};
}

}  // namespace boustro::plan
