#include "emit/plan/polish/declared.hpp"

namespace boustro::plan {

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

}  // namespace boustro::plan
