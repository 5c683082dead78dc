// What users are told. Three kinds of trouble, never mixed:
//   - the user's mistake: `Diagnostics::report`, then go on to find more; exit code 1
//   - a correct program that we cannot translate: the same, or `refuse` from inside a pass
//   - our mistake: `internal_check`; the driver names pass and rule and exits with 70
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "frontend/source/source.hpp"

namespace boustro::source {

/// One enumerator for each line of diagnostics.def: see messages.hpp, which only those include who name one.
enum class Message : int;

enum class Severity { error, unsupported, warning };

Severity severity_of(Message message);
std::string_view id_of(Message message);    // "ad-no-derivative"
std::string_view text_of(Message message);  // fmt's format string

/// A second place that explains a diagnostic, or a hint on how to mend it.
struct Note {
  SourceRange at;
  std::string text;
};

struct Diagnostic {
  Message message;
  SourceRange at;
  std::string text;  // with its arguments filled in
  std::vector<Note> notes;
};

/// Fills the arguments into the text of `message`.
template <typename... Args>
Diagnostic make_diagnostic(Message message, SourceRange at, const Args&... args) {
  return {message, at, fmt::format(fmt::runtime(text_of(message)), args...), {}};
}

/// Collects diagnostics in the order in which they were found.
class Diagnostics {
 public:
  /// Adds a diagnostic and returns it, so that notes can be appended until the next call.
  template <typename... Args>
  Diagnostic& report(Message message, SourceRange at, const Args&... args) {
    return add(make_diagnostic(message, at, args...));
  }
  Diagnostic& add(Diagnostic diagnostic);

  /// True if an error or `unsupported` was reported: no output may be written.
  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  /// Keeps the first `count` only: what follows repeats them.
  void forget_since(std::size_t count) { diagnostics_.erase(diagnostics_.begin() + static_cast<std::ptrdiff_t>(count), diagnostics_.end()); }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// `file:line:column: error: text [id]`, the source line, a caret; notes likewise.
std::string to_string(const Diagnostic& diagnostic, const SourceMap& sources);

/// Leaves a pass that cannot go on. The driver reports the diagnostic like any other.
class Refusal : public std::runtime_error {
 public:
  explicit Refusal(Diagnostic diagnostic)
      : std::runtime_error(diagnostic.text), diagnostic(std::move(diagnostic)) {}
  Diagnostic diagnostic;
};

template <typename... Args>
[[noreturn]] void refuse(Message message, SourceRange at, const Args&... args) {
  throw Refusal(make_diagnostic(message, at, args...));
}

/// Our own mistake.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError. `what` names the pass or rule and the property that does not hold.
inline void internal_check(bool condition, std::string_view what) {
  if (!condition) throw InternalError(std::string(what));
}
[[noreturn]] inline void internal_error(std::string_view what) {
  throw InternalError(std::string(what));
}

}  // namespace boustro::source
