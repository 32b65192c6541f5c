#pragma once
// Further samples of a data set for a reference: those on which a variant decided otherwise. Variants are judged on
// them as on all others, so that what is wrong there is confirmed, localized and reduced.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/sample_source.h"
#include "executor/dispatcher.h"
#include "trial/reference.h"

namespace culprit {

/// The same original on these samples alone: read, and run at the reference's level. What cannot be read or run is left
/// out; `decisive.names` has the names of those that are there. Samples and outputs lie in the reference's folder,
/// under names that end in `name`. Errors: interrupted, io.
Result<Reference> reference_on(Dispatcher& dispatcher, const Reference& like, const SampleSource& source,
                               const std::vector<std::int64_t>& numbers, const std::string& name);

/// The first reference with the samples of the other behind its own; what is decisive in the other is so here.
Reference joined(Reference reference, const Reference& added);

}  // namespace culprit
