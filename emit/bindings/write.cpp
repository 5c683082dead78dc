#include "emit/bindings/write.hpp"

namespace boustro::bindings {

std::vector<File> write(Kind kind, const Interface& interface) {
  switch (kind) {
    case Kind::python: return write_python(interface);
    case Kind::torch:
    case Kind::jax: break;
  }
  return {};
}

}  // namespace boustro::bindings
