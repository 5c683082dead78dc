// The messages by name. Apart from diagnostics.hpp, so that a new message does not compile everything anew.
#pragma once

#include "frontend/source/diagnostics.hpp"

namespace boustro::source {

enum class Message : int {
#define MESSAGE(identifier, severity, id, text) identifier,
#include "frontend/source/diagnostics.def"
#undef MESSAGE
};

}  // namespace boustro::source
