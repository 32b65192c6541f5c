#include "task/average_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "task/precision_curves.h"
#include "task/run_merger.h"
#include "task/score_steps.h"

namespace culprit {
namespace {

/// What the result is made of, for each draw of groups, and last for all samples.
struct PartMeans {
  std::array<double, iou_thresholds> precision{}, recall{};
  std::int64_t classes = 0;
};
using Parts = std::vector<PartMeans>;

void add_class(Parts& parts, const PrecisionCurves& curves) {
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!curves.counts(part)) continue;
    ++parts[part].classes;
    for (std::size_t t = 0; t < iou_thresholds; ++t) {
      parts[part].precision[t] += curves.precision(part, t);
      parts[part].recall[t] += curves.recall(part, t);
    }
  }
}

ClassPrecision precision_of_class(std::int32_t label, const PrecisionCurves& curves, std::size_t part) {
  ClassPrecision one{label, curves.there(part), curves.precision(part, at_50), curves.precision(part, at_75)};
  for (std::size_t t = 0; t < iou_thresholds; ++t) {
    one.ap_50_95 += curves.precision(part, t);
    one.recall += curves.recall(part, t);
  }
  one.ap_50_95 /= static_cast<double>(iou_thresholds);
  one.recall /= static_cast<double>(iou_thresholds);
  return one;
}

template <class Value>
Estimate estimate(const Parts& parts, std::int64_t samples, const Value& value) {
  std::vector<double> drawn;
  for (const PartMeans& part : std::span(parts).first(parts.size() - 1))
    if (part.classes > 0) drawn.push_back(value(part));
  return around_draws(value(parts.back()), std::move(drawn), static_cast<std::size_t>(samples));
}

PrecisionResult result_of(const Parts& parts, std::int64_t samples) {
  PrecisionResult result;
  const PartMeans& all = parts.back();
  if (all.classes == 0) return result;
  const auto at = [&](std::size_t t) {
    return estimate(parts, samples,
                    [&](const PartMeans& part) { return part.precision[t] / static_cast<double>(part.classes); });
  };
  const auto mean_of = [&](std::array<double, iou_thresholds> PartMeans::*values) {
    return estimate(parts, samples, [&](const PartMeans& part) {
      double sum = 0;
      for (const double value : part.*values) sum += value;
      return sum / static_cast<double>(part.classes) / static_cast<double>(iou_thresholds);
    });
  };
  result.ap_50 = at(at_50);
  result.ap_75 = at(at_75);
  result.ap_90 = at(at_90);
  result.ap_50_95 = mean_of(&PartMeans::precision);
  result.recall = mean_of(&PartMeans::recall);
  for (std::size_t t = 0; t < iou_thresholds; ++t) {
    result.ap_at[t] = all.precision[t] / static_cast<double>(all.classes);
    result.recall_at[t] = all.recall[t] / static_cast<double>(all.classes);
  }
  return result;
}

/// Sums over classes, of each draw of groups, and last of all samples.
struct StepMeans {
  double precision = 0, area = 0;
  std::int64_t classes = 0, with_area = 0;
};

void add_steps(std::vector<StepMeans>& parts, const ScoreSteps& steps) {
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto precision = steps.precision(part), area = steps.area(part);
    parts[part].precision += precision.value_or(0);
    parts[part].classes += precision ? 1 : 0;
    parts[part].area += area.value_or(0);
    parts[part].with_area += area ? 1 : 0;
  }
}

/// The mean over classes; absent where all samples have none.
std::optional<Estimate> mean_of_steps(const std::vector<StepMeans>& parts, double StepMeans::*sum,
                                      std::int64_t StepMeans::*count, std::int64_t samples) {
  const auto mean = [&](const StepMeans& part) { return part.*sum / static_cast<double>(part.*count); };
  if (parts.back().*count == 0) return std::nullopt;
  std::vector<double> drawn;
  for (const StepMeans& part : std::span(parts).first(parts.size() - 1))
    if (part.*count > 0) drawn.push_back(mean(part));
  return around_draws(mean(parts.back()), std::move(drawn), static_cast<std::size_t>(samples));
}

/// The mean of curves: of one alone itself.
class MeanCurve {
 public:
  void add(const ScoreCurve& curve) {
    if (curve.hit_rate.empty()) return;
    if (count_++ == 0) {
      sum_ = curve;
      return;
    }
    for (std::size_t i = 0; i < curve_points; ++i) {
      sum_.hit_rate[i] += curve.hit_rate[i];
      sum_.precision[i] += curve.precision[i];
    }
  }
  [[nodiscard]] ScoreCurve mean() && {
    if (count_ < 2) return std::move(sum_);
    for (auto* points : {&sum_.hit_rate, &sum_.precision})
      for (double& point : *points) point /= static_cast<double>(count_);
    sum_.hit_rate_thresholds = sum_.precision_thresholds = {};
    return std::move(sum_);
  }

 private:
  ScoreCurve sum_;
  std::int64_t count_ = 0;
};

tl::unexpected<Error> impossible_class(std::int64_t label) {
  return fail(ErrorKind::bad_input, fmt::format("a box has the class {}, which cannot be one", label));
}

/// The weights of each draw of groups, and behind them those of all.
std::vector<GroupWeights> weights_of(std::uint32_t groups, std::uint64_t seed) {
  std::vector<GroupWeights> weights = draw_groups(groups, seed);
  weights.emplace_back().fill(1);
  return weights;
}

