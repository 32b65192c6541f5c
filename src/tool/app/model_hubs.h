#pragma once
// Models that stand in hubs, brought to this machine: "hub:NAME" (hub/hub_query.h) and "hf:ORG/MODEL" (hub/hf_name.h).

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "hub/hub_cache.h"
#include "hub/hub_place.h"
#include "hub/hub_query.h"

namespace culprit {

struct HubSettings {
  std::string hub;              ///< that is asked where a word names none; a folder by its whole path
  std::filesystem::path cache;  ///< the folder of HubCache
  NetworkUse network = NetworkUse::allowed;
  bool refresh = false;
  std::filesystem::path base = {};  ///< from which words name folders that are hubs; "": the current folder
};

/// From $CULPRIT_HUB (else the hub of ONNX), $CULPRIT_OFFLINE, and $CULPRIT_HUB_CACHE (else "hubs" in the cache
/// folder). ErrorKind::usage where nothing says which folder that is.
Result<HubSettings> hub_settings_here();

/// Is told of one model at a time how many of its bytes are there.
using HubProgress =
    std::function<void(const std::string& model, std::uint64_t done, std::optional<std::uint64_t> total)>;

class ModelHubs {
 public:
  ModelHubs(HubSettings settings, HubProgress progress = {}, Stop stop = {});

  /// The file of the only model that the word means. With its test data beside it, where the hub has them. Errors:
  /// ErrorKind::usage where it means several, with their names; those of hub_query_of, models_meant and HubCache.
  Result<std::filesystem::path> bring(const std::string& word);

  /// Every model that the word means. Errors as above.
  Result<std::vector<HubChoice>> meant_by(const std::string& word);

  /// Everything that the hub has, as filtered() takes it; it lives as long as this object. `hub`: "" for the one of the
  /// settings.
  Result<const std::vector<HubModel>*> models_of(const std::string& hub);
  Result<std::filesystem::path> bring(const std::string& hub, const HubModel& model, bool with_data);

  /// What a user should know: of hubs that did not answer, of models that moved.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  [[nodiscard]] HubAccess access_for(const std::string& what) const;
  [[nodiscard]] Result<HubPlace> place_of(const std::string& hub) const;
  [[nodiscard]] Result<std::vector<HubModel>> all_meant_by(const HubQuery& query);
  Result<std::filesystem::path> bring_from_hugging_face(const std::string& word);

  HubSettings settings_;
  HubCache cache_;
  HubProgress progress_;
  Stop stop_;
  std::map<std::string, std::vector<HubModel>> known_;  // by hub
  std::vector<std::string> notes_;
};

}  // namespace culprit
