#include <fmt/format.h>

#include "emit/cuda/parts.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/function.hpp"
#include "emit/text/origins.hpp"
#include "emit/text/statement.hpp"

namespace boustro::cuda {
namespace {

std::string launch_bounds(const plan::Kernel& kernel, const Place& place) {
  place.need_template(kernel.threads);
  if (!kernel.is_long) return kernel.threads;
  place.need_template("resident_blocks");
  return kernel.threads + ", resident_blocks";
}

}  // namespace

std::string kernel_text(const plan::Kernel& kernel, const std::string& same_as, const Place& place) {
  Place inside = place.inner();
  inside.side = text::Side::device;
  const std::string head = fmt::format("__global__ void __launch_bounds__({})\n{}", launch_bounds(kernel, place), kernel.name);
  const std::string text = fmt::format("{}{}{}}}\n\n", text::kernel_comment(kernel.comment, same_as),
                                       text::annotated_head(head, "", kernel.params, "", place), text::statements(kernel.body, inside));
  return place.marks ? text::marked(kernel.comment.origins, text) : text;
}

}  // namespace boustro::cuda
