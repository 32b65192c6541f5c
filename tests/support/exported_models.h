#pragma once
// Small models with the inputs, names and operators that exporters give real ones: transformers with ids, masks and
// caches, quantized nets, detectors with NonMaxSuppression inside, strings, control flow. Weights are seeded.

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace culprit::testing {

struct ExportedModel {
  std::string name;                 ///< "bert"
  std::vector<std::string> chosen;  ///< what data.choices must say, at least
  std::vector<std::string> other;   ///< dimensions that must have a second size
  onnx::ModelProto model;
};

std::vector<std::string> names_of_exported_models();
ExportedModel exported_model(const std::string& name);

}  // namespace culprit::testing
