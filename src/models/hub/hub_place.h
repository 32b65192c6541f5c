#pragma once
// Where a hub is: a repository, an address, or a folder.

#include <string>

#include "base/error.h"

namespace culprit {

struct HubPlace {
  std::string name;        ///< as people wrote it
  std::string manifest;    ///< address or path of its ONNX_HUB_MANIFEST.json
  std::string files;       ///< address or folder from which the paths in it start; without '/' at its end
  bool is_folder = false;  ///< on this machine
};

/// The hub of ONNX, as onnx.hub has it.
inline constexpr const char* onnx_hub = "onnx/models:main";

/// A folder that is there; "https://host/models" or the address of a manifest; "owner/repository[:branch]" of GitHub.
/// ErrorKind::usage for anything else, not_found for a folder without a manifest.
Result<HubPlace> hub_place_of(const std::string& text);

/// The address or path of a file of the hub. ErrorKind::bad_input for a path that leaves it.
Result<std::string> place_of_file(const HubPlace& place, const std::string& path);

}  // namespace culprit
