// What runs: a program compiled to closures over numbered slots. Names are unique and there is no
// recursion, so every name of the program has one slot for the whole run, and a call only copies
// its arguments.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "transform/ir/evaluate.hpp"
#include "transform/ir/evaluate/array.hpp"

namespace boustro::ir::evaluation {

/// Where a name or literal lives: scalars and arrays (accumulators too) are numbered apart.
struct Slot {
  bool is_array = false;
  int index = 0;
};

struct Machine {
  std::vector<Bits> scalars;
  std::vector<Array> arrays;

  Bits& scalar(int index) { return scalars[static_cast<std::size_t>(index)]; }
  std::int64_t size(int index) { return static_cast<std::int64_t>(scalar(index)); }
  Array& array(int index) { return arrays[static_cast<std::size_t>(index)]; }
};

using Step = std::function<void(Machine&)>;

struct BodyCode {
  std::vector<Step> steps;
  std::vector<Slot> results;
  std::vector<int> arrays;  // that its statements bind, to be dropped when the body is done
};

struct LambdaCode {
  std::vector<Slot> params;
  std::vector<bool> unique;  // as the parameters
  const BodyCode* body = nullptr;
};

/// What `UpdateAcc` does to a cell. `add` is null for overwriting; `op` is used if it is there.
struct AccumulatorCode {
  BinaryFunction add = nullptr;
  bool adds_floats = false;
  std::optional<LambdaCode> op;
};

/// An array operand at the moment of its use: not consumed before. `stm` is named if it was.
const Array& live(Machine& m, int index, const Stm* stm);

/// The user's program fails; our program is broken.
[[noreturn]] void fail(const Stm* stm, const std::string& text);
[[noreturn]] void broken(const Stm* stm, const std::string& text);

inline void run(Machine& m, const BodyCode& body) {
  for (const Step& step : body.steps) step(m);
}
/// Drops the arrays of a body that has run and whose results were read.
inline void drop(Machine& m, const BodyCode& body) {
  for (const int array : body.arrays) m.array(array) = {};
}

inline void assign(Machine& m, Slot from, Slot to) {
  if (to.is_array)
    m.array(to.index) = m.array(from.index);
  else
    m.scalar(to.index) = m.scalar(from.index);
}
/// All at once: targets may be among the sources.
void assign_all(Machine& m, std::span<const Slot> from, std::span<const Slot> to);
/// As assign_all where no target is among the sources.
inline void assign_each(Machine& m, std::span<const Slot> from, std::span<const Slot> to) {
  for (std::size_t i = 0; i < to.size(); ++i) assign(m, from[i], to[i]);
}

}  // namespace boustro::ir::evaluation
