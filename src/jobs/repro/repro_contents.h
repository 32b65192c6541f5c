#pragma once
// From what a check found to what a repro holds.

#include "repro/repro_folder.h"
#include "trial/fault_case.h"

namespace culprit {

/// Models with more than this in all, weights outside included, are not kept: a repro is made to be posted.
constexpr std::uint64_t most_repro_bytes = std::uint64_t{64} << 20;

/// Bytes that a repro of this model would take for it.
std::uint64_t repro_bytes(const Model& model);

/// The user's own model with the sample that shows the fault. Errors as of reading packs.
Result<ReproContents> contents_of(const FaultCase& shown, const ReproVersions& versions);

}  // namespace culprit
