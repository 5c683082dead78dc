#include "transform/ad/context.hpp"

#include "frontend/source/messages.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

Derivation::Derivation(Program& program, const Options& options)
    : program(program), options(options), names(program) {
  for (const Function& function : program.functions) functions.add(function);
}

void Derivation::add_function(Function function) {
  names.bind_function(function);
  functions.add(function);
  new_functions.push_back(std::move(function));
}

void Derivation::trace(std::string_view rule, const Stm& stm) {
  const std::pair now(std::string(rule), stm.pattern.empty() ? Name() : stm.pattern.front().name);
  if (!options.trace || now == traced_) return;
  traced_ = now;
  options.trace(now.first, shown(stm.origin));
}

source::SourceRange Derivation::shown(const Provenance& origin) const {
  if (options.sources) return options.sources->shown(origin.at);
  return origin.at.empty() ? source::SourceRange{} : origin.at.front();
}

Builder rule_builder(Derivation& derivation, const Stm& stm, std::string_view rule, Sweep sweep) {
  derivation.trace(rule, stm);
  return Builder(derivation.names, {stm.origin.at, std::string(rule), sweep, stm.origin.within});
}

void warn_of_ignored(const Derivation& derivation, const Stm& stm, const Name& name) {
  if (!derivation.options.warn) return;
  auto warning = source::make_diagnostic(source::Message::ad_ignored_variable,
                                         derivation.shown(stm.origin), name.base);
  warning.notes.push_back({derivation.asked_at, "the derivative is asked for here"});
  warning.notes.push_back(
      {{}, "pass it as a part of the argument to have a derivative with respect to it"});
  derivation.options.warn(std::move(warning));
}

void refuse_derivative(const Derivation& derivation, const Stm& stm, const std::string& what,
                       const std::string& with_respect_to) {
  const auto at = stm.origin.at.empty() ? derivation.asked_at : derivation.shown(stm.origin);
  auto diagnostic =
      source::make_diagnostic(source::Message::ad_no_derivative, at, what, with_respect_to);
  diagnostic.notes.push_back({derivation.asked_at, "the derivative is asked for here"});
  throw source::Refusal(std::move(diagnostic));
}

Atom Forward::tangent(Builder& builder, const Atom& atom) const {
  if (const Name* name = name_in(atom))
    if (const auto found = tangents.find(*name); found != tangents.end()) return found->second;
  return zeros(builder, "zeros", tangent_type(names.type_of(atom)));
}

Param Forward::tangent_param(const Param& param) {
  Param result = names.fresh_param(tan_name(param.name), tangent_type(param.type), param.unique);
  tangents.insert_or_assign(param.name, result.name);
  return result;
}

}  // namespace boustro::ad
