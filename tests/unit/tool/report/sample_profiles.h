#pragma once
// Profiles as `profile` makes them, for the tests of what is written about them.

#include "record/profile.h"

namespace culprit::testing {

/// Four levels of one model: off is the baseline, basic is the same, extended fails, all is slower and is blamed; one
/// entry of an optimizer is ambiguous. With devices, kernels, quality and nodes' times.
ProfileReport levels_profile();
/// The same with the times of single runs, which a report does not hold, and with a sweep.
ProfileReport timed_profile();
/// One entry, and nothing but its time.
ProfileReport single_profile();
/// Names, messages and recipes that try to break what they are written into.
ProfileReport hostile_profile();
/// Twenty entries of two models, with values that are zero, huge, NaN and infinite.
ProfileReport crowded_profile();
/// Nothing was measured: interrupted at once.
ProfileReport empty_profile();

}  // namespace culprit::testing
