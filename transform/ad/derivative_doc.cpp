#include "transform/ad/derivative_doc.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace boustro::ad {
namespace {

/// `x, y and z`, of the parameters that have a tangent or an adjoint.
std::string listed(const ir::Function& function, const std::vector<bool>& args) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (args[i]) names.push_back(function.params[i].name.base);
  if (names.size() < 2) return names.empty() ? "nothing" : names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

bool are_several(const std::vector<bool>& flags) { return std::count(flags.begin(), flags.end(), true) > 1; }

const char* that_or_those(const std::vector<bool>& flags) { return are_several(flags) ? "those" : "that"; }
const char* plural(const std::vector<bool>& flags) { return are_several(flags) ? "s" : ""; }

}  // namespace

std::string doc_of_vjp(const ir::Function& original, const std::vector<bool>& args, const std::vector<bool>& results) {
  return fmt::format("The adjoint{} of {}, given {} of {}'s result{}.\n", plural(args), listed(original, args), that_or_those(results), original.name.base, plural(results));
}

std::string doc_of_jvp(const ir::Function& original, const std::vector<bool>& args, const std::vector<bool>& results) {
  return fmt::format("{}, and the tangent{} of its result{}, given {} of {}.\n", original.name.base, plural(results), plural(results), that_or_those(args), listed(original, args));
}

}  // namespace boustro::ad
