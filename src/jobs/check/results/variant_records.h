#pragma once
// From variants to what the report says of them.

#include <span>
#include <string>
#include <vector>

#include "check/variants/judged_variants.h"

namespace culprit {

/// The id of each variant, V01, V02, ... in order; "" for a trial, which is not in the report.
std::vector<std::string> variant_ids(const JudgedVariants& variants);

/// One record for each variant that has an id, in order. `same_variant` names the first with the same variant. Warnings
/// that the round trip shows as well are left out. Files are relative to the reference's folder.
/// `tries_orders`: with a hash of their outputs.
std::vector<VariantRecord> variant_records(const JudgedVariants& variants, const Reference& reference,
                                           bool tries_orders = false);

ControlRecord round_trip_record(const JudgedVariants& variants);

/// The warnings of the round trip: they belong to the model, not to a pass.
std::vector<Warning> round_trip_warnings(const JudgedVariants& variants);

}  // namespace culprit
