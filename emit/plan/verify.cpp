#include "emit/plan/verify.hpp"

#include <utility>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/verify_scope.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan {

bool Scope::define(const std::string& name, Variable variable) {
  if (find(name)) return false;
  levels_.back().emplace(name, std::move(variable));
  return true;
}

const Variable* Scope::find(const std::string& name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const auto found = level->find(name);
    if (found != level->end()) return &found->second;
  }
  return nullptr;
}

bool Scope::is_shared(const std::string& name) const {
  for (std::size_t level = levels_.size(); level-- > 0;)
    if (levels_[level].contains(name)) return level < shared_levels_;
  return false;
}

Variable* Scope::find(const std::string& name) {
  return const_cast<Variable*>(static_cast<const Scope*>(this)->find(name));
}

namespace {

/// The types of values that C++ converts to each other without loss: integers of 32 and 64 bits,
/// pointers to const.
bool converts(const Type& from, const Type& to) {
  if (from.pointer != to.pointer || from.name != to.name) return false;
  if (from.pointer) return from.prim == to.prim && (to.read_only || !from.read_only);
  if (!from.name.empty() || from.prim == to.prim) return true;
  return values::is_integer(from.prim) && values::is_integer(to.prim) &&
         values::byte_size(from.prim) <= values::byte_size(to.prim);
}

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    for (const Definition& definition : program_.definitions) check(definition);
    for (const Entry& entry : program_.entries) check(entry);
    return std::move(violations_);
  }

 private:
  // Defined below, by what they check.
  void check(const Definition& definition);
  void check(const Entry& entry);
  void check(const Kernel& kernel, bool single_thread);
  void check(const Library& library);
  void check_scratch(const Scratch& scratch);
  void check(const Stms& stms, Scope& scope);
  void check(const Stm& stm, Scope& scope);
  void check(const For& loop, Scope& scope);
  void check(const If& branch, Scope& scope);
  void check_store(const Expr& target, Scope& scope, bool atomic);
  void check_args(const std::string& callee, const std::vector<Param>& params,
                  const std::vector<Expr>& args, Scope& scope);
  void check_entry_only(const Scope& scope, std::string_view what);
  void check_allocating(const Scope& scope);
  const Variable* check_buffer(const std::string& name, const Scope& scope);
  const Variable* check_pointer(const std::string& name, const Scope& scope);
  void check_kernel_only(const Scope& scope, std::string_view what);
  void check_condition(const Expr& condition, Scope& scope);
  bool is_on_device(const Expr& element, const Scope& scope) const;
  void check_functor(const std::string& name);
  Type check(const Expr& expr, Scope& scope);
  void check_call(const Call& call, const Expr& expr, Scope& scope);
  void check_operator(Op op, const Expr& expr);
  bool varies(const Expr& expr, const Scope& scope) const;
  void define_params(const std::vector<Param>& params, Scope& scope);
  void define(const std::string& name, Variable variable, Scope& scope);
  void expect_type(const Type& from, const Type& to, std::string_view what);
  void require(bool condition, const std::string& text) {
    if (!condition) violations_.push_back(fmt::format("{}: {}", where_, text));
  }

  const Program& program_;
  const Entry* entry_ = nullptr;
  Callables callables_;
  std::string where_;
  std::vector<std::string> violations_;
  bool takes_address_ = false;  // what is checked next is not read
};

// ---- Definitions

