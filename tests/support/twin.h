#pragma once
// Twins of models for tests: the same architecture, with values that can be judged (src/twin/twin.h).

#include <filesystem>
#include <string>
#include <vector>

namespace culprit::testing {

/// `culprit twin MODEL -o FOLDER/<name of the model> MORE`: where it is. Throws, with what the tool said, where it
/// fails. `make_twin(zoo() / "models" / "light-resnet50-9.onnx", folder.path())` has weights of seed 0.
std::filesystem::path make_twin(const std::filesystem::path& model, const std::filesystem::path& folder,
                                const std::vector<std::string>& more = {});

}  // namespace culprit::testing
