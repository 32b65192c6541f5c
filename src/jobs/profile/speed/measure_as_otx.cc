#include "profile/speed/measure_as_otx.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "profile/speed/speed_verdict.h"

namespace culprit {
namespace {

constexpr int repetitions = 10;
constexpr std::int64_t warm_up_runs = 10;
constexpr std::int64_t least_otx_runs = 50;

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The values within three standard deviations of the mean.
std::vector<double> without_outliers(const std::vector<double>& values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const double deviation = values.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(values.size() - 1));
  std::vector<double> kept;
  for (const double value : values)
    if (std::abs(value - centre) <= 3 * deviation) kept.push_back(value);
  return kept;
}

/// The mean seconds of a run.
Result<double> repetition(MeasuringBlocks& blocks, const MeasuredModel& model, Speed& speed) {
  const auto block = blocks.open({model});
  const Loaded loaded = block->load(0);
  speed.failure = loaded.failure;
  speed.failed_at = FailedAt::load;
  if (loaded.failure.failed()) return fail(ErrorKind::bad_input, loaded.failure.message);
  const auto samples = static_cast<std::int64_t>(model.job.samples.size());
  Turn turn = block->run(0, warm_up_runs);
  const double first_run = turn.seconds.empty() ? 0 : turn.seconds.front();
  if (!turn.failure.failed()) turn = block->run(0, std::max(least_otx_runs, samples));
  speed.failure = turn.failure;
  speed.failed_at = FailedAt::run;
  if (turn.failure.failed()) return fail(ErrorKind::bad_input, turn.failure.message);
  speed.loads.push_back(loaded.seconds);
  speed.first_runs.push_back(first_run);
  speed.runtime_version = loaded.runtime_version;
  const double seconds = mean(turn.seconds);
  speed.samples.push_back({static_cast<std::int64_t>(speed.samples.size()) + 1, std::move(turn.seconds)});
  return seconds;
}

Result<Speed> measure_one(MeasuringBlocks& blocks, const MeasuredModel& model, const Stop& is_time_up) {
  Speed speed;
  for (int i = 0; i < repetitions && (i == 0 || !is_stopped(is_time_up)); ++i) {
    const auto seconds = repetition(blocks, model, speed);
    if (speed.failure.machine) return fail(ErrorKind::io, speed.failure.message);
    if (!seconds) return speed;
    speed.block_ratios.push_back(*seconds);
  }
  speed.failed_at = FailedAt::nowhere;
  return speed;
}

}  // namespace

double mean_without_outliers(const std::vector<double>& values) { return mean(without_outliers(values)); }

Result<SpeedReport> measure_as_otx(MeasuringBlocks& blocks, const std::vector<MeasuredModel>& models,
                                   const SpeedOptions& options) {
  SpeedReport report;
  double of_first = 0;
  for (std::size_t i = 0; i < models.size() && !report.is_interrupted; ++i) {
    auto speed = measure_one(blocks, models[i], options.is_time_up);
    if (!speed) return tl::unexpected(speed.error());
    report.is_interrupted = speed->failure.skipped;
    speed->block_ratios = without_outliers(speed->block_ratios);
    const double seconds = mean(speed->block_ratios);
    if (i == 0) of_first = seconds;
    if (of_first > 0 && !speed->failure.failed()) {
      for (double& value : speed->block_ratios) value /= of_first;
      const double ratio = seconds / of_first;
      speed->ratio = {ratio, ratio, ratio};
      speed->verdict = i == 0 ? SpeedVerdict::baseline : speed_verdict(speed->ratio);
    }
    if (speed->failure.failed())
      speed->verdict = report.is_interrupted ? SpeedVerdict::not_measured : SpeedVerdict::failed;
    report.blocks += repetitions;
    report.models.push_back(std::move(*speed));
    if (options.progress) options.progress({report.blocks, models.size() - i - 1, 0, report.models});
  }
  report.models.resize(models.size());
  report.looks = 1;
  return report;
}

}  // namespace culprit
