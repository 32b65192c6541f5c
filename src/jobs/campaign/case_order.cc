#include "campaign/case_order.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/lower_case.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "base/utf8.h"
#include "campaign/find_files.h"

namespace culprit {
namespace fs = std::filesystem;
namespace {

using OrderJson = nlohmann::ordered_json;

constexpr const char* by_default = "default";

std::string unless_default(const std::string& word) { return word == by_default ? "" : word; }

void add_flag(std::vector<std::string>& words, const char* flag, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {flag, value});
}

/// A path that no command takes for a flag.
std::string path_word(const std::string& path) { return path.starts_with("-") ? "./" + path : path; }

/// "--jobs 1" unless the flags say otherwise: a campaign has many cases at once in place of it.
void add_one_job(std::vector<std::string>& words, const CaseOrder& order) {
  const bool knows_jobs = order.job == CampaignJob::check || order.job == CampaignJob::eval;
  if (knows_jobs && std::ranges::find(order.flags, "--jobs") == order.flags.end()) add_flag(words, "--jobs", "1");
}

std::string as_typed(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

tl::unexpected<Error> of_models(const Error& error) { return fail(error.kind, "models: " + error.message, error.hint); }

/// Files have no tags.
Result<std::vector<HubChoice>> named_by(const CampaignFile& campaign, const std::string& pattern,
                                        const AskHub& ask_hub) {
  if (names_hub(pattern)) {
    if (ask_hub) return ask_hub(pattern);
    return fail(ErrorKind::unsupported, printable(pattern, 200) + " stands in a hub, and nobody may ask it");
  }
  const auto files = find_files(campaign.folder(), pattern);
  if (!files) return tl::unexpected(files.error());
  std::vector<HubChoice> models;
  models.reserve(files->size());
  for (const std::string& file : *files) {
    if (!is_utf8(file))
      return fail(ErrorKind::unsupported, "the name " + printable(file) + " is no UTF-8, so it cannot be kept",
                  "rename the file, or leave it out");
    models.push_back({file});
  }
  return models;
}

/// Every model once, sorted by its word.
Result<std::vector<HubChoice>> models_of(const CampaignFile& campaign, const AskHub& ask_hub) {
  std::vector<HubChoice> models;
  for (const std::string& pattern : campaign.models) {
    auto found = named_by(campaign, pattern, ask_hub);
    if (!found) return of_models(found.error());
    models.insert(models.end(), found->begin(), found->end());
  }
  std::ranges::sort(models, {}, &HubChoice::word);
  const auto is_same = [](const HubChoice& a, const HubChoice& b) { return a.word == b.word; };
  models.erase(std::unique(models.begin(), models.end(), is_same), models.end());
  return models;
}

Result<void> expect_there(const CampaignFile& campaign, const char* key, const std::string& path) {
  std::error_code error;
  const fs::path folder = campaign.folder(), place = folder == "." ? fs::path(path) : folder / path;
  if (fs::exists(place, error)) return {};
  return fail(ErrorKind::not_found, std::string(key) + ": there is no " + printable(place.string()),
              "paths start from the folder of the campaign's file");
}

/// The values of an axis that a job does not have: one, which says nothing.
const std::vector<std::string>& none() {
  static const std::vector<std::string> one{""};
  return one;
}

const std::vector<std::string>& optimizers_of(const CampaignFile& campaign, CampaignJob job) {
  const bool has_steps = job == CampaignJob::check || job == CampaignJob::profile;
  return has_steps && !campaign.optimizers.empty() ? campaign.optimizers : none();
}

class Orders {
 public:
  explicit Orders(const CampaignFile& campaign) : campaign_(campaign) {}

  void add(CampaignJob job, const HubChoice& model, const std::string& target = "") {
    const auto& recipes = job == CampaignJob::check ? campaign_.recipes : none();
    for (const std::string& optimizer : optimizers_of(campaign_, job))
      for (const std::string& recipe : recipes)
        add_on_all_data({job, model.word, target, optimizer, unless_default(recipe), "", ""}, model.tags);
  }
  std::vector<CaseOrder> take() { return std::move(orders_); }

 private:
  void add_on_all_data(CaseOrder order, const std::vector<std::string>& tags) {
    const auto flags = campaign_.flags.find(order.job);
    if (flags != campaign_.flags.end()) order.flags = flags->second;
    if (std::ranges::find(order.flags, "--task") == order.flags.end()) add_flag(order.flags, "--task", task_of(tags));
    for (const std::string& data : campaign_.data)
      for (const std::string& runtime : campaign_.runtimes) {
        orders_.push_back(order);
        orders_.back().data = unless_default(data);
        orders_.back().runtime = unless_default(runtime);
      }
  }

  /// The task of the first tag that has one; "" if no tag has.
  [[nodiscard]] std::string task_of(const std::vector<std::string>& tags) const {
    for (const std::string& tag : tags)
      if (const auto task = campaign_.tasks.find(lower_case(tag)); task != campaign_.tasks.end()) return task->second;
    return "";
  }

  const CampaignFile& campaign_;
  std::vector<CaseOrder> orders_;
};

}  // namespace

std::vector<std::string> words_of(const CaseOrder& order) {
  std::vector<std::string> words{std::string(name_of(order.job)), path_word(order.model)};
  if (!order.target.empty()) words.push_back(path_word(order.target));
  add_flag(words, "--optimizer", order.optimizer);
  if (order.recipe == "all")
    words.emplace_back("--all-passes");
  else
    add_flag(words, "--passes", order.recipe);
  add_flag(words, "--data", order.data);
  add_flag(words, "--runtime", order.runtime);
  add_one_job(words, order);
  words.insert(words.end(), order.flags.begin(), order.flags.end());
  return words;
}

std::string command_of(const CaseOrder& order) { return "culprit " + as_typed(words_of(order)); }

std::string typed_flags(const CaseOrder& order) { return as_typed(order.flags); }

bool runs_alone(const CaseOrder& order) { return order.job == CampaignJob::profile; }

std::string title_of(const CaseOrder& order) {
  std::vector<std::string> parts{order.model};
  for (const std::string& part : {order.target, order.optimizer, order.recipe, order.data, order.runtime})
    if (!part.empty()) parts.push_back(part);
  if (order.job != CampaignJob::check) parts.insert(parts.begin(), std::string(name_of(order.job)));
  return join(parts, " ");
}

std::string as_description(const CaseOrder& order) {
  OrderJson json{{"job", name_of(order.job)}, {"model", order.model}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("target", order.target);
  add("optimizer", order.optimizer);
  add("recipe", order.recipe);
  add("data", order.data);
  add("runtime", order.runtime);
  if (!order.flags.empty()) json["flags"] = order.flags;
  return json.dump(-1, ' ', false, OrderJson::error_handler_t::replace);
}

Result<CaseOrder> order_of(std::string_view description) {
  const OrderJson json = OrderJson::parse(description, nullptr, false);
  const auto wrong = [] { return fail(ErrorKind::bad_input, "the store holds a case that is no case of a campaign"); };
  if (!json.is_object()) return wrong();
  try {
    const auto job = campaign_job_named(json.value("job", ""));
    if (!job) return wrong();
    CaseOrder order;
    order.job = *job;
    order.model = json.value("model", "");
    order.target = json.value("target", "");
    order.optimizer = json.value("optimizer", "");
    order.recipe = json.value("recipe", "");
    order.data = json.value("data", "");
    order.runtime = json.value("runtime", "");
    order.flags = json.value("flags", std::vector<std::string>());
    return order;
  } catch (const OrderJson::exception&) {
    return wrong();
  }
}

Result<std::vector<CaseOrder>> orders_of(const CampaignFile& campaign, const AskHub& ask_hub) {
  const auto models = models_of(campaign, ask_hub);
  if (!models) return tl::unexpected(models.error());
  for (const std::string& data : campaign.data)
    if (data != by_default)
      if (auto ok = expect_there(campaign, "data", data); !ok) return tl::unexpected(ok.error());
  Orders orders(campaign);
  for (const CampaignJob job : campaign.jobs)
    for (const HubChoice& model : *models) orders.add(job, model);
  for (const CampaignPair& pair : campaign.pairs) {
    for (const std::string& path : {pair.source, pair.target}) {
      if (names_hub(path)) continue;  // it is brought when it is planned
      if (auto ok = expect_there(campaign, "pairs", path); !ok) return tl::unexpected(ok.error());
    }
    orders.add(CampaignJob::diagnose, {pair.source}, pair.target);
  }
  return orders.take();
}

}  // namespace culprit
