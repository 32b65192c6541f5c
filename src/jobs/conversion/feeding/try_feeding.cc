#include "conversion/feeding/try_feeding.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/as_index.h"
#include "base/folder.h"
#include "base/text.h"
#include "conversion/feeding/fed_packs.h"
#include "conversion/feeding/feeding_ways.h"
#include "conversion/feeding/own_data.h"

namespace culprit {
namespace {

constexpr double most_left = 0.1;  // of the error as it is fed; few bits leave more of it
constexpr double most_left_coarse = 0.5;
constexpr std::size_t most_judged = 4;  // ways, on all samples
constexpr double endless = std::numeric_limits<double>::infinity();

/// One way, and what the target makes of it on one sample.
struct TriedWay {
  FeedingWay way;
  FeedingTry result;
};

class Feeding {
 public:
  explicit Feeding(const FeedingTask& task) : task_(task), target_(task.sides.target) {}

  Result<FeedingVerdict> look() {
    if (!task_.data.empty()) {
      if (auto ok = run_on_own_data(); !ok) return tl::unexpected(ok.error());
      if (verdict_.fault || is_right_as_fed()) return std::move(verdict_);
    }
    if (task_.as_source.empty() || is_right_as_source(task_)) return std::move(verdict_);
    if (auto ok = try_ways(); !ok) return tl::unexpected(ok.error());
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] bool is_right_as_fed() const { return verdict_.as_fed && verdict_.as_fed->wrong.empty(); }

  Result<JudgedOutputs> judge(const OutputsBySample& outputs) {
    auto judged = judge_all_outputs(task_.sides, task_.outputs, outputs_of_run(target_.network(), outputs), {},
                                    outputs.size(), task_.is_strict);
    if (!judged || judged->wrong.empty() || task_.coarse == nullptr) return judged;
    const auto errors = errors_of_outputs(task_.sides, judged->wrong, outputs);
    if (!errors) return tl::unexpected(errors.error());
    if (is_within_honest(*errors, task_.coarse->honest)) judged->wrong.clear();
    return judged;
  }

  Result<void> run_on_own_data() {
    FeedingRecord& record = verdict_.record;
    record.has_own_data = true;
    const auto ran = target_.runs.run({}, task_.data);
    if (!ran) return tl::unexpected(ran.error());
    if (!ran->has_run) {
      verdict_.data_refused = ran->why;
      return {};
    }
    auto judged = judge(ran->outputs);
    if (!judged) return tl::unexpected(judged.error());
    record.error_as_fed = judged->error();
    verdict_.as_fed = std::move(*judged);
    auto tried = ways_of_own_data(task_.sides, task_.inputs, task_.data);
    if (!tried) return tl::unexpected(tried.error());
    record.data = std::move(*tried);
    if (!is_right_as_fed() && is_right_as_source(task_)) verdict_.fault = fault_of_own_data();
    return {};
  }

  /// On the sample that is the furthest off, all in one run.
  Result<void> try_ways() {
    auto worst = worst_sample();
    if (!worst) return tl::unexpected(worst.error());
    auto tried = tried_on(*worst);
    if (!tried || tried->empty()) return tried ? Result<void>() : tl::unexpected(tried.error());
    std::ranges::stable_sort(*tried, {}, [](const TriedWay& one) { return one.result.error; });
    const std::size_t most = std::min(tried->size(), most_judged);
    std::optional<std::size_t> right;
    double error_after = 0;
    const double most_error = (task_.coarse == nullptr ? most_left : most_left_coarse) * worst->error;
    for (std::size_t i = 0; i < most && !right && (*tried)[i].result.error <= most_error; ++i) {
      const auto error = error_if_right((*tried)[i].way);
      if (!error) return tl::unexpected(error.error());
      if (!*error) continue;
      (*tried)[i].result.is_right = true;
      error_after = **error;
      right = i;
    }
    tell(*tried, worst->error);
    if (right) verdict_.fault = fault_of_way((*tried)[*right], error_after);
    if (right) verdict_.record.pixels = (*tried)[*right].way.pixels;
    return {};
  }

  void tell(const std::vector<TriedWay>& tried, double error_as_source) {
    FeedingRecord& record = verdict_.record;
    if (!record.has_own_data) record.error_as_fed = error_as_source;
    for (const TriedWay& one : tried) record.tried.push_back(one.result);
    const auto right = std::ranges::find(record.tried, true, &FeedingTry::is_right);
    record.fits = right == record.tried.end() ? "" : right->way;
  }

  struct WorstSample {
    std::size_t number = 0;
    double error = 0;
  };

  Result<WorstSample> worst_sample() {
    WorstSample worst;
    for (std::size_t i = 0; i < task_.as_source.size(); ++i) {
      const auto error = error_of(task_.as_source[i], i);
      if (!error) return tl::unexpected(error.error());
      if (*error > worst.error) worst = {i, *error};
    }
    return worst;
  }

  /// The largest difference of an output from the source's; infinite where one is of another form.
  Result<double> error_of(const std::vector<NamedTensor>& given, std::size_t sample) {
    const PlainJudge judge(Tolerance{});
    double most = 0;
    for (const ValueMatch& output : task_.outputs) {
      const auto right = task_.sides.source_on_all.of(output.source);
      if (!right) return tl::unexpected(right.error());
      const auto& outputs = target_.network().outputs;
      const auto place = static_cast<std::size_t>(std::ranges::find(outputs, output.target) - outputs.begin());
      if (sample >= right->size() || place >= given.size()) return endless;
      const JudgedPair judged = judge.first_look(pair_of(output, {&(*right)[sample], 1}, {&given[place].value, 1}));
      if (judged.by_sample.empty()) return endless;
      most = std::max(most, judged.measurement.max_abs);
    }
    return most;
  }

