#pragma once
// What lies behind the FlatBuffer in a TFLite file: elements of buffers in files over 2 GB, and the archive of label
// files that TFLite's metadata writer appends. Private to this room.

#include <cstdint>
#include <string_view>
#include <vector>

#include "network/tflite/flat_bytes.h"

namespace culprit {

/// The places where the file keeps offsets (uint64, from its first byte) of what lies behind the FlatBuffer.
std::vector<std::size_t> places_of_far_offsets(FlatBytes file);

/// The first byte that is no part of the FlatBuffer; the size of the file where all of it is.
std::size_t end_of_flatbuffer(std::string_view bytes);

}  // namespace culprit
