// Which nests are joined: the nearest pairs first, in what the host runs. Rows join sums when nothing else joins any more.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "transform/facts/aliases.hpp"
#include "transform/parallel/join/join_nests.hpp"
#include "transform/parallel/join/join_rows.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

/// A rule that makes one nest of two. What it needs is asked first, since what moves where takes longer to find out.
struct JoinRule {
  bool (*may_join)(const Nest& first, const Nest& second);
  std::function<std::optional<Stm>(const Stm& first, const Stm& second, const NameSet& needed)> join;
};

class Joins {
 public:
  Joins(const Program& program, Names& names) : callees_(program), aliases_(program), names_(names) {}

  void function(Function& function) {
    sizes_ = {}, turned_.clear();
    for (const Param& param : function.params) sizes_.declare(param.type);
    body(function.body);
  }

 private:
  /// One that the host runs.
  void body(Body& body) {
    for (std::size_t j = 0; j < body.stms.size(); ++j) {
      sizes_.enter(body.stms[j]);
      const Exp& exp = body.stms[j].exp;
      if (const auto* turned = std::get_if<Rearrange>(&exp)) turned_.emplace(body.stms[j].pattern[0].name, *turned);
      if (std::holds_alternative<Loop>(exp) || std::holds_alternative<If>(exp) || std::holds_alternative<WithAcc>(exp))
        map_bodies(body.stms[j].exp, [&](Body& inner) { this->body(inner); });
      while (join_one(body, j, points_) || move_one_into(body, j)) --j;
    }
    for (std::size_t j = 0; j < body.stms.size(); ++j)
      while (join_one(body, j, rows_)) --j;
  }

