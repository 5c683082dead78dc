// What tests see of an evaluation.
#include "transform/ir/evaluate/compiler.hpp"

namespace boustro::ir::evaluation {
namespace {

class MachineScene : public Scene {
 public:
  MachineScene(Machine& machine, const std::unordered_map<Name, Slot>& slots)
      : machine_(machine), slots_(slots) {}

  bool is_consumed(const Name& array) const override {
    const Array& mine = machine_.array(slots_.at(array).index);
    return mine.buffer && !mine.alive();
  }

  std::vector<Name> sharing(const Name& array) const override {
    std::vector<Name> result;
    const Array& mine = machine_.array(slots_.at(array).index);
    for (const auto& [name, slot] : slots_) {
      if (!slot.is_array || name == array) continue;
      const Array& other = machine_.array(slot.index);
      if (other.buffer == mine.buffer && other.alive() && !other.accumulator && mine.alive() && !mine.accumulator)
        result.push_back(name);
    }
    return result;
  }

  std::int64_t integer(const Name& scalar) const override { return machine_.size(slots_.at(scalar).index); }

 private:
  Machine& machine_;
  const std::unordered_map<Name, Slot>& slots_;
};

}  // namespace

Step Compiler::observing(const Stm& stm) const {
  return [this, &stm](Machine& m) { observe_(stm, MachineScene(m, slots_)); };
}

}  // namespace boustro::ir::evaluation
