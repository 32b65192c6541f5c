#pragma once
// A TFLite file that says that its batch is open, and that LiteRT runs at one batch only. Pure.

#include <cstdint>
#include <optional>

#include "network/tflite/tflite_file.h"

namespace culprit {

/// The batch of the file's first input, where LiteRT runs no other: it makes no room for what a TRANSPOSE_CONV gives
/// whose output shape is computed. nullopt: any batch runs, as far as is known.
std::optional<std::int64_t> only_batch(const TfliteFile& file);

}  // namespace culprit
