// Definitions and entries: what they use is defined, and fits.
#include "emit/plan/verify/verifier.hpp"

#include <utility>

#include <fmt/format.h>

#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

bool is_one(const Extents& extents) { return !extents.y && int_value(extents.x) == 1; }

}  // namespace

std::vector<std::string> Verifier::run() {
  for (const Definition& definition : program_.definitions) check(definition);
  for (const Entry& entry : program_.entries) check(entry);
  return std::move(violations_);
}

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

void Verifier::check(const Entry& entry) {
  entry_ = &entry;
  for (const Definition& definition : entry.definitions) check(definition);
  for (const Library& library : entry.libraries) check(library);
  for (const Kernel& kernel : entry.kernels) {
    bool used = false, single_thread = true;
    for (const Entry& any : program_.entries) {
      for_each_stm(any.body, [&](const Stm& stm) {
        const auto* launch = std::get_if<Launch>(&stm.what);
        if (!launch || launch->kernel != kernel.name) return;
        used = true;
        single_thread = single_thread && is_one(launch->grid) && is_one(launch->block);
      });
    }
    check(kernel, single_thread);
    require(used, "kernel is never launched");
  }

  where_ = entry.name;
  Scope scope(Where::entry);
  define_params(entry.params, scope);
  if (entry.can_fail) define("failure", {.type = pointer_to(struct_type("Failure"))}, scope);
  for (const RejectIf& reject : entry.rejects) check_condition(reject.condition, scope);
  for (const Stm& stm : entry.prologue) check(stm, scope);
  check_scratch(entry.scratch);
  check(entry.body, scope);
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
    if (piece.place_of.empty()) continue;
    const auto owner = std::find_if(scratch.pieces.begin(), scratch.pieces.end(), [&](const Piece& other) { return other.name == piece.place_of; });
    require(owner != scratch.pieces.end() && owner->place_of.empty() && owner->elem == piece.elem,
            fmt::format("`{}` has no memory", piece.name));
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
  if (library.kind != LibraryKind::sort) check_functor(library.functor);
  require(library.bits.size() == (library.kind == LibraryKind::sort ? 2u : 0u), "bits are for sorts");
  for (const Expr& bit : library.bits) require(is_integer(check(bit, scope)), "a bit is no integer");
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

}  // namespace boustro::plan
