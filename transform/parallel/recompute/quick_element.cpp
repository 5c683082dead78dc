#include "transform/parallel/recompute/quick_element.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/needed.hpp"

namespace boustro::parallel {

using namespace ir;

namespace {

constexpr std::size_t most_operations = 4, most_numbers = 4, most_reads = 3;

/// What the wanted names are computed of, other than indices of elements.
NameSet combined_for(NameSet wanted, const std::vector<Stm>& stms) {
  for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm)
    if (is_scalar_operation(stm->exp) && wanted.contains(stm->pattern[0].name)) wanted.merge(free_names(*stm));
  return wanted;
}

}  // namespace

QuickElement::QuickElement(const Nest& nest, std::size_t result, const facts::Aliases& aliases, const MemoryOrder* order)
    : nest_(nest), result_(result), aliases_(aliases), order_(order) {
  const NameSet wanted = names_among({nest.point.body.result[result]});
  NameSet needed = wanted;
  stms_ = statements_for(needed, nest.point.body.stms);
  combined_ = combined_for(wanted, stms_);
  for (std::size_t d = 0; d < nest.space.size(); ++d) places_.emplace(nest.point.params[d].name, Place{d});
  for (const Stm& stm : nest.point.body.stms)
    for (const Param& param : stm.pattern) places_.emplace(param.name, std::nullopt);
  quick_ = !stms_.empty() && std::all_of(stms_.begin(), stms_.end(), [&](const Stm& stm) { return note(stm); }) && is_few() && is_same_everywhere();
}

std::vector<Stm> QuickElement::in_place_of(const Stm& read, const std::vector<Atom>& at, Names& names) const {
  const Lambda computation{nest_.point.params, {stms_, {nest_.point.body.result[result_]}}, {nest_.point.result_types[result_]}};
  Builder builder(names, read.origin);
  const std::vector<Atom> value = inline_lambda(builder, rename(computation, names), at);
  Stm& last = builder.stms.back();
  if (value[0] == Atom(last.pattern[0].name))
    last.pattern[0] = read.pattern[0];
  else
    builder.let(read.pattern, AtomExp{value[0]});
  return std::move(builder.stms);
}

/// Compilers may contract a product and a sum, or not, differently in each place: what is decided by it would not be the same everywhere.
bool QuickElement::is_same_everywhere() const {
  const auto has = [&](std::initializer_list<BinOpKind> kinds) {
    return std::any_of(stms_.begin(), stms_.end(), [&](const Stm& stm) {
      const auto* op = std::get_if<BinOp>(&stm.exp);
      return op && values::is_float(op->type) && std::find(kinds.begin(), kinds.end(), op->kind) != kinds.end();
    });
  };
  return values::is_float(nest_.point.result_types[result_].elem) || !has({BinOpKind::mul}) || !has({BinOpKind::add, BinOpKind::sub});
}

bool QuickElement::is_few() const { return operations_ <= most_operations && numbers_ <= most_numbers && reads_ <= most_reads; }

bool QuickElement::note(const Stm& stm) {
  if (facts::is_quick(stm.exp)) return note_number(stm);
  const auto* index = std::get_if<Index>(&stm.exp);
  if (!index) return false;
  if (!parts_.contains(index->array)) parts_.emplace(index->array, whole_array(index->array, rank_read_by(*index, stm)));
  const auto part = part_of(stm, parts_);
  if (!part) return false;
  parts_.emplace(stm.pattern[0].name, *part);
  return !stm.pattern[0].type.is_scalar() || note_read(*part);
}

bool QuickElement::note_number(const Stm& stm) {
  const Name& name = stm.pattern[0].name;
  ++(combined_.contains(name) ? operations_ : numbers_);
  places_.insert_or_assign(name, place_of(stm.exp));
  return true;
}

bool QuickElement::note_read(const ArrayPart& element) {
  ++reads_;
  if (!aliases_.settled(element.array)) return false;
  if (!order_) return true;
  std::vector<Place> places;
  for (const Atom& index : indices_of(element)) {
    const auto place = place_of(index);
    if (!place) return false;
    places.push_back(*place);
  }
  for (std::size_t d = 0; d < nest_.space.size(); ++d)
    if (std::find(places.begin(), places.end(), Place{d}) == places.end()) return true;
  if (large_.has_value()) return false;
  large_ = element;
  return follows_memory(element, places);
}

/// The last dimension of the nest is that of neighbours, and nowhere else.
bool QuickElement::follows_memory(const ArrayPart& element, const std::vector<Place>& places) const {
  std::vector<std::size_t> along;
  const std::vector<std::size_t> order = order_->of(element.array, places.size());
  for (const std::size_t dimension : order)
    if (places[dimension].along) along.push_back(*places[dimension].along);
  for (std::size_t d = 0; d < along.size(); ++d)
    if (along[d] != d) return false;
  return places[order.back()].along.has_value() && along.size() == nest_.space.size();
}

std::optional<QuickElement::Place> QuickElement::place_of(const Atom& atom) const {
  const Name* name = name_in(atom);
  const auto found = name ? places_.find(*name) : places_.end();
  return found == places_.end() ? Place{} : found->second;
}

std::optional<QuickElement::Place> QuickElement::place_of(const Exp& exp) const {
  std::vector<std::optional<Place>> operands;
  for_each_atom(exp, [&](const Atom& atom) { operands.push_back(place_of(atom)); });
  if (std::find(operands.begin(), operands.end(), std::nullopt) != operands.end()) return std::nullopt;
  const auto moving = std::count_if(operands.begin(), operands.end(), [](const auto& place) { return place->along.has_value(); });
  if (moving == 0) return Place{};
  const auto* op = std::get_if<BinOp>(&exp);
  const bool moves = op && op->type == PrimType::i64 && (op->kind == BinOpKind::add || op->kind == BinOpKind::sub) && moving == 1;
  if (!moves) return std::nullopt;
  return operands[0]->along ? operands[0] : operands[1];
}

}  // namespace boustro::parallel
