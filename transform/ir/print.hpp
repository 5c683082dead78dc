// Prints core programs as Futhark source that the frontend reads back.
#pragma once

#include <string>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

struct PrintOptions {
  /// A comment on each statement that a rule made: its rule and source line.
  bool provenance = false;
  const source::SourceMap* sources = nullptr;
  /// What is read back is equal up to names: what people need not see, such as that an index is known to be in bounds,
  /// is printed too, and operations that the language has otherwise are calls into `core`.
  bool exact = false;
};

/// The whole program. Forms without surface syntax (WithAcc, Map over accumulators, UpdateAcc, Scratch, ...) are calls
/// into the reserved module `core`; a program that has none of them is plain Futhark.
std::string to_string(const Program& program, const PrintOptions& options = {});
std::string to_string(const Function& function, const PrintOptions& options = {});
/// One function of a program, with what the program calls the others.
std::string to_string(const Program& program, const Function& function, const PrintOptions& options = {});
/// For messages and tests.
std::string to_string(const Stm& stm);
std::string to_string(const Exp& exp);
std::string to_string(const Type& type);
std::string to_string(const Atom& atom);
std::string to_string(const Name& name);  // with its tag

}  // namespace boustro::ir
