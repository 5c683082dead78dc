#include "emit/explain/embedded.hpp"

#include <string>

#include "frontend/source/diagnostics.hpp"

namespace boustro::explain {

std::string_view embedded_text(std::string_view name) {
  for (const EmbeddedText& text : embedded_texts)
    if (text.name == name) return text.text;
  source::internal_error("explain: no embedded text " + std::string(name));
}

}  // namespace boustro::explain
