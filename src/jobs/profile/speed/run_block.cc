#include "profile/speed/run_block.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "statistics/quantile.h"

namespace culprit {
namespace {

constexpr double shortest_turn = 2e-3;  ///< seconds: what a session finds in the caches is then mostly its own
constexpr double shortest_run = 1e-7;   ///< seconds; no clock tells less
constexpr std::int64_t most_turns = 60, least_turns = 6, most_runs_of_a_turn = 1000;
constexpr double long_run = 0.1;  ///< seconds: such a run is a long look by itself, so that two turns are enough

double median_of(std::span<const double> values) { return median({values.begin(), values.end()}); }

std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
  return order;
}

class BlockRun {
 public:
  BlockRun(MeasuringBlock& block, std::size_t models, const SamplesInTurn& samples, const BlockOptions& options,
           Random& random)
      : block_(block), samples_(samples), options_(options), random_(random), pace_(models), turns_(models) {
    result_.models.resize(models);
  }

  BlockResult run() {
    if (load_all() && warm_all()) take_turns();
    if (!result_.failure.failed()) count();
    return std::move(result_);
  }

 private:
  bool failed(const Failure& failure, std::size_t model, FailedAt where) {
    if (!failure.failed()) return false;
    result_.failure = failure;
    result_.failed = model;
    result_.failed_at = where;
    return true;
  }

  bool load_all() {
    for (const std::size_t model : shuffled(pace_.size(), random_)) {
      const Loaded loaded = block_.load(model);
      if (failed(loaded.failure, model, FailedAt::load)) return false;
      result_.models[model].load = loaded.seconds;
      result_.models[model].runtime_version = loaded.runtime_version;
    }
    return true;
  }

  [[nodiscard]] std::size_t sample_of_round(std::int64_t round) const {
    return (samples_.first + static_cast<std::size_t>(round / 2)) % samples_.count;
  }

  bool warm_all() {
    return std::ranges::all_of(shuffled(pace_.size(), random_), [&](std::size_t model) { return warm(model); });
  }

  /// On the first sample, for times of several would never come to rest. Then once on each of the others that may have
  /// a turn, for one of them may take a hundred times as long.
  bool warm(std::size_t model) {
    std::vector<double> seconds;
    double spent = 0;
    const auto run_once = [&](std::size_t sample) {
      const Turn turn = block_.run_sample(model, 1, sample);
      if (failed(turn.failure, model, FailedAt::run)) return false;
      seconds.push_back(turn.seconds.front());
      spent += seconds.back();
      return true;
    };
    const auto is_long = [&] { return seconds.size() >= 2 && seconds.back() >= long_run; };
    const auto is_late = [&] { return spent >= options_.most_warm_up_seconds || is_long(); };
    while (!is_warm(seconds) && static_cast<std::int64_t>(seconds.size()) < options_.most_warm_up && !is_late())
      if (!run_once(sample_of_round(0))) return false;
    if (!seconds.empty()) result_.models[model].first_run = seconds.front();
    const std::size_t last = std::min<std::size_t>(3, seconds.size());
    double sum = median_of(std::span(seconds).last(last));
    std::int64_t others = 0;
    const auto most = std::min(static_cast<std::int64_t>(samples_.count), most_turns / 2);
    for (std::int64_t sample = 1; sample < most && !is_late(); ++sample, ++others) {
      if (!run_once(sample_of_round(2 * sample))) return false;
      sum += seconds.back();
    }
    pace_[model] = std::max(shortest_run, sum / static_cast<double>(1 + others));
    return true;
  }

  /// A turn has many short runs, and the first of them is not counted: it fetches back what the others pushed out of
  /// the caches.
  [[nodiscard]] std::int64_t runs_of_a_turn(std::size_t model) const {
    if (pace_[model] >= shortest_turn) return 1;
    return 1 + std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(shortest_turn / pace_[model])), 1,
                                        most_runs_of_a_turn);
  }

  /// An even number.
  [[nodiscard]] std::int64_t turns() const {
    double round = 0;
    for (std::size_t model = 0; model < pace_.size(); ++model)
      round += pace_[model] * static_cast<double>(runs_of_a_turn(model));
    const bool is_long = std::ranges::max(pace_) >= long_run;
    const std::int64_t least = is_long ? 2 : least_turns;
    return std::clamp(static_cast<std::int64_t>(options_.seconds / round), least, most_turns) / 2 * 2;
  }

  /// Every second round goes the other way round, so that nobody is always behind the same one.
  void take_turns() {
    const std::int64_t rounds = turns();
    result_.rounds = rounds;
    std::vector<std::size_t> order;
    for (std::int64_t round = 0; round < rounds; ++round) {
      if (round % 2 == 0)
        order = shuffled(pace_.size(), random_);
      else
        std::ranges::reverse(order);
      for (const std::size_t model : order)
        if (!take_turn(model, sample_of_round(round))) return;
    }
  }

  bool take_turn(std::size_t model, std::size_t sample) {
    const std::int64_t runs = runs_of_a_turn(model);
    const Turn turn = block_.run_sample(model, runs, sample);
    if (failed(turn.failure, model, FailedAt::run)) return false;
    const std::span counted = std::span(turn.seconds).subspan(runs > 1 ? 1 : 0);
    auto& all = result_.models[model].seconds;
    all.insert(all.end(), counted.begin(), counted.end());
    turns_[model].push_back(std::max(shortest_run, median_of(counted)));
    return true;
  }

  void count() {
    for (std::size_t model = 0; model < turns_.size(); ++model) {
      std::vector<double> ratios;
      for (std::size_t turn = 0; turn < turns_[model].size(); ++turn)
        ratios.push_back(turns_[model][turn] / turns_[0][turn]);
      result_.models[model].ratio = median(std::move(ratios));
    }
  }

  MeasuringBlock& block_;
  const SamplesInTurn samples_;
  const BlockOptions& options_;
  Random& random_;
  std::vector<double> pace_;                ///< seconds of a warm run, the mean over samples, by model
  std::vector<std::vector<double>> turns_;  ///< their medians, by model
  BlockResult result_;
};

}  // namespace

bool is_warm(const std::vector<double>& seconds) {
  if (seconds.size() < 6) return false;
  const double last = median_of(std::span(seconds).last(3));
  const double before = median_of(std::span(seconds).last(6).first(3));
  return std::abs(last - before) <= 0.05 * before;
}

BlockResult run_block(MeasuringBlock& block, std::size_t models, const SamplesInTurn& samples,
                      const BlockOptions& options, Random& random) {
  return BlockRun(block, models, samples, options, random).run();
}

}  // namespace culprit