void Verifier::check(const Definition& definition) {
  const auto body = [&](const std::vector<Param>& fields, const std::vector<Param>& params,
                        const Stms& stms) {
    Scope scope(Where::function);
    define_params(fields, scope);
    define_params(params, scope);
    check(stms, scope);
  };
  ir::match(
      definition,
      [&](const Struct& s) {
        require(callables_.structs.emplace(s.name, &s).second, "struct defined twice: " + s.name);
      },
      [&](const Table& t) {
        require(callables_.tables.emplace(t.name, &t).second, "table defined twice: " + t.name);
        require(!t.values.empty(), "empty table: " + t.name);
      },
      [&](const Function& f) {
        where_ = f.name;
        Scope scope(Where::function);
        scope.host = f.host;
        define_params(f.params, scope);
        check(f.body, scope);
        require(callables_.functions.emplace(f.name, &f).second, "function defined twice");
      },
      [&](const Functor& f) {
        where_ = f.name;
        body(f.fields, f.params, f.body);
        require(callables_.functors.emplace(f.name, &f).second, "functor defined twice");
      });
}

void Verifier::define_params(const std::vector<Param>& params, Scope& scope) {
  for (const Param& param : params) {
    const bool stored = param.access != Access::value && param.access != Access::read;
    require(!(stored && param.type.read_only),
            fmt::format("`{}` is const and written", param.name));
    define(param.name,
           {.type = param.type, .access = param.access, .parameter = true, .late = param.late},
           scope);
  }
}

void Verifier::define(const std::string& name, Variable variable, Scope& scope) {
  require(!runtime::is_constant(name) && scope.define(name, std::move(variable)),
          fmt::format("`{}` hides another name", name));
}

// ---- Entries

bool is_one(const Extents& extents) { return !extents.y && int_value(extents.x) == 1; }

void Verifier::check(const Entry& entry) {
  entry_ = &entry;
  const Callables outer = callables_;
  for (const Definition& definition : entry.definitions) check(definition);
  for (const Library& library : entry.libraries) check(library);
  for (const Kernel& kernel : entry.kernels) {
    bool used = false, single_thread = true;
    for_each_stm(entry.body, [&](const Stm& stm) {
      const auto* launch = std::get_if<Launch>(&stm.what);
      if (!launch || launch->kernel != kernel.name) return;
      used = true;
      single_thread = single_thread && is_one(launch->grid) && is_one(launch->block);
    });
    check(kernel, single_thread);
    require(used, "kernel is never launched");
  }

  where_ = entry.name;
  Scope scope(Where::entry);
  define_params(entry.params, scope);
  if (!entry.checks.empty()) define("failure", {.type = pointer_to(struct_type("Failure"))}, scope);
  for (const RejectIf& reject : entry.rejects) check_condition(reject.condition, scope);
  for (const Stm& stm : entry.prologue) check(stm, scope);
  check_scratch(entry.scratch);
  check(entry.body, scope);
  callables_ = outer;
  entry_ = nullptr;
}

void Verifier::check_scratch(const Scratch& scratch) {
  Scope scope(Where::entry);
  define_params(scratch.params, scope);
  for (const Let& let : scratch.sizes) check(Stm(let), scope);
  for (const Piece& piece : scratch.pieces) {
    require(is_integer(check(piece.count, scope)),
            fmt::format("size of `{}` is no integer", piece.name));
    define(piece.name, {.type = pointer_to(piece.elem)}, scope);
  }
}

void Verifier::check(const Kernel& kernel, bool single_thread) {
  where_ = kernel.name;
  require(program_.target == Target::gpu, "a kernel on the cpu target");
  Scope scope(Where::kernel);
  scope.single_thread = single_thread;
  define_params(kernel.params, scope);
  check(kernel.body, scope);
  require(callables_.kernels.emplace(kernel.name, &kernel).second, "kernel defined twice");
  int dynamic = 0;
  for_each_stm(kernel.body, [&](const Stm& stm) {
    const auto* shared = std::get_if<SharedArray>(&stm.what);
    dynamic += shared && !shared->size;
  });
  require(dynamic <= 1, "more than one shared array without a size");
}

void Verifier::check(const Library& library) {
  where_ = library.name;
  require(program_.target == Target::gpu, "a library call on the cpu target");
  Scope scope(Where::entry);
  define_params(library.params, scope);
  check(library.input.value, scope);
  check(library.output.value, scope);
  check_functor(library.functor);
  if (library.init) check(*library.init, scope);
  require(is_integer(check(library.count, scope)), "count is no integer");
  require(callables_.libraries.emplace(library.name, &library).second,
          "library call defined twice");
}

