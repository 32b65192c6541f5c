#pragma once
// The operators `culprit.Rounding`: what a node gave, with its rounding imitated (model/perturb_results.h puts it
// there), and `culprit.PartOfAStep`: what is quantized next, moved by a small part of a step
// (model/perturb_quantized.h).

#include "runtime/onnxruntime/api.h"

namespace culprit::ort {

/// Both. They give their input back, moved as `imitate_rounding` does (tensor/imitate_rounding.h, whose fields are the
/// attributes) or as `move_by_part_of_a_step` does (tensor/part_of_a_step.h), with the attribute `seed`: in every run
/// and at every call in the same way. `Rounding` hands other types on as they are, `PartOfAStep` takes float32 only. To
/// be called when the API is there; lives as long as the process, for sessions keep to it.
Ort::CustomOpDomain& rounding_domain();

}  // namespace culprit::ort
