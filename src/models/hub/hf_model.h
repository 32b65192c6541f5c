#pragma once
// Models of the Hugging Face hub, in the cache that Python's huggingface_hub has (hub/hf_cache.h).

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "hub/hf_name.h"
#include "hub/hf_settings.h"
#include "hub/hub_cache.h"

namespace culprit {

struct HfModel {
  std::filesystem::path file;  ///< in the snapshot of its commit; files of weights lie beside it
  std::string moved_to = {};   ///< how the repository is called now, where that is not as it was named
  std::string stale = {};      ///< the hub did not answer, so what was here stands: why; else ""
};

/// The names that a file of a model gives to the files of its weights, from the model's folder on.
using WeightNames = std::function<std::vector<std::string>(const std::filesystem::path& model)>;

/// The file of the model, downloaded if it is not here, with its weights: those of hf_weights_of, and those of the
/// repository that it names itself. The weights get their places first, so a model that was brought has them. Where the
/// revision is a commit, and the file is named and here, nobody is asked. Where no network is asked or none answers, it
/// is the file that the cache has of the revision; which one is meant is then told by the files that are here. Errors:
/// those of hf_file_meant and hf_refusal; not_found where nobody may be asked and it is not here; bad_input for wrong
/// bytes, of which nothing is kept; those of download_file.
Result<HfModel> hf_model(const HfName& name, const HfSettings& settings, const HubAccess& access,
                         const WeightNames& weight_names = {});

}  // namespace culprit
