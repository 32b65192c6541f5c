#include "profile/sweep/measure_sweep.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "profile/profile_entry.h"
#include "profile/speed/speed_verdict.h"

namespace culprit {
namespace {

void take_point(const SweptSetting& setting, const Speed& speed, SweepPoint& point) {
  point.latency = latency_record(all_seconds(speed.samples));
  if (point.latency && point.latency->p50 > 0)
    point.samples_per_second = static_cast<double>(setting.batch) / point.latency->p50;
  if (speed.failure.failed() && !speed.failure.skipped) point.failure = in_one_line(speed.failure);
}

}  // namespace

Result<SweepResult> measure_sweep(MeasuringBlocks& blocks, const std::vector<SweptSetting>& settings,
                                  const SpeedOptions& options) {
  SweepResult result;
  result.points.reserve(settings.size());
  for (const SweptSetting& setting : settings)
    result.points.push_back({setting.entry, setting.batch, setting.measured.job.session.threads, {}, 0, ""});
  std::vector<std::size_t> open(settings.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  while (!open.empty() && !result.is_interrupted && !result.is_out_of_time) {
    std::vector<MeasuredModel> models;
    models.reserve(open.size());
    for (const std::size_t i : open) models.push_back(settings[i].measured);
    const auto report = measure_speed(blocks, models, options);
    if (!report) return tl::unexpected(report.error());
    for (std::size_t at = 0; at < open.size(); ++at)
      take_point(settings[open[at]], report->models[at], result.points[open[at]]);
    result.blocks += report->blocks;
    result.is_interrupted = report->is_interrupted;
    result.is_out_of_time = report->is_out_of_time;
    // Where the first one fails, nobody measures the others, and where all others fail, nobody the first: what is left
    // goes on without those.
    const auto done = std::erase_if(
        open, [&](std::size_t i) { return !result.points[i].failure.empty() || result.points[i].latency; });
    if (done == 0) break;
  }
  return result;
}

}  // namespace culprit
