// Sizes that only a thread knows: another nest computes the largest of them first, so that the host can have room for an array of
// each thread. What is computed for that is what the sizes depend on, no more.
//
// Before:   map (\i -> let k = ks[i]  let xs = scan (+) 0 (iota k)  ..) (iota n)
// After:    let k_max = map_reduce max 0 (\i -> ks[i]) (iota n)
//           map (\i -> let k = ks[i]  let k_1 = i64.min k k_max  let xs = scan (+) 0 (iota k_1)  ..) (iota n)
// Applies   to arrays in memory whose size has no bound by what is known outside, if the statement consumes nothing
// Else      the operator becomes a loop, which the host runs: where an array of a thread grows by what it holds
#include <algorithm>

#include "transform/facts/aliases.hpp"
#include "transform/parallel/in_order/as_loop.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/sizes/bound.hpp"
#include "transform/parallel/sizes/largest.hpp"
#include "transform/parallel/sizes/unbounded.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// More sizes than that depend on arrays of one another in a circle.
constexpr int max_rounds = 100;

class ThreadSizes {
 public:
  ThreadSizes(const Program& program, Names& names) : program_(program), callees_(program), names_(names) {}

  /// Bounds the next size; false if there is none left.
  bool next(Program& program) {
    sizes_ = {};
    known_ = Bounded(sizes_);
    for (Function& function : program.functions) {
      for (const Param& p : function.params) sizes_.declare(p.type);
      if (next(function.body)) return true;
    }
    return false;
  }

 private:
  bool next(Body& body) {
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      Stm& stm = body.stms[i];
      known_.note(stm);
      if (runs_threads(stm.exp)) {
        if (next(body, i)) return true;
        continue;
      }
      bool found = false;
      map_bodies(stm.exp, [&](Body& inner) { found = found || next(inner); });
      if (found) return true;
    }
    return false;
  }

  bool next(Body& body, std::size_t at) {
    while (const auto size = unbounded_size(body.stms[at], known_, left_)) {
      left_.insert(*size);
      Stm bounded = body.stms[at];
      if (!facts::consumed_by(std::vector<Stm>{bounded}, callees_).empty()) continue;
      const auto largest = largest_value(bounded, *size, program_, names_);
      if (!largest || stores_arrays_of(*size, *largest)) continue;
      const Body inspected = rename(*largest, names_);
      if (!bound_size(bounded, *size, std::get<Name>(inspected.result[0]), names_)) continue;
      body.stms[at] = std::move(bounded);
      body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(at), inspected.stms.begin(), inspected.stms.end());
      return true;
    }
    return unbounded_size(body.stms[at], known_, {}) && loop(body, at);
  }

  /// One element after the other: then the host makes the arrays.
  bool loop(Body& body, std::size_t at) {
    const auto stms = as_loop(body.stms[at], names_);
    if (!stms) return false;
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(at));
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(at), stms->begin(), stms->end());
    return true;
  }

  /// The size depends on arrays of this size, from one iteration to the next.
  bool stores_arrays_of(const Name& size, const Body& body) const {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      return unbounded_size(stm, known_, left_, size) == size;
    });
  }

  const Program& program_;
  facts::Callees callees_;
  Names& names_;
  facts::Sizes sizes_;
  Bounded known_{sizes_};
  NameSet left_;  // that are done, or cannot be
};

}  // namespace

Program bound_thread_sizes(Program program) {
  const Program original = program;
  Names names(program);
  ThreadSizes sizes(original, names);
  for (int round = 0; sizes.next(program); ++round) {
    if (round == max_rounds) return original;
  }
  return program;
}

}  // namespace boustro::parallel
