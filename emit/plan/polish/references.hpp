// Where a plan refers to its definitions, kernels and library functions by name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emit/plan/plan.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {

/// Calls `visit` with names of functions that are called, kernels that are launched, functors, and types; others are among them, such as
/// those of the runtime. It may change them. Comments are left out, and what definitions are called themselves.
class References {
 public:
  using Visit = std::function<void(std::string&)>;
  explicit References(Visit visit) : visit_(std::move(visit)) {}

  void in(Type& type) const { visit_(type.name); }
  void in(std::optional<Type>& type) const {
    if (type) in(*type);
  }
  void in(std::vector<Param>& params) const {
    for (Param& param : params) in(param.type);
  }
  void in(Expr& expr) const {
    in(expr.type);
    if (auto* call = std::get_if<Call>(&expr.head)) visit_(call->function);
    if (auto* size = std::get_if<SizeOf>(&expr.head)) in(size->of);
    for (Expr& arg : expr.args) in(arg);
  }
  void in(Stms& stms) const {
    for_each_stm(std::span(stms), [&](Stm& stm) {
      for_each_expr(stm, [&](Expr& expr) { in(expr); });
      if (auto* s = std::get_if<Let>(&stm.what)) in(s->type);
      if (auto* s = std::get_if<LocalArray>(&stm.what)) in(s->elem);
      if (auto* s = std::get_if<SharedArray>(&stm.what)) in(s->elem);
      if (auto* s = std::get_if<Buffer>(&stm.what)) in(s->elem);
      if (auto* s = std::get_if<Read>(&stm.what)) in(s->type);
      if (auto* s = std::get_if<Closure>(&stm.what)) in(s->params);
      if (auto* s = std::get_if<Atomic>(&stm.what)) visit_(s->functor);
      if (auto* s = std::get_if<Launch>(&stm.what)) visit_(s->kernel);
      if (auto* s = std::get_if<Run>(&stm.what)) visit_(s->library);
    });
  }
  void in(Struct& x) const { in(x.fields); }
  void in(Table&) const {}
  void in(Function& x) const { in(x.result), in(x.params), in(x.body); }
  void in(Functor& x) const { in(x.fields), in(x.result), in(x.params), in(x.body); }
  void in(Kernel& x) const { in(x.params), in(x.body); }
  void in(Library& x) const {
    in(x.params);
    for (Operand* operand : {&x.input, &x.output}) in(operand->value), in(operand->element);
    visit_(x.functor);
    if (x.init) in(*x.init);
    in(x.count);
    for (Expr& bit : x.bits) in(bit);
  }
  void in(Scratch& x) const {
    in(x.params);
    for (Let& size : x.sizes) {
      in(size.type);
      if (size.value) in(*size.value);
    }
    for (Piece& piece : x.pieces) in(piece.elem), in(piece.count);
    for (Run& run : x.library) {
      visit_(run.library);
      for (Expr& arg : run.args) in(arg);
    }
  }

 private:
  Visit visit_;
};

}  // namespace boustro::plan
