// Definitions of a file that are known under another name now.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"
#include "emit/plan/polish/words.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {

/// Old names and new ones.
using Renamed = std::map<std::string, std::string>;

inline void rename(const Renamed& names, std::string& name) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

/// Changes what refers to definitions by name: calls, launches, types, and comments. Definitions keep their own names.
class UseOthers {
 public:
  explicit UseOthers(const Renamed& names) : names_(names) {}

  void in(Type& type) const { rename(names_, type.name); }
  void in(std::optional<Type>& type) const {
    if (type) in(*type);
  }
  void in(std::vector<Param>& params) const {
    for (Param& param : params) in(param.type);
  }
  void in(Expr& expr) const {
    in(expr.type);
    if (auto* call = std::get_if<Call>(&expr.head)) rename(names_, call->function);
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
      if (auto* s = std::get_if<Atomic>(&stm.what)) rename(names_, s->functor);
      if (auto* s = std::get_if<Launch>(&stm.what)) rename(names_, s->kernel);
      if (auto* s = std::get_if<Run>(&stm.what)) rename(names_, s->library);
    });
  }
  void in(Struct& x) const { in(x.fields); }
  void in(Table&) const {}
  void in(Function& x) const { in(x.comment), in(x.result), in(x.params), in(x.body); }
  void in(Functor& x) const { in(x.comment), in(x.fields), in(x.result), in(x.params), in(x.body); }
  void in(Kernel& x) const { in(x.comment), in(x.params), in(x.body); }
  void in(Library& x) const {
    in(x.comment), in(x.params);
    for (Operand* operand : {&x.input, &x.output}) in(operand->value), in(operand->element);
    rename(names_, x.functor);
    if (x.init) in(*x.init);
    in(x.count);
    for (Expr& bit : x.bits) in(bit);
  }
  void in(Scratch& x) const {
    in(x.params);
    for (Piece& piece : x.pieces) in(piece.elem);
    for (Run& run : x.library) rename(names_, run.library);
  }

 private:
  void in(Comment& comment) const {
    for (std::string& line : comment.formula) line = with_words(line, names_);
    for (std::string& note : comment.notes) note = with_words(note, names_);
    comment.grid = with_words(comment.grid, names_);
  }

  const Renamed& names_;
};

}  // namespace boustro::plan
