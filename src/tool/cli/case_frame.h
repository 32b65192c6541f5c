#pragma once
// Do the words of a case make sense, and which programs will it use? Asked before anything runs.

#include "app/plan_campaign.h"
#include "campaign/case_order.h"

namespace culprit {

/// Starts the runtime and the optimizer that the case names, and asks them for their versions and steps.
/// ErrorKind::usage for flags that make no sense and names that mean nothing; else those of Workshop::open.
Result<CaseFrame> frame_of_case(const CaseOrder& order);

}  // namespace culprit
