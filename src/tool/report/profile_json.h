#pragma once
// A profile as JSON: schema culprit.profile/1 (docs/profile.schema.json), written and read back. Never decides
// anything.

#include <string>
#include <string_view>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// Written as report.json is (report/json.h). What was not measured is null: `seconds` of an entry that never ran,
/// `nodes` of a model that was never made.
std::string to_json(const ProfileReport& report);

/// What `to_json` wrote, by this version or an older one; fields that it does not know are left alone. The text may be
/// anything: whatever is wrong with it is bad_input, with the place of it ("entries[2].seconds.median"). `what` stands
/// for the text in messages: the path of the file.
Result<ProfileReport> read_profile(std::string_view json, std::string_view what);

}  // namespace culprit
