#pragma once
// Which outputs of a model are fed back as inputs, as culprit.yaml beside it says, or as their names tell.

#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "model/state_pairs.h"

namespace culprit {

/// `state: {INPUT: OUTPUT}` in culprit.yaml beside the model; without it state_pairs. `state: none`: there is none.
/// ErrorKind::bad_input where the file names what the model has not, with the line.
Result<std::vector<StatePair>> states_of(const Model& model);

}  // namespace culprit
