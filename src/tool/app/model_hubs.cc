#include "app/model_hubs.h"

#include <cstdlib>
#include <utility>

#include "app/weight_files.h"
#include "base/cache_folder.h"
#include "base/text.h"
#include "hub/hf_model.h"
#include "hub/hf_name.h"
#include "hub/hf_settings.h"

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

ModelHubs::ModelHubs(HubSettings settings, HubProgress progress, Stop stop)
    : settings_(std::move(settings)), cache_(settings_.cache), progress_(std::move(progress)), stop_(std::move(stop)) {}

Result<HubPlace> ModelHubs::place_of(const std::string& hub) const {
  std::error_code error;
  if (hub.empty() && fs::is_directory(settings_.hub, error) && !fs::path(settings_.hub).is_absolute())
    return fail(ErrorKind::usage, "CULPRIT_HUB '" + printable(settings_.hub, 200) + "' is another folder elsewhere",
                "name it by its whole path, " + printable(fs::absolute(settings_.hub).string(), 300));
  if (hub.empty()) return hub_place_of(settings_.hub);
  const fs::path folder = settings_.base / hub;
  return hub_place_of(!settings_.base.empty() && fs::is_directory(folder, error) ? folder.string() : hub);
}

HubAccess ModelHubs::access_for(const std::string& what) const {
  HubAccess access{settings_.network, settings_.refresh, {}, stop_};
  if (progress_)
    access.progress = [this, what](std::uint64_t done, std::optional<std::uint64_t> total) {
      progress_(what, done, total);
    };
  return access;
}

Result<const std::vector<HubModel>*> ModelHubs::models_of(const std::string& hub) {
  if (const auto known = known_.find(hub); known != known_.end()) return &known->second;
  const auto place = place_of(hub);
  if (!place) return tl::unexpected(place.error());
  const std::string& name = place->name;
  auto models = cache_.models_of(*place, access_for("the manifest of " + name));
  if (!models) return tl::unexpected(models.error());
  if (!models->stale.empty())
    notes_.push_back("an older manifest of " + printable(name, 200) + " is used: " + models->stale);
  return &known_.emplace(hub, std::move(models->models)).first->second;
}

Result<fs::path> ModelHubs::bring(const std::string& hub, const HubModel& model, bool with_data) {
  const auto place = place_of(hub);
  if (!place) return tl::unexpected(place.error());
  const HubAccess access = access_for(model.name);
  const bool has_data = with_data && model.with_data;
  return has_data ? cache_.model_with_data(*place, model, access) : cache_.model(*place, model, access);
}

Result<std::vector<HubModel>> ModelHubs::all_meant_by(const HubQuery& query) {
  const auto models = models_of(query.hub);
  if (!models) return tl::unexpected(models.error());
  return models_meant(**models, query);
}

Result<std::vector<HubChoice>> ModelHubs::meant_by(const std::string& word) {
  if (is_hf_word(word)) return std::vector{HubChoice{word}};
  const auto query = hub_query_of(word);
  if (!query) return tl::unexpected(query.error());
  const auto meant = all_meant_by(*query);
  if (!meant) return tl::unexpected(meant.error());
  std::vector<HubChoice> choices;
  choices.reserve(meant->size());
  for (const HubModel& model : *meant) choices.push_back({word_of(*query, model), model.tags});
  return choices;
}

Result<fs::path> ModelHubs::bring(const std::string& word) {
  if (is_hf_word(word)) return bring_from_hugging_face(word);
  const auto query = hub_query_of(word);
  if (!query) return tl::unexpected(query.error());
  const auto meant = all_meant_by(*query);
  if (!meant) return tl::unexpected(meant.error());
  if (meant->size() > 1) return means_several(word, *meant);
  return bring(query->hub, meant->front(), true);
}

Result<fs::path> ModelHubs::bring_from_hugging_face(const std::string& word) {
  const auto name = hf_name_of(word);
  if (!name) return tl::unexpected(name.error());
  const auto settings = hf_settings_of([](const std::string& variable) { return environment(variable.c_str()); });
  if (!settings) return tl::unexpected(settings.error());
  auto model = hf_model(*name, *settings, access_for(name->repository), weight_names_of);
  if (!model) return tl::unexpected(model.error());
  const std::string what = printable(name->repository, 200);
  if (!model->moved_to.empty()) notes_.push_back(what + " is called " + printable(model->moved_to, 200) + " now");
  if (!model->stale.empty()) notes_.push_back("what the cache has of " + what + " is used: " + model->stale);
  return std::move(model->file);
}

}  // namespace culprit
