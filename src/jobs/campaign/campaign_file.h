#pragma once
// campaign.yaml: which models, with which optimizers, on which data, in which runtimes. docs/campaigns.md has all keys.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace culprit {

/// What can be done with a model of a campaign: each is the command of that name.
enum class CampaignJob { check, profile, eval, diagnose };
std::string_view name_of(CampaignJob job);
std::optional<CampaignJob> campaign_job_named(std::string_view name);
std::vector<std::string> campaign_job_names();

/// What `diagnose` holds against each other; paths as in `models`, without patterns.
struct CampaignPair {
  std::string source, target;
};

/// Everything that the file says. Of each list every value is tried with every one of the others.
struct CampaignFile {
  std::filesystem::path file;
  std::vector<std::string> models;  ///< paths and patterns, from the folder of the file, and words of hubs
  std::vector<CampaignPair> pairs = {};
  std::vector<CampaignJob> jobs = {CampaignJob::check};  ///< with models alone; pairs are always diagnosed
  std::vector<std::string> optimizers = {};              ///< empty: the default one of each job
  std::vector<std::string> recipes = {"default"};        ///< "default", "all", or steps: "fuse_bn_into_conv,nop"
  std::vector<std::string> data = {"default"};      ///< "default": what lies beside the model, else random; or a path
  std::vector<std::string> runtimes = {"default"};  ///< "default", a version or a path
  std::map<std::string, std::string> tasks = {};    ///< of models of hubs: by a tag, what is read off their outputs
  std::map<CampaignJob, std::vector<std::string>> flags = {};  ///< more words for the command of that job

  /// From where its paths start, and where its cases do.
  [[nodiscard]] std::filesystem::path folder() const;
};

/// ErrorKind::not_found where there is no such file; bad_input, with the line and what may stand there, for a wrong key
/// or value, and where it names neither models nor pairs.
Result<CampaignFile> read_campaign(const std::filesystem::path& file);
/// `where` is what complaints call the text.
Result<CampaignFile> campaign_of(const std::string& text, const std::filesystem::path& file);

}  // namespace culprit
