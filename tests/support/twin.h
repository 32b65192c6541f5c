#pragma once
// Twins of models for tests: the same architecture, with values that can be judged (src/jobs/twin/twin.h).

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace culprit::testing {

/// `culprit twin MODEL -o FOLDER/<name of the model> MORE`: where it is. Throws, with what the tool said, where it
/// fails. `make_twin(zoo() / "models" / "light-resnet50-9.onnx", folder.path())` has weights of seed 0.
std::filesystem::path make_twin(const std::filesystem::path& model, const std::filesystem::path& folder,
                                const std::vector<std::string>& more = {});

/// The smallest and the largest variance of a layer, as `culprit twin` said them; zeros where it did not.
std::pair<double, double> variances_said(const std::string& out);

}  // namespace culprit::testing
