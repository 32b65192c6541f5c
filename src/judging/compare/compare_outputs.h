#pragma once
// The outputs of two models against each other, sample by sample.

#include <vector>

#include "compare/compare_models.h"
#include "compare/labelled_tensors.h"
#include "compare/value_rounding.h"
#include "model/bind_models.h"
#include "record/measurement.h"

namespace culprit {

struct OutputComparison {
  Measurements measurements;  ///< by output of A, in parts where it is no tensor; the worst over the samples
  std::vector<Measurements> by_sample;
};

/// `noise`: by label of A's outputs; what it does not know must agree in its bits. `noise_of_b`: by B's outputs, where
/// B computes by other operators and was drawn itself (Rounding::of_variant).
Result<OutputComparison> compare_outputs(const PackSequence& a, const PackSequence& b, const ModelBinding& binding,
                                         const Tolerance& tolerance, const Noise& noise, const Noise& noise_of_b = {});

/// Is there something at fault on some sample, and nothing there but what draws of B may explain (may_be_of_variant)?
bool may_be_of_b(const OutputComparison& comparison, const PackSequence& a, const CompareOptions& options,
                 const Noise& noise);
/// What draws of B itself explain of its outputs, by their names. `job`: runs B on the samples of `outputs_b`.
Result<Noise> draw_outputs_of_b(Result<RunJob> job, const PackSequence& outputs_b, const Model& b,
                                const ModelBinding& binding, const CompareTools& tools);

/// The numbers of the samples by how far the outputs are apart on them, the furthest first, and the first of several.
std::vector<std::size_t> furthest_apart(const OutputComparison& outputs);

/// Labels of all outputs of A that are bound.
Result<std::vector<std::string>> bound_labels(const PackSequence& a, const ModelBinding& binding);

}  // namespace culprit
