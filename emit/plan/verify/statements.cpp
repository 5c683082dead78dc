// Statements: where each may stand, and what it defines.
#include "emit/plan/verify/verifier.hpp"

#include <utility>

#include <fmt/format.h>

namespace boustro::plan {

void Verifier::check(const Stms& stms, Scope& scope) {
  scope.open();
  for (const Stm& stm : stms) check(stm, scope);
  scope.close();
}

void Verifier::check(const Stm& stm, Scope& scope) {
  ir::match(
      stm.what,
      [&](const Let& let) {
        if (let.value) expect_type(check(*let.value, scope), let.type, let.name);
        const bool varying = let.changes || (let.value && varies(*let.value, scope));
        const bool in_block = let.changes || (let.value && varies_in_block(*let.value, scope));
        define(let.name,
               {.type = let.type,
                .changes = let.changes || !let.value,
                .varies = varying,
                .varies_in_block = in_block,
                .constant = !let.changes && let.value && is_constant(*let.value, scope)},
               scope);
      },
      [&](const Assign& assign) {
        expect_type(check(assign.value, scope), check(assign.target, scope),
                    to_string(assign.target));
        check_store(assign.target, scope, false);
      },
      [&](const Do& call) {
        require(std::holds_alternative<Call>(call.call.head), "a statement that is no call");
        check(call.call, scope);
      },
      [&](const LocalArray& array) {
        const bool constant = is_constant(array.size, scope) && (!array.columns || is_constant(*array.columns, scope));
        require(constant, fmt::format("size of `{}` is no constant", array.name));
        require(array.values.empty() || int_value(array.size) == static_cast<std::int64_t>(array.values.size()),
                fmt::format("not all elements of `{}` are given", array.name));
        for (const Expr& value : array.values) expect_type(check(value, scope), array.elem, array.name);
        define(array.name,
               {.type = pointer_to(array.elem), .changes = true, .varies = true, .varies_in_block = true, .matrix = array.columns.has_value()},
               scope);
      },
      [&](const Closure& closure) { check(closure, scope); },
      [&](const Alias& alias) {
        check_kernel_only(scope, "a class of the runtime");
        define(alias.name, {.type = alias.type, .alias = true}, scope);
      },
      [&](const SharedArray& array) {
        check_kernel_only(scope, "a shared array");
        define(array.name, {.type = pointer_to(array.elem), .changes = true}, scope);
      },
      [&](const Barrier&) {
        check_kernel_only(scope, "a barrier");
        require(!scope.divided, "a barrier that some threads do not reach");
      },
      [&](const Atomic& atomic) {
        expect_type(check(atomic.value, scope), check(atomic.target, scope),
                    to_string(atomic.target));
        check_store(atomic.target, scope, true);
        const bool extremum = atomic.kind == AtomicKind::min || atomic.kind == AtomicKind::max;
        const values::PrimType prim = atomic.target.type.prim;
        require(!extremum || program_.target == Target::cpu || (values::is_integer(prim) && values::byte_size(prim) >= 4), "an atomic extremum of such numbers");
        if (atomic.kind == AtomicKind::combine) check_functor(atomic.functor);
        if (atomic.peers) expect_type(check(*atomic.peers, scope), runtime::peers_type(), "peers");
      },
      [&](const For& loop) { check(loop, scope); },
      [&](const ForLanes& loop) { check(loop, scope); },
      [&](const While& loop) {
        check_condition(loop.condition, scope);
        check_repeated(loop.body, scope);
      },
      [&](const Ordered& ordered) { check(ordered, scope); },
      [&](const If& branch) { check(branch, scope); },
      [&](const Return& result) {
        if (result.value) check(*result.value, scope);
        require(!(scope.where == Where::entry && result.value), "an entry returns a value");
        require(!scope.ordered, "a return out of what is done in order");
      },
      [&](const Continue&) { check_staying(scope); }, [&](const Break&) { check_staying(scope); },
      [&](const Fail& fail) {
        check(fail.failure, scope);
        require(fail.site < static_cast<int>(program_.checks.size()), "unknown check");
        for (const Expr& value : fail.values) check(value, scope);
      },
      [&](const RejectIf& reject) {
        check_entry_only(scope, "a rejection");
        check_condition(reject.condition, scope);
      },
      [&](const Launch& launch) {
        check_entry_only(scope, "a launch");
        check(launch.grid.x, scope);
        check(launch.block.x, scope);
        if (launch.grid.y) check(*launch.grid.y, scope);
        if (launch.grid.z) check(*launch.grid.z, scope);
        if (launch.block.y) check(*launch.block.y, scope);
        if (launch.shared_bytes) check(*launch.shared_bytes, scope);
        const auto kernel = callables_.kernels.find(launch.kernel);
        require(kernel != callables_.kernels.end(),
                fmt::format("kernel `{}` is not defined", launch.kernel));
        if (kernel != callables_.kernels.end())
          check_args(launch.kernel, kernel->second->params, launch.args, scope);
      },
      [&](const Run& run) {
        check_entry_only(scope, "a library call");
        if (run.late) check_allocating(scope);
        const auto library = callables_.libraries.find(run.library);
        require(library != callables_.libraries.end(),
                fmt::format("library call `{}` is not defined", run.library));
        if (library != callables_.libraries.end())
          check_args(run.library, library->second->params, run.args, scope);
      },
      [&](const Fill& fill) {
        check_entry_only(scope, "a fill");
        check(fill.pointer, scope);
        check(fill.count, scope);
      },
      [&](const Copy& copy) {
        check_entry_only(scope, "a copy");
        expect_type(check(copy.from, scope), const_pointer_to(elem_of(check(copy.to, scope))),
                    "copy");
        check(copy.count, scope);
      },
      [&](const Read& read) {
        check_entry_only(scope, "a read");
        require(!entry_ || entry_->waits, "a read, but the entry does not say that it waits");
        expect_type(elem_of(check(read.pointer, scope)), read.type, read.name);
        define(read.name, {.type = read.type}, scope);
      },
      [&](const Buffer& buffer) {
        check_allocating(scope);
        define(buffer.name, {.type = pointer_to(buffer.elem), .buffer = true}, scope);
      },
      [&](const Allocate& allocate) {
        check_allocating(scope);
        require(!scope.parallel, "an allocation in a parallel loop");
        check_buffer(allocate.buffer, scope);
        for (const Expr& extent : allocate.extents)
          require(is_integer(check(extent, scope)),
                  fmt::format("an extent of `{}` is no integer", allocate.buffer));
      },
      [&](const Swap& swap) {
        if (!swap.pointers) check_allocating(scope);
        const auto holder = [&](const std::string& name) {
          return swap.pointers ? check_pointer(name, scope) : check_buffer(name, scope);
        };
        const Variable *x = holder(swap.x), *y = holder(swap.y);
        if (x && y) expect_type(x->type, y->type, swap.x);
      },
      [&](const Release& release) {
        check_allocating(scope);
        const Variable* buffer = check_buffer(release.buffer, scope);
        const Variable* output = scope.find(release.output);
        require(output && output->late, fmt::format("`{}` is no late result", release.output));
        if (buffer && output) expect_type(buffer->type, output->type, release.output);
      },
      [&](const EndIfFailed&) {
        check_entry_only(scope, "an end of the entry");
        require(!scope.parallel, "an end of the entry in a parallel loop");
        require(!entry_ || entry_->can_fail, "nothing that can fail");
        require(!entry_ || entry_->waits || program_.target == Target::cpu,
                "a wait, but the entry does not say that it waits");
      });
}

void Verifier::check(const For& loop, Scope& scope) {
  const Type from = check(loop.from, scope), to = check(loop.to, scope);
  require(is_integer(loop.type), fmt::format("loop index `{}` is no integer", loop.name));
  expect_type(from, loop.type, loop.name);
  require(is_integer(to), fmt::format("bound of loop over `{}` is no integer", loop.name));
  require(!loop.parallel || program_.target == Target::cpu, "a parallel loop on the gpu target");
  require(!loop.independent || program_.target == Target::cpu, "a hint for loops of a cpu on the gpu target");
  require(!loop.unrolled || program_.target == Target::gpu, "a hint for loops of a kernel on the cpu target");
  require(loop.parallel || !loop.worth, "a loop in order is said to be worth sharing");
  if (loop.worth) check_condition(*loop.worth, scope);
  bool varying = varies(loop.from, scope) || varies(loop.to, scope);
  bool in_block = varies_in_block(loop.from, scope) || varies_in_block(loop.to, scope);
  if (loop.step) {
    check(*loop.step, scope);
    varying = varying || varies(*loop.step, scope);
    in_block = in_block || varies_in_block(*loop.step, scope);
  }
  const bool guarded = scope.guarded, divided = scope.divided, parallel = scope.parallel, repeated = scope.repeated;
  scope.guarded = scope.guarded || varying;
  scope.divided = scope.divided || in_block;
  scope.repeated = scope.parallel;
  if (loop.parallel && !scope.parallel) {
    scope.enter_parallel();
    check_turns(loop, scope);
  }
  scope.parallel = scope.parallel || loop.parallel;
  scope.open();
  define(loop.name, {.type = loop.type, .varies = varying || loop.parallel, .varies_in_block = in_block}, scope);
  check(loop.body, scope);
  scope.close();
  scope.guarded = guarded;
  scope.divided = divided;
  scope.parallel = parallel;
  scope.repeated = repeated;
}

/// It may be called by some of the threads, with whatever arguments.
void Verifier::check(const Closure& closure, Scope& scope) {
  check_kernel_only(scope, "a closure");
  const bool guarded = std::exchange(scope.guarded, true), divided = std::exchange(scope.divided, true);
  scope.open();
  for (const Param& param : closure.params) define(param.name, {.type = param.type, .varies = true, .varies_in_block = true}, scope);
  check(closure.body, scope);
  scope.close();
  scope.guarded = guarded;
  scope.divided = divided;
  define(closure.name, {.type = struct_type("auto"), .varies = true, .varies_in_block = true}, scope);
}

void Verifier::check(const ForLanes& loop, Scope& scope) {
  require(program_.target == Target::cpu, "points in lanes on the gpu target");
  const Type i64_type = type(PrimType::i64);
  expect_type(check(loop.from, scope), i64_type, loop.name);
  expect_type(check(loop.to, scope), i64_type, loop.name);
  expect_type(loop.type, i64_type, loop.name);
  scope.open();
  define(loop.name, {.type = loop.type, .varies = varies(loop.from, scope) || varies(loop.to, scope)}, scope);
  define("lanes", {.type = i64_type}, scope);
  check_repeated(loop.body, scope);
  scope.close();
}

/// A number, a constant of the runtime or of the kernel, how many lanes there are, or a product or quotient of these.
bool Verifier::is_constant(const Expr& size, const Scope& scope) const {
  if (int_value(size)) return true;
  if (size.head == Head(Op::mul) || size.head == Head(Op::div)) return is_constant(size.args[0], scope) && is_constant(size.args[1], scope);
  const auto* constant = std::get_if<Var>(&size.head);
  if (!constant) return false;
  const Variable* variable = scope.find(constant->name);
  return runtime::is_constant(constant->name) || scope.is_member(constant->name) || (variable && (variable->constant || constant->name == "lanes"));
}

void Verifier::check(const If& branch, Scope& scope) {
  check_condition(branch.condition, scope);
  const bool guarded = scope.guarded, divided = scope.divided;
  scope.guarded = scope.guarded || varies(branch.condition, scope);
  scope.divided = scope.divided || varies_in_block(branch.condition, scope);
  check(branch.then_body, scope);
  check(branch.else_body, scope);
  scope.guarded = guarded;
  scope.divided = divided;
}

}  // namespace boustro::plan
