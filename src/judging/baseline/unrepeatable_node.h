#pragma once
// The first node of a model that gives other values when it is run again.

#include <string>

#include "executor/dispatcher.h"
#include "trial/reference.h"

namespace culprit {

/// "; the first node whose values differ between two runs is MatMulNBits 'y'"; "" where none was found: the model is
/// large, or its values do not differ where they are read. Two runs of the first sample, in fresh processes,
/// for every 32 values. ErrorKind::interrupted, io.
Result<std::string> first_unrepeatable_node(Dispatcher& dispatcher, const Reference& reference);

}  // namespace culprit
