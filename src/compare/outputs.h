#pragma once
// The outputs of two models against each other, sample by sample.

#include <vector>

#include "compare/bind_models.h"
#include "compare/noise_draws.h"
#include "compare/packs.h"

namespace culprit {

struct OutputComparison {
  Measurements measurements;  ///< by output of A, in parts where it is no tensor; the worst over the samples
  std::vector<Measurements> by_sample;
};

/// `noise`: by label of A's outputs; what it does not know must agree in its bits.
OutputComparison compare_outputs(const Packs& a, const Packs& b, const ModelBinding& binding,
                                 const Tolerance& tolerance, const Noise& noise);

/// Labels of all outputs of A that are bound.
std::vector<std::string> bound_labels(const Packs& a, const ModelBinding& binding);

}  // namespace culprit