/// Makes the curves of one class after the other out of its records, and hands them over.
template <class Start, class Take>
Result<void> walk_classes(const AveragePrecision& from, const std::map<std::int32_t, GroupWeights>& truths,
                          const Start& start, const Take& take) {
  RunMerger records(from);
  std::optional<MatchRecord> next;
  if (auto first = records.next(next); !first) return first;
  for (const auto& [label, counts] : truths) {
    auto curves = start(label, counts);
    while (next && next->label == label) {
      curves.add(*next);
      if (auto read = records.next(next); !read) return read;
    }
    take(label, curves);
  }
  return {};
}

}  // namespace

Result<void> AveragePrecision::add_truths(std::int64_t label, std::size_t group, std::int64_t count) {
  if (label < std::numeric_limits<std::int32_t>::min() || label > std::numeric_limits<std::int32_t>::max())
    return impossible_class(label);
  truths_[static_cast<std::int32_t>(label)][group] += count;
  if (truths_.size() > most_classes)
    return fail(ErrorKind::bad_input, fmt::format("the boxes have more than {} classes", most_classes));
  return {};
}

Result<void> AveragePrecision::put(const MatchRecord& record) {
  ++records_[record.label];
  recent_.push_back(record);
  if (!spill_ || recent_.size() < run_length) return {};
  std::ranges::stable_sort(recent_, stands_before);
  const std::uint64_t offset = runs_.empty() ? 0 : runs_.back().offset + runs_.back().count * sizeof(MatchRecord);
  auto written = spill_->append({reinterpret_cast<const char*>(recent_.data()), recent_.size() * sizeof(MatchRecord)});
  if (!written) return written;
  runs_.push_back({offset, recent_.size()});
  recent_.clear();
  return {};
}

Result<void> AveragePrecision::add(std::int64_t sample, const SampleMatches& matches) {
  const std::size_t group = group_of(sample);
  groups_ |= std::uint32_t{1} << group;
  samples_ += matches.truths.empty() ? 0 : 1;
  for (const auto& [label, count] : matches.truths)
    if (auto added = add_truths(label, group, count); !added) return added;
  for (const BoxMatch& box : matches.boxes) {
    const std::uint32_t flags =
        box.matched | std::uint32_t{box.ignored} << 10 | static_cast<std::uint32_t>(group) << 20;
    auto done = put({box.score, static_cast<std::int32_t>(box.label), flags});
    if (!done) return done;
  }
  return {};
}

Result<void> AveragePrecision::write(StateWriter& state) const {
  state.add(samples_).add(groups_).add(static_cast<std::uint64_t>(truths_.size()));
  for (const auto& [label, counts] : truths_) {
    state.add(label);
    for (const std::int64_t count : counts) state.add(count);
  }
  std::uint64_t records = recent_.size();
  for (const Run& run : runs_) records += run.count;
  state.add(records);
  const auto put_record = [&](const MatchRecord& record) {
    state.add(record.score).add(record.label).add(record.flags);
  };
  for (const Run& run : runs_) {
    std::vector<MatchRecord> all(run.count);
    auto read = spill_->read(run.offset, {reinterpret_cast<char*>(all.data()), all.size() * sizeof(MatchRecord)});
    if (!read) return read;
    for (const MatchRecord& record : all) put_record(record);
  }
  for (const MatchRecord& record : recent_) put_record(record);
  return {};
}

Result<void> AveragePrecision::merge(StateReader& state) {
  samples_ += state.count();
  groups_ |= state.next<std::uint32_t>();
  const auto classes = state.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < classes && state.is_good(); ++i) {
    const auto label = state.next<std::int32_t>();
    for (std::size_t group = 0; group < sample_groups; ++group)
      if (auto added = add_truths(label, group, state.count()); !added) return added;
  }
  const auto records = state.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < records && state.is_good(); ++i) {
    MatchRecord record;
    record.score = state.next<double>();
    record.label = state.next<std::int32_t>();
    record.flags = state.next<std::uint32_t>();
    if (truths_.count(record.label) == 0) return impossible_class(record.label);
    if (auto done = put(record); !done) return done;
  }
  return {};
}

Result<PrecisionResult> AveragePrecision::result(std::uint64_t seed) const {
  const auto weights = weights_of(groups_, seed);
  Parts parts(weights.size());
  std::vector<ClassPrecision> classes;
  const std::size_t all = weights.size() - 1;
  const auto start = [&](std::int32_t, const GroupWeights& counts) { return PrecisionCurves(weights, counts); };
  auto walked = walk_classes(*this, truths_, start, [&](std::int32_t label, const PrecisionCurves& curves) {
    add_class(parts, curves);
    if (curves.counts(all)) classes.push_back(precision_of_class(label, curves, all));
  });
  if (!walked) return tl::unexpected(walked.error());
  PrecisionResult result = result_of(parts, samples_);
  result.classes = std::move(classes);
  return result;
}

Result<StepsResult> AveragePrecision::by_steps(std::uint64_t seed) const {
  const auto weights = weights_of(groups_, seed);
  const std::size_t all = weights.size() - 1;
  std::vector<StepMeans> parts(weights.size());
  StepsResult result;
  MeanCurve curve;
  const auto start = [&](std::int32_t label, const GroupWeights& counts) {
    const auto records = records_.find(label);
    return ScoreSteps(weights, counts, records == records_.end() ? 0 : records->second);
  };
  auto walked = walk_classes(*this, truths_, start, [&](std::int32_t label, ScoreSteps& steps) {
    steps.finish();
    add_steps(parts, steps);
    curve.add(steps.curve());
    if (const auto precision = steps.precision(all))
      result.classes.push_back({label, steps.there(), *precision, steps.area(all)});
  });
  if (!walked) return tl::unexpected(walked.error());
  result.precision = mean_of_steps(parts, &StepMeans::precision, &StepMeans::classes, samples_);
  result.area = mean_of_steps(parts, &StepMeans::area, &StepMeans::with_area, samples_);
  result.curve = std::move(curve).mean();
  return result;
}

}  // namespace culprit
