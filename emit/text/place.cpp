#include "emit/text/place.hpp"

#include <fmt/format.h>

#include "frontend/source/diagnostics.hpp"

namespace boustro::text {

void Place::need_template(std::string_view name) const {
  source::internal_check(templates::find(name, dialect.language) != nullptr,
                         fmt::format("printer: no template `{}` for this target", name));
  needs.templates.insert(std::string(name));
}

Place Place::inner() const {
  Place result = *this;
  ++result.depth;
  result.tail = false;
  return result;
}

}  // namespace boustro::text
