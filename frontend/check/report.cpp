// Telling the user what does not fit.
#include "frontend/check/checker.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

Exp Checker::wrong(SourceRange at) { return {Hole{}, fresh(at), at}; }

bool Checker::expect(const Type& expected, const Exp& actual, const std::string& why,
                     SourceRange origin) {
  const auto failure = inference_.unify(expected, actual.type);
  if (failure) mismatch(actual.at, expected, actual.type, *failure, why, origin);
  return !failure;
}

void Checker::mismatch(SourceRange at, const Type& expected, const Type& actual,
                       const std::string& reason, const std::string& why, SourceRange origin) {
  const std::string wanted = inference_.print(expected), found = inference_.print(actual);
  source::Diagnostic& diagnostic = report(Message::type_mismatch, at, found, wanted);
  if (!why.empty()) diagnostic.notes.push_back({origin.valid() ? origin : at, why});
  if (!reason.empty()) diagnostic.notes.push_back({at, reason});
}

void Checker::restrict_result(const Type& type, Lift lift, const char* what, SourceRange at) {
  const auto failure = inference_.restrict(type, lift);
  if (!failure) return;
  source::Diagnostic& diagnostic = report(Message::function_as_value, at, what);
  diagnostic.notes.push_back({at, "its type is `" + inference_.print(type) + "`"});
  diagnostic.notes.push_back({at, *failure});
}

}  // namespace boustro::check
