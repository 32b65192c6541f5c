#pragma once
// A variant that was given and seems right by its outputs: what is inside has the last word (CheckTools::look_inside).

#include "check/check.h"
#include "check/variants/judged_variants.h"

namespace culprit {

/// The warning of what `CompareStatus::not_reached` says of a variant.
constexpr const char* not_reached_code = "not_reached";

/// Asks for each variant that was run and is right. What is wrong inside becomes its verdict, and is asked for as often
/// again, in fresh processes, as the options' confirmations say. Warnings go to `warnings`. Errors: interrupted.
Result<void> look_inside(const LookInside& look, const JudgedVariants& variants, const Reference& reference,
                         std::vector<Warning>& warnings);

}  // namespace culprit
