#pragma once
// The numbers that tree ensembles compare the columns of an input with: data that never cross them see one leaf.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// By column (place along the last axis): finite, ascending, each once.
using Thresholds = std::map<std::int64_t, std::vector<double>>;

/// Thresholds of the nodes of TreeEnsemble, TreeEnsembleClassifier and TreeEnsembleRegressor (ai.onnx.ml) as the inputs
/// see them, by input. Followed backwards through Cast, Identity, Imputer, Scaler, Concat and FeatureVectorizer, and
/// Add, Sub, Mul and Div by constants; columns that come from elsewhere are left out. Bodies of control flow are not
/// read.
std::map<std::string, Thresholds> thresholds_of_inputs(const onnx::ModelProto& model);

}  // namespace culprit
