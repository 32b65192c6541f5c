#pragma once
// The sweep of a profile: all rows that run, at all settings, into its report.

#include "profile/made_rows.h"
#include "profile/profile.h"
#include "profile/sweep/measure_sweep.h"

namespace culprit {

/// Each row at each setting; of a batch or a number of threads that is not swept the row has its own.
std::vector<SweptSetting> swept_settings(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                                         const std::vector<MadeRow>& made, const SweepPlan& plan,
                                         const ProfileReport& report);

/// So many blocks will the sweep of so many rows make, about.
std::int64_t blocks_of_sweep(std::size_t rows, const SweepSettings& settings, const SpeedOptions& speed);

/// Fills in `report.sweep`. Where the time was spent before its end, the warning `sweep_cut_short` says so. Errors: io.
Result<void> sweep_rows(const std::vector<SweptSetting>& settings, const ProfileOptions& options,
                        const ProfileTools& tools, const Stop& is_time_up, ProfileReport& report);

}  // namespace culprit
