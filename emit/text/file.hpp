// The parts of an emitted pair of files that are the same for all targets.
#pragma once

#include <string>
#include <vector>

#include "emit/text/place.hpp"
#include "emit/text/uses.hpp"

namespace boustro::text {

/// A file and its header, formatted.
struct Emitted {
  std::string source, header;
  std::vector<std::string> origins = {};  // of each line of the source, if they were asked for; see origins.hpp
};

struct Options {
  std::string command = "boustro translate";  // what wrote the file, for its head comment
  bool vector_math = true;  // C++ only: see Dialect
  bool origins = false;     // of lines, too
};

/// What a target puts into the unnamed namespace for an entry.
using EntryParts = std::string (*)(const plan::Entry&, const Place&);

/// The whole source file, not formatted yet, and with the marks of origins.hpp if `options` ask for them. `language` as for
/// `head_comment`.
std::string source_file(const plan::Program& program, const Options& options,
                        const Dialect& dialect, std::string_view language, EntryParts parts);

/// Definitions of the program or of the entry `of`, under a ruler; empty if there are none.
std::string functions(const std::vector<plan::Definition>& definitions, std::string_view of,
                      const Place& place);

/// The comment at the top of the source file. `language` is what the file is written in and needs:
/// "C++17, CUDA 12.8 or later".
std::string head_comment(const plan::Program& program, const Options& options,
                         const Dialect& dialect, std::string_view language);

/// Includes of the source file: its header, the standard library, CUB and the like.
std::string includes(const plan::Program& program, const Needs& needs, const Dialect& dialect);

/// Copies of the needed templates, and of those that these need, under a ruler. Adds the headers of
/// all to `needs`.
std::string runtime(Needs& needs, const Dialect& dialect);

/// The struct that lays out the scratch memory of an entry, an aggregate of sizes and what is computed from them; empty if there is none, or library
/// calls alone need any.
std::string scratch_struct(const plan::Entry& entry, const Place& place);
/// What makes that struct of its sizes, in braces: `{Scratch(memory), n, k}`.
std::string scratch_value(const plan::Scratch& scratch, const std::string& memory);

/// The public functions of an entry: the query for its scratch memory, and the entry itself.
std::string scratch_query(const plan::Entry& entry, const Place& place);
std::string entry_function(const plan::Entry& entry, const Place& place);

/// `failure_text`, which explains the Failure of any entry; empty if no entry has checks.
std::string failure_text(const plan::Program& program);
bool has_checks(const plan::Program& program);
/// Whether an entry takes an Allocator.
bool allocates(const plan::Program& program);

/// Name and parameters of the public functions, as declared and defined. Parameters that `used`
/// lacks have no name. `restricted` states in the definition that arrays do not overlap, where the
/// target's kernels do not state it.
std::string entry_signature(const plan::Entry& entry, const Names& used, const Place& place,
                            bool restricted = false);
std::string query_signature(const plan::Entry& entry, const Names& used, const Place& place);
/// What the query takes beside `bytes`: integers, and whatever else the sizes depend on.
std::vector<plan::Param> query_params(const plan::Entry& entry);
/// The names of all parameters, which is what a declaration shows.
Names all_params(const plan::Entry& entry);

/// A comment with a function that calls the first entry, if there is one, and compiles.
std::string example(const plan::Program& program, const Place& place);

/// The whole header, not formatted yet. `opening` is about memory and errors of all functions,
/// `includes` and `types` are further text for their places.
std::string header(const plan::Program& program, const Dialect& dialect, std::string_view opening,
                   std::string_view includes, std::string_view types = "");

}  // namespace boustro::text
