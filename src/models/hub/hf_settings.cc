#include "hub/hf_settings.h"

#include <cstdint>
#include <string_view>

#include "base/file.h"
#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
namespace {

/// "~/models" -> "/home/me/models".
fs::path hf_path(const std::string& text, const std::string& home) {
  const bool is_below_home = !home.empty() && (text == "~" || text.starts_with("~/"));
  return is_below_home ? fs::path(home + text.substr(1)) : fs::path(text);
}

/// A newline inside of it would be a header of its own.
std::string hf_token(std::string_view text) {
  std::string token;
  for (const char c : trim(text))
    if (static_cast<unsigned char>(c) > 32 && c != 127) token += c;
  return token;
}

fs::path hf_home(const HfVariables& variables) {
  const std::string home = variables("HOME");
  if (const std::string named = variables("HF_HOME"); !named.empty()) return hf_path(named, home);
  if (const std::string xdg = variables("XDG_CACHE_HOME"); !xdg.empty()) return hf_path(xdg, home) / "huggingface";
  return home.empty() ? fs::path() : fs::path(home) / ".cache" / "huggingface";
}

}  // namespace

Result<HfSettings> hf_settings_of(const HfVariables& variables) {
  HfSettings settings;
  const fs::path home = hf_home(variables);
  if (const std::string named = variables("HF_HUB_CACHE"); !named.empty())
    settings.cache = hf_path(named, variables("HOME"));
  else if (!home.empty())
    settings.cache = home / "hub";
  if (settings.cache.empty())
    return fail(ErrorKind::usage, "no folder is known for the models of the Hugging Face hub", "set HOME or HF_HOME");
  if (std::string named(trim(variables("HF_ENDPOINT"))); !named.empty()) {
    while (named.ends_with('/')) named.pop_back();
    settings.endpoint = named;
  }
  if (!settings.endpoint.starts_with("https://") && !settings.endpoint.starts_with("http://"))
    return fail(ErrorKind::usage, "HF_ENDPOINT '" + printable(settings.endpoint, 200) + "' is no address",
                "such as https://huggingface.co");
  settings.token = hf_token(variables("HF_TOKEN"));
  if (settings.token.empty()) {
    constexpr std::uint64_t longest = 64 << 10U;
    const std::string named = variables("HF_TOKEN_PATH");
    const fs::path file = named.empty() && !home.empty() ? home / "token" : hf_path(named, variables("HOME"));
    if (!file.empty()) settings.token = hf_token(read_file(file, longest).value_or(""));
  }
  const std::string offline = lower_case(variables("HF_HUB_OFFLINE"));
  settings.is_offline = is_one_of(offline, {"1", "true", "yes", "on"});
  return settings;
}

}  // namespace culprit
