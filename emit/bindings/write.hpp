// Files with which emitted functions are called from Python.
#pragma once

#include <string>
#include <vector>

#include "emit/bindings/interface.hpp"

namespace boustro::bindings {

enum class Kind { python, torch, jax };

/// A file that is to lie beside the emitted one.
struct File {
  std::string name, text;
};

/// The files of one kind for an emitted C++ file. Throws source::Refusal for what that kind cannot pass.
std::vector<File> write(Kind kind, const Interface& interface);

// ---- One for each kind.

std::vector<File> write_python(const Interface& interface);

}  // namespace boustro::bindings
