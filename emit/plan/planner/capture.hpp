// What a kernel or functor takes from the host: values of the host become parameters or fields.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/plan/planner/context.hpp"

namespace boustro::plan::planner {

/// What threads that contribute do to the cells.
Access access_of(const ir::AccumulatorKind& kind);

class Capture {
 public:
  Capture(Context& context, Identifiers& identifiers)
      : context_(context), identifiers_(identifiers) {}

  /// A value of the host, as seen inside. `base` names the parameter if the host has no name for
  /// it.
  Value import(const Value& host, const std::string& base);
  /// Memory that is written inside; before anything else refers to it.
  View written(const View& host, const std::string& base, Access access = Access::written);
  Expr written(const Cell& host);
  /// An expression over values of the host.
  Expr import(const Expr& host, const std::string& base = "size");
  /// An extent or size that stays int64_t.
  void keep_wide(const Expr& host);
  /// A parameter that has no value on the host yet: the argument is `arg`.
  Expr add(const std::string& base, Type type, Access access, const Expr& arg,
           std::vector<std::string> shape = {});

  /// Drops what turned out not to be used. Sizes that are passed as `int` are limited by the entry
  /// from now on.
  void keep(const std::set<std::string>& used);

  /// In the order outputs, inputs, sizes, with the arguments on the host.
  std::vector<Param> params() const;
  std::vector<Expr> args() const;
  /// As fields of a functor: without __restrict__.
  std::vector<Param> fields() const;

 private:
  struct Captured {
    Param param;
    Expr arg;
  };
  std::vector<Captured> ordered() const;
  View import_view(const View& host, const std::string& base, Access access);
  /// It begins where one of the entry's arrays does, and is not all of that: `extra` of `extra_params`, and not that array.
  bool is_first_row(const Expr& pointer, const View& host) const;

  Context& context_;
  Identifiers& identifiers_;
  std::vector<Captured> captured_;
  std::set<std::string> wide_;
};

}  // namespace boustro::plan::planner
