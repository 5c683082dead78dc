// Parametric modules and their application.
#include "frontend/check/match.hpp"
#include "frontend/modules/elaborator.hpp"

namespace boustro::modules {

using check::match;

Module Elaborator::make(Functor functor, const std::string& path) {
  Functor& made = functors_.emplace_back(std::move(functor));
  if (!std::holds_alternative<Functor::Unknown>(made.result)) judge(made, made.at, path);
  return {nullptr, &made};
}

void Elaborator::judge(Functor& functor, SourceRange at, const std::string& path) {
  if (purpose_ != Purpose::judge) return;
  ++abstract_types_;
  const std::size_t before = globals_.diagnostics.all().size();
  enter(functor, parameter(*functor.from, *functor.home, functor.param + "."), at, path);
  functor.is_wrong = globals_.diagnostics.all().size() != before;
}

// The same argument yields the same module: otherwise a row of functors that apply the one before
// twice would double the work each time.
Module Elaborator::apply(const Functor& functor, const Module& argument, SourceRange at,
                         const std::string& path) {
  const std::tuple key{&functor, argument.members, argument.functor};
  if (const auto known = applied_.find(key); known != applied_.end()) return known->second;
  const std::size_t before = globals_.diagnostics.all().size();
  const Module given = view(argument, *functor.from, *functor.home, at, functor.param + ".");
  if (globals_.diagnostics.all().size() != before) return applied_[key] = {};
  if (given.members) given.members->is_given = true;
  const Module result = enter(functor, given, at, path);
  if (functor.is_wrong) globals_.diagnostics.forget_since(before);
  return applied_[key] = result;
}

Module Elaborator::enter(const Functor& functor, const Module& parameter_module, SourceRange at,
                         const std::string& path) {
  Namespace& home = globals_.new_namespace(functor.home);
  home.path = path;
  if (!functor.param.empty()) home.modules.emplace(functor.param, parameter_module);
  return match(
      functor.result,
      [&](const Functor::Body& body) {
        if (!body.further.empty()) {
          const ast::ModuleParam& next = *body.further[0];
          return make(
              {next.name.text, &next.type, &home,
               Functor::Body{{body.further.begin() + 1, body.further.end()}, body.result, body.exp},
               functor.at},
              path);
        }
        const Module result = evaluate(*body.exp, home, path);
        return body.result ? ascribe(result, *body.result, home, body.exp->at, path) : result;
      },
      [&](const Functor::Ascribed& ascribed) {
        if (!ascribed.inner.functor) return Module{};
        return ascribe(apply(*ascribed.inner.functor, parameter_module, at, path), *ascribed.to,
                       home, at, path);
      },
      [&](const Functor::Unknown& unknown) { return parameter(*unknown.to, home, path); });
}

}  // namespace boustro::modules
