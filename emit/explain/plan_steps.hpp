// A plan as a picture wants it: steps of entries, and the arrays between them.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "emit/plan/plan.hpp"

namespace boustro::explain {

/// Of each entry {"name", "source", "arrays": [{"name", "type", "shape", "bytes", "role": "input" | "output" | "scratch" | "own"}, ..],
/// "steps": [STEP, ..]}.
/// A STEP is what the device or, in C++, a nest of loops does:
///   {"kind": "kernel" | "library" | "fill" | "copy" | "wait" | "nest", "name", "extents", "notes": [..], "when", "formula": [..],
///    "origins": [..], "ports": [{"array", "access": "read" | "written" | "added to" | "updated" | "scratch"}, ..]}
/// or what is around some: {"kind": "if" | "else" | "loop", "title", "steps": [..]}. What is not known is left out.
/// `number` gives numbers to origins.
nlohmann::json plan_steps(const plan::Program& program, const std::function<int(const std::string&)>& number);

}  // namespace boustro::explain
