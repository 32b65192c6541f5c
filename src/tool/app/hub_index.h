#pragma once
// Makes a hub of a folder of models: its manifest.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "hub/hub_manifest.h"

namespace culprit {

struct HubIndex {
  std::vector<HubModel> models;      ///< by path
  std::vector<std::string> skipped;  ///< "broken.onnx: why"
};

/// Is told before each model, how many are done and how many there are.
using IndexProgress = std::function<void(std::size_t done, std::size_t total, const std::string& path)>;

/// Every .onnx file in the folder and below, but in hidden folders, with its sha256, opset, inputs and outputs. Its
/// name is that of the file, or of the folder where several share it. An archive FILE.tar.gz beside FILE.onnx is its
/// test data. Tags are the names of the folders. `before`: an older manifest, whose names and tags stay for files that
/// it knows. Models whose weights lie in other files are skipped, unless they have an archive: a hub gives one file.
/// Errors: io; not_found where there is no model; interrupted.
Result<HubIndex> index_of_models(const std::filesystem::path& folder, const std::vector<HubModel>& before,
                                 const IndexProgress& progress = {}, const Stop& stop = {});

/// Is this what the manifest says of the model: its bytes, sha256 and opset? ErrorKind::bad_input, with both values,
/// and for what is no model.
Result<void> expect_as_promised(const HubModel& model, const std::filesystem::path& file);

}  // namespace culprit
