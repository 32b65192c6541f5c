#include "campaign/campaign_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/lower_case.h"
#include "base/parent_folder.h"
#include "base/read_yaml.h"
#include "base/text.h"
#include "base/word_names.h"
#include "base/yaml_fields.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_campaign = std::uint64_t{16} << 20;
constexpr std::array campaign_keys{"models", "pairs",    "jobs",  "optimizers", "recipes",
                                   "data",   "runtimes", "tasks", "flags"};
constexpr std::array pair_keys{"source", "target"};
constexpr std::array job_keys{"check", "profile", "eval", "diagnose"};
constexpr WordNames<CampaignJob, 4> job_names{{{CampaignJob::check, "check"},
                                               {CampaignJob::profile, "profile"},
                                               {CampaignJob::eval, "eval"},
                                               {CampaignJob::diagnose, "diagnose"}}};
constexpr const char* campaign_hint = "docs/campaigns.md shows what stands in such a file";

CampaignJob job_named(const YAML::Node& node, const std::string& word) {
  if (const auto job = word_in(job_names, word)) return *job;
  throw YamlFault(fmt::format("{}there is no job '{}'; there are check, profile, eval and diagnose", line_of(node),
                              printable(word, 60)));
}

/// One word, or a list of words that differ.
std::vector<std::string> distinct_words(const YAML::Node& map, const char* key) {
  const YAML::Node node = map[key];
  std::vector<std::string> words;
  std::set<std::string> seen;
  if (!node.IsDefined()) return words;
  const auto take = [&](const YAML::Node& entry) {
    if (!entry.IsScalar() || entry.Scalar().empty())
      throw YamlFault(
          fmt::format("{}each of '{}' must be one word, such as `{}: [one, two]`", line_of(entry), key, key));
    if (!seen.insert(entry.Scalar()).second)
      throw YamlFault(fmt::format("{}'{}' is in '{}' twice", line_of(entry), printable(entry.Scalar(), 200), key));
    words.push_back(entry.Scalar());
  };
  if (node.IsScalar()) {
    take(node);
  } else if (node.IsSequence() && node.size() > 0) {
    for (const YAML::Node& entry : node) take(entry);
  } else {
    throw YamlFault(fmt::format("{}'{}' must be a word or a list of words that is not empty", line_of(node), key));
  }
  return words;
}

void take_words(const YAML::Node& root, const char* key, std::vector<std::string>& into) {
  if (auto words = distinct_words(root, key); !words.empty()) into = std::move(words);
}

std::vector<CampaignPair> pairs_of(const YAML::Node& root) {
  std::vector<CampaignPair> pairs;
  const YAML::Node node = root["pairs"];
  if (!node.IsDefined()) return pairs;
  if (!node.IsSequence() || node.size() == 0)
    throw YamlFault(line_of(node) + "'pairs' must be a list such as `- {source: a.onnx, target: a.tflite}`");
  for (const YAML::Node& entry : node) {
    expect_keys(entry, pair_keys, "source: a.onnx");
    pairs.push_back({text_at(entry, "source"), text_at(entry, "target")});
    if (pairs.back().source.empty() || pairs.back().target.empty())
      throw YamlFault(line_of(entry) + "a pair needs both, a source and a target");
  }
  return pairs;
}

/// A line of words, or a list of them, for words with spaces.
std::vector<std::string> words_of_flags(const YAML::Node& node) {
  std::vector<std::string> words;
  if (node.IsScalar()) {
    std::istringstream line(node.Scalar());
    for (std::string word; line >> word;) words.push_back(word);
  } else if (node.IsSequence()) {
    for (const YAML::Node& word : node) words.push_back(word.IsScalar() ? word.Scalar() : "");
  }
  if (words.empty() || std::ranges::find(words, "") != words.end())
    throw YamlFault(line_of(node) + "flags are a line such as `check: --strict --samples 5`, or a list of such words");
  return words;
}

std::map<CampaignJob, std::vector<std::string>> flags_of(const YAML::Node& root) {
  std::map<CampaignJob, std::vector<std::string>> flags;
  const YAML::Node node = root["flags"];
  if (!node.IsDefined()) return flags;
  expect_keys(node, job_keys, "check: --strict --samples 5");
  for (const auto& entry : node) flags[job_named(entry.first, entry.first.Scalar())] = words_of_flags(entry.second);
  return flags;
}

std::map<std::string, std::string> tasks_of(const YAML::Node& root) {
  std::map<std::string, std::string> tasks;
  const YAML::Node node = root["tasks"];
  if (!node.IsDefined()) return tasks;
  const auto is_word = [](const YAML::Node& one) { return one.IsScalar() && !one.Scalar().empty(); };
  if (!node.IsMap() || node.size() == 0)
    throw YamlFault(line_of(node) + "'tasks' must say tags of a hub and their tasks, such as `vision: classification`");
  for (const auto& entry : node) {
    if (!is_word(entry.first) || !is_word(entry.second))
      throw YamlFault(line_of(entry.first) + "a tag has one task, such as `vision: classification`");
    tasks[lower_case(entry.first.Scalar())] = entry.second.Scalar();
  }
  return tasks;
}

std::vector<CampaignJob> jobs_of(const YAML::Node& root) {
  std::vector<CampaignJob> jobs;
  for (const std::string& word : distinct_words(root, "jobs")) jobs.push_back(job_named(root["jobs"], word));
  if (jobs.empty()) return {CampaignJob::check};
  if (std::ranges::find(jobs, CampaignJob::diagnose) != jobs.end())
    throw YamlFault(line_of(root["jobs"]) + "diagnose takes two models: list them under 'pairs', which are diagnosed");
  return jobs;
}

CampaignFile read_root(const YAML::Node& root, const std::filesystem::path& file) {
  expect_keys(root, campaign_keys, "models: [models/*.onnx]");
  CampaignFile campaign;
  campaign.file = file;
  campaign.models = distinct_words(root, "models");
  campaign.pairs = pairs_of(root);
  campaign.jobs = jobs_of(root);
  campaign.optimizers = distinct_words(root, "optimizers");
  take_words(root, "recipes", campaign.recipes);
  take_words(root, "data", campaign.data);
  take_words(root, "runtimes", campaign.runtimes);
  campaign.tasks = tasks_of(root);
  campaign.flags = flags_of(root);
  if (campaign.models.empty() && campaign.pairs.empty())
    throw YamlFault("it names no models: a line such as `models: [models/*.onnx]` is missing");
  return campaign;
}

}  // namespace

std::string_view name_of(CampaignJob job) { return name_in(job_names, job); }
std::optional<CampaignJob> campaign_job_named(std::string_view name) { return word_in(job_names, name); }

std::vector<std::string> campaign_job_names() { return {job_keys.begin(), job_keys.end()}; }

std::filesystem::path CampaignFile::folder() const { return parent_folder(file); }

Result<CampaignFile> campaign_of(const std::string& text, const std::filesystem::path& file) {
  const std::string where = printable(file.string());
  return read_yaml(where, campaign_hint, [&] {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) throw YamlFault("there are several documents in it, with --- between");
    return read_root(documents.empty() ? YAML::Node(YAML::NodeType::Map) : documents.front(), file);
  });
}

Result<CampaignFile> read_campaign(const std::filesystem::path& file) {
  const auto text = read_file(file, largest_campaign);
  if (!text) return tl::unexpected(text.error());
  return campaign_of(*text, file);
}

}  // namespace culprit
