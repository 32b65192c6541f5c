#pragma once
// Bytes of a FlatBuffers file that nothing refers to. Private to this room.

#include <string>

#include "network/tflite/flat_index.h"

namespace culprit {

/// The file without them, but for the few that keep all alignments as they are. `index` is that of `bytes`, which hold
/// nothing but the FlatBuffer, without unknown fields.
std::string without_gaps(const std::string& bytes, const FlatIndex& index);

}  // namespace culprit
