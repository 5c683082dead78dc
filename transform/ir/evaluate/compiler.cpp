#include "transform/ir/evaluate/compiler.hpp"

#include <utility>

#include "frontend/source/diagnostics.hpp"

namespace boustro::ir::evaluation {

Compiler::Compiler(const Program& program, const EvaluateOptions& options)
    : program_(program), counts_(options.counts), chunk_(options.chunk), limited_(options.limit > 0), observe_(options.observe),
      adversary_(options.adversary), versions_of_(options.versions) {
  for (const Function& function : program.functions) {
    FunctionCode code{bind_all(function.params), nullptr};
    origin_ = {{function.at}, "", Sweep::none};
    code.body = body(function.body);
    functions_.emplace(function.name, std::move(code));
  }
}

const FunctionCode& Compiler::function(const Name& name) const {
  const auto found = functions_.find(name);
  source::internal_check(found != functions_.end(), "evaluate: unknown function " + name.base);
  return found->second;
}

Machine Compiler::machine() const {
  return {initial_scalars_, std::vector<Array>(static_cast<std::size_t>(array_count_))};
}

// ---- Slots

Slot Compiler::new_slot(bool is_array) {
  if (is_array) return {true, array_count_++};
  initial_scalars_.push_back(0);
  return {false, static_cast<int>(initial_scalars_.size()) - 1};
}

Slot Compiler::bind(const Name& name, const Type& type) {
  const Slot slot = new_slot(!type.is_scalar());
  const bool is_new = slots_.emplace(name, slot).second;
  source::internal_check(is_new,
                         fmt::format("evaluate: {}_{} is bound twice", name.base, name.tag));
  types_.emplace(name, type);
  return slot;
}

std::vector<Slot> Compiler::bind_all(const std::vector<Param>& params) {
  std::vector<Slot> slots;
  for (const Param& param : params) slots.push_back(bind(param.name, param.type));
  return slots;
}

Slot Compiler::slot_of(const Atom& atom) {
  if (const PrimValue* literal = literal_in(atom)) {
    initial_scalars_.push_back(literal->bits);
    return {false, static_cast<int>(initial_scalars_.size()) - 1};
  }
  const Name& name = std::get<Name>(atom);
  const auto found = slots_.find(name);
  source::internal_check(found != slots_.end(),
                         fmt::format("evaluate: {}_{} is not in scope", name.base, name.tag));
  return found->second;
}

std::vector<Slot> Compiler::slots_of(const std::vector<Atom>& atoms) {
  std::vector<Slot> slots;
  for (const Atom& atom : atoms) slots.push_back(slot_of(atom));
  return slots;
}

int Compiler::scalar(const Atom& atom) {
  const Slot slot = slot_of(atom);
  source::internal_check(!slot.is_array, "evaluate: an array where a scalar is expected");
  return slot.index;
}

int Compiler::array(const Name& name) {
  const Slot slot = slot_of(name);
  source::internal_check(slot.is_array,
                         fmt::format("evaluate: {}_{} is not an array", name.base, name.tag));
  return slot.index;
}

std::vector<int> Compiler::scalars(const std::vector<Atom>& atoms) {
  std::vector<int> indices;
  for (const Atom& atom : atoms) indices.push_back(scalar(atom));
  return indices;
}

std::vector<int> Compiler::arrays(const std::vector<Name>& names) {
  std::vector<int> indices;
  for (const Name& name : names) indices.push_back(array(name));
  return indices;
}

PrimType Compiler::elem_of(const Name& name) const { return types_.at(name).elem; }

// ---- Bodies

const BodyCode* Compiler::body(const Body& body) {
  BodyCode code;
  if (counts_) code.steps.push_back(count(body));
  if (limited_) code.steps.push_back([cost = body.stms.size() + 1](Machine&) { spend(cost); });
  for (const Stm& stm : body.stms) {
    for (Step& step : statement(stm, code.arrays)) code.steps.push_back(std::move(step));
  }
  code.results = slots_of(body.result);
  bodies_.push_back(std::move(code));
  return &bodies_.back();
}

LambdaCode Compiler::lambda(const Lambda& lambda) {
  LambdaCode code;
  code.params = bind_all(lambda.params);
  for (const Param& param : lambda.params) code.unique.push_back(param.unique);
  code.body = body(lambda.body);
  watch_results(*code.body);
  return code;
}

std::vector<Step> Compiler::statement(const Stm& stm, std::vector<int>& arrays) {
  // Expressions are compiled before the pattern is bound, so the pattern is not in scope in them;
  // but a Target needs the slots, so the pattern is bound first where nothing can tell.
  const Target target{&stm, bind_all(stm.pattern)};
  std::vector<Step> steps;
  const Provenance outer = std::exchange(origin_, stm.origin);
  auto* const loop = std::get_if<Loop>(&stm.exp);
  if (loop) watch_params(*loop);
  if (versions_of_)
    if (auto notes = noting(stm)) steps.push_back(std::move(*notes));
  steps.push_back(expression(stm.exp, target));
  if (auto next = handing_on(stm)) steps.push_back(std::move(*next));
  origin_ = outer;
  if (auto check = shape_check(stm, target.slots)) steps.push_back(std::move(*check));
  for (const Slot& slot : target.slots) {
    if (slot.is_array) arrays.push_back(slot.index);
  }
  if (observe_) steps.push_back(observing(stm));
  return steps;
}

/// Arrays must have the shape that the pattern says.
std::optional<Step> Compiler::shape_check(const Stm& stm, const std::vector<Slot>& slots) {
  struct Expected {
    int array;
    std::vector<int> sizes;
  };
  std::vector<Expected> all;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].is_array) all.push_back({slots[i].index, scalars(stm.pattern[i].type.shape)});
  }
  if (all.empty()) return std::nullopt;
  return [all, stm = &stm](Machine& m) {
    for (const Expected& expected : all) {
      const Array& array = m.array(expected.array);
      bool fits = array.dims.size() == expected.sizes.size();
      for (std::size_t d = 0; fits && d < expected.sizes.size(); ++d) {
        fits = array.dims[d].size == m.size(expected.sizes[d]);
      }
      if (!fits)
        broken(stm, "yields an array of shape " + shape_string(array) + ", against its type");
    }
  };
}

Step Compiler::expression(const Exp& exp, const Target& target) {
  return match(exp, [&](const auto& e) { return compile(e, target); });
}

}  // namespace boustro::ir::evaluation
