#pragma once
// Words that all forms of a campaign share. Private to this room.

#include <filesystem>
#include <string>
#include <string_view>

#include "campaign/campaign_record.h"

namespace culprit {

/// "wrong values by fuse_pad_into_pool".
std::string cause_of(const DistinctFault& fault);
/// "" where none was kept.
std::string repro_of(const DistinctFault& fault, const std::filesystem::path& run_folder);
/// Tables of what the models decide, by task; "" where nobody asked for them.
std::string predictions_as_markdown(const CampaignRecord& record);
std::string predictions_as_text(const CampaignRecord& record, int width);
/// How it ended, or that it waits.
std::string_view state_word(const CaseRecord& shown);

}  // namespace culprit
