#pragma once
// Rounding imitated in a TFLite file: what its float weights do to the outputs when they are moved as little as they
// can be (docs/judging.md).

#include "network/tflite/tflite_file.h"

namespace culprit {

/// Each float constant with more than one element, moved by `ulps` as `perturbed` does (tensor/perturb_elements.h). All
/// else keeps its bytes and its place. Constants that lie in another file, or only hold what is not 0, stay as they
/// are. Errors: those of TfliteEdit.
Result<TfliteFile> perturbed(const TfliteFile& file, std::uint64_t seed, unsigned ulps);

}  // namespace culprit
