#include "transform/parallel/steps/steps_together.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/tiles.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/flatten/products_apart.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

/// Enough tiles for a large device, and not much memory: arrays of a step are there so many times.
constexpr std::int64_t steps_of_strip = 8;
/// So many elements of a step's array fill a device, as those of 2,048 tiles: with more than half of it a strip would only take memory.
constexpr std::int64_t enough_elements = 1 << 23;

/// Of matrices, and the like.
bool is_product(const Nest& nest) {
  const auto tiling = nest.space.size() <= 2 ? facts::tiling_of(nest) : std::nullopt;
  return tiling && !facts::fold_of(nest, *tiling);
}

/// Made again for each step.
bool is_view(const Stm& stm) { return facts::is_repeatable(stm) && !may_fail(stm.exp); }

bool reads_one_of(const NameSet& used, const NameSet& names) {
  return std::any_of(used.begin(), used.end(), [&](const Name& name) { return names.contains(name); });
}

class StepsTogether {
 public:
  StepsTogether(const Stm& stm, Names& names, const facts::Callees& callees)
      : stm_(stm), names_(names), loop_(with_sums_apart(std::get<Loop>(stm.exp))), aliases_(loop_.body.stms, callees) {}

  std::optional<Stms> run() {
    const auto* form = std::get_if<ForLoop>(&loop_.form);
    if (!form || form->type != PrimType::i64) return std::nullopt;
    form_ = *form;
    note_names();
    find_first();
    find_last();
    if ((first_.empty() && last_.empty()) || last_.size() == loop_.params.size() || !has_known_state()) return std::nullopt;
    note_kept();
    Builder to(names_, stm_.origin);
    const Atom size = size_of_strip(to);
    Loop over{{}, ForLoop{names_.bind_fresh("strip", scalar(PrimType::i64)), PrimType::i64, divided_up(to, "strips", form_.bound, size)}, {}};
    Builder strip(names_, stm_.origin);
    first_step_ = strip.binop("first_step", BinOpKind::mul, std::get<ForLoop>(over.form).index, size);
    const Atom rest = strip.binop("rest", BinOpKind::sub, form_.bound, first_step_);
    const Param steps = names_.fresh_param("steps", scalar(PrimType::i64));
    strip.let({steps}, BinOp{BinOpKind::min, PrimType::i64, rest, size}, {{"is_size", {}}});  // no strip begins behind the last step
    steps_ = steps.name;
    make_first(strip);
    make_middle(strip, over);
    make_last(strip, over);
    over.body.stms = std::move(strip.stms);
    to.let(stm_.pattern, std::move(over), stm_.attributes);
    return std::move(to.stms);
  }

 private:
  /// A product that is added to what the loop carries.
  struct Sum {
    std::size_t at;     // of its statement
    std::size_t param;  // of the loop
    Name element, added;  // in a point
  };
  /// What a product takes from its step: what is made again for it, and what has to be kept.
  struct Operands {
    Stms made;
    std::vector<Name> kept;
  };

  const Stms& stms() const { return loop_.body.stms; }

  /// Sums that need no value which the loop carries have a nest of their own, even if what comes of them does.
  Loop with_sums_apart(Loop loop) {
    NameSet varying;
    for (const LoopParam& p : loop.params) varying.insert(p.param.name);
    Stms apart;
    for (Stm& stm : loop.body.stms) {
      if (reads_one_of(free_names(stm), varying)) {
        for (const Param& param : stm.pattern) varying.insert(param.name);
        if (auto alone = independent_sums(stm, varying)) {
          stm = with_product(stm, sums_in(stm), alone->pattern, names_);
          apart.push_back(std::move(*alone));
        }
      }
      apart.push_back(std::move(stm));
    }
    loop.body.stms = std::move(apart);
    return loop;
  }

