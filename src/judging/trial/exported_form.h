#pragma once
// The round trip as the optimizer exports it, where that leaves types out (model/lost_types.h). Every variant was given
// them back, so that passes can be judged; what users of the optimizer get was not.

#include <filesystem>

#include "trial/judgement.h"

namespace culprit {

/// Writes that file once more without the types that were put back, beside it, because its weights may lie there.
Result<std::filesystem::path> written_as_exported(const std::filesystem::path& round_trip);

/// Says of the judgement of that file's run what was left out; the signature is that of all such failures.
void tell_lost_types(Judgement& judgement, const VariantOutcome& round_trip);

}  // namespace culprit
