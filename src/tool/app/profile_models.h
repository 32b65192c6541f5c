#pragma once
// `profile` as a library: the rows, samples that the models run on, and the measuring.

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "record/profile.h"

namespace culprit {

struct ProfileAnswer {
  ProfileReport report;
  RunFolder folder;             ///< whoever asked finishes it with the report
  std::filesystem::path trace;  ///< of one run of each row, in the work folder, which goes with `folder`
};

/// Errors: what is wrong with the request or the files (usage, not_found, bad_input), interrupted, io.
Result<ProfileAnswer> profile_models(const ProfileRequest& request, const Caller& caller);

}  // namespace culprit
