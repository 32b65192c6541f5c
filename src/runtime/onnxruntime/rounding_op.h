#pragma once
// The operator `culprit.Rounding`: what a node gave, with its rounding imitated (model/perturb_results.h puts it
// there).

#include "runtime/onnxruntime/api.h"

namespace culprit::ort {

/// Gives its input back, each element of a float tensor moved by the attribute `ulps` units in the last place, as
/// `nudge` does with the attribute `seed`: in every run and at every call in the same way. Other types pass as they
/// are. To be called when the API is there; lives as long as the process, for sessions keep to it.
Ort::CustomOpDomain& rounding_domain();

}  // namespace culprit::ort
