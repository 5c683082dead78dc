// Telling the user what does not fit.
#include <fmt/format.h>

#include "frontend/check/checker.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

namespace {

/// What a mistake of that kind comes from most often; empty if there is no telling.
std::string advice_on(const Type& expected, const Type& actual) {
  const auto* to = std::get_if<PrimType>(&expected.node);
  const auto* from = std::get_if<PrimType>(&actual.node);
  if (to && from && *to != PrimType::boolean && *from != PrimType::boolean)
    return fmt::format("`{}.{}` converts it", values::name_of(*to), values::name_of(*from));
  const bool has_value = !std::holds_alternative<FunctionType>(expected.node) &&
                         !std::holds_alternative<TypeVariable>(expected.node);
  if (has_value && std::holds_alternative<FunctionType>(actual.node))
    return "an argument is missing";
  const auto* tuple = std::get_if<RecordType>(&actual.node);
  if (to && tuple && is_tuple(*tuple))
    return "several arguments are written without commas: `f x y`";
  return "";
}

}  // namespace

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
  const std::string advice =
      advice_on(inference_.resolve_all(expected), inference_.resolve_all(actual));
  if (!advice.empty()) diagnostic.notes.push_back({at, advice});
}

void Checker::restrict_result(const Type& type, Lift lift, const char* what, SourceRange at) {
  const auto failure = inference_.restrict(type, lift);
  if (!failure) return;
  source::Diagnostic& diagnostic = report(Message::function_as_value, at, what);
  diagnostic.notes.push_back({at, "its type is `" + inference_.print(type) + "`"});
  diagnostic.notes.push_back({at, *failure});
}

}  // namespace boustro::check
