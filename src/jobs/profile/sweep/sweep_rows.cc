#include "profile/sweep/sweep_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit {
namespace {

/// The swept ones, or what the row has by itself.
std::vector<std::int64_t> values_or(const std::vector<std::int64_t>& swept, std::int64_t own) {
  return swept.empty() ? std::vector{own} : swept;
}

std::int64_t blocks_of_setting(const SpeedOptions& speed) { return std::min(speed.blocks, most_sweep_blocks); }

}  // namespace

std::vector<SweptSetting> swept_settings(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                                         const std::vector<MadeRow>& made, const SweepPlan& plan,
                                         const ProfileReport& report) {
  std::vector<SweptSetting> settings;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_out = made[i].failure.failed() || report.entries[i].verdict == SpeedVerdict::failed;
    if (is_out || made[i].measured.job.samples.empty()) continue;
    const std::int64_t own_batch = models[rows[i].model].batch.value_or(1);
    for (const std::int64_t threads : values_or(plan.settings.threads, rows[i].session.threads))
      for (const std::int64_t batch : values_or(plan.settings.batches, own_batch)) {
        SweptSetting& setting = settings.emplace_back(SweptSetting{rows[i].name, batch, made[i].measured});
        setting.measured.job.session.threads = static_cast<int>(threads);
        if (!plan.settings.batches.empty()) setting.measured.job.samples = plan.packs[rows[i].model].at(batch);
      }
  }
  return settings;
}

std::int64_t blocks_of_sweep(std::size_t rows, const SweepSettings& settings, const SpeedOptions& speed) {
  if (settings.empty()) return 0;
  const std::size_t all =
      rows * std::max<std::size_t>(1, settings.batches.size()) * std::max<std::size_t>(1, settings.threads.size());
  const std::size_t others = std::max<std::size_t>(1, speed.at_once - 1);
  const std::size_t parts = std::max<std::size_t>(1, (all - 1 + others - 1) / others);
  return blocks_of_setting(speed) * static_cast<std::int64_t>(parts);
}

Result<void> sweep_rows(const std::vector<SweptSetting>& settings, const ProfileOptions& options,
                        const ProfileTools& tools, const Stop& is_time_up, ProfileReport& report) {
  SpeedOptions speed = options.speed;
  speed.blocks = blocks_of_setting(speed);
  speed.until_sure = false;
  speed.is_time_up = is_time_up;
  speed.progress = [&](const SpeedSoFar& so_far) {
    if (tools.say) tools.say(fmt::format("sweep: {} blocks, {} settings still open", so_far.blocks, so_far.unsure));
  };
  if (tools.say) tools.say("sweep");
  auto result = measure_sweep(tools.blocks, settings, speed);
  if (!result) return tl::unexpected(result.error());
  report.sweep = SweepRecord{options.sweep.settings, std::move(result->points), result->blocks};
  report.interrupted = report.interrupted || result->is_interrupted;
  if (result->is_out_of_time)
    report.warnings.push_back(
        {"sweep_cut_short",
         fmt::format("the time was spent when the sweep had made {} blocks, and some settings have fewer runs than "
                     "others, or none: give more --budget, or sweep fewer",
                     result->blocks)});
  return {};
}

}  // namespace culprit
