// One call of an emitted function: the values of a program's call, as the function takes and returns them.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "emit/plan/plan.hpp"
#include "frontend/values/value.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::run {

/// The entry of that name. Throws std::invalid_argument if there is none.
const ir::Function& function_of(const ir::Program& program, const std::string& entry);

/// ... as planned from that program.
const plan::Entry& plan_of(const plan::Program& program, const ir::Program& core, const std::string& entry);

/// Outputs stand for the results in order.
bool is_output(const plan::Param& param);

/// Of an entry's outputs, not a result but an extent of one.
bool is_late_extent(const plan::Param& param);

/// What entries tell of the extents of results that they allocate, by the names of these outputs.
using LateExtents = std::map<std::string, std::int64_t>;

/// The parameters' values in the order of the core function, and what sizes follow from them.
class EmittedCall {
 public:
  /// `args` are the values of the source-level parameters. Throws std::invalid_argument if they do not fit. The function must
  /// outlive the call.
  EmittedCall(const ir::Function& function, const std::vector<values::Value>& args);

  /// Room for the result behind an output; results are counted without sizes.
  values::Value blank(const plan::Param& output, std::size_t result, const LateExtents& late) const;

  /// The product of those extents of a result that are known before.
  std::uint64_t known_elements(std::size_t result) const;

  /// The parameters in the order of the emitted function: sizes last.
  std::vector<const values::Value*> in_emitted_order() const;

 private:
  const ir::Function& function_;
  std::vector<values::Value> params_;
  std::unordered_map<ir::Name, values::PrimValue> numbers_;
};

}  // namespace boustro::run
