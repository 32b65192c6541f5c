#pragma once
// What was taken from hubs: manifests, models, and models with their test data. Processes share it.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "download/download_file.h"
#include "hub/hub_manifest.h"
#include "hub/hub_place.h"

namespace culprit {

/// May we ask the network?
enum class NetworkUse {
  allowed,
  offline,  ///< only what the cache has
};

struct HubAccess {
  NetworkUse network = NetworkUse::allowed;
  bool refresh = false;  ///< a manifest anew, though the one here is younger than a day
  DownloadProgress progress = {};
  Stop stop = {};
};

/// A manifest as it was read.
struct HubModels {
  std::vector<HubModel> models;
  std::string stale = {};  ///< the hub did not answer, so an older copy stands: why; else ""
};

class HubCache {
 public:
  /// The folder is made when something comes in.
  explicit HubCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// What the hub has. Errors: not_found where there is no manifest, or none here and no network is allowed; bad_input
  /// for what is none; those of download_file.
  [[nodiscard]] Result<HubModels> models_of(const HubPlace& hub, const HubAccess& access) const;

  /// The file of the model, downloaded if it is not here. Its sha256 was right when it came, if the manifest names one.
  /// Errors as above; bad_input for a path that leaves the hub, and for wrong bytes, of which nothing is kept.
  [[nodiscard]] Result<std::filesystem::path> model(const HubPlace& hub, const HubModel& model,
                                                    const HubAccess& access) const;

  /// The file of the model in its archive with test data, which is downloaded and unpacked if it is not here: the
  /// folders test_data_set_0 ... lie beside the file. Errors as above; not_found where the manifest has no archive;
  /// bad_input where it holds no model, or is refused (hub/unpack_archive.h).
  [[nodiscard]] Result<std::filesystem::path> model_with_data(const HubPlace& hub, const HubModel& model,
                                                              const HubAccess& access) const;

 private:
  [[nodiscard]] Result<std::filesystem::path> fetched(const HubPlace& hub, const HubFile& file,
                                                      const HubAccess& access) const;
  std::filesystem::path folder_;
};

}  // namespace culprit