void Verifier::check_functor(const std::string& name) {
  const auto found = callables_.functors.find(name);
  require(found != callables_.functors.end(), fmt::format("functor `{}` is not defined", name));
  if (found != callables_.functors.end()) {
    require(found->second->associative, fmt::format("functor `{}` is not associative", name));
  }
}

// ---- Statements

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
        define(let.name,
               {.type = let.type, .changes = let.changes || !let.value, .varies = varying}, scope);
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
        const auto* constant = std::get_if<Var>(&array.size.head);
        require(int_value(array.size) || (constant && runtime::is_constant(constant->name)),
                fmt::format("size of `{}` is no constant", array.name));
        require(array.values.empty() || int_value(array.size) == static_cast<std::int64_t>(array.values.size()),
                fmt::format("not all elements of `{}` are given", array.name));
        for (const Expr& value : array.values) expect_type(check(value, scope), array.elem, array.name);
        define(array.name, {.type = pointer_to(array.elem), .changes = true, .varies = true},
               scope);
      },
      [&](const SharedArray& array) {
        check_kernel_only(scope, "a shared array");
        define(array.name, {.type = pointer_to(array.elem), .changes = true}, scope);
      },
      [&](const Barrier&) {
        check_kernel_only(scope, "a barrier");
        require(!scope.guarded, "a barrier that some threads do not reach");
      },
      [&](const Atomic& atomic) {
        expect_type(check(atomic.value, scope), check(atomic.target, scope),
                    to_string(atomic.target));
        check_store(atomic.target, scope, true);
        if (atomic.kind == AtomicKind::combine) check_functor(atomic.functor);
      },
      [&](const For& loop) { check(loop, scope); },
      [&](const While& loop) {
        check_condition(loop.condition, scope);
        check(loop.body, scope);
      },
      [&](const If& branch) { check(branch, scope); },
      [&](const Return& result) {
        if (result.value) check(*result.value, scope);
        require(!(scope.where == Where::entry && result.value), "an entry returns a value");
      },
      [](const Continue&) {}, [](const Break&) {},
      [&](const Fail& fail) {
        check(fail.failure, scope);
        require(!entry_ || fail.site < static_cast<int>(entry_->checks.size()), "unknown check");
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
        require(!entry_ || !entry_->checks.empty(), "nothing that can fail");
        require(!entry_ || entry_->waits || program_.target == Target::cpu,
                "a wait, but the entry does not say that it waits");
      });
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

void Verifier::check(const For& loop, Scope& scope) {
  const Type from = check(loop.from, scope), to = check(loop.to, scope);
  require(is_integer(loop.type), fmt::format("loop index `{}` is no integer", loop.name));
  expect_type(from, loop.type, loop.name);
  require(is_integer(to), fmt::format("bound of loop over `{}` is no integer", loop.name));
  require(!loop.parallel || program_.target == Target::cpu, "a parallel loop on the gpu target");
  require(loop.parallel || !loop.worth, "a loop in order is said to be worth sharing");
  if (loop.worth) check_condition(*loop.worth, scope);
  bool varying = varies(loop.from, scope) || varies(loop.to, scope);
  if (loop.step) {
    check(*loop.step, scope);
    varying = varying || varies(*loop.step, scope);
  }
  const bool guarded = scope.guarded, parallel = scope.parallel;
  scope.guarded = scope.guarded || varying;
  if (loop.parallel && !scope.parallel) scope.enter_parallel();
  scope.parallel = scope.parallel || loop.parallel;
  scope.open();
  define(loop.name, {.type = loop.type, .varies = varying || loop.parallel}, scope);
  check(loop.body, scope);
  scope.close();
  scope.guarded = guarded;
  scope.parallel = parallel;
}

