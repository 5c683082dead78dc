// Walks through a plan and keeps what breaks the rules of plan.hpp. One file for each kind of rules: definitions, statements,
// turns of
// parallel iterations, expressions, and memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/plan.hpp"
#include "emit/plan/verify/scope.hpp"

namespace boustro::plan {

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> run();

 private:
  // definitions.cpp
  void check(const Definition& definition);
  void check(const Entry& entry);
  void check(const Kernel& kernel, bool single_thread);
  void check(const Library& library);
  void check_scratch(const Scratch& scratch);
  void check_functor(const std::string& name);
  void define_params(const std::vector<Param>& params, Scope& scope);
  void define(const std::string& name, Variable variable, Scope& scope);

  // statements.cpp
  void check(const Stms& stms, Scope& scope);
  void check(const Stm& stm, Scope& scope);
  void check(const For& loop, Scope& scope);
  void check(const ForLanes& loop, Scope& scope);
  void check(const Closure& closure, Scope& scope);
  bool is_constant(const Expr& size, const Scope& scope) const;
  void check(const If& branch, Scope& scope);

  // turns.cpp
  void check(const Ordered& ordered, Scope& scope);
  void check_turns(const For& loop, const Scope& outside);
  void check_repeated(const Stms& body, Scope& scope);
  void check_staying(const Scope& scope);

  // expressions.cpp
  Type check(const Expr& expr, Scope& scope);
  void check_call(const Call& call, const Expr& expr, Scope& scope);
  void check_args(const std::string& callee, const std::vector<Param>& params,
                  const std::vector<Expr>& args, Scope& scope);
  void check_operator(Op op, const Expr& expr);
  void check_condition(const Expr& condition, Scope& scope);
  bool varies(const Expr& expr, const Scope& scope) const;
  bool varies_in_block(const Expr& expr, const Scope& scope) const;
  void expect_type(const Type& from, const Type& to, std::string_view what);

  // memory.cpp
  void check_store(const Expr& target, Scope& scope, bool atomic);
  bool is_on_device(const Expr& element, const Scope& scope) const;
  void check_allocating(const Scope& scope);
  const Variable* check_buffer(const std::string& name, const Scope& scope);
  const Variable* check_pointer(const std::string& name, const Scope& scope);
  void check_entry_only(const Scope& scope, std::string_view what);
  void check_kernel_only(const Scope& scope, std::string_view what);

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

}  // namespace boustro::plan
