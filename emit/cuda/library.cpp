// Calls of CUB. Inputs and outputs that are functions of an index become iterators.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "emit/cuda/parts.hpp"
#include "emit/plan/walk.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/function.hpp"
#include "emit/text/origins.hpp"
#include "emit/text/statement.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cuda {
namespace {

using namespace plan;
using text::expression;

bool is_functor(const Operand& operand) {
  return std::holds_alternative<Construct>(operand.value.head);
}

/// An argument of CUB, and the iterator that it is, if it is one.
struct Argument {
  std::string definition, use;
};

Argument input(const Operand& operand, const Place& place) {
  if (!is_functor(operand)) return {"", expression(operand.value, place)};
  place.need_header("thrust/iterator/counting_iterator.h");
  place.need_header("thrust/iterator/transform_iterator.h");
  return {
      fmt::format("const auto input_iterator = "
                  "thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), {});\n",
                  expression(operand.value, place)),
      "input_iterator"};
}

Argument output(const Operand& operand, const Place& place) {
  if (!is_functor(operand)) return {"", expression(operand.value, place)};
  place.need_template("stored_by");
  return {fmt::format("const auto output_iterator = stored_by<{}>({});\n",
                      text::type_text(operand.element, place), expression(operand.value, place)),
          "output_iterator"};
}

std::string call_text(const Library& library, const Argument& input, const Argument& output,
                      const Place& place) {
  const std::string count = expression(library.count, place);
  const std::string op = library.functor + "{}";
  const auto bit = [&](std::size_t i) { return expression(library.bits.at(i), place); };
  switch (library.kind) {
    case LibraryKind::reduce:
      place.need_header("cub/device/device_reduce.cuh");
      return fmt::format("cub::DeviceReduce::Reduce(scratch, bytes, {}, {}, {}, {}, {}, stream)",
                         input.use, output.use, count, op,
                         expression(library.init.value(), place, text::Literals::exact));
    case LibraryKind::reduce_in_order:
      place.need_template("reduce_in_order");
      return fmt::format("reduce_in_order(scratch, bytes, {}, {}, {}, {}, {}, stream)", input.use, output.use, count, op,
                         expression(library.init.value(), place, text::Literals::exact));
    case LibraryKind::inclusive_scan:
      place.need_header("cub/device/device_scan.cuh");
      return fmt::format("cub::DeviceScan::InclusiveScan(scratch, bytes, {}, {}, {}, {}, stream)",
                         input.use, output.use, op, count);
    case LibraryKind::sort:
      place.need_header("cub/device/device_radix_sort.cuh");
      return fmt::format("cub::DeviceRadixSort::SortKeys(scratch, bytes, {}, {}, {}, {}, {}, stream)",
                         input.use, output.use, count, bit(0), bit(1));
  }
  source::internal_error("printer: no such library call");
}

std::string kinds_of(const std::vector<Library>& libraries) {
  const auto has = [&](std::initializer_list<LibraryKind> kinds) {
    return std::any_of(libraries.begin(), libraries.end(),
                       [&](const Library& library) { return std::find(kinds.begin(), kinds.end(), library.kind) != kinds.end(); });
  };
  std::vector<std::string> kinds;
  if (has({LibraryKind::sort})) kinds.push_back("sorts");
  if (has({LibraryKind::inclusive_scan})) kinds.push_back("scans");
  if (has({LibraryKind::reduce, LibraryKind::reduce_in_order})) kinds.push_back("reductions");
  std::string text = kinds.size() == 3 ? fmt::format("{}, {} and {}", kinds[0], kinds[1], kinds[2])
                                       : fmt::format("{}", fmt::join(kinds, " and "));
  text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

std::string library_text(const Library& library, const Place& place) {
  const Place inside = place.inner();
  const Argument in = input(library.input, inside);
  const Argument out = output(library.output, inside);
  const std::string text =
      fmt::format("{}{}{}{}return {};\n}}\n\n", text::kernel_comment(library.comment),
                  text::annotated_head("cudaError_t " + library.name, "void* scratch, std::size_t& bytes,  // of `scratch`\n",
                                       library.params, "cudaStream_t stream", place),
                  in.definition, out.definition, call_text(library, in, out, inside));
  return place.marks ? text::marked(library.comment.origins, text) : text;
}

}  // namespace

std::string libraries_text(const Entry& entry, const Place& place) {
  if (entry.libraries.empty()) return "";
  std::string result =
      text::ruler(fmt::format("{} of {}. As in CUB, a null `scratch` means: only set `bytes`",
                              kinds_of(entry.libraries), entry.name));
  for (const Library& library : entry.libraries) result += library_text(library, place);
  return result;
}

}  // namespace boustro::cuda
