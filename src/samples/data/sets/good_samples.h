#pragma once
// Samples of a check, of data sets in which some files may be of no use.

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "data/sample_source.h"

namespace culprit {

/// How samples of a kind are called.
struct SampleWords {
  const char* one = "sample";
  const char* many = "samples";
  const char* warning = "samples_passed_over";  ///< of those that are of no use
};

/// At most `samples` (0: 10) of them, spread over all; one that is of no use is replaced by another, and a warning
/// tells of it. Each is read once. Errors: none can be read; those of the source that end the whole reading.
Result<Proposal> propose_good_samples(std::shared_ptr<const SampleSource> source, std::int64_t samples,
                                      std::string description, const SampleWords& words);

}  // namespace culprit
