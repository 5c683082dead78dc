#include "emit/run/emitted_call.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/scalar.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::run {
using values::PrimValue;
using values::Value;

namespace {

/// The numbers that a function's parameters have in this call, and what sizes are computed of them.
using Numbers = std::unordered_map<ir::Name, PrimValue>;

std::optional<PrimValue> number_of(const ir::Atom& atom, const Numbers& numbers) {
  if (const auto* literal = ir::literal_in(atom)) return *literal;
  const auto found = numbers.find(std::get<ir::Name>(atom));
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PrimValue> computed(const ir::Exp& exp, const Numbers& numbers) {
  if (!ir::is_size_arithmetic(exp)) return std::nullopt;
  if (const auto* copy = std::get_if<ir::AtomExp>(&exp)) return number_of(copy->atom, numbers);
  if (const auto* conversion = std::get_if<ir::Convert>(&exp)) {
    const auto x = number_of(conversion->operand, numbers);
    return x ? std::optional(ir::convert(conversion->to, *x)) : std::nullopt;
  }
  const auto& op = std::get<ir::BinOp>(exp);
  const auto x = number_of(op.lhs, numbers), y = number_of(op.rhs, numbers);
  return x && y ? ir::apply(op.kind, *x, *y) : std::nullopt;
}

void add_computed_sizes(const ir::Function& function, Numbers& numbers) {
  for (const ir::Stm& stm : function.body.stms)
    if (const auto value = computed(stm.exp, numbers)) numbers.emplace(stm.pattern[0].name, *value);
}

/// Where a size is negative the entry fails, and writes nothing.
Value blank_of(const ir::Type& type, const plan::Param& output, const Numbers& numbers,
               const LateExtents& late) {
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    const auto told = late.find(output.shape[i]);
    shape.push_back(told != late.end() ? told->second
                                       : number_of(type.shape[i], numbers).value().as_int());
  }
  for (std::int64_t& extent : shape) extent = std::max<std::int64_t>(extent, 0);
  return Value::zeros(type.elem, shape);
}

}  // namespace

const ir::Function& function_of(const ir::Program& program, const std::string& entry) {
  const auto found =
      std::find_if(program.functions.begin(), program.functions.end(),
                   [&](const ir::Function& f) { return f.entry && f.entry->name == entry; });
  if (found == program.functions.end())
    throw std::invalid_argument("there is no entry point `" + entry + "`");
  return *found;
}

const plan::Entry& plan_of(const plan::Program& program, const ir::Program& core,
                           const std::string& entry) {
  // Entries keep their order; their names may have been changed to C++ identifiers.
  std::size_t position = 0;
  for (const ir::Function& function : core.functions) {
    if (!function.entry) continue;
    if (function.entry->name == entry) return program.entries.at(position);
    ++position;
  }
  source::internal_error("run: entry is missing in the plan");
}

bool is_output(const plan::Param& param) {
  return param.type.pointer && param.access == plan::Access::written;
}

bool is_late_extent(const plan::Param& param) { return param.late && param.shape.empty(); }

EmittedCall::EmittedCall(const ir::Function& function, const std::vector<Value>& args)
    : function_(function), params_(ir::bind_arguments(function, args)) {
  for (std::size_t i = 0; i < params_.size(); ++i) {
    if (params_[i].rank() == 0 && values::is_integer(params_[i].type))
      numbers_.emplace(function.params[i].name, params_[i].element(0));
  }
  add_computed_sizes(function, numbers_);
}

Value EmittedCall::blank(const plan::Param& output, std::size_t result, const LateExtents& late) const {
  const std::size_t at = static_cast<std::size_t>(function_.size_results) + result;
  return blank_of(function_.result_types.at(at), output, numbers_, late);
}

std::uint64_t EmittedCall::known_elements(std::size_t result) const {
  const std::size_t at = static_cast<std::size_t>(function_.size_results) + result;
  std::uint64_t count = 1;
  for (const ir::Atom& size : function_.result_types.at(at).shape) {
    const auto known = number_of(size, numbers_);
    if (known) count *= static_cast<std::uint64_t>(std::max<std::int64_t>(known->as_int(), 0));
  }
  return count;
}

std::vector<const Value*> EmittedCall::in_emitted_order() const {
  std::vector<const Value*> order;
  const auto sizes = static_cast<std::size_t>(function_.size_params);
  for (std::size_t i = sizes; i < params_.size(); ++i) order.push_back(&params_[i]);
  for (std::size_t i = 0; i < sizes; ++i) order.push_back(&params_[i]);
  return order;
}

}  // namespace boustro::run
