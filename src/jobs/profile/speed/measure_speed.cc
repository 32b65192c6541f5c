#include "profile/speed/measure_speed.h"

#include <algorithm>
#include <map>

#include "base/stopwatch.h"
#include "profile/speed/speed_verdict.h"
#include "profile/time_plan.h"
#include "statistics/looks.h"

namespace culprit {
namespace {

class SpeedMeasuring {
 public:
  SpeedMeasuring(MeasuringBlocks& blocks, const std::vector<MeasuredModel>& models, const SpeedOptions& options)
      : blocks_(blocks),
        models_(models),
        options_(options),
        random_(options.seed, "blocks"),
        looks_(models.size(), options.until_sure ? Looks::many() : Looks::once()) {
    report_.models.resize(models.size());
    report_.models.front().verdict = SpeedVerdict::baseline;
    report_.models.front().ratio = {1, 1, 1};
  }

  Result<SpeedReport> run() {
    while (!report_.is_interrupted && !has_failed(0)) {
      const std::vector<std::size_t> next = next_block();
      report_.is_out_of_time = !next.empty() && is_stopped(options_.is_time_up);
      if (next.empty() || report_.is_out_of_time) break;
      const Stopwatch watch;
      if (auto ok = measure(next); !ok) return tl::unexpected(ok.error());
      report_.seconds += watch.seconds();
      look_where_due();
      if (options_.progress) options_.progress({report_.blocks, unsure(), report_.seconds, report_.models});
    }
    look_at_the_rest();
    if (report_.is_out_of_time) report_.blocks_missing = blocks_missing();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool has_failed(std::size_t model) const { return report_.models[model].failure.failed(); }

  [[nodiscard]] bool is_open(std::size_t model) const {
    const Speed& speed = report_.models[model];
    if (has_failed(model)) return false;
    if (options_.until_sure) return model > 0 && is_unsure(speed.verdict);
    return static_cast<std::int64_t>(speed.block_ratios.size()) < options_.blocks;
  }

  [[nodiscard]] std::size_t unsure() const {
    std::size_t count = 0;
    for (std::size_t model = 1; model < models_.size(); ++model) count += is_open(model);
    return count;
  }

  /// Counts the blocks that are missing: of those that are open, a block holds so many at once.
  [[nodiscard]] std::optional<std::int64_t> blocks_missing() const {
    std::int64_t most = 0, open = 0;
    for (std::size_t model = models_.size() == 1 ? 0 : 1; model < models_.size(); ++model) {
      if (!is_open(model)) continue;
      const Speed& speed = report_.models[model];
      const auto have = static_cast<std::int64_t>(speed.block_ratios.size());
      const auto needed = options_.until_sure ? blocks_to_be_sure(speed.ratio, have) : options_.blocks;
      if (!needed) return std::nullopt;
      most = std::max(most, *needed - have);
      ++open;
    }
    const auto others = static_cast<std::int64_t>(std::max<std::size_t>(1, options_.at_once - 1));
    return most * ((open + others - 1) / others);
  }

  /// The first, and of those that are open the ones with the fewest blocks. Empty: all is done.
  [[nodiscard]] std::vector<std::size_t> next_block() const {
    std::vector<std::size_t> open;
    for (std::size_t model = 1; model < models_.size(); ++model)
      if (is_open(model)) open.push_back(model);
    if (open.empty()) return models_.size() == 1 && is_alone_open() ? std::vector<std::size_t>{0} : open;
    std::ranges::stable_sort(open, {}, [&](std::size_t model) { return report_.models[model].block_ratios.size(); });
    open.resize(std::min(open.size(), std::max<std::size_t>(1, options_.at_once - 1)));
    open.insert(open.begin(), 0);
    return open;
  }

  /// One model alone is timed as often as was asked for.
  [[nodiscard]] bool is_alone_open() const {
    return !has_failed(0) && static_cast<std::int64_t>(report_.models[0].block_ratios.size()) < options_.blocks;
  }

  Result<void> measure(const std::vector<std::size_t>& which) {
    const BlockResult result = run(which);
    if (result.failure.failed()) return take_failure(which, result);
    for (std::size_t i = 0; i < which.size(); ++i) take(which[i], result.models[i]);
    ++report_.blocks;
    return {};
  }

  BlockResult run(const std::vector<std::size_t>& which) {
    std::vector<MeasuredModel> models;
    models.reserve(which.size());
    for (const std::size_t model : which) models.push_back(models_[model]);
    SamplesInTurn samples;
    for (const MeasuredModel& model : models) samples.count = std::max(samples.count, model.job.samples.size());
    samples.first = samples_had_[which.back()] % samples.count;
    const auto block = blocks_.open(std::move(models));
    BlockResult result = run_block(*block, which.size(), samples, options_.block, random_);
    for (const std::size_t model : which) samples_had_[model] += static_cast<std::size_t>(result.rounds / 2);
    return result;
  }

  void take(std::size_t model, const BlockOfModel& measured) {
    Speed& speed = report_.models[model];
    speed.loads.push_back(measured.load);
    speed.first_runs.push_back(measured.first_run);
    speed.samples.push_back({report_.blocks + 1, measured.seconds});
    speed.block_ratios.push_back(measured.ratio);
    speed.runtime_version = measured.runtime_version;
  }

  /// Once more in a process of its own, which tells whether it was the company.
  Result<void> take_failure(const std::vector<std::size_t>& which, BlockResult result) {
    const std::size_t model = which[result.failed];
    if (which.size() > 1 && !result.failure.skipped && !result.failure.machine) {
      result = run({model});
      if (!result.failure.failed()) return take_bad_company(model);
    }
    if (result.failure.skipped) {
      report_.is_interrupted = true;
      return {};
    }
    if (result.failure.machine) return fail(ErrorKind::io, result.failure.message);
    set_failure(model, result.failure, result.failed_at);
    return {};
  }

  /// It fails beside others and not alone: three times is no accident any more.
  Result<void> take_bad_company(std::size_t model) {
    constexpr int most = 3;
    if (++strikes_[model] < most) return {};
    set_failure(model, {Ending::threw, "it fails beside the other sessions of a block, and not alone", ""},
                FailedAt::run);
    return {};
  }

  void set_failure(std::size_t model, const Failure& failure, FailedAt where) {
    report_.models[model].failure = failure;
    report_.models[model].failed_at = where;
    report_.models[model].verdict = SpeedVerdict::failed;
  }

  void look(std::size_t model) {
    Speed& speed = report_.models[model];
    if (speed.block_ratios.empty()) return;
    speed.ratio = ratio_of(speed.block_ratios, looks_[model].look());
    speed.verdict = speed_verdict(speed.ratio);
    report_.looks = std::max(report_.looks, looks_[model].looked());
  }

  void look_where_due() {
    for (std::size_t model = 1; options_.until_sure && model < models_.size(); ++model) {
      const auto have = static_cast<std::int64_t>(report_.models[model].block_ratios.size());
      if (is_open(model) && have >= looks_[model].due()) look(model);
    }
  }

  /// Whatever ended it: a look at what there is.
  void look_at_the_rest() {
    for (std::size_t model = 1; model < models_.size(); ++model) {
      const bool is_looked_at = options_.until_sure && !is_open(model);
      if (!has_failed(model) && !has_failed(0) && !is_looked_at) look(model);
    }
  }

  MeasuringBlocks& blocks_;
  const std::vector<MeasuredModel>& models_;
  const SpeedOptions& options_;
  Random random_;
  std::vector<Looks> looks_;  ///< by model
  std::map<std::size_t, int> strikes_;
  std::map<std::size_t, std::size_t> samples_had_;  ///< by model, over all blocks: the next one goes on behind them
  SpeedReport report_;
};

}  // namespace

std::vector<double> all_seconds(const std::vector<BlockSamples>& samples) {
  std::vector<double> all;
  for (const BlockSamples& block : samples) all.insert(all.end(), block.seconds.begin(), block.seconds.end());
  return all;
}

Result<SpeedReport> measure_speed(MeasuringBlocks& blocks, const std::vector<MeasuredModel>& models,
                                  const SpeedOptions& options) {
  return SpeedMeasuring(blocks, models, options).run();
}

}  // namespace culprit