void Verifier::check(const If& branch, Scope& scope) {
  check_condition(branch.condition, scope);
  const bool guarded = scope.guarded;
  scope.guarded = scope.guarded || varies(branch.condition, scope);
  check(branch.then_body, scope);
  check(branch.else_body, scope);
  scope.guarded = guarded;
}

/// The variable whose memory an lvalue is in, and whether its address depends on the thread.
const Expr* root_of(const Expr& target) {
  const Expr* root = &target;
  while (!root->args.empty()) root = &root->args[0];
  return root;
}

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
  if (scope.parallel && !atomic) {
    require(!scope.is_shared(root->name) || (element && varies(target, scope)),
            fmt::format("all iterations of a parallel loop store to `{}`", to_string(target)));
  }
  if (scope.where == Where::kernel && variable->parameter && element && !atomic) {
    require(scope.single_thread || scope.guarded || varies(target, scope),
            fmt::format("all threads store to `{}`", to_string(target)));
  }
}

void Verifier::check_args(const std::string& callee, const std::vector<Param>& params,
                          const std::vector<Expr>& args, Scope& scope) {
  require(params.size() == args.size(),
          fmt::format("`{}` takes {} arguments, not {}", callee, params.size(), args.size()));
  for (std::size_t i = 0; i < std::min(params.size(), args.size()); ++i) {
    Type type = params[i].type;
    type.restricted = type.reference = false;
    expect_type(check(args[i], scope), type,
                fmt::format("argument `{}` of `{}`", params[i].name, callee));
  }
}

void Verifier::check_entry_only(const Scope& scope, std::string_view what) {
  require(scope.where == Where::entry, fmt::format("{} outside of an entry", what));
}

void Verifier::check_kernel_only(const Scope& scope, std::string_view what) {
  require(scope.where == Where::kernel || program_.target == Target::gpu,
          fmt::format("{} on the cpu target", what));
  require(scope.where != Where::entry, fmt::format("{} in an entry", what));
}

// ---- Expressions

void Verifier::check_condition(const Expr& condition, Scope& scope) {
  require(is_bool(check(condition, scope)),
          fmt::format("condition `{}` is no bool", to_string(condition)));
}

bool Verifier::is_on_device(const Expr& element, const Scope& scope) const {
  const auto* root = std::get_if<Var>(&root_of(element)->head);
  if (!root || scope.where != Where::entry || program_.target != Target::gpu) return false;
  const Variable* variable = scope.find(root->name);
  return root->name == "buffers" || (variable && variable->type.pointer && (variable->parameter || variable->buffer));
}

