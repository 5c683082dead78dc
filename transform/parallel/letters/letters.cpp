// Indices over the same extent have the same letter, and those over different ones different letters, wherever in a function they are.
//
// Before:  nest n (\i -> .. nest d (\i_1 -> xs[i, i_1]) ..)  nest d (\i_2 -> ys[i_2])
// After:   nest n (\i -> .. nest d (\j -> xs[i, j]) ..)      nest d (\j_1 -> ys[j_1])
// Applies  to indices of nests and loops that are called by one letter. First come the sizes that nests begin with, then all others, in the order in
//          which the function takes them: [n] [k] [d] have i, j and t; but loops keep what they have, and so do other extents, if that is free. An index inside of
//          another one over the same extent gets a letter of its own. What only a point knows the size of, such as a slab, owns no letter
//          x is a letter of theirs beside y; alone it is a parameter of the prelude, as in map f64.i64 (iota n). What is converted goes with
//          its index: i_real
// Never    a letter by which something else is called, but for i and j; where there are more extents than letters, those of the
//          first ones come again
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Letter = std::string;

constexpr std::array<const char*, 9> pool{"i", "j", "t", "l", "s", "u", "r", "q", "v"};

bool is_letter(const Name& name) { return name.base.size() == 1; }

class Letters {
 public:
  /// By what names some function of the program has indices, and those that nests begin with.
  struct Sizes {
    std::set<std::string> all, outermost;
  };

  Letters(const Function& function, const Sizes& sizes) {
    for (const Param& param : function.params) note(param.name);
    look_at(function.body);
    claim_for_params(function, sizes.outermost);
    claim_for_outermost(function.body);
    claim_for_params(function, sizes.all);
    visit(function.body);
  }

  Name renamed(const Name& name) const {
    const auto found = better_.find(name);
    return found == better_.end() ? name : Name{found->second, name.tag};
  }

 private:
  struct Owner {
    Letter letter;
    Atom extent;
  };

  // ---- What else is called by a letter, and extents that are others

  void note(const Name& name) {
    if (is_letter(name)) others_.insert(name.base);
  }
  void look_at(const Body& body, bool of_point = false) {
    for (const Stm& stm : body.stms) {
      for (const Param& param : stm.pattern) {
        note(param.name);
        if (of_point) of_points_.insert(param.name);
      }
      if (const auto inner = without_floor(stm.exp)) same_.emplace(stm.pattern[0].name, *inner);
      if (const auto* loop = std::get_if<Loop>(&stm.exp)) look_at(*loop);
      const auto* nest = std::get_if<Nest>(&stm.exp);
      if (nest) has_y_ |= std::any_of(nest->point.params.begin(), nest->point.params.end(), [](const Param& param) { return param.name.base == "y"; });
      for_each_body(stm.exp, [&](const Body& inner) { look_at(inner, of_point || nest); });
    }
  }
  /// x of max(x, 0): no other indices.
  static std::optional<Atom> without_floor(const Exp& exp) {
    const auto* op = std::get_if<BinOp>(&exp);
    if (!op || op->kind != BinOpKind::max) return std::nullopt;
    if (op->rhs == int_atom(0)) return op->lhs;
    return op->lhs == int_atom(0) ? std::optional(op->rhs) : std::nullopt;
  }
  const Atom& indexed(const Atom& extent) const {
    const Name* name = name_in(extent);
    const auto found = name ? same_.find(*name) : same_.end();
    return found == same_.end() ? extent : found->second;
  }

  void look_at(const Loop& loop) {
    for (const LoopParam& param : loop.params) note(param.param.name);
    const auto* counted = std::get_if<ForLoop>(&loop.form);
    if (counted && is_letter(counted->index) && is_free(counted->index.base)) claim(counted->index.base, indexed(counted->bound));
  }
  void claim_for_params(const Function& function, const std::set<std::string>& sizes) {
    for (int k = 0; k < function.size_params; ++k) {
      const Name& size = function.params[static_cast<std::size_t>(k)].name;
      if (sizes.contains(size.base)) claim_for_size(size);
    }
  }
  void claim_for_outermost(const Body& body) {
    for (const Stm& stm : body.stms) {
      const auto* nest = std::get_if<Nest>(&stm.exp);
      if (nest && !nest->space.empty()) {
        const Name& index = nest->point.params[nest->accumulators.size()].name;
        if (is_letter(index)) letter_for(wanted_for(index), indexed(nest->space[0]));
      } else {
        for_each_body(stm.exp, [&](const Body& inner) { claim_for_outermost(inner); });
      }
    }
  }
  void claim_for_size(const Name& size) {
    const Atom extent = size;
    if (std::any_of(owners_.begin(), owners_.end(), [&](const Owner& owner) { return owner.extent == extent; })) return;
    for (const char* letter : pool)
      if (is_free(letter) && is_for_indices(letter)) return void(claim(letter, extent));
  }

