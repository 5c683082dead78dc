#include "emit/plan/polish/declared.hpp"

#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

void add_called(const Expr& expr, std::set<std::string>& names) {
  if (const auto* call = std::get_if<Call>(&expr.head)) names.insert(call->function);
  if (std::holds_alternative<Construct>(expr.head)) names.insert(expr.type.name);
  for (const Expr& arg : expr.args) add_called(arg, names);
}

}  // namespace

std::vector<std::string*> declared(Stm& stm) {
  if (auto* s = std::get_if<Let>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<LocalArray>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<SharedArray>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<Closure>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<Buffer>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<For>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<ForLanes>(&stm.what)) return {&s->name};
  if (auto* s = std::get_if<Read>(&stm.what)) return {&s->name};
  return {};
}

std::vector<std::string*> named(Stm& stm) {
  if (auto* s = std::get_if<Allocate>(&stm.what)) return {&s->buffer};
  if (auto* s = std::get_if<Swap>(&stm.what)) return {&s->x, &s->y};
  if (auto* s = std::get_if<Release>(&stm.what)) return {&s->buffer};
  if (auto* s = std::get_if<Read>(&stm.what); s && !s->failed.empty()) return {&s->failed};
  if (auto* s = std::get_if<EndIfFailed>(&stm.what)) return {&s->failed};
  return {};
}

std::set<std::string> called_in(const Stms& stms) {
  std::set<std::string> names;
  for_each_stm(stms, [&](const Stm& stm) {
    for_each_expr(stm, [&](const Expr& expr) { add_called(expr, names); });
    if (const auto* launch = std::get_if<Launch>(&stm.what)) names.insert(launch->kernel);
    if (const auto* run = std::get_if<Run>(&stm.what)) names.insert(run->library);
    if (const auto* atomic = std::get_if<Atomic>(&stm.what)) names.insert(atomic->functor);
  });
  return names;
}

}  // namespace boustro::plan
