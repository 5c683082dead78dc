#include "emit/bindings/write.hpp"

#include <set>

#include <fmt/format.h>

#include "emit/bindings/python_text.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::bindings {
namespace {

/// Python imports what is called like the emitted file, and C++ has its namespace beside those of the libraries.
void require_names(const plan::Program& plan) {
  static const std::set<std::string> taken = {"at", "c10", "caffe2", "ffi", "jax", "numpy", "py", "pybind11", "torch", "xla"};
  const auto refuse = [&](const std::string& reason) { source::refuse(source::Message::cannot_write_file, {}, plan.name, reason); };
  if (!is_python_identifier(plan.name)) refuse("no module of Python can have that name: choose another one with -o");
  if (taken.contains(plan.name)) refuse("a library that bindings use has that name: choose another one with -o");
  if (taken.contains(plan.name_space))
    refuse(fmt::format("`{}` is a namespace that bindings use: choose another one with --namespace", plan.name_space));
}

}  // namespace

std::vector<File> write(Kind kind, const Interface& cpu, const Interface* gpu) {
  require_names(*(gpu ? gpu : &cpu)->plan);
  switch (kind) {
    case Kind::python: return write_python(cpu);
    case Kind::torch: return write_torch(cpu, gpu);
    case Kind::jax: return write_jax(cpu, gpu);
  }
  return {};
}

}  // namespace boustro::bindings
