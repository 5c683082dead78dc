// What is known outside of definitions: names of the program, which frontend/modules adds, and of the prelude.
//
// A definition of the prelude is checked when it is first used, so that a small program pays only for what it
// needs, and the finished definitions come out callees first.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast/syntax.hpp"
#include "frontend/check/inference.hpp"
#include "frontend/check/liftedness.hpp"
#include "frontend/check/namespace.hpp"
#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

using source::Diagnostics;
using source::Message;
using source::SourceMap;

/// The syntax of the prelude, parsed when first needed.
class PreludeSyntax {
 public:
  explicit PreludeSyntax(SourceMap& sources) : sources_(sources) {}
  const ast::Program& parse(const std::string& file, const std::string& text);

 private:
  SourceMap& sources_;
  std::map<std::string, ast::Program> programs_;
};

class Globals {
 public:
  Globals(PreludeSyntax& prelude, SourceMap& sources, Diagnostics& diagnostics);

  Namespace& new_namespace(Namespace* outer);
  GlobalValue& new_value(GlobalValue value);
  /// The frame around a program: what every file sees.
  Namespace& prelude() { return *prelude_; }
  /// Checks the value unless it was.
  void ensure_checked(GlobalValue& value);

  /// The value of that name that `from` sees, checked; nullptr if there is none.
  GlobalValue* find_value(Namespace& from, const std::string& name);
  GlobalValue* member(Namespace& module, const std::string& name);
  const TypeAbbreviation* find_type(Namespace& from, const std::string& name);
  const Module* find_module(Namespace& from, const std::string& name);
  const ModuleType* find_module_type(Namespace& from, const std::string& name);
  const Scheme& scheme_of(Intrinsic intrinsic);

  SourceMap& sources;
  Diagnostics& diagnostics;
  Inference inference;
  Liftednesses liftednesses;
  std::vector<Definition> definitions;  // finished, callees first
  std::set<const ast::Definition*>
      abstract_constants;  // those found whose types mention abstract types
  /// Those of a program that was found right with its types abstract, so that functions may yield
  /// them; now that they may hold arrays, each use is of a copy.
  std::set<const ast::Definition*> copied_constants;

 private:
  void add_prelude();
  void add_prelude_definition(Namespace& space, const ast::Definition& definition);
  const Module* prelude_module(const std::string& name);
  Namespace& primitive_module(PrimType prim);
  Namespace& accumulator_module(const std::string& name, const std::string& text);

  PreludeSyntax& prelude_syntax_;
  std::deque<Namespace> namespaces_;
  std::deque<GlobalValue> values_;
  Namespace* prelude_ = nullptr;
  std::map<Intrinsic, Scheme> intrinsic_schemes_;
};

}  // namespace boustro::check
