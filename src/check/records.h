#pragma once
// From attempts to what the report says of them.

#include <span>
#include <string>
#include <vector>

#include "check/study.h"

namespace culprit {

/// The id of each attempt, V01, V02, ... in order; "" for a trial, which is not in the report.
std::vector<std::string> variant_ids(const Study& study);

/// One record for each attempt that has an id, in order. `same_as` names the first with the same variant. Warnings
/// that the round trip shows as well are left out. Files are relative to the basis' folder.
std::vector<VariantRecord> variant_records(const Study& study, const Basis& basis);

ControlRecord round_trip_record(const Study& study);

/// The warnings of the round trip: they belong to the model, not to a pass.
std::vector<Warning> round_trip_warnings(const Study& study);

}  // namespace culprit
