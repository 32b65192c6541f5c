#pragma once
// The operator `culprit.Rounding`: what a node gave, with its rounding imitated (model/perturb_results.h puts it
// there).

#include "runtime/onnxruntime/api.h"

namespace culprit::ort {

/// Gives its input back, moved as `imitate_rounding` does (tensor/imitate_rounding.h, whose fields are the attributes)
/// with the attribute `seed`: in every run and at every call in the same way. Other types pass as they are. To be
/// called when the API is there; lives as long as the process, for sessions keep to it.
Ort::CustomOpDomain& rounding_domain();

}  // namespace culprit::ort
