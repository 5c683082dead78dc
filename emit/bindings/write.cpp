#include "emit/bindings/write.hpp"

namespace boustro::bindings {

std::vector<File> write(Kind kind, const Interface& cpu, const Interface* gpu) {
  switch (kind) {
    case Kind::python: return write_python(cpu);
    case Kind::torch: return write_torch(cpu, gpu);
    case Kind::jax: return write_jax(cpu, gpu);
  }
  return {};
}

}  // namespace boustro::bindings
