#pragma once
// The round trip as the optimizer exports it, where that leaves out types which were put back in every variant: what
// does the runtime make of it?

#include <filesystem>
#include <memory>

#include "check/variants/distinct_variant.h"
#include "executor/dispatcher.h"
#include "trial/judging.h"

namespace culprit {

/// Runs it in this folder for outputs, which goes when it is judged. Null where no type was left out; without a
/// runnable where it could not be written.
std::unique_ptr<DistinctVariant> run_as_exported(Dispatcher& dispatcher, Judging& by, const VariantOutcome& trip,
                                                 const std::filesystem::path& folder);

}  // namespace culprit