  std::optional<Stm> independent_sums(const Stm& stm, const NameSet& varying) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest || !is_product(*nest)) return std::nullopt;
    auto alone = product_alone(stm, sums_in(stm), names_);
    return alone && !reads_one_of(free_names(*alone), varying) ? std::move(alone) : std::nullopt;
  }

  static std::size_t sums_in(const Stm& stm) {
    const auto& nest = std::get<Nest>(stm.exp);
    return facts::tiling_of(nest)->sums;
  }

  void note_names() {
    inside_ = bound_names(stms());
    inside_.insert(form_.index);
    for (const LoopParam& p : loop_.params) inside_.insert(p.param.name);
  }

  bool is_known_outside(const Shape& shape) const {
    return std::all_of(shape.begin(), shape.end(), [&](const Atom& size) {
      const Name* name = name_in(size);
      return !name || !inside_.contains(*name);
    });
  }

  const Nest* product_at(std::size_t k) const {
    const auto* nest = std::get_if<Nest>(&stms()[k].exp);
    return nest && is_known_outside(nest->space) && is_product(*nest) ? nest : nullptr;
  }

  /// For names that statement number `end` uses.
  Operands operands_of(NameSet wanted, std::size_t end) const {
    Operands operands;
    for (std::size_t k = end; k-- > 0;) {
      const Stm& stm = stms()[k];
      if (std::none_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return wanted.contains(param.name); })) continue;
      if (is_view(stm) && !is_part_of_kept(stm, k)) {
        operands.made.insert(operands.made.begin(), stm);
        wanted.merge(free_names(stm));
        continue;
      }
      for (const Param& param : stm.pattern)
        if (wanted.contains(param.name)) operands.kept.push_back(param.name);
    }
    for (const LoopParam& p : loop_.params)
      if (wanted.contains(p.param.name)) operands.kept.push_back(p.param.name);
    return operands;
  }

  /// Of an array that would have to be kept for its sake: the part is smaller.
  bool is_part_of_kept(const Stm& stm, std::size_t at) const {
    const auto* part = std::get_if<Index>(&stm.exp);
    if (!part) return false;
    const std::vector<Name> kept = operands_of({part->array}, at).kept;
    return std::any_of(kept.begin(), kept.end(), [&](const Name& name) { return !is_made_first(name); });
  }

  bool is_result(const Name& name) const { return std::count(loop_.body.result.begin(), loop_.body.result.end(), Atom(name)) > 0; }
  /// The next step takes it over, or a view of it: it may not lie among the values of all steps then, which each step adds to.
  bool is_handed_on(const Name& name) const {
    return std::any_of(loop_.body.result.begin(), loop_.body.result.end(), [&](const Atom& atom) {
      const Name* result = name_in(atom);
      return result && (*result == name || aliases_.may_alias(*result, name));
    });
  }

  // ---- What is first, and last

  void find_first() {
    for (std::size_t k = 0; k < stms().size(); ++k) {
      if (!product_at(k) || !operands_of(free_names(stms()[k]), k).kept.empty()) continue;
      const auto stays = [&](const Param& param) { return is_handed_on(param.name) || aliases_.is_consumed(param.name); };
      if (std::none_of(stms()[k].pattern.begin(), stms()[k].pattern.end(), stays)) first_.push_back(k);
    }
  }

  void find_last() {
    for (std::size_t k = 0; k < stms().size(); ++k)
      if (const auto sum = sum_at(k); sum && can_be_last(*sum)) last_.push_back(*sum);
  }

  std::optional<Sum> sum_at(std::size_t k) const {
    const Nest* nest = product_at(k);
    if (!nest || nest->outs.size() != 1) return std::nullopt;
    const Name& next = stms()[k].pattern[0].name;
    const auto& results = loop_.body.result;
    const std::size_t param = static_cast<std::size_t>(std::find(results.begin(), results.end(), Atom(next)) - results.begin());
    if (param == results.size() || std::count(results.begin(), results.end(), Atom(next)) != 1) return std::nullopt;
    const Name& carried = loop_.params[param].param.name;
    for (std::size_t other = 0; other < stms().size(); ++other) {
      const NameSet used = free_names(stms()[other]);
      if ((other != k && used.contains(carried)) || used.contains(next)) return std::nullopt;
    }
    if (is_result(carried)) return std::nullopt;
    auto sum = addition_to(carried, *nest);
    if (sum) sum->at = k, sum->param = param;
    return sum;
  }

  /// A point adds something to its own element of the array, of which it reads nothing else.
  static std::optional<Sum> addition_to(const Name& array, const Nest& nest) {
    const Name* result = name_in(nest.point.body.result[0]);
    NameSet views{array};
    std::size_t depth = 0;
    Sum sum{0, 0, array, {}};
    for (const Stm& stm : nest.point.body.stms) {
      const auto* add = std::get_if<BinOp>(&stm.exp);
      if (result && add && add->kind == BinOpKind::add && stm.pattern[0].name == *result && depth == nest.space.size()) {
        const Name *x = name_in(add->lhs), *y = name_in(add->rhs);
        if (!x || !y || (*x == sum.element) == (*y == sum.element)) return std::nullopt;
        sum.added = *x == sum.element ? *y : *x;
        continue;
      }
      const NameSet used = free_names(stm);
      if (!reads_one_of(used, views)) continue;
      const auto* index = std::get_if<Index>(&stm.exp);
      if (!index || index->array != sum.element) return std::nullopt;
      for (const DimIndex& at : index->indices)
        if (depth >= nest.space.size() || at != DimIndex(Atom(nest.point.params[depth++].name))) return std::nullopt;
      sum.element = stm.pattern[0].name;
      views.insert(sum.element);
    }
    return sum.added == Name{} ? std::nullopt : std::optional(sum);
  }

  bool is_made_first(const Name& name) const {
    return std::any_of(first_.begin(), first_.end(), [&](std::size_t k) {
      return std::any_of(stms()[k].pattern.begin(), stms()[k].pattern.end(), [&](const Param& param) { return param.name == name; });
    });
  }
  bool is_first(std::size_t k) const { return std::find(first_.begin(), first_.end(), k) != first_.end(); }
  const Sum* sum_of(std::size_t k) const {
    const auto found = std::find_if(last_.begin(), last_.end(), [&](const Sum& sum) { return sum.at == k; });
    return found == last_.end() ? nullptr : &*found;
  }
  bool is_of_last(std::size_t param) const {
    return std::any_of(last_.begin(), last_.end(), [&](const Sum& sum) { return sum.param == param; });
  }
  NameSet taken_by(const Sum& sum) const {
    NameSet used = free_names(stms()[sum.at]);
    used.erase(loop_.params[sum.param].param.name);
    return used;
  }

  /// The steps can keep arrays of sizes that are known before the loop.
  bool can_be_last(const Sum& sum) const {
    const std::vector<Name> kept = operands_of(taken_by(sum), sum.at).kept;
    return std::all_of(kept.begin(), kept.end(), [&](const Name& name) {
      const Type& type = names_.type_of(name);
      return !type.is_scalar() && !type.accumulator && is_known_outside(type.shape);
    });
  }

  void note_kept() {
    for (const Sum& sum : last_)
      for (const Name& name : operands_of(taken_by(sum), sum.at).kept)
        if (!is_made_first(name) && !is_kept(name)) kept_.push_back(name);
  }

  /// As many steps as make enough elements, of the largest array that is kept for all of them.
  Atom size_of_strip(Builder& to) {
    std::optional<Atom> most;
    const auto note = [&](const Shape& shape) {
      const Atom elements = elements_of(to, shape);
      most = most ? to.binop("most_elements", BinOpKind::max, *most, elements) : elements;
    };
    std::vector<Shape> shapes;
    for (const std::size_t k : first_) shapes.push_back(std::get<Nest>(stms()[k].exp).space);
    for (const Sum& sum : last_) shapes.push_back(std::get<Nest>(stms()[sum.at].exp).space);
    for (const Name& name : kept_) shapes.push_back(names_.type_of(name).shape);
    for (auto shape = shapes.begin(); shape != shapes.end(); ++shape)
      if (std::find(shapes.begin(), shape, *shape) == shape) note(*shape);
    const Atom filling = to.binop("filling", BinOpKind::div, int_atom(enough_elements), to.binop("most_elements", BinOpKind::max, *most, int_atom(1)));
    return to.binop("strip_size", BinOpKind::max, to.binop("strip_size", BinOpKind::min, filling, int_atom(steps_of_strip)), int_atom(1));
  }

  static Atom elements_of(Builder& to, const Shape& shape) {
    Atom elements = shape[0];
    for (std::size_t d = 1; d < shape.size(); ++d) elements = count(to, "elements", elements, shape[d]);
    return elements;
  }

  bool has_known_state() const {
    return std::all_of(loop_.params.begin(), loop_.params.end(), [&](const LoopParam& p) { return is_known_outside(p.param.type.shape); });
  }

  // ---- The parts

  /// The statement for all steps of the strip: its nest has one more dimension. `kept` are read from what is there for all steps.
  Stm of_all_steps(const Stm& stm, Lambda point, const std::vector<Name>& results, const Operands& operands) {
    const Nest& nest = std::get<Nest>(stm.exp);
    const Param t = names_.fresh_param("t", scalar(PrimType::i64));
    Builder inside(names_, stm.origin);
    Substitution known{{form_.index, inside.binop(form_.index.base, BinOpKind::add, first_step_, t.name)}};
    for (const Name& name : operands.kept) known.emplace(name, inside.let(name.base, Index{of_steps_.at(name), {Atom(t.name)}, false}));
    inside.add(rename(operands.made, names_, known));
    point = rename(point, names_, known);
    inside.add(point.body.stms);
    point.body.stms = std::move(inside.stms);
    point.params.insert(point.params.begin(), t);
    Nest all = nest;
    all.space.insert(all.space.begin(), steps_);
    all.point = std::move(point);
    for (Out& out : all.outs) ++out.rank;
    Stm result{{}, {}, stm.origin, stm.attributes};
    for (std::size_t i = 0; i < results.size(); ++i) result.pattern.push_back({results[i], names_.type_of(results[i])});
    result.exp = std::move(all);
    return result;
  }

  Name bind_for_steps(const Name& name, std::string_view ending) {
    return names_.bind_fresh(with_ending(name.base, ending), array_of(steps_, names_.type_of(name)));
  }

  void make_first(Builder& strip) {
    for (const std::size_t k : first_) {
      const Stm& stm = stms()[k];
      std::vector<Name> results;
      for (const Param& param : stm.pattern) {
        results.push_back(bind_for_steps(param.name, "_steps"));
        of_steps_.emplace(param.name, results.back());
      }
      strip.add(of_all_steps(stm, std::get<Nest>(stm.exp).point, results, operands_of(free_names(stm), k)));
    }
  }

  bool is_kept(const Name& name) const { return std::find(kept_.begin(), kept_.end(), name) != kept_.end(); }
  /// Of what is kept: the step, too, reads it there, so that it is made there.
  bool is_only_read(const Name& name) const { return is_kept(name) && !is_handed_on(name) && !aliases_.is_consumed(name); }

  /// The loop over the steps of the strip, without what is first or last.
  void make_middle(Builder& strip, Loop& over) {
    const Param t = names_.fresh_param("t", scalar(PrimType::i64));
    Loop loop{{}, ForLoop{t.name, PrimType::i64, steps_}, {}};
    std::vector<Param> pattern;
    over.body.result.resize(loop_.params.size(), int_atom(0));
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const LoopParam& p = loop_.params[i];
      over.params.push_back(p);
      if (is_of_last(i)) continue;
      Param& outer = over.params.back().param;
      outer = names_.fresh_param(p.param.name.base, p.param.type, p.param.unique);
      loop.params.push_back({p.param, outer.name});
      loop.body.result.push_back(loop_.body.result[i]);
      pattern.push_back(names_.fresh_param(p.param.name.base, p.param.type, stm_.pattern[i].unique));
      over.body.result[i] = pattern.back().name;
    }
    Builder body(names_, stm_.origin);
    body.let({{form_.index, scalar(PrimType::i64)}}, BinOp{BinOpKind::add, PrimType::i64, first_step_, t.name});
    const auto keep = [&](const Name& name, const Name& made) {
      const Name all = bind_for_steps(name, "_steps");
      const Type& type = names_.type_of(all);
      loop.params.push_back({names_.fresh_param(all.base, type, true), strip.let(all.base, Scratch{type.elem, type.shape})});
      loop.body.result.emplace_back(body.let(all.base, Update{loop.params.back().param.name, {Atom(t.name)}, made, false}));
      pattern.push_back({all, type});
      of_steps_.emplace(name, all);
      return name_in(loop.body.result.back());
    };
    const auto element = [&](const Param& param, const Name& all) { body.let({param}, Index{all, {Atom(t.name)}, false}); };
    for (const LoopParam& p : loop_.params)
      if (is_kept(p.param.name)) keep(p.param.name, p.param.name);
    for (std::size_t k = 0; k < stms().size(); ++k) {
      if (sum_of(k)) continue;
      if (is_first(k)) {
        for (const Param& param : stms()[k].pattern) element(param, of_steps_.at(param.name));
        continue;
      }
      Stm stm = stms()[k];
      for (Param& param : stm.pattern)
        if (is_only_read(param.name)) param.name = names_.fresh(param.name), names_.bind(param.name, param.type);
      body.add(stm);
      for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
        const Param& param = stms()[k].pattern[i];
        if (!is_kept(param.name)) continue;
        const Name all = *keep(param.name, stm.pattern[i].name);
        if (is_only_read(param.name)) element(param, all);
      }
    }
    loop.body.stms = std::move(body.stms);
    strip.let(std::move(pattern), std::move(loop));
  }

  void make_last(Builder& strip, Loop& over) {
    for (const Sum& sum : last_) {
      const Stm& stm = stms()[sum.at];
      const Param next = names_.fresh_param(stm.pattern[0].name.base, stm.pattern[0].type);
      const Name parts = bind_for_steps(next.name, "_parts");
      Lambda point = std::get<Nest>(stm.exp).point;
      point.body.result = {sum.added};
      NameSet wanted{sum.added};
      point.body.stms = statements_for(wanted, point.body.stms);
      strip.add(of_all_steps(stm, std::move(point), {parts}, operands_of(taken_by(sum), sum.at)));
      strip.add(sum_of_parts(stm, sum, next, parts));
      over.body.result[sum.param] = next.name;
    }
  }

  /// What was carried, and the sum of what comes to it.
  Stm sum_of_parts(const Stm& stm, const Sum& sum, const Param& next, const Name& parts) {
    Stm whole{{next}, stm.exp, stm.origin, stm.attributes};
    Nest& nest = std::get<Nest>(whole.exp);
    nest.point = rename(nest.point, names_, {});
    Builder point(names_, stm.origin);
    const PrimType elem = next.type.elem;
    Nest steps{nest.each, nest.each, {steps_}, {}, {}, {}, {}};
    steps.point = point.lambda({{"t", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& t) {
      std::vector<Atom> at{t[0]};
      for (const Param& param : nest.point.params) at.emplace_back(param.name);
      return std::vector<Atom>{b.index(parts.base, parts, at)};
    });
    Out total;
    total.kind = OutKind::reduce;
    total.op = Operator{scalar_operator(point, BinOpKind::add, elem), {PrimValue::zero(elem)}, true};
    steps.outs = {total};
    std::vector<Atom> own;
    for (const Param& param : nest.point.params) own.emplace_back(param.name);
    const Param all = names_.fresh_param("total", scalar(elem));
    point.let({all}, std::move(steps));
    // Behind the sum, where one thread alone goes on: it may store the next value in this place.
    const Name before = point.index(sum.element.base, loop_.params[sum.param].param.name, own);
    nest.point.body.result = {point.binop(next.name.base, BinOpKind::add, before, all.name)};
    nest.point.body.stms = std::move(point.stms);
    return whole;
  }

  const Stm& stm_;
  Names& names_;
  const Loop loop_;
  const facts::Aliases aliases_;
  ForLoop form_;
  NameSet inside_;  // what the loop binds
  std::vector<std::size_t> first_;
  std::vector<Sum> last_;
  std::vector<Name> kept_;                    // by each step, for the last part
  std::unordered_map<Name, Name> of_steps_;  // values of all steps of the strip
  Atom first_step_, steps_;                   // of the strip
};

}  // namespace

std::optional<Stms> steps_together(const Stm& loop, Names& names, const facts::Callees& callees) {
  return StepsTogether(loop, names, callees).run();
}

}  // namespace boustro::parallel
