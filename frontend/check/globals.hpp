// What is known at top level: namespaces of the program and the prelude, checked on demand.
//
// A definition of the prelude is checked when it is first used, so that a small program pays only for what it
// needs, and the finished definitions come out callees first.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast/syntax.hpp"
#include "frontend/check/inference.hpp"
#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

using source::Diagnostics;
using source::Message;
using source::SourceMap;

/// A type with the parameters that each use replaces.
struct Scheme {
  std::vector<TypeParam> params;
  Type type;
};

/// type t [n] 'a = ...; `anonymous` are the sizes `[]` in it, which differ at each use.
struct TypeAbbreviation {
  std::vector<TypeParam> params;
  Type type;
  std::vector<Name> anonymous;
};

struct Namespace;

struct GlobalValue {
  enum class State { unchecked, in_progress, checked };
  const ast::Definition* syntax = nullptr;
  Namespace* home = nullptr;
  State state = State::unchecked;
  Name name;
  Scheme scheme;
  std::optional<Var> renamed;  // the intrinsic that it is another name of, in terms of the scheme's parameters
};

/// The members of a module, or of the top level of the program or the prelude.
struct Namespace {
  Namespace* outer = nullptr;
  bool is_module = false;   // of a module, not of a file
  bool is_prelude = false;  // may use the module `intrinsics`
  std::map<std::string, GlobalValue> values;
  std::map<std::string, TypeAbbreviation> types;
  std::map<std::string, Namespace*> modules;
};

class Globals {
 public:
  Globals(SourceMap& sources, Diagnostics& diagnostics);

  /// Checks the program's definitions in their order, with whatever they use of the prelude.
  void check(const ast::Program& program);

  /// The value of that name that `from` sees, checked; nullptr if there is none.
  GlobalValue* find_value(Namespace& from, const std::string& name);
  GlobalValue* member(Namespace& module, const std::string& name);
  const TypeAbbreviation* find_type(Namespace& from, const std::string& name);
  Namespace* find_module(Namespace& from, const std::string& name);
  const Scheme& scheme_of(Intrinsic intrinsic);

  SourceMap& sources;
  Diagnostics& diagnostics;
  Inference inference;
  std::vector<Definition> definitions;  // finished, callees first

 private:
  void add_prelude();
  void add_definition(Namespace& space, const ast::Definition& definition);
  void check_definition(Namespace& space, const ast::Definition& definition);
  void ensure_checked(GlobalValue& value);
  Namespace* primitive_module(const std::string& name);
  Namespace* core_module();
  const ast::Program& parse(const std::string& file, std::string text);
  Namespace& new_namespace(Namespace* outer, bool is_module, bool is_prelude);

  std::deque<ast::Program> programs_;  // the syntax that values point to
  std::deque<Namespace> namespaces_;
  Namespace* prelude_ = nullptr;
  Namespace* program_ = nullptr;
  std::map<Intrinsic, Scheme> intrinsic_schemes_;
};

}  // namespace boustro::check
