#pragma once
// What was told of a decision, as bytes from one process to another. Private to this room.

#include "base/state_bytes.h"
#include "record/told_decision.h"

namespace culprit {

void write_told(StateWriter& bytes, const ToldModel& told);
/// What does not fit leaves the reader in no good state.
ToldModel read_told(StateReader& bytes);

}  // namespace culprit