  /// Statement j with one before it.
  bool join_one(Body& body, std::size_t j, const JoinRule& rule) {
    const auto* second = std::get_if<Nest>(&body.stms[j].exp);
    for (std::size_t i = j; second && i-- > 0;) {
      const auto* first = std::get_if<Nest>(&body.stms[i].exp);
      if (!first || !rule.may_join(*first, *second)) continue;
      const bool down = can_move_down(body.stms, i, j);
      if (!down && !can_move_up(body.stms, i, j)) continue;
      auto joined = rule.join(body.stms[i], body.stms[j], used_beside(body, i, j));
      if (!joined) continue;
      body.stms[down ? j : i] = std::move(*joined);
      body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(down ? i : j));
      return true;
    }
    return false;
  }

  /// A nest before statement j, a with_acc, with one of those in it.
  bool move_one_into(Body& body, std::size_t j) {
    if (!std::holds_alternative<WithAcc>(body.stms[j].exp)) return false;
    for (std::size_t i = j; i-- > 0;) {
      const auto* nest = std::get_if<Nest>(&body.stms[i].exp);
      if (!nest || !nest->accumulators.empty() || !can_move_down(body.stms, i, j)) continue;
      if (consumes_what_it_reads(body.stms[j], body.stms[i]) || consumes_any_result(body.stms[j], body.stms[i])) continue;
      if (!move_into(body.stms[i], body.stms[j], used_beside(body, i, j))) continue;
      body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
      this->body(std::get<WithAcc>(body.stms[j - 1].exp).fn.body);
      return true;
    }
    return false;
  }

  /// What is needed of the nest outside the with_acc yields.
  bool move_into(const Stm& nest, Stm& with, const NameSet& needed) {
    Lambda& fn = std::get<WithAcc>(with.exp).fn;
    Stms& stms = fn.body.stms;
    const auto user = std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) { return uses_any_result(stm, nest); });
    for (auto partner = user; partner != stms.end(); ++partner) {
      if (!needs_nothing_of(user, partner)) continue;
      NameSet needed_here = used_beside(fn.body, static_cast<std::size_t>(partner - stms.begin()), stms.size());
      for (const Name& name : needed) needed_here.insert(name);
      auto joined = joined_nests(nest, *partner, needed_here, sizes_, names_);
      if (!joined) continue;
      *partner = std::move(*joined);
      std::rotate(user, partner, partner + 1);
      for (const Param& param : nest.pattern)
        if (needed.contains(param.name)) yield_also(param, with);
      return true;
    }
    return false;
  }

  /// Inside it has another name.
  void yield_also(const Param& param, Stm& with) {
    Lambda& fn = std::get<WithAcc>(with.exp).fn;
    const Param inside = names_.fresh_param(param.name.base, param.type);
    for (Stm& stm : fn.body.stms)
      for (Param& bound : stm.pattern)
        if (bound.name == param.name) bound.name = inside.name;
    substitute(fn.body, {{param.name, inside.name}});
    fn.body.result.emplace_back(inside.name);
    fn.result_types.push_back(param.type);
    with.pattern.push_back(param);
  }

  /// How an array lies in memory, if it has not been laid out anew since.
  std::vector<facts::Stride> strides(const Name& array) const {
    const auto turned = turned_.find(array);
    if (turned == turned_.end()) return facts::row_major(names_.type_of(array).shape.size());
    const std::vector<facts::Stride> before = strides(turned->second.array);
    std::vector<facts::Stride> result;
    for (const int dimension : turned->second.permutation) result.push_back(before[static_cast<std::size_t>(dimension)]);
    return result;
  }

  // ---- Whether statements may move

  /// Number i to just before number j: nobody in between needs it, or consumes what it reads.
  bool can_move_down(const Stms& stms, std::size_t i, std::size_t j) const {
    return std::none_of(stms.begin() + static_cast<std::ptrdiff_t>(i) + 1, stms.begin() + static_cast<std::ptrdiff_t>(j),
                        [&](const Stm& stm) { return uses_any_result(stm, stms[i]) || consumes_what_it_reads(stm, stms[i]); });
  }

  /// A with_acc consumes what it adds to before anything of its body is computed.
  bool consumes_what_it_reads(const Stm& stm, const Stm& reader) const {
    const NameSet read = free_names(reader);
    const std::vector<Name> consumed = facts::consumed_by(stm.exp, callees_);
    return std::any_of(consumed.begin(), consumed.end(), [&](const Name& array) {
      return std::any_of(read.begin(), read.end(), [&](const Name& name) { return aliases_.may_alias(name, array); });
    });
  }

  /// A with_acc that adds to what the nest makes needs it outside.
  bool consumes_any_result(const Stm& stm, const Stm& producer) const {
    const std::vector<Name> consumed = facts::consumed_by(stm.exp, callees_);
    return std::any_of(producer.pattern.begin(), producer.pattern.end(),
                       [&](const Param& param) { return std::find(consumed.begin(), consumed.end(), param.name) != consumed.end(); });
  }

  /// Number j to just behind number i.
  static bool can_move_up(const Stms& stms, std::size_t i, std::size_t j) {
    const auto begin = stms.begin();
    return needs_nothing_of(begin + static_cast<std::ptrdiff_t>(i) + 1, begin + static_cast<std::ptrdiff_t>(j));
  }
  static bool needs_nothing_of(Stms::const_iterator first, Stms::const_iterator stm) {
    return std::none_of(first, stm, [&](const Stm& before) { return uses_any_result(*stm, before); });
  }

  static bool uses_any_result(const Stm& user, const Stm& producer) {
    const NameSet used = free_names(user);
    return std::any_of(producer.pattern.begin(), producer.pattern.end(), [&](const Param& param) { return used.contains(param.name); });
  }

  /// By statements other than these two, and as results.
  static NameSet used_beside(const Body& body, std::size_t i, std::size_t j) {
    NameSet names;
    for (std::size_t k = 0; k < body.stms.size(); ++k)
      if (k != i && k != j) names.merge(free_names(body.stms[k]));
    for (const Atom& atom : body.result)
      if (const Name* name = name_in(atom)) names.insert(*name);
    return names;
  }

  const facts::Callees callees_;
  const facts::Aliases aliases_;
  Names& names_;
  facts::Sizes sizes_;
  std::unordered_map<Name, Rearrange> turned_;
  const facts::Layout layout_ = [this](const Name& array) { return std::optional(strides(array)); };
  const JoinRule points_{[](const Nest& first, const Nest& second) { return first.space == second.space; },
                         [this](const Stm& first, const Stm& second, const NameSet& needed) { return joined_nests(first, second, needed, sizes_, names_); }};
  const JoinRule rows_{have_rows, [this](const Stm& first, const Stm& second, const NameSet& needed) { return joined_rows(first, second, needed, layout_, names_); }};
};

}  // namespace

Program join_nests(Program program) {
  const Program original = program;
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions) Joins(original, names).function(function);
  return program;
}

}  // namespace boustro::parallel
