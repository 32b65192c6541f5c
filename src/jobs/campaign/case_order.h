#pragma once
// One case of a campaign: what is asked, and the command that answers it.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "campaign/campaign_file.h"
#include "hub/hub_query.h"

namespace culprit {

/// Paths start from the folder of the campaign's file. "" where the case has none, or takes the default.
struct CaseOrder {
  CampaignJob job = CampaignJob::check;
  std::string model;
  std::string target;  ///< of `diagnose`
  std::string optimizer, recipe, data, runtime;
  std::vector<std::string> flags = {};  ///< more words
  bool operator==(const CaseOrder&) const = default;
};

/// What `culprit` is called with in the folder of the campaign.
std::vector<std::string> words_of(const CaseOrder& order);
/// "culprit check models/a.onnx --jobs 1": that, as one types it.
std::string command_of(const CaseOrder& order);
/// Its flags, as one types them.
std::string typed_flags(const CaseOrder& order);

/// Measures time, so that nothing else may run beside it.
bool runs_alone(const CaseOrder& order);

/// "models/a.onnx onnxruntime samples.npz": what tells it from the others.
std::string title_of(const CaseOrder& order);

/// JSON of one line, as it stays in the store.
std::string as_description(const CaseOrder& order);
/// ErrorKind::bad_input for what is none.
Result<CaseOrder> order_of(std::string_view description);

/// Which models a word of a hub means (hub/hub_query.h).
using AskHub = std::function<Result<std::vector<HubChoice>>(const std::string& word)>;

/// Every model with every optimizer, recipe, data and runtime that its jobs know, and every pair. Two patterns that
/// name one file give one case. Errors: those of find_files and `ask_hub`; not_found for a file of a pair or data that
/// is not there.
Result<std::vector<CaseOrder>> orders_of(const CampaignFile& campaign, const AskHub& ask_hub = {});

}  // namespace culprit
