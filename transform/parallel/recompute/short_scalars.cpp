// Short arithmetic on numbers that the host knows is done where kernels need it.
//
// Before:   let c = 0.5 * g  let d = c * g  let ys = nest .. (\i -> .. d * x ..)
// After:    let ys = nest .. (\i -> .. let c = 0.5 * g  let d = c * g  in .. d * x ..)
// Why       a reader sees the formula where it is used, and not a parameter that is called `product`
// Applies   to sums, differences and products of floats, and to floats of integers, without a name in the source: one or two operations of
//           what has one, and of literals. Each thread computes them; they are as quick as the parameter's load. A product may become part of a
//           multiply-add there, as all of a kernel's, and not be rounded by itself
// Never     to what only the device knows (late_scalars.hpp), nor where a size is needed for nothing else: kernels count sizes in `int`
// When      behind the passes that look at the statements of points
#include <algorithm>
#include <unordered_map>

#include "transform/ir/builder.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/unnamed.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr int few_operations = 2;

/// Operations that it stands for; nothing if it is no such arithmetic.
std::optional<int> operations_in(const Exp& exp) {
  if (const auto* op = std::get_if<BinOp>(&exp)) {
    const bool quick = op->kind == BinOpKind::add || op->kind == BinOpKind::sub || op->kind == BinOpKind::mul;
    return quick && values::is_float(op->type) ? std::optional(1) : std::nullopt;
  }
  if (const auto* op = std::get_if<UnOp>(&exp)) return op->kind == UnOpKind::neg && values::is_float(op->type) ? std::optional(1) : std::nullopt;
  const auto* convert = std::get_if<Convert>(&exp);
  return convert && values::is_float(convert->to) && values::is_integer(convert->from) ? std::optional(0) : std::nullopt;
}

class ShortScalars {
 public:
  explicit ShortScalars(Names& names) : names_(names) {}

  void function(Function& function) {
    for (const Param& param : function.params) declare(param);
    body(function.body);
  }

 private:
  struct Short {
    Stm stm;
    int operations;
  };

  void declare(const Param& param) {
    if (param.type.is_scalar()) known_.insert(param.name), named_.insert(param.name);
    for (const Atom& size : param.type.shape)
      if (const Name* name = name_in(size)) known_.insert(*name), named_.insert(*name), sizes_.insert(*name);
  }

  void body(Body& body) {
    for (Stm& stm : body.stms) {
      if (!is_grid(stm)) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      note(stm);
    }
    for (std::size_t i = body.stms.size(); i-- > 0;) {
      const auto found = body.stms[i].pattern.size() == 1 ? short_.find(body.stms[i].pattern[0].name) : short_.end();
      if (found == short_.end()) continue;
      const auto behind = std::span(body.stms).subspan(i + 1);
      for (Stm& stm : behind) sink(stm, found->second.stm);
      const Body rest{{behind.begin(), behind.end()}, body.result};
      if (!free_names(rest).contains(found->first)) body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  static bool is_grid(const Stm& stm) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    return nest && nest->over == Level::grid;
  }

  void note(const Stm& stm) {
    const bool all_known = std::ranges::all_of(free_names(stm.exp), [&](const Name& name) { return known_.contains(name); });
    if (stm.pattern.size() != 1 || !all_known || !is_scalar_operation(stm.exp) || may_fail(stm.exp)) return;
    const Name& name = stm.pattern[0].name;
    known_.insert(name);
    if (!is_unnamed(stm.exp, name.base)) named_.insert(name);
    auto operations = is_unnamed(stm.exp, name.base) ? operations_in(stm.exp) : std::nullopt;
    if (!operations) return;
    for (const Name& operand : free_names(stm.exp)) {
      const auto part = short_.find(operand);
      if (part == short_.end() && !named_.contains(operand)) return;
      if (part != short_.end()) *operations += part->second.operations;
    }
    if (*operations <= few_operations) short_.emplace(name, Short{stm, *operations});
  }

  bool has_sizes_of(const Stm& nest, const Stm& scalar) const {
    const NameSet used = free_names(nest);
    return std::ranges::all_of(free_names(scalar.exp), [&](const Name& name) { return !sizes_.contains(name) || used.contains(name); });
  }

  /// Before each body of a grid's nest that needs it, points and what comes of all of them.
  void sink(Stm& stm, const Stm& scalar) {
    if (!is_grid(stm)) return map_bodies(stm.exp, [&](Body& inner) {
        for (Stm& own : inner.stms) sink(own, scalar);
      });
    if (!has_sizes_of(stm, scalar)) return;
    Nest& nest = std::get<Nest>(stm.exp);
    add_to(nest.point.body, scalar);
    for (Out& out : nest.outs)
      if (out.epilogue) add_to(out.epilogue->body, scalar);
  }

  void add_to(Body& body, const Stm& scalar) {
    if (!free_names(body).contains(scalar.pattern[0].name)) return;
    Substitution own;
    const std::vector<Stm> copy = rename({scalar}, names_, own);
    substitute(body, own);
    body.stms.insert(body.stms.begin(), copy.begin(), copy.end());
  }

  Names& names_;
  NameSet known_;  // to the host, before anything runs
  NameSet named_;  // of these, by the source
  NameSet sizes_;
  std::unordered_map<Name, Short> short_;
};

}  // namespace

Program compute_short_scalars(Program program) {
  Names names(program);
  for (Function& function : program.functions)
    if (function.entry) ShortScalars(names).function(function);
  return program;
}

}  // namespace boustro::parallel
