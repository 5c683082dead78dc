// Parameters and statements in few words, for plans that tests write down.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emit/plan/build.hpp"

namespace exemplars {

using namespace boustro::plan;

inline Param array(std::string name, Type type, std::vector<std::string> shape,
                   Access access = Access::read) {
  return {std::move(name), std::move(type), std::move(shape), access};
}
inline Param size(std::string name, PrimType prim = i64) { return {std::move(name), type(prim)}; }

inline For count_up(const std::string& name, Type type, Expr to, Stms body) {
  return For{.name = name,
             .type = type,
             .from = lit(0, type.prim),
             .to = std::move(to),
             .body = std::move(body)};
}

inline Let let(std::string name, Expr value) {
  Type type = value.type;
  return Let{.name = std::move(name), .type = std::move(type), .value = std::move(value)};
}
inline Let variable(std::string name, Expr value) {
  Let result = let(std::move(name), std::move(value));
  result.changes = true;
  return result;
}

}  // namespace exemplars
