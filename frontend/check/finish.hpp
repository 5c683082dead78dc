// The end of inference for one definition: every inference variable is replaced by what was found.
//
// What is still open gets its default, i32 or f64 for numbers; sizes and records that are open are an error.
#pragma once

#include "frontend/check/inference.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

/// `faulty`: a mistake in the definition has been reported; what it left open is none of its own.
void finish(Definition& definition, Inference& inference, source::Diagnostics& diagnostics,
            bool faulty);

}  // namespace boustro::check
