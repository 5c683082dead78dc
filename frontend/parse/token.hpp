// The words of the language. A token points into the text of its file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/source/diagnostics.hpp"
#include "frontend/source/source.hpp"

namespace boustro::parse {

enum class TokenKind {
  end,          // of the file; the last token of each list
  name,         // x, f64.sum
  op,           // +, M.+, `f`, `M.f`; not `=` and `->`
  keyword,      // let, type, type~, type^
  punctuation,  // ( ) [ ] { } , : :> = -> . .. ... ..< ..> \ ? ??? #[ _ ' '~ '^
  integer,      // 42, 0x2a_u8
  floating,     // 1.5f32, 1f32, 0x1.8p3
  character,    // 'x'
  string,       // "text"
  constructor,  // #name
  field,        // .name, .0
};

struct Token {
  TokenKind kind;
  std::uint32_t begin;
  std::string_view text;
  bool indexes;           // `[` directly after a name or a closing bracket, as in x[i]
  std::uint32_t column;   // counted from 0, of the first token of a line; `inside_line` otherwise
  std::string_view doc;   // the block of comments before it that starts with `-- |`

  static constexpr std::uint32_t inside_line = UINT32_MAX;
  std::uint32_t end() const { return begin + static_cast<std::uint32_t>(text.size()); }
};

/// The tokens of a file, closed by one of kind `end`. Reports what is no token and leaves it out.
std::vector<Token> tokenize(source::FileId file, const source::SourceMap& sources,
                            source::Diagnostics& diagnostics);

}  // namespace boustro::parse
