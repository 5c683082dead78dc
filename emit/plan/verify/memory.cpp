// Memory: who may reach it, and store where.
#include "emit/plan/verify/verifier.hpp"

#include <fmt/format.h>

namespace boustro::plan {
namespace {

/// The variable whose memory an lvalue is in.
const Expr* root_of(const Expr& target) {
  const Expr* root = &target;
  while (!root->args.empty()) root = &root->args[0];
  return root;
}

}  // namespace

void Verifier::check_store(const Expr& target, Scope& scope, bool atomic) {
  const auto* root = std::get_if<Var>(&root_of(target)->head);
  if (!root) return require(false, fmt::format("a store to `{}`", to_string(target)));
  const Variable* variable = scope.find(root->name);
  if (!variable) return;
  require(!variable->type.read_only,
          fmt::format("a store through `{}`, which is const", root->name));
  if (variable->parameter) {
    require(variable->access != Access::read,
            fmt::format("a store to `{}`, which is only read", root->name));
  }
  const bool element = !std::holds_alternative<Var>(target.head);
  require(element || variable->changes || variable->parameter,
          fmt::format("`{}` is const", root->name));
  if (scope.parallel && !scope.ordered && !atomic) {
    require(!scope.is_shared(root->name) || (element && varies(target, scope)),
            fmt::format("all iterations of a parallel loop store to `{}`", to_string(target)));
  }
  if (scope.where == Where::kernel && variable->parameter && element && !atomic) {
    require(scope.single_thread || scope.guarded || varies(target, scope),
            fmt::format("all threads store to `{}`", to_string(target)));
  }
}

bool Verifier::is_on_device(const Expr& element, const Scope& scope) const {
  const auto* root = std::get_if<Var>(&root_of(element)->head);
  if (!root || scope.where != Where::entry || program_.target != Target::gpu) return false;
  const Variable* variable = scope.find(root->name);
  return root->name == "buffers" || (variable && variable->type.pointer && (variable->parameter || variable->buffer));
}

void Verifier::check_allocating(const Scope& scope) {
  check_entry_only(scope, "memory of the allocator");
  require(!entry_ || entry_->allocates,
          "memory of the allocator, but the entry does not say that it allocates");
}

const Variable* Verifier::check_pointer(const std::string& name, const Scope& scope) {
  const Variable* variable = scope.find(name);
  const bool right = variable && variable->changes && variable->type.pointer;
  require(right, fmt::format("`{}` is no pointer that changes", name));
  return right ? variable : nullptr;
}

const Variable* Verifier::check_buffer(const std::string& name, const Scope& scope) {
  const Variable* variable = scope.find(name);
  require(variable && variable->buffer, fmt::format("`{}` is no buffer", name));
  return variable && variable->buffer ? variable : nullptr;
}

void Verifier::check_entry_only(const Scope& scope, std::string_view what) {
  require(scope.where == Where::entry, fmt::format("{} outside of an entry", what));
}

void Verifier::check_kernel_only(const Scope& scope, std::string_view what) {
  require(scope.where == Where::kernel || program_.target == Target::gpu,
          fmt::format("{} on the cpu target", what));
  require(scope.where != Where::entry, fmt::format("{} in an entry", what));
}

}  // namespace boustro::plan
