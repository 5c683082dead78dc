// Where the project's own files are, for tests that read some.
#pragma once

namespace boustro::tests {

/// Absolute. Not a macro, so that objects of tests do not depend on where the checkout is.
extern const char* const source_folder;

}  // namespace boustro::tests
