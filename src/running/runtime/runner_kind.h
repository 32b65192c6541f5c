#pragma once
// Who runs a model, by name.

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit {

constexpr std::string_view onnxruntime_kind = "onnxruntime", tflite_kind = "tflite", tensorflow_kind = "tensorflow";

/// Who runs a model. One process holds one of them.
struct RunnerSpec {
  /// ONNX Runtime's or LiteRt's library, TensorFlow's libtensorflow_cc.
  std::filesystem::path library;
  std::string kind = std::string(onnxruntime_kind);  ///< one of those above
  bool operator==(const RunnerSpec&) const = default;
};

}  // namespace culprit
