// One entry point: its public parameters, and what both targets do at its beginning and end.
#pragma once

#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

/// A result that the entry allocates: `T** name`, and `int64_t*` for those of its extents that
/// nobody knew before.
struct LateResult {
  std::size_t result;
  Param param;
  std::vector<std::optional<std::string>> extents;  // the outputs that take them
};

/// The entry's parameters as values of the host, and where its results go.
struct Interface {
  std::vector<std::pair<ir::Name, Value>> values;
  Destinations destinations;  // of array results
  std::vector<Expr> scalars;  // pointers to scalar results; of an array result: unused
  std::vector<LateResult> late;
};

/// Fills in parameters, documentation and checks of sizes.
Interface plan_interface(Context& context, const ir::Function& function, Identifiers& identifiers);

/// Whether what the caller gave bounds each of them.
bool is_bounded(const Context& context, const std::vector<Scalar>& extents);
/// Memory for an array of the host: a piece of the caller's scratch memory if its size has a bound
/// by what the caller gave, else a buffer of the allocator, from here in `code` on.
View allocate_array(Context& context, Identifiers& identifiers, Code& code, const std::string& base,
                    PrimType elem, const std::vector<Scalar>& extents);
/// A piece of the entry's scratch memory; refuses if its size has no bound.
View allocate_piece(Context& context, Identifiers& identifiers, const std::string& base,
                    PrimType elem, const std::vector<Scalar>& extents);
/// Refuses an array whose size is known on the device only.
[[noreturn]] void refuse_unknown_size(source::SourceRange at);
/// What bounds the size of an array of the host; refuses if the size is known on the device only.
Expr upper_size(const std::vector<Scalar>& extents);

/// Moves what the sizes of scratch memory are computed from in front, where the size query has it
/// too.
void hoist_prologue(Entry& entry);

/// The whole entry for the cpu target: loops, the outermost ones parallel. See host.hpp for the
/// other target.
void plan_cpu_entry(Context& context, const ir::Function& function);
void plan_gpu_entry(Context& context, const ir::Function& function);

}  // namespace boustro::plan::planner
