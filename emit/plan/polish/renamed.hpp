// Definitions of a file that are known under another name now.
#pragma once

#include <map>
#include <string>

#include "emit/plan/plan.hpp"
#include "emit/plan/polish/references.hpp"
#include "emit/plan/polish/words.hpp"

namespace boustro::plan {

/// Old names and new ones.
using Renamed = std::map<std::string, std::string>;

inline void rename(const Renamed& names, std::string& name) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

/// Of the variables that an expression mentions.
inline void rename_variables(Expr& expr, const Renamed& names) {
  if (auto* variable = std::get_if<Var>(&expr.head)) rename(names, variable->name);
  for (Expr& arg : expr.args) rename_variables(arg, names);
}

/// Changes what refers to definitions by name: calls, launches, types, and comments. Definitions keep their own names.
class UseOthers {
 public:
  explicit UseOthers(const Renamed& names) : names_(names), references_([&names](std::string& name) { rename(names, name); }) {}

  void in(Function& x) const { in_comment(x.comment), references_.in(x); }
  void in(Functor& x) const { in_comment(x.comment), references_.in(x); }
  void in(Kernel& x) const { in_comment(x.comment), references_.in(x); }
  void in(Library& x) const { in_comment(x.comment), references_.in(x); }
  /// Of what has no comment that others read.
  template <typename Part>
  void in(Part& x) const {
    references_.in(x);
  }

 private:
  void in_comment(Comment& comment) const {
    for (std::string& line : comment.formula) line = with_words(line, names_);
    for (std::string& note : comment.notes) note = with_words(note, names_);
    comment.grid = with_words(comment.grid, names_);
  }

  const Renamed& names_;
  References references_;
};

}  // namespace boustro::plan
