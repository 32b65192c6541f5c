#pragma once
// ONNX_HUB_MANIFEST.json: which models a hub has. The format is that of onnx.hub
// (https://github.com/onnx/onnx/blob/v1.16.2/docs/Hub.md); it is untrusted.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace culprit {

inline constexpr const char* hub_manifest_name = "ONNX_HUB_MANIFEST.json";

/// A file of the hub.
struct HubFile {
  std::string path;    ///< from the root of the hub, with '/'
  std::string sha256;  ///< 64 lower-case hex digits; "" where the manifest has none
  std::optional<std::uint64_t> bytes = {};
};

/// An input or output, as the manifest tells it.
struct HubPort {
  std::string name;
  std::vector<std::string> shape;  ///< "224", "batch"; "" for a size without a name
  std::string type;                ///< "tensor(float)"
};

struct HubModel {
  std::string name;  ///< "ResNet50"; several models may have it, of different opsets
  HubFile file;
  std::optional<HubFile> with_data = {};  ///< an archive of the model and its test data
  std::int64_t opset = 0;                 ///< 0: the manifest does not say
  std::string onnx_version = {};          ///< "1.2.1"
  std::vector<std::string> tags = {};     ///< "vision", "classification"
  std::vector<HubPort> inputs = {}, outputs = {};
};

/// `where` is what complaints call the text. Fields that nobody knows are left out. ErrorKind::bad_input for a text
/// that is no manifest, and for an entry without a name or a path, with its number.
Result<std::vector<HubModel>> hub_manifest_of(std::string_view text, const std::string& where);

/// Writes these models as the text of a manifest.
std::string as_hub_manifest(const std::vector<HubModel>& models);

}  // namespace culprit
