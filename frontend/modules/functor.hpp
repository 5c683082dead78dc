// Parametric modules.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/check/namespace.hpp"

namespace boustro::modules {

/// \(p: from) -> ..., a closure over `home`.
struct Functor {
  /// \(p: from) (further: ..) : result -> exp
  struct Body {
    std::vector<const ast::ModuleParam*> further;
    const ast::ModuleType* result;  // nullptr if none is given
    const ast::ModuleExp* exp;
  };
  /// F : (p: from) -> to
  struct Ascribed {
    check::Module inner;
    const ast::ModuleType* to;
  };
  /// Of a parameter: only (p: from) -> to is known.
  struct Unknown {
    const ast::ModuleType* to;
  };

  std::string param;  // empty for `mt1 -> mt2`
  const ast::ModuleType* from;
  check::Namespace* home;
  std::variant<Body, Ascribed, Unknown> result;
  source::SourceRange at;  // what it is defined by
  bool is_wrong = false;   // its body was reported already
};

}  // namespace boustro::modules
