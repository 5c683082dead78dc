// The module language, evaluated away: what remains is a list of definitions.
//
// A module is a namespace; a parametric module is a closure, whose body is checked anew for each
// argument. A module type is evaluated whenever a module is held against it: its abstract types are
// then those of the module.
//
// A program with module types is looked at twice. To *judge* it, a module that was ascribed has
// abstract types that equal no others, and the body of a parametric module is checked for a
// parameter of which only the type is known. To *elaborate* it, which does not fail then, abstract
// types are what they stand for, so that the result holds none.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "frontend/check/checker.hpp"
#include "frontend/check/globals.hpp"
#include "frontend/imports/imports.hpp"
#include "frontend/modules/functor.hpp"

namespace boustro::modules {

using check::Globals;
using check::GlobalValue;
using check::Module;
using check::Namespace;
using check::TypeAbbreviation;
using source::Message;
using source::SourceRange;

enum class Purpose { judge, elaborate };

class Elaborator {
 public:
  Elaborator(Globals& globals, const imports::Program& program, Purpose purpose)
      : globals_(globals), program_(program), purpose_(purpose) {}

  /// The definitions of the main file, with all that it imports, go to Globals::definitions.
  void check_main();
  /// True if elaborating differs from judging.
  bool met_abstract_types() const { return abstract_types_ != 0; }

 private:
  // ---- Definitions: definitions.cpp
  /// A row of definitions: `scope` is what the next one sees, `members` what others see of them.
  struct Block {
    Namespace* scope;
    Namespace* members;
    bool is_file;
    std::map<std::string, SourceRange> terms = {}, types = {},
                                       module_types = {};  // those defined here
  };
  Block new_block(Namespace& outer, const std::string& path, bool is_file);
  void next_frame(Block& block);
  bool claim(std::map<std::string, SourceRange>& names, const ast::Identifier& name);
  template <typename Entry>
  void add(Block& block, std::map<std::string, Entry> Namespace::* kind, const std::string& name,
           Entry entry, bool local);
  void define(Block& block, const ast::Definition& definition, bool local);
  void define(Block& block, const ast::ValueDefinition& value, const ast::Definition& definition,
              bool local);
  void define(Block& block, const ast::TypeDefinition& type, bool local);
  void define(Block& block, const ast::ModuleDefinition& module, bool local);
  void define(Block& block, const ast::ModuleTypeDefinition& type, bool local);
  void open(Block& block, const Module& module, SourceRange at, bool local);
  Module import(const std::string& path, SourceRange at);

  // ---- Module expressions: modules.cpp
  /// `path` names what the expression defines: "M."
  Module evaluate(const ast::ModuleExp& exp, Namespace& home, const std::string& path);
  Module named(const ast::QualifiedName& name, Namespace& home);
  Module body(const ast::ModuleBody& body, Namespace& home, const std::string& path);

  // ---- Parametric modules: functors.cpp
  Module make(Functor functor, const std::string& path);
  /// Checks the functor for a parameter of which only the type is known.
  void judge(Functor& functor, SourceRange at, const std::string& path);
  Module apply(const Functor& functor, const Module& argument, SourceRange at,
               const std::string& path);
  /// The result for a parameter that is known to be of the right type.
  Module enter(const Functor& functor, const Module& parameter, SourceRange at,
               const std::string& path);

  // ---- Module types: module_types.cpp
  /// A module whose type is known: how its members are found.
  enum class Make {
    view,       // what the type shows of a module
    seal,       // the same, with abstract types that equal no others, of a view
    parameter,  // members of which nothing else is known
  };
  /// mt with t = ..: `inside` names of its path were entered.
  struct Refinement {
    const ast::ModuleTypeWith* syntax;
    Namespace* home;
    std::size_t inside = 0;
    bool* used = nullptr;
    bool* known = nullptr;
  };
  struct Instance {
    Make make;
    Module module;        // nothing for a parameter
    SourceRange at;       // what asks for the instance
    std::string path;     // of the instance: "M."
    std::string member;   // of the instance inside what `at` asks for: "" or "inner."
    int wrong_types = 0;  // how many there were before: after one, values need not fit
    std::vector<Refinement> refinements = {};  // the last one counts
    const Namespace* included_in = nullptr;
  };
  Module view(const Module& module, const ast::ModuleType& type, Namespace& home, SourceRange at,
              const std::string& path);
  Module ascribe(const Module& module, const ast::ModuleType& type, Namespace& home, SourceRange at,
                 const std::string& path);
  Module parameter(const ast::ModuleType& type, Namespace& home, const std::string& path);
  Module instance(const ast::ModuleType& type, Namespace& home, const Instance& how);
  Module instance(const ast::ModuleTypeName& name, Namespace& home, const Instance& how);
  Module instance(const ast::Signature& signature, Namespace& home, const Instance& how);
  Module instance(const ast::ModuleTypeWith& with, Namespace& home, const Instance& how);
  Module instance(const ast::ModuleArrow& arrow, Namespace& home, const Instance& how);
  const check::ModuleType* find_module_type(const ast::QualifiedName& name, Namespace& home);

  // ---- Specifications: specifications.cpp
  void specify(Namespace& space, const ast::ValueSpec& spec, const Instance& how);
  void specify(Namespace& space, const ast::TypeSpec& spec, const Instance& how);
  void specify(Namespace& space, const ast::ModuleSpec& spec, const Instance& how);
  void specify(Namespace& space, const ast::IncludeSpec& spec, const Instance& how);
  std::optional<TypeAbbreviation> known_type(Namespace& space, const ast::TypeSpec& spec,
                                             const Instance& how);
  TypeAbbreviation abstract_type(Namespace& space, const ast::TypeSpec& spec, const Instance& how);
  void check_form(const ast::ValueSpec& spec);
  void check_type(const ast::TypeSpec& spec, const TypeAbbreviation* known,
                  const TypeAbbreviation& actual, const Instance& how);
  void check_abstract(const ast::TypeSpec& spec, const TypeAbbreviation& actual,
                      const std::string& name, const Instance& how);
  bool are_same(const TypeAbbreviation& a, const TypeAbbreviation& b);
  void missing(const char* kind, const std::string& name, SourceRange specified,
               const Instance& how);

  template <typename... Args>
  source::Diagnostic& report(Message message, SourceRange at, const Args&... args) {
    return globals_.diagnostics.report(message, at, args...);
  }

  Globals& globals_;
  const imports::Program& program_;
  Purpose purpose_;
  int abstract_types_ = 0;  // how many there were, and parameters of which only the type was known
  int wrong_types_ = 0;     // how many types of modules were not as specified
  std::set<const ast::ValueSpec*> checked_;  // for what is wrong wherever the specification is used
  std::deque<Functor> functors_;
  std::map<const imports::File*, Module> imported_;
  std::map<std::tuple<const Functor*, const Namespace*, const Functor*>, Module> applied_;
};

}  // namespace boustro::modules
