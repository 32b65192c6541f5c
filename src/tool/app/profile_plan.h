#pragma once
// What does a profile measure? Each model, at each level, after each recipe, on each provider, in each version of the
// runtime that the request names.

#include <vector>

#include "app/requests.h"
#include "app/workshop.h"
#include "base/error.h"
#include "profile/profile.h"

namespace culprit {

/// Steps of an optimizer that depend on the model are those of the first one. Errors: usage, what the request names and
/// is not there, or tells nothing of these rows; those of asking the optimizer.
Result<std::vector<ProfiledRow>> plan_rows(Workshop& workshop, const ProfileRequest& request);

}  // namespace culprit
