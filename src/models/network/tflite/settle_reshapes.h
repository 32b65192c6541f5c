#pragma once
// Reshapes of which only one size is open, without the operators that compute it.

#include "network/tflite/tflite_file.h"

namespace culprit {

/// Each RESHAPE whose shape is packed of constants and at most one computed size gets a constant shape with -1 for that
/// size: [batch, 172, 88] becomes [-1, 172, 88]. The number of elements says what -1 is, so it means the same. Then a
/// runtime knows all sizes before it runs. The operators that computed it stay in the file. A file without such a
/// RESHAPE is given back as it is, and so is one that cannot be edited.
TfliteFile settle_reshapes(const TfliteFile& file);

}  // namespace culprit
