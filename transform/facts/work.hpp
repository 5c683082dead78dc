// How much work statements are, to choose between computing something again and storing it: additions, or as much as they take,
// as a polynomial in sizes and trip counts.
//
// Views, iota and replicate are free, since their elements can be computed where they are read. Of a branch the dearer side
// counts, by terms. Of a while loop, which may run any number of times, `while_steps` iterations count.
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/facts/sizes.hpp"

namespace boustro::facts {

// What operations take, an addition being 1: roughly what GPUs and CPUs take in f32.
inline constexpr std::int64_t division_work = 8;    // also remainders, square roots
inline constexpr std::int64_t function_work = 16;   // exp, log, sin, ...
inline constexpr std::int64_t power_work = 32;      // pow, gamma, ... which call several of these
inline constexpr std::int64_t sort_passes = 8;      // of a radix sort, each of which reads an element and writes it
inline constexpr std::int64_t memory_work = 4;      // an element read from an array or written to one, cached
inline constexpr std::int64_t atomic_work = 16;     // an addition to a cell that others may add to
inline constexpr std::int64_t while_steps = 16;

/// At most this is computed again rather than passed through memory, for each value: a read that is not cached takes as long.
inline constexpr std::int64_t less_than_a_load = 32;

/// Can be computed another time wherever its operands are known: one operation, a read, or a view or array whose elements follow
/// from their indices. Nothing is consumed, nothing stored.
bool is_repeatable(const ir::Stm& stm);
/// Repeatable, and in sum no more than loads of so many values that they yield.
bool is_cheap(const std::vector<ir::Stm>& stms, std::size_t values = 1);
/// How many numbers would be stored for one behind them, instead of computing them again: the scalars that it uses, or the place
/// of a view.
std::size_t values_for(const ir::Stm& user, const std::vector<ir::Stm>& stms);

/// An operation on scalars that takes no longer than an addition, or about that, and cannot fail.
bool is_quick(const ir::Exp& exp);

class Works {
 public:
  /// In terms of the names that `sizes` does not define.
  explicit Works(const Callees& callees, Sizes sizes = {}) : callees_(callees), sizes_(std::move(sizes)) {}

  Polynomial of(const std::vector<ir::Stm>& stms);
  Polynomial of(const ir::Body& body) { return of(body.stms); }
  Polynomial of(const ir::Stm& stm);

 private:
  Polynomial times(const ir::Atom& width, const ir::Lambda& fn);
  Polynomial inside(const ir::Stm& stm);
  Polynomial of_loop(const ir::Loop& e);
  Polynomial of_call(const ir::Call& e);
  Polynomial elements_of(const ir::Type& type) const;

  const Callees& callees_;
  Sizes sizes_;
};

/// Bounded by `limit`, whatever the sizes are.
bool takes_at_most(const Polynomial& work, std::int64_t limit);

}  // namespace boustro::facts
