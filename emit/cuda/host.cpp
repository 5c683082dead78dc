// Statements of entries that use the device.
#include <algorithm>

#include <fmt/format.h>

#include "emit/cuda/parts.hpp"
#include "emit/plan/build.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/library_needs.hpp"
#include "emit/text/statement.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cuda {
namespace {

using namespace plan;
using text::expression;

/// Ends the entry if the call fails; as its last statement, gives its result.
std::string call(const std::string& text, const Place& place) {
  return place.tail ? fmt::format("return {};\n", text) : text::checked(text, place);
}

bool is_simple(const Expr& expr) {
  return std::holds_alternative<Var>(expr.head) || std::holds_alternative<Field>(expr.head) ||
         std::holds_alternative<Literal>(expr.head);
}

/// An argument between `<<<` and `>>>`: simple ones as they are, others as a constant that says
/// what it is.
struct Extent {
  std::string definition, use;
};

Extent extent(const Extents& extents, const std::string& name, const Place& place) {
  if (const Expr* shape = runtime::shape_of(extents)) return {fmt::format("const dim3 {}_shape = {};\n", name, expression(*shape, place)), name + "_shape"};
  const std::string x = expression(extents.x, place);
  if (extents.y) {
    const std::string z = extents.z ? ", " + expression(*extents.z, place) : "";
    return {fmt::format("const dim3 {}_shape({}, {}{});\n", name, x, expression(*extents.y, place), z),
            name + "_shape"};
  }
  if (is_simple(extents.x)) return {"", x};
  return {fmt::format("const unsigned {}_size = {};\n", name, x), name + "_size"};
}

/// With `block_shape` where the computation of that is repeated: the grid covers rows by so many as a block has.
Extents by_shape(const Extents& grid, const Extents& block) {
  const Expr variable = var("block_shape", runtime::block_type());
  if (const Expr* shape = runtime::shape_of(block)) return runtime::with_variable(grid, *shape, variable);
  if (!block.y || is_simple(*block.y)) return grid;
  return runtime::with_variable(grid, *block.y, field(variable, "y", block.y->type));
}

std::string launch(const Launch& launch, const Place& place) {
  const Extent grid = extent(by_shape(launch.grid, launch.block), "grid", place);
  const Extent block = extent(launch.block, "block", place);
  const std::string shared = launch.shared_bytes ? expression(*launch.shared_bytes, place) : "0";
  const std::string definitions = block.definition + grid.definition;
  const std::string text = fmt::format(
      "{}{}<<<{}, {}, {}, stream>>>({});\n{}", definitions, launch.kernel, grid.use, block.use,
      shared, text::expressions(launch.args, place), call("cudaGetLastError()", place));
  return definitions.empty() || place.only_launch ? text : text::braces(text);
}

/// One that asks first how much scratch memory it needs.
std::string late_run(const Run& run, const Place& place) {
  place.need_template("buffer");
  const std::string args = text::expressions(run.args, place);
  const std::string rest = fmt::format("{}{}, stream)", args.empty() ? "" : ", ", args);
  return text::braces(fmt::format(
      "std::size_t needed = 0;\n{}Buffer<std::byte> library_buffer(allocator, stream);\n{}{}",
      text::checked(fmt::format("{}(nullptr, needed{}", run.library, rest), place),
      text::checked("library_buffer.allocate({static_cast<int64_t>(needed)})", place),
      call(fmt::format("{}(library_buffer, needed{}", run.library, rest), place)));
}

std::string run(const Run& run, const Place& place) {
  if (run.late) return late_run(run, place);
  const std::string args = text::expressions(run.args, place);
  const bool handed_on = place.entry && text::is_only_for_libraries(place.entry->scratch);
  return call(fmt::format("{}({}{}{}, stream)", run.library, handed_on ? "scratch, scratch_bytes" : "buffers.library_scratch, library_bytes",
                          args.empty() ? "" : ", ", args),
              place);
}

/// A Buffer is no pointer, though it becomes one.
bool may_be_buffer(const Expr& pointer, const Place& place) {
  const auto* variable = std::get_if<Var>(&pointer.head);
  return variable && place.entry && place.entry->allocates &&
         std::none_of(place.entry->params.begin(), place.entry->params.end(), [&](const Param& param) { return param.name == variable->name; });
}

/// The template, with the type of elements where they do not tell it.
std::string of_elements(const std::string& function, const std::vector<Expr>& pointers, const Place& place) {
  place.need_template(function);
  const bool unclear = std::any_of(pointers.begin(), pointers.end(), [&](const Expr& pointer) { return may_be_buffer(pointer, place); });
  const plan::Type& type = pointers[0].type;
  return unclear ? fmt::format("{}<{}>", function, text::type_text(plan::Type{type.prim, type.name}, place)) : function;
}

std::string fill(const Fill& fill, const Place& place) {
  const std::string args = text::expressions({fill.pointer, fill.count}, place);
  return call(fmt::format("{}({}, stream)", of_elements("fill_zeros", {fill.pointer}, place), args), place);
}

std::string copy(const Copy& copy, const Place& place) {
  const std::string args = text::expressions({copy.to, copy.from, copy.count}, place);
  return call(fmt::format("{}({}, stream)", of_elements("copy_array", {copy.to, copy.from}, place), args), place);
}

std::string allocate(const Allocate& allocate, const Place& place) {
  return call(fmt::format("{}.allocate({{{}}})", allocate.buffer,
                          text::expressions(allocate.extents, place)),
              place);
}

/// Copies an element, without waiting for it.
std::string copy_to_host(const std::string& name, const std::string& function, const std::string& pointer, const Place& place) {
  return text::checked(fmt::format("{}(&{}, {}, stream)", function, name, pointer), place);
}

/// What lets the entry end once a check has failed: its number is read first, and known after a wait.
std::string read_failed(const std::string& name, const Place& place) {
  place.need_template("copy_to_host");
  return copy_to_host(name, "copy_to_host", "&failure->check", place);
}

std::string end_if(const std::string& failed) { return fmt::format("if ({} != 0) return cudaSuccess;  // *failure says why\n", failed); }

std::string wait(const Place& place) { return text::checked("cudaStreamSynchronize(stream)", place); }

std::string read(const Read& read, const Place& place) {
  const std::string variable = text::variable_text(read.type, read.name, place) + ";\n";
  const std::string copy = copy_to_host(read.name, of_elements("copy_to_host", {read.pointer}, place), expression(read.pointer, place), place);
  const bool may_end = !read.failed.empty();
  return (may_end ? read_failed(read.failed, place) : "") + variable + copy + wait(place) + (may_end ? end_if(read.failed) : "");
}

/// What the host finds out.
std::string fail_from_host(const Fail& fail, const Place& place) {
  return fmt::format(
      "const Failure failure_found{{{}, {{{}}}}};\n{}", text::first_check + fail.site,
      text::expressions(fail.values, place),
      text::checked(
          "cudaMemcpyAsync(failure, &failure_found, sizeof(failure_found), cudaMemcpyHostToDevice, "
          "stream)",
          place));
}

std::string end_if_failed(const EndIfFailed& end, const Place& place) {
  return read_failed(end.failed, place) + wait(place) + end_if(end.failed);
}

}  // namespace

std::string host_statement(const Stm& stm, const Place& place) {
  return ir::match(
      stm.what, [&](const Launch& x) { return launch(x, place); },
      [&](const Run& x) { return run(x, place); }, [&](const Fill& x) { return fill(x, place); },
      [&](const Copy& x) { return copy(x, place); }, [&](const Read& x) { return read(x, place); },
      [&](const Allocate& x) { return allocate(x, place); },
      [&](const Fail& x) { return fail_from_host(x, place); },
      [&](const EndIfFailed& x) { return end_if_failed(x, place); },
      [](const auto&) -> std::string {
        source::internal_error("printer: not a statement of an entry");
      });
}

}  // namespace boustro::cuda
