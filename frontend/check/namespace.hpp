// What names stand for outside of definitions: in files, modules and the prelude.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast/syntax.hpp"
#include "frontend/check/typed.hpp"

namespace boustro::modules {
struct Functor;
}

namespace boustro::check {

/// A type with the parameters that each use replaces.
struct Scheme {
  std::vector<TypeParam> params;
  Type type;
  std::vector<Name> anonymous = {};  // of a constant that is specified: sizes `[]`
};

/// type t [n] 'a = ...; `anonymous` are the sizes `[]` in it, which differ at each use.
struct TypeAbbreviation {
  std::vector<TypeParam> params;
  Type type;
  std::vector<Name> anonymous;
  ast::Liftedness liftedness = ast::Liftedness::plain;  // as it is declared
};

struct Namespace;

struct GlobalValue {
  enum class State { unchecked, in_progress, checked };
  const ast::Definition* syntax = nullptr;
  Namespace* home = nullptr;
  State state = State::unchecked;
  Name name;
  Scheme scheme;
  /// What it is another name of, in terms of the scheme's parameters: an intrinsic that the prelude
  /// renames, or the value that a module has for a specification.
  std::optional<Var> renamed = std::nullopt;
};

/// A module, or a parametric one. Both empty: one that is wrong, which was reported.
struct Module {
  Namespace* members = nullptr;
  const modules::Functor* functor = nullptr;
};

/// module type t = ..., to be evaluated in its home.
struct ModuleType {
  const ast::ModuleType* syntax = nullptr;
  Namespace* home = nullptr;
};

/// The members of a module, or one frame of a scope. A frame is not added to once something that is
/// evaluated later, such as a parametric module, holds it; the scope goes on in a new frame inside.
struct Namespace {
  Namespace* outer = nullptr;
  bool is_prelude = false;  // may use the module `intrinsics`
  bool is_main = false;     // the top level of the main file: its entries are those of the program
  bool is_given = false;  // the argument of a parametric module, whose body does not know its types
  std::string path = {};  // before the names of its members: "vec." in the module vec
  std::map<std::string, GlobalValue*> values = {};
  std::map<std::string, TypeAbbreviation> types = {};
  std::map<std::string, Module> modules = {};
  std::map<std::string, ModuleType> module_types = {};
};

}  // namespace boustro::check