  // ---- Letters of extents

  bool is_around(const Letter& letter) const { return std::find(around_.begin(), around_.end(), letter) != around_.end(); }
  bool is_free(const Letter& letter) const {
    return !is_around(letter) && std::none_of(owners_.begin(), owners_.end(), [&](const Owner& owner) { return owner.letter == letter; });
  }
  bool is_for_indices(const Letter& letter) const { return letter == "i" || letter == "j" || !others_.contains(letter); }

  Letter claim(const Letter& letter, const Atom& extent) {
    owners_.push_back({letter, extent});
    return letter;
  }

  Letter wanted_for(const Name& index) const {
    const bool is_named = index.base != "x" || has_y_;
    return is_named ? index.base : "i";
  }

  Letter letter_for(const Letter& wanted, const Atom& extent) {
    const Name* size = name_in(extent);
    if (size && of_points_.contains(*size)) return is_around(wanted) ? any_letter(wanted) : wanted;
    for (const Owner& owner : owners_)
      if (owner.extent == extent && !is_around(owner.letter)) return owner.letter;
    if (is_free(wanted)) return claim(wanted, extent);
    for (const char* letter : pool)
      if (is_free(letter) && is_for_indices(letter)) return claim(letter, extent);
    return any_letter(wanted);
  }

  /// That is no index around.
  Letter any_letter(const Letter& wanted) const {
    for (const char* letter : pool)
      if (!is_around(letter) && is_for_indices(letter)) return letter;
    return wanted;
  }

  // ---- Nests and loops, outer ones first

  void visit(const Body& body) {
    for (const Stm& stm : body.stms) {
      const std::size_t outside = around_.size();
      if (const auto* nest = std::get_if<Nest>(&stm.exp)) enter(*nest);
      if (const auto* loop = std::get_if<Loop>(&stm.exp)) enter(*loop);
      if (const auto* convert = std::get_if<Convert>(&stm.exp)) name_converted(stm.pattern[0].name, convert->operand);
      for_each_body(stm.exp, [&](const Body& inner) { visit(inner); });
      around_.resize(outside);
    }
  }

  void enter(const Nest& nest) {
    for (std::size_t d = 0; d < nest.space.size(); ++d) enter(nest.point.params[nest.accumulators.size() + d].name, nest.space[d]);
  }

  void enter(const Loop& loop) {
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) enter(counted->index, counted->bound);
  }

  void enter(const Name& index, const Atom& extent) {
    if (is_letter(index)) better_.emplace(index, letter_for(wanted_for(index), indexed(extent)));
    around_.push_back(renamed(index).base);
  }

  /// i_real, of an index i that was x when x_real got its name.
  void name_converted(const Name& result, const Atom& operand) {
    const Name* index = name_in(operand);
    const auto found = index ? better_.find(*index) : better_.end();
    if (found != better_.end() && result.base.starts_with(index->base + "_")) better_.emplace(result, found->second + result.base.substr(1));
  }

  bool has_y_ = false;
  std::set<Letter> others_;
  NameSet of_points_;
  std::unordered_map<Name, Atom> same_;
  std::vector<Owner> owners_;
  std::vector<Letter> around_;
  std::unordered_map<Name, std::string> better_;
};

void add_extents(const Body& body, Letters::Sizes& sizes, bool outermost = true) {
  for (const Stm& stm : body.stms) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    for (std::size_t d = 0; nest && d < nest->space.size(); ++d) {
      const Name* name = name_in(nest->space[d]);
      if (name) sizes.all.insert(name->base);
      if (name && outermost && d == 0) sizes.outermost.insert(name->base);
    }
    for_each_body(stm.exp, [&](const Body& inner) { add_extents(inner, sizes, outermost && !nest); });
  }
}

}  // namespace

Program letter_indices(Program program) {
  Letters::Sizes sizes;
  for (const Function& function : program.functions) add_extents(function.body, sizes);
  for (Function& function : program.functions) {
    const Letters letters(function, sizes);
    change_names(function, [&](const Name& name) { return letters.renamed(name); });
  }
  return program;
}

}  // namespace boustro::parallel
