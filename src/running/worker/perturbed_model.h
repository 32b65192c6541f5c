#pragma once
// The model of a job with rounding imitated in it, in memory.

#include <optional>
#include <vector>

#include "executor/executor.h"
#include "model/model_format.h"
#include "runtime/runner.h"

namespace culprit {

/// Reads the model, brings external data inside, and moves the weights as `perturb_weights` does, what nodes compute as
/// `perturb_results` does, and what is quantized as `perturb_steps` does. What is large then lies outside the bytes,
/// where neither protobuf's 2 GiB nor a copy of it all count. Errors: those of reading, and a model that is too large
/// even so.
///
/// The float constants of a TFLite file move (network/tflite/perturb_tflite.h). A model of TensorFlow stays as it is,
/// for only its inputs are moved: then nothing is given.
Result<std::optional<ModelInMemory>> nudged_model(const std::filesystem::path& model, const Perturbation& perturbation);

/// The inputs of a sample, moved as its number in the job says: of models of whose weights or results not all can be
/// moved. Of an ONNX model they stay.
void nudge_inputs(std::vector<NamedTensor>& inputs, ModelFormat format, std::size_t sample,
                  const Perturbation& perturbation);

}  // namespace culprit
