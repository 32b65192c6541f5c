#pragma once
// TFLite's operators in the words of ONNX, and back.

#include <string_view>

#include "network/operator_rule.h"

namespace culprit {

/// "Conv" of "CONV_2D"; the name itself of what has no word in ONNX.
std::string_view onnx_type_of(std::string_view tflite_operator);
/// What input `at` of the operator holds; nullptr: what comes from other layers, or nothing is known.
const InputRule* tflite_input_rule(std::string_view tflite_operator, std::size_t at);
/// The name of a hyper-parameter in ONNX where an option has one of its own: "beta" of "beta", "keepdims" of
/// "keep_dims".
std::string_view onnx_hyper_of(std::string_view option);

/// The operator that computes what ONNX's does, of several the plainest: "SELECT_V2" of "Where". "" where there is
/// none, and of Clip, which is one of several by its limits.
std::string_view tflite_operator_of(std::string_view onnx_type);

}  // namespace culprit
