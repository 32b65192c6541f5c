#pragma once
// Where the Hugging Face hub is, who asks it, and where its files are kept: as Python's huggingface_hub finds it out.

#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"

namespace culprit {

struct HfSettings {
  std::string endpoint = "https://huggingface.co";  ///< without '/' at its end
  std::string token = {};                           ///< "": none
  std::filesystem::path cache = {};                 ///< the folder of all repositories
  bool is_offline = false;
};

/// The value of a variable of the environment; "" where it is not set.
using HfVariables = std::function<std::string(const std::string& name)>;

/// HF_ENDPOINT; HF_TOKEN, else what the file HF_TOKEN_PATH or $HF_HOME/token holds; HF_HUB_CACHE or $HF_HOME/hub;
/// HF_HUB_OFFLINE. HF_HOME is $XDG_CACHE_HOME/huggingface or ~/.cache/huggingface where nothing says otherwise.
/// ErrorKind::usage where no folder is known, and for an endpoint that is no address.
Result<HfSettings> hf_settings_of(const HfVariables& variables);

}  // namespace culprit
