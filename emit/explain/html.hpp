// Text in pages.
#pragma once

#include <string>
#include <string_view>

namespace boustro::explain {

/// With `&`, `<`, `>` and quotes as entities: for text and for values of attributes.
std::string escaped(std::string_view text);

}  // namespace boustro::explain
