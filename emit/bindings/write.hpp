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

/// The files of one kind for an emitted C++ file, and for an emitted CUDA file of the same program if there is one. Throws
/// source::Refusal for what that kind cannot pass.
std::vector<File> write(Kind kind, const Interface& cpu, const Interface* gpu);

// ---- One for each kind.

std::vector<File> write_python(const Interface& interface);
std::vector<File> write_torch(const Interface& cpu, const Interface* gpu);
std::vector<File> write_jax(const Interface& cpu, const Interface* gpu);

}  // namespace boustro::bindings
