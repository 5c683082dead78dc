// Accumulations into the same arrays, one after the other, become one.
//
// Rule      ys = with_acc xs f;  zs = with_acc ys g      gives   zs = with_acc xs (\acc -> g (f acc))
//           Arrays that only one of them adds to join in
// Applies   to what the host runs, if nobody else reads ys, or anything else that the first yields, before the second; if g reads none of the arrays
//           that f adds to and g does not, and f neither reads nor makes one that only g adds to; and if nothing in between consumes what f reads
// Cost      none; what adds to the same array stands together, for rules that look for it there (twin_accumulators.cpp, and joins of nests)
//
// Before:  ys = with_add xs (\acc -> map (\acc a -> update_acc acc [i a] a) as acc);  zs = with_add ys (\acc -> map (\acc b -> ..) bs acc)
// After:   zs = with_add xs (\acc -> let acc = map (\acc a -> ..) as acc in map (\acc b -> ..) bs acc)
#include <algorithm>

#include "transform/facts/aliases.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {
namespace {

using namespace ir;

bool mentions_result_of(const NameSet& names, const Stm& producer) {
  return std::any_of(producer.pattern.begin(), producer.pattern.end(), [&](const Param& param) { return names.contains(param.name); });
}

class Accumulations {
 public:
  Accumulations(const Stm& earlier, const Stm& later)
      : earlier_(earlier), later_(later), a_(std::get<WithAcc>(earlier.exp)), b_(std::get<WithAcc>(later.exp)) {
    for (const AccumulatorInput& input : b_.inputs) {
      const auto here = std::find_if(earlier.pattern.begin(), earlier.pattern.begin() + count(a_), [&](const Param& param) { return param.name == input.destination; });
      continues_.push_back(static_cast<std::size_t>(here - earlier.pattern.begin()));
    }
  }

  /// Some array that the first has added to is added to in the same way, and none is read.
  bool can_join(const facts::Aliases& aliases) const {
    bool any = false;
    for (std::size_t i = 0; i < b_.inputs.size(); ++i) {
      if (is_new(i) ? !can_start_earlier(b_.inputs[i].destination, aliases) : a_.inputs[continues_[i]].kind != b_.inputs[i].kind) return false;
      any = any || !is_new(i);
    }
    const NameSet read = free_names(b_.fn);
    return any && std::none_of(earlier_.pattern.begin(), earlier_.pattern.begin() + count(a_), [&](const Param& param) { return read.contains(param.name); });
  }

  Stm joined() const {
    WithAcc both = a_;
    Stm result{{earlier_.pattern.begin(), earlier_.pattern.begin() + count(a_)}, {}, later_.origin, earlier_.attributes};
    Body& body = both.fn.body;
    const std::vector<Atom> yielded = body.result;
    Substitution known;  // to the second one
    for (std::size_t i = 0; i < b_.inputs.size(); ++i) {
      if (!is_new(i)) {
        known.emplace(b_.fn.params[i].name, yielded[continues_[i]]);
        continue;
      }
      both.inputs.push_back(b_.inputs[i]);
      both.fn.params.push_back(b_.fn.params[i]);
    }
    for (std::size_t i = a_.inputs.size(); i < yielded.size(); ++i) known.emplace(earlier_.pattern[i].name, yielded[i]);
    Lambda second = b_.fn;
    substitute(second.body, known);
    body.stms.insert(body.stms.end(), second.body.stms.begin(), second.body.stms.end());
    body.result.resize(a_.inputs.size()), both.fn.result_types.resize(a_.inputs.size());
    const auto yield = [&](const Atom& atom, const Type& type, const Param& param) {
      body.result.push_back(atom), both.fn.result_types.push_back(type), result.pattern.push_back(param);
    };
    for (std::size_t i = 0; i < b_.inputs.size(); ++i) {
      if (is_new(i)) {
        yield(second.body.result[i], second.result_types[i], later_.pattern[i]);
      } else {
        body.result[continues_[i]] = second.body.result[i];
        result.pattern[continues_[i]] = later_.pattern[i];
      }
    }
    for (std::size_t i = a_.inputs.size(); i < yielded.size(); ++i) yield(yielded[i], a_.fn.result_types[i], earlier_.pattern[i]);
    for (std::size_t i = b_.inputs.size(); i < second.body.result.size(); ++i) yield(second.body.result[i], second.result_types[i], later_.pattern[i]);
    result.exp = std::move(both);
    return result;
  }

 private:
  static std::ptrdiff_t count(const WithAcc& e) { return static_cast<std::ptrdiff_t>(e.inputs.size()); }
  bool is_new(std::size_t input) const { return continues_[input] >= a_.inputs.size(); }

  /// The first one neither makes the array, beside those that it adds to, nor reads it.
  bool can_start_earlier(const Name& array, const facts::Aliases& aliases) const {
    if (std::any_of(earlier_.pattern.begin(), earlier_.pattern.end(), [&](const Param& param) { return aliases.may_alias(param.name, array); })) return false;
    const NameSet read = free_names(a_.fn);
    return std::none_of(read.begin(), read.end(), [&](const Name& name) { return aliases.may_alias(name, array); });
  }

  const Stm &earlier_, &later_;
  const WithAcc &a_, &b_;
  std::vector<std::size_t> continues_;  // for each input of the later one, that of the earlier one whose result it takes; else too large
};

class AccumulationJoiner {
 public:
  explicit AccumulationJoiner(const Program& program) : callees_(program), aliases_(program) {}

  /// One that the host runs.
  void body(Body& body) {
    for (std::size_t j = 0; j < body.stms.size(); ++j) {
      Stm& stm = body.stms[j];
      if (std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<If>(stm.exp))
        map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      if (!std::holds_alternative<WithAcc>(stm.exp)) continue;
      for (std::size_t i = j; i-- > 0;) {
        if (!joins(body.stms, i, j)) continue;
        body.stms[j] = Accumulations(body.stms[i], body.stms[j]).joined();
        body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
        --j;
      }
    }
  }

 private:
  bool joins(const std::vector<Stm>& stms, std::size_t i, std::size_t j) const {
    if (!std::holds_alternative<WithAcc>(stms[i].exp)) return false;
    return Accumulations(stms[i], stms[j]).can_join(aliases_) && can_move_down(stms, i, j);
  }

  bool can_move_down(const std::vector<Stm>& stms, std::size_t i, std::size_t j) const {
    const NameSet read = free_names(std::get<WithAcc>(stms[i].exp).fn);
    for (std::size_t k = i + 1; k < j; ++k) {
      if (mentions_result_of(free_names(stms[k]), stms[i])) return false;
      for (const Name& consumed : facts::consumed_by(stms[k].exp, callees_))
        if (std::any_of(read.begin(), read.end(), [&](const Name& name) { return aliases_.may_alias(name, consumed); })) return false;
    }
    return true;
  }

  facts::Callees callees_;
  facts::Aliases aliases_;
};

}  // namespace

Program join_accumulations(Program program) {
  const Program before = program;
  AccumulationJoiner joiner(before);
  for (Function& function : program.functions)
    if (function.entry) joiner.body(function.body);
  return program;
}

}  // namespace boustro::fuse
