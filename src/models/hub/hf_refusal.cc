#include "hub/hf_refusal.h"

#include <string>

#include "base/text.h"
#include "download/told_address.h"

namespace culprit {
namespace {

constexpr int hf_unauthorized = 401, hf_forbidden = 403, hf_not_found = 404, hf_too_many = 429, hf_server_failed = 500;

}  // namespace

bool is_hf_busy(const HttpAnswer& answer) { return answer.status == hf_too_many || answer.status >= hf_server_failed; }

Error hf_refusal(const HfName& name, const HfSettings& settings, const HttpAnswer& answer) {
  const std::string code = answer.header("x-error-code"), model = printable(name.repository, 200);
  const std::string endpoint = printable(settings.endpoint, 200), page = endpoint + "/" + model;
  const bool is_closed = answer.status == hf_unauthorized || answer.status == hf_forbidden;
  if (code == "GatedRepo")
    return {ErrorKind::io, model + " is gated", "accept its terms at " + page + ", then set HF_TOKEN"};
  if (code == "RevisionNotFound")
    return {ErrorKind::not_found, model + " has no revision '" + printable(name.revision, 200) + "'",
            "see " + page + "/tree/main for its branches and tags"};
  if (code == "EntryNotFound")
    return {ErrorKind::not_found, told_address(answer.url) + ": the file is not there", "see " + page + "/tree/main"};
  if (code == "RepoNotFound" || (code.empty() && answer.status == hf_not_found))
    return {
        ErrorKind::not_found, "there is no model " + model + " at " + endpoint + ", or it is private",
        settings.token.empty() ? "if it is private, set HF_TOKEN" : "HF_TOKEN may be of somebody who may not see it"};
  if (is_closed && !settings.token.empty())
    return {ErrorKind::io, endpoint + " refuses the token for " + model,
            "is HF_TOKEN right? If the model is gated, accept its terms at " + page};
  if (is_closed) return {ErrorKind::io, model + " is gated", "accept its terms at " + page + ", then set HF_TOKEN"};
  return {ErrorKind::io, told_address(answer.url) + " answers with status " + std::to_string(answer.status),
          "try again later"};
}

}  // namespace culprit
