#pragma once
// Folders test_data_set_N and .npz archives as samples: each is read when it is asked for, so that a hundred thousand
// of them need no room.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_folders.h"
#include "data/sample_source.h"
#include "model/model.h"

namespace culprit {

/// One sample for each of the paths, with `given` in place of what they say of the same inputs. `where`: for people.
/// Sizes of open dimensions are those of the first sample, if that can be read. Reads that one, and no other.
std::unique_ptr<SampleSource> sample_sets(SamplePaths paths, Interface interface, std::vector<NamedTensor> given,
                                          std::string where);

/// All of them, or the first so many (0: all), as samples of a check; each is read once, to be sure of it. Errors:
/// what is wrong with the first that is.
Result<Proposal> propose_sets(std::shared_ptr<const SampleSource> source, std::int64_t samples,
                              std::string description);

}  // namespace culprit
