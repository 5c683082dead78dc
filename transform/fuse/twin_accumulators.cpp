// Two accumulators that start equal and to which the same is added, in the same places, are one.
//
// Rule      (ys, zs) = with_acc xs, xs' (\a b -> .. a[i] += v .. b[i] += v ..)   gives   (ys, _) = with_acc ..;  zs = ys
//           Nobody needs the second one then, so that simplification removes it
// Applies   both add up; xs and xs' are arrays of the same number; next to each addition to one of them stands one of the same value to the same cells of the
//           other; nobody updates ys or zs. The adjoints of a and b in a + b are such
// Cost      half of the additions, and an array
//
// Before:  (as_adj, bs_adj) = with_add zeros, zeros' (\a b -> map (\a b i -> (update_acc a [i] (f i), update_acc b [i] (f i))) ..)
// After:   as_adj = with_add zeros (\a -> map (\a i -> update_acc a [i] (f i)) ..);  bs_adj = as_adj
#include <algorithm>
#include <unordered_map>

#include "transform/facts/aliases.hpp"
#include "transform/facts/history.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {
namespace {

using namespace ir;

/// Which additions a with_acc makes to which of its inputs, body by body.
class TwinAdditions {
 public:
  explicit TwinAdditions(const WithAcc& e) {
    for (std::size_t i = 0; i < e.inputs.size(); ++i) inputs_.emplace(e.fn.params[i].name, i);
    body(e.fn.body);
    // What passes through another with_acc is not followed: it has no known name behind that.
    for (std::size_t i = 0; i < e.inputs.size(); ++i) all_known_ = all_known_ && input_of(e.fn.body.result[i]) == i;
  }

  /// In every body there are as many of each to the one as to the other.
  bool are_twins(std::size_t a, std::size_t b) const {
    return all_known_ && std::all_of(bodies_.begin(), bodies_.end(), [&](const std::vector<Addition>& additions) {
      const auto of = [&](std::size_t input, const UpdateAcc& like) {
        return std::count_if(additions.begin(), additions.end(), [&](const Addition& one) {
          return one.input == input && one.update->indices == like.indices && one.update->value == like.value && one.update->in_bounds == like.in_bounds;
        });
      };
      return std::all_of(additions.begin(), additions.end(), [&](const Addition& one) {
        return (one.input != a && one.input != b) || of(a, *one.update) == of(b, *one.update);
      });
    });
  }

 private:
  struct Addition {
    std::size_t input;
    const UpdateAcc* update;
  };

  void body(const Body& body) {
    const std::size_t own = bodies_.size();
    bodies_.emplace_back();
    for (const Stm& stm : body.stms) {
      const auto same = [&](const Name& from, const Name& to) {
        if (const auto input = inputs_.find(from); input != inputs_.end()) inputs_.insert_or_assign(to, std::size_t(input->second));
      };
      if (const auto* update = std::get_if<UpdateAcc>(&stm.exp))
        if (const auto input = inputs_.find(update->accumulator); input != inputs_.end()) bodies_[own].push_back({input->second, update});
      if (const auto* call = std::get_if<Call>(&stm.exp)) all_known_ = all_known_ && !takes_any(*call);
      facts::accumulators_into(stm.exp, same);
      for_each_body(stm.exp, [&](const Body& inner) { this->body(inner); });
      all_known_ = all_known_ && facts::keeps_places(stm.exp, [&](const Atom& atom) { return input_of(atom); });
      facts::accumulators_out_of(stm, same);
    }
  }

  bool takes_any(const Call& call) const {
    return std::any_of(call.args.begin(), call.args.end(), [&](const Atom& arg) { return input_of(arg).has_value(); });
  }

  std::optional<std::size_t> input_of(const Atom& atom) const {
    const Name* name = name_in(atom);
    const auto found = name ? inputs_.find(*name) : inputs_.end();
    return found == inputs_.end() ? std::nullopt : std::optional(found->second);
  }

  std::unordered_map<Name, std::size_t> inputs_;  // under all of their names
  std::vector<std::vector<Addition>> bodies_;
  bool all_known_ = true;
};

class Twins {
 public:
  explicit Twins(const Program& program) : names_(program), aliases_(program) {}

  /// Says whether there are any.
  bool unite(Body& body) {
    bool any = false;
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      if (const auto* equal = std::get_if<Replicate>(&stm.exp)) equal_.emplace(stm.pattern[0].name, *equal);
      map_bodies(stm.exp, [&](Body& inner) { any = unite(inner) || any; });
      stms.push_back(std::move(stm));
      if (std::holds_alternative<WithAcc>(stms.back().exp)) any = unite_some(stms) || any;
    }
    body.stms = std::move(stms);
    return any;
  }

 private:
  /// Of the last statement, two of its results.
  bool unite_some(std::vector<Stm>& stms) {
    const Stm with = stms.back();
    const auto& e = std::get<WithAcc>(with.exp);
    const TwinAdditions additions(e);
    for (std::size_t b = 1; b < e.inputs.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        if (!start_equal(e.inputs[a], e.inputs[b]) || !additions.are_twins(a, b)) continue;
        const Param &one = with.pattern[a], &other = with.pattern[b];
        if (!aliases_.settled(one.name) || !aliases_.settled(other.name)) continue;
        stms.back().pattern[b] = names_.fresh_param(other.name.base, other.type, other.unique);
        stms.push_back({{other}, AtomExp{Atom(one.name)}, with.origin, {}});
        aliases_.unite(other.name, one.name);
        return true;
      }
    return false;
  }

  bool start_equal(const AccumulatorInput& a, const AccumulatorInput& b) const {
    const auto first = equal_.find(a.destination), second = equal_.find(b.destination);
    return adds(a) && adds(b) && first != equal_.end() && second != equal_.end() && first->second == second->second;
  }

  /// In whatever order: of other operators, and of what is overwritten, the last one may count.
  static bool adds(const AccumulatorInput& input) { return std::holds_alternative<AddUp>(input.kind); }

  Names names_;
  facts::Aliases aliases_;
  std::unordered_map<Name, Replicate> equal_;  // arrays of one number
};

}  // namespace

bool unite_twin_accumulators(Program& program) {
  Twins twins(program);
  bool any = false;
  for (Function& function : program.functions) any = twins.unite(function.body) || any;
  return any;
}

}  // namespace boustro::fuse
