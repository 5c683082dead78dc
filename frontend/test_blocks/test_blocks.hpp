// Test blocks: the comments in a program that begin with `-- ==` and list inputs and expected
// results.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace boustro::test_blocks {

/// Values written in the block, or in a file beside the program (text or binary, may be .gz).
struct InlineValues {
  std::string text;
};
struct FileValues {
  std::string path;  // relative to the program
};
/// random input { [100]i32 3i64 }: types with constant sizes, and literals, as written.
struct RandomValues {
  std::vector<std::string> items;
};
/// script input { mk_input 10i64 }: an expression over the program's entries and `$loaddata
/// "file"`; a tuple is one value for each of its components.
struct ScriptValues {
  std::string text;
};
/// script input @ file: the same, in a file beside the program.
struct ScriptFile {
  std::string path;
};
using Input = std::variant<InlineValues, FileValues, RandomValues, ScriptValues, ScriptFile>;

/// No result is given: the run must only succeed.
struct AnyResult {};
/// `auto output`: expected values come from a reference implementation, that is our evaluator.
struct AutomaticResult {};
/// `error: regex`: the run must fail.
struct RuntimeError {
  std::string regex;
};
using Expected = std::variant<AnyResult, InlineValues, FileValues, AutomaticResult, RuntimeError>;

struct Case {
  std::string name;               // as written, or made from the input
  std::vector<std::string> tags;  // compiled, nobench, no_cuda, ...
  Input input;
  Expected expected;
  int line = 0;  // in the program, from 1
};

/// Cases to be run for each of the named entries.
struct Block {
  std::vector<std::string> entries;  // {"main"} unless it says otherwise
  std::vector<Case> cases;
};

/// All blocks of one program. With a compile error no block has cases.
struct Specification {
  std::vector<std::string> tags;
  std::optional<std::string> compile_error;  // regex; empty: any error
  std::vector<Block> blocks;

  bool has_cases() const;
};

struct TestBlockError : std::runtime_error {
  TestBlockError(const std::string& text, int line) : std::runtime_error(text), line(line) {}
  int line;
};

/// Finds and reads the blocks of a program. Throws TestBlockError.
Specification read_test_blocks(std::string_view program);

}  // namespace boustro::test_blocks
