#pragma once
// Is a kept profile of the same thing? Ratios of two models, or of two machines, may be held against each other, but
// not without a word.

#include <vector>

#include "record/profile.h"
#include "record/warning.h"

namespace culprit {

/// A warning `kept_differs` for each thing that is another one in `kept` than in `now`, with both values: of rows of
/// the same name the model, the runtime's version, provider, level, optimizer and steps, and the batch; of both as a
/// whole the samples, threads, processor, system, protocol and culprit's own version.
std::vector<Warning> kept_differs(const ProfileReport& kept, const ProfileReport& now);

}  // namespace culprit
