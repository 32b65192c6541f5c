#include "app/model_hubs.h"

#include <cstdlib>
#include <utility>

#include "base/cache_folder.h"
#include "base/text.h"
#include "hub/hub_place.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // nothing in this program sets one
  return value == nullptr ? "" : value;
}

tl::unexpected<Error> means_several(const std::string& word, const std::vector<HubModel>& models) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const HubModel& model : models)
    if (names.size() < most) names.push_back(printable(model.name, 80) + "@" + std::to_string(model.opset));
  if (models.size() > most) names.emplace_back("...");
  return fail(ErrorKind::usage,
              "'" + printable(word, 200) + "' means " + counted(static_cast<std::int64_t>(models.size()), "model") +
                  ": " + join(names, ", "),
              "name one of them; a campaign takes all (docs/campaigns.md)");
}

}  // namespace

Result<HubSettings> hub_settings_here() {
  HubSettings settings;
  const std::string hub = environment("CULPRIT_HUB"), offline = environment("CULPRIT_OFFLINE");
  settings.hub = hub.empty() ? onnx_hub : hub;
  if (!offline.empty() && offline != "0") settings.network = NetworkUse::offline;
  settings.cache = environment("CULPRIT_HUB_CACHE");
  if (settings.cache.empty() && !cache_folder().empty()) settings.cache = cache_folder() / "hubs";
  if (settings.cache.empty())
    return fail(ErrorKind::usage, "no folder is known for the models of hubs", "set HOME or CULPRIT_HUB_CACHE");
  return settings;
}

bool names_hub(std::string_view word) { return is_hub_word(word); }

ModelHubs::ModelHubs(HubSettings settings, HubProgress progress, Stop stop)
    : settings_(std::move(settings)), cache_(settings_.cache), progress_(std::move(progress)), stop_(std::move(stop)) {}

const std::string& ModelHubs::hub_or_default(const std::string& hub) const { return hub.empty() ? settings_.hub : hub; }

HubAccess ModelHubs::access_for(const std::string& what) const {
  HubAccess access{settings_.network, settings_.refresh, {}, stop_};
  if (progress_)
    access.progress = [this, what](std::uint64_t done, std::optional<std::uint64_t> total) {
      progress_(what, done, total);
    };
  return access;
}

Result<std::vector<HubModel>> ModelHubs::models_of(const std::string& hub) {
  const std::string& name = hub_or_default(hub);
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  const auto place = hub_place_of(name);
  if (!place) return tl::unexpected(place.error());
  auto models = cache_.models_of(*place, access_for("the manifest of " + name));
  if (!models) return tl::unexpected(models.error());
  if (!models->stale.empty())
    notes_.push_back("an older manifest of " + printable(name, 200) + " is used: " + models->stale);
  return known_.emplace(name, std::move(models->models)).first->second;
}

Result<fs::path> ModelHubs::bring(const std::string& hub, const HubModel& model, bool with_data) {
  const auto place = hub_place_of(hub_or_default(hub));
  if (!place) return tl::unexpected(place.error());
  const HubAccess access = access_for(model.name);
  const bool has_data = with_data && model.with_data;
  return has_data ? cache_.model_with_data(*place, model, access) : cache_.model(*place, model, access);
}

Result<std::vector<HubChoice>> ModelHubs::meant_by(const std::string& word) {
  const auto query = hub_query_of(word);
  if (!query) return tl::unexpected(query.error());
  const auto models = models_of(query->hub);
  if (!models) return tl::unexpected(models.error());
  const auto meant = models_meant(*models, *query);
  if (!meant) return tl::unexpected(meant.error());
  std::vector<HubChoice> choices;
  choices.reserve(meant->size());
  for (const HubModel& model : *meant) choices.push_back({word_of(*query, model), model.tags});
  return choices;
}

Result<fs::path> ModelHubs::bring(const std::string& word) {
  const auto query = hub_query_of(word);
  if (!query) return tl::unexpected(query.error());
  const auto models = models_of(query->hub);
  if (!models) return tl::unexpected(models.error());
  const auto meant = models_meant(*models, *query);
  if (!meant) return tl::unexpected(meant.error());
  if (meant->size() > 1) return means_several(word, *meant);
  return bring(query->hub, meant->front(), true);
}

}  // namespace culprit
