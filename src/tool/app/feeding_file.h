#pragma once
// `repair --feeding FILE`: how to feed a target that is right, and that is fed otherwise than its source, as a
// culprit.yaml (docs/preprocessing.md).

#include <filesystem>
#include <string>

#include "data/data_set.h"
#include "record/diagnosis.h"

namespace culprit {

/// Errors: usage, where something is there already, or its folder is not.
Result<void> feeding_must_be_free(const std::filesystem::path& file);

/// Of pictures all that the source's preprocessing says, but for what is other; of other data that alone. Errors:
/// unsupported, where the way is none of pixels (inputs exchanged, height and width exchanged).
Result<std::string> feeding_text(const FeedingRecord& feeding, const CheckData& of_source);

}  // namespace culprit
