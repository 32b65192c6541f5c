#pragma once
// Layers in the words of ONNX as operators of TFLite, and their hyper-parameters. Private to this folder.

#include <map>
#include <string>
#include <vector>

#include "conversion/sides/tflite_plan.h"

namespace culprit {

struct TfliteLayer {
  std::string type;  ///< of ONNX: "Clip"
  std::map<std::string, Hyper> hyper;
  std::vector<std::int32_t> inputs;  ///< tensors: the value, then what else it takes
  std::int32_t output = -1;
};

/// Operators that compute it, in the order of their work. Tensors between them are added to the plan. Errors:
/// unsupported (TFLite has no such operator, or not with these hyper-parameters).
Result<std::vector<PlannedOperator>> operators_of_layer(TflitePlan& plan, const TfliteLayer& layer);

/// It gives what it takes, bit for bit. Errors: unsupported (texts and truth values).
Result<PlannedOperator> identity_operator(const TflitePlan& plan, std::int32_t input, std::int32_t output);

/// The word for it among fused activations: "RELU6" of Clip from 0 to 6. "" where there is none.
std::string_view fused_word_of(const std::string& type, const std::map<std::string, Hyper>& hyper);
/// False: the operator cannot have that word.
bool set_fused(PlannedOperator& node, std::string_view word);

/// Errors: unsupported (the operator has no such hyper-parameter, or not that value).
Result<void> set_tflite_hyper(TflitePlan& plan, PlannedOperator& node, const std::string& name, const Hyper& hyper);

/// Explicit pads become VALID, or SAME, or an operator PAD in front. Errors: unsupported.
Result<void> settle_pads(TflitePlan& plan);

}  // namespace culprit