Type Verifier::check(const Expr& expr, Scope& scope) {
  const bool only_address = std::exchange(takes_address_, false);
  for (const Expr& arg : expr.args) {
    const auto* op = std::get_if<Op>(&expr.head);
    takes_address_ = op && *op == Op::address;
    check(arg, scope);
  }
  takes_address_ = false;
  const auto args_are = [&](std::size_t count) {
    require(expr.args.size() == count,
            fmt::format("wrong number of operands in `{}`", to_string(expr)));
    return expr.args.size() == count;
  };
  ir::match(
      expr.head,
      [&](const Var& v) {
        if (runtime::is_constant(v.name)) return;
        if (scope.where == Where::entry && v.name == "buffers") return;
        if (const auto table = callables_.tables.find(v.name); table != callables_.tables.end()) {
          require(program_.target == Target::cpu || scope.where != Where::entry, fmt::format("the host uses the table `{}`", v.name));
          return expect_type(const_pointer_to(type(table->second->elem)), expr.type, v.name);
        }
        const Variable* variable = scope.find(v.name);
        require(variable, fmt::format("`{}` is not defined", v.name));
        if (variable) {
          expect_type(variable->type, expr.type, v.name);
        }
      },
      [&](const Literal& l) {
        require(expr.type == type(l.value.type),
                fmt::format("type of literal `{}`", to_string(expr)));
      },
      [&](const NullPointer&) { require(expr.type.pointer, "a null pointer of another type"); },
      [&](const Position&) { check_kernel_only(scope, "a position"); },
      [&](const Op& op) { check_operator(op, expr); }, [](const Intrinsic&) {},
      [&](const Call& call) { check_call(call, expr, scope); }, [&](const Cast&) { args_are(1); },
      [&](const Convert&) { args_are(1); },
      [&](const Element&) {
        if (!args_are(2)) return;
        require(only_address || !is_on_device(expr, scope),
                fmt::format("the host uses `{}`, which is memory of the device", to_string(expr)));
        require(expr.args[0].type.pointer,
                fmt::format("`{}` is no array", to_string(expr.args[0])));
        require(is_integer(expr.args[1].type),
                fmt::format("index `{}` is no integer", to_string(expr.args[1])));
      },
      [&](const Field&) { args_are(1); },
      [&](const Construct&) {
        const auto s = callables_.structs.find(expr.type.name);
        const auto f = callables_.functors.find(expr.type.name);
        const bool zeros = expr.args.empty();  // all of a value
        if (s != callables_.structs.end() && !zeros) args_are(s->second->fields.size());
        if (f != callables_.functors.end()) args_are(f->second->fields.size());
        require(s != callables_.structs.end() || f != callables_.functors.end(),
                fmt::format("`{}` is not defined", expr.type.name));
      },
      [](const SizeOf&) {});
  return expr.type;
}

void Verifier::check_call(const Call& call, const Expr& expr, Scope& scope) {
  if (runtime::is_function(call.function)) return;
  const auto found = callables_.functions.find(call.function);
  require(found != callables_.functions.end(),
          fmt::format("function `{}` is not defined", call.function));
  if (found == callables_.functions.end()) return;
  check_args(call.function, found->second->params, expr.args, scope);
  require(program_.target == Target::cpu || !(scope.host || scope.where == Where::entry) || found->second->host,
          fmt::format("the host calls the device function `{}`", call.function));
}

void Verifier::check_operator(Op op, const Expr& expr) {
  const bool unary = op <= Op::dereference;
  const std::size_t count = unary ? 1 : op == Op::select ? 3 : 2;
  require(expr.args.size() == count,
          fmt::format("wrong number of operands in `{}`", to_string(expr)));
  if (expr.args.size() != count || unary) return;
  const Type x = expr.args[count - 2].type, y = expr.args[count - 1].type;
  const bool offset = x.pointer && is_integer(y) && (op == Op::add || op == Op::sub);
  require(offset || converts(x, y) || converts(y, x) || x.name == "std::size_t" ||
              y.name == "std::size_t",
          fmt::format("operands of `{}` are of types {} and {}", to_string(expr), to_string(x),
                      to_string(y)));
}

bool Verifier::varies(const Expr& expr, const Scope& scope) const {
  if (const auto* p = std::get_if<Position>(&expr.head)) {
    return *p == Position::thread_x || *p == Position::thread_y || *p == Position::block_x ||
           *p == Position::block_y;
  }
  if (const auto* v = std::get_if<Var>(&expr.head)) {
    const Variable* variable = scope.find(v->name);
    return variable && variable->varies;
  }
  for (const Expr& arg : expr.args) {
    if (varies(arg, scope)) return true;
  }
  return false;
}

void Verifier::expect_type(const Type& from, const Type& to, std::string_view what) {
  require(converts(from, to),
          fmt::format("`{}` is of type {}, not {}", what, to_string(from), to_string(to)));
}

}  // namespace

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

void verify_or_throw(const Program& program) {
  std::string text;
  for (const std::string& violation : verify(program)) text += "\n  " + violation;
  source::internal_check(text.empty(), "the plan is not valid:" + text);
}

}  // namespace boustro::plan
