#include "worker/session_key.h"

#include "base/text.h"

namespace culprit {

std::string session_key(const RunJob& job) {
  if (!job.keeps_session || !job.session.profile_to.empty()) return "";
  std::vector<std::string> words = {job.model.string(),
                                    std::string(name_of(job.session.level)),
                                    std::to_string(job.session.threads),
                                    job.session.save_optimized_to.string(),
                                    job.session.provider,
                                    job.session.data_folder.string()};
  for (const auto& library : job.session.custom_ops) words.push_back("ops " + library.string());
  for (const std::string& step : job.session.disabled_steps) words.push_back("without " + step);
  for (const std::string& value : job.session.fetch) words.push_back("fetch " + value);
  for (const std::string& value : job.session.feed) words.push_back("feed " + value);
  if (job.session.trusted) words.emplace_back("trusted");
  if (job.perturbation)
    words.push_back("draw " + std::to_string(job.perturbation->seed) + " " + std::to_string(job.perturbation->ulps));
  return join(words, "\n");
}

}  // namespace culprit