  Result<std::vector<TriedWay>> tried_on(const WorstSample& worst) {
    std::vector<TriedWay> tried;
    FedPacks packs(task_.sides, task_.inputs, task_.folder / "ways");
    const auto inputs = inputs_in(task_.sides.source, task_.sides.source.samples.at(worst.number));
    if (!inputs) return tl::unexpected(inputs.error());
    for (FeedingWay& way : feeding_ways(task_.sides.source.network(), task_.inputs, *inputs)) {
      const auto is_fed = packs.add(way, *inputs);
      if (!is_fed) return tl::unexpected(is_fed.error());
      if (*is_fed) tried.push_back({std::move(way), {}});
    }
    if (tried.empty()) return tried;
    const auto ran = target_.runs.run({}, packs.files());
    if (!ran) return tl::unexpected(ran.error());
    if (!ran->has_run || ran->outputs.size() != tried.size()) return std::vector<TriedWay>();
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const auto error = error_of(ran->outputs[i], worst.number);
      if (!error) return tl::unexpected(error.error());
      tried[i].result = {tried[i].way.name, *error, false};
    }
    return tried;
  }

  /// nullopt: an output is still wrong on one of the samples.
  Result<std::optional<double>> error_if_right(const FeedingWay& way) {
    FedPacks packs(task_.sides, task_.inputs, task_.folder / "all");
    for (std::size_t i = 0; i < task_.as_source.size(); ++i) {
      const auto inputs = inputs_in(task_.sides.source, task_.sides.source.samples.at(i));
      if (!inputs) return tl::unexpected(inputs.error());
      const auto is_fed = packs.add(way, *inputs);
      if (!is_fed) return tl::unexpected(is_fed.error());
      if (!*is_fed) return std::nullopt;
    }
    const auto ran = target_.runs.run({}, packs.files());
    if (!ran) return tl::unexpected(ran.error());
    if (!ran->has_run) return std::nullopt;
    const auto judged = judge(ran->outputs);
    if (!judged) return tl::unexpected(judged.error());
    return judged->wrong.empty() ? std::optional(judged->error()) : std::nullopt;
  }

  /// Another way than those that are right.
  [[nodiscard]] std::string next_best() const {
    const auto& tried = verdict_.record.tried;
    const auto next = std::ranges::find_if(tried, [](const FeedingTry& one) { return !one.is_right; });
    return next == tried.end() ? "" : fmt::format("; the next best, {}, is off by {:.2g}", next->way, next->error);
  }

  [[nodiscard]] ConversionFault fault_at(std::size_t input) const {
    ConversionFault fault;
    fault.kind = FaultClass::preprocessing;
    fault.evidence.kind = "feeding";
    fault.confirmed = true;
    if (input >= task_.inputs.size()) return fault;
    const ValueMatch& match = task_.inputs[input];
    fault.source = {task_.sides.source.network().values[as_index(match.source)].name, "input", -1};
    fault.target.node = {target_.network().values[as_index(match.target)].name, "input", -1};
    return fault;
  }

  [[nodiscard]] ConversionFault fault_of_way(const TriedWay& right, double error_after) const {
    ConversionFault fault = fault_at(right.way.input);
    const double before = verdict_.record.error_as_fed;
    fault.evidence.numbers = {{"error", before}, {"error_fed_so", error_after}};
    fault.evidence.message =
        fmt::format("the target wants {}: fed so, all outputs are right{}", right.way.name, next_best());
    fault.repair = {"feeding " + right.way.name, "", "", before, error_after, RepairRecord::Of::outputs};
    return fault;
  }

  [[nodiscard]] ConversionFault fault_of_own_data() const {
    const FeedingRecord& record = verdict_.record;
    ConversionFault fault = fault_at(0);
    fault.evidence.numbers = {{"error", record.error_as_fed}};
    fault.evidence.message = "the target is right if it is fed as the source is, and wrong on its own data";
    if (!record.data.empty()) {
      const DataTry& nearest = record.data.front();
      fault.evidence.message +=
          nearest.is_same ? fmt::format(", which are the source's with {}", nearest.way)
                          : fmt::format(", which are other data: the nearest, {}, is {:.2g} of their size off",
                                        nearest.way, nearest.apart);
    }
    fault.repair = {"feeding what the source is fed", "", "", record.error_as_fed, 0, RepairRecord::Of::outputs};
    return fault;
  }

  const FeedingTask& task_;
  ReadSide& target_;
  FeedingVerdict verdict_;
};

}  // namespace

bool is_right_as_source(const FeedingTask& task) {
  const bool is_as_good_as_can_be = task.coarse != nullptr && task.coarse->is_within;
  return !task.as_source.empty() && (task.wrong.empty() || is_as_good_as_can_be);
}

Result<FeedingVerdict> look_at_feeding(const FeedingTask& task) {
  for (const char* name : {"ways", "all"})
    if (auto ok = make_folder(task.folder / name); !ok) return tl::unexpected(ok.error());
  return Feeding(task).look();
}

}  // namespace culprit
