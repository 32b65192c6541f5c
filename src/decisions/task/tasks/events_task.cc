// A probability for each frame of a sound that something is heard in it: speech, or events of several classes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/lower_case.h"
#include "base/text.h"
#include "task/best_score.h"
#include "task/class_name.h"
#include "task/classification.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

constexpr std::array<std::string_view, 3> names_of_detectors{"output", "prob", "speech_prob"};

struct FrameShape {
  std::int64_t frames = 0, classes = 1;  ///< -1: not known beforehand
  bool operator==(const FrameShape&) const = default;
};

struct HeardEvents : Decision {
  FrameShape shape;
  std::vector<double> values;
  double limit = 0.5;    ///< above it a frame is on; of two models the reference's counts
  bool is_lost = false;  ///< it holds NaN
};

const HeardEvents& events_in(const Decision& decision) { return dynamic_cast<const HeardEvents&>(decision); }

/// [T], [T,C], [T,1,C] of a detector that ran in steps, or [1,T,C].
std::optional<FrameShape> frames_of(const OutputFacts& output) {
  const Shape& shape = output.shape;
  if (!is_float(output.type) || shape.empty() || shape.size() > 3) return std::nullopt;
  if (shape.size() == 1) return FrameShape{shape[0], 1};
  if (shape.size() == 2) return FrameShape{shape[0], shape[1]};
  if (shape[1] == 1 || (may_be(shape[1], 1) && shape[2] == 1)) return FrameShape{shape[0], shape[2]};
  return may_be(shape[0], 1) ? std::optional(FrameShape{shape[1], shape[2]}) : std::nullopt;
}

/// Nothing is on where nothing is decided.
std::vector<bool> frames_on(const HeardEvents& heard, double limit) {
  std::vector<bool> on(heard.values.size());
  for (std::size_t i = 0; i < on.size(); ++i) on[i] = !heard.is_lost && heard.values[i] > limit;
  return on;
}

/// What is right, a 0 or a 1 for each frame and class; nothing where that is not known.
std::optional<std::vector<bool>> right_frames(const Truth* truth, std::size_t count) {
  if (truth == nullptr) return std::nullopt;
  for (const NamedTensor& output : truth->values) {
    if (output.value.count() != static_cast<std::int64_t>(count)) continue;
    const std::vector<double> numbers = numbers_of(output.value);
    if (std::ranges::any_of(numbers, [](double x) { return x != 0 && x != 1; })) continue;
    std::vector<bool> right(count);
    for (std::size_t i = 0; i < count; ++i) right[i] = numbers[i] == 1;
    return right;
  }
  return std::nullopt;
}

/// Frames of one model against those that are right: 12 bytes a sample.
class FrameCounts {
 public:
  /// Not comparable: one of the two holds NaN, so that no frame is equal.
  void add(const std::vector<bool>& given, const std::vector<bool>& right, bool is_comparable) {
    std::int64_t equal = 0, both = 0, on = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      equal += given[i] == right[i] ? 1 : 0;
      both += given[i] && right[i] ? 1 : 0;
      on += (given[i] ? 1 : 0) + (right[i] ? 1 : 0);
    }
    equal_.add(is_comparable ? static_cast<double>(equal) : 0);
    hits_.add(static_cast<double>(2 * both));
    on_.add(static_cast<double>(on));
  }
  void write(StateWriter& state) const {
    for (const SampleValues* values : {&equal_, &hits_, &on_}) values->write(state);
  }
  void merge(StateReader& state) {
    for (SampleValues* values : {&equal_, &hits_, &on_}) values->merge(SampleValues::read(state));
  }
  /// Are these the frames of as many samples?
  [[nodiscard]] bool fits(const SampleValues& frames) const {
    return equal_.size() == frames.size() && hits_.size() == frames.size() && on_.size() == frames.size();
  }
  [[nodiscard]] Estimate equal(const SampleValues& frames, std::uint64_t seed) const {
    return equal_.ratio(frames, 1, 1, seed);
  }
  [[nodiscard]] Estimate f1(std::uint64_t seed) const { return hits_.ratio(on_, 1, 1, seed); }

 private:
  SampleValues equal_, hits_, on_;  // hits twice, and frames that are on in either, added
};

/// 44 bytes of a sample stay.
class EventsComparator : public TaskComparator {
 public:
  using TaskComparator::TaskComparator;

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const HeardEvents &a = events_in(reference), &b = events_in(variant);
    const auto before = frames_on(a, a.limit), after = frames_on(b, a.limit);
    agreement_.add(after, before, a.is_lost == b.is_lost);
    frames_.add(static_cast<double>(before.size()));
    const auto right = right_frames(sample.truth, before.size());
    if (!right) return {};
    right_[0].add(before, *right, !a.is_lost);
    right_[1].add(after, *right, !b.is_lost);
    right_frames_.add(static_cast<double>(right->size()));
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    agreement_.write(state);
    for (const FrameCounts& counts : right_) counts.write(state);
    frames_.write(state);
    right_frames_.write(state);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    agreement_.merge(state);
    for (FrameCounts& counts : right_) counts.merge(state);
    frames_.merge(SampleValues::read(state));
    right_frames_.merge(SampleValues::read(state));
    const bool is_whole = agreement_.fits(frames_) && right_[0].fits(right_frames_) && right_[1].fits(right_frames_);
    if (!is_whole) state.refuse();
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["frame_agreement"] = record_of(agreement_.equal(frames_, seed()));
    record.metrics["f1"] = record_of(agreement_.f1(seed()));
    record.labelled = static_cast<std::int64_t>(right_frames_.size());
    if (record.labelled == 0) return {};
    const auto against = [&](const FrameCounts& counts) {
      return std::map<std::string, MetricRecord>{{"frame_accuracy", record_of(counts.equal(right_frames_, seed()))},
                                                 {"f1", record_of(counts.f1(seed()))}};
    };
    record.reference_against_labels = against(right_[0]);
    record.variant_against_labels = against(right_[1]);
    return {};
  }

 private:
  FrameCounts agreement_;               // of the variant, with the reference's frames as the right ones
  std::array<FrameCounts, 2> right_{};  // of both, by the data
  SampleValues frames_, right_frames_;  // with classes: how many were compared
};

class EventsTask : public DecisionTask {
 public:
  EventsTask(TaskSettings settings, std::span<const OutputFacts> outputs) : settings_(std::move(settings)) {
    limit_ = settings_.threshold;
    const auto at = events_among(outputs);
    if (limit_ || !at) return;
    const auto known = settings_.probabilities.find(outputs[*at].name);
    if (known == settings_.probabilities.end()) return;
    limit_ = known->second ? 0.5 : 0;
    why_ = fmt::format(", for '{}' gives {}; --threshold says it otherwise", printable(known->first, 60),
                       known->second ? "probabilities" : "logits");
  }
  [[nodiscard]] std::string name() const override { return "events"; }
  [[nodiscard]] bool reads_values() const override { return true; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (events_among(outputs)) return std::nullopt;
    return fmt::format(
        "events wants an output of floats [T], [T,C], [T,1,C] or [1,T,C], a probability for each frame; there are: {}",
        text_of(outputs));
  }

  /// Frames look like anything: a name and steps tell a voice detector, and else nothing does.
  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs, std::span<const NamedTensor>) const override {
    const auto is_one_a_frame = [](const OutputFacts& output) {
      const auto shape = frames_of(output);
      return shape && shape->classes == 1 && output.shape.size() == 3;
    };
    if (std::ranges::count_if(outputs, is_one_a_frame) != 1) return {};
    const OutputFacts& output = *std::ranges::find_if(outputs, is_one_a_frame);
    const bool is_named = std::ranges::find(names_of_detectors, lower_case(output.name)) != names_of_detectors.end();
    if (is_named && output.shape[0] > 1)
      return {0.85, fmt::format("'{}' is one number for each of {} steps", output.name, output.shape[0])};
    return {0.1, fmt::format("'{}' is one number for each frame", output.name)};
  }

  [[nodiscard]] std::vector<std::string> about() const override {
    if (limit_) return {fmt::format("frames above {:g} are on", *limit_) + why_};
    return {"frames above 0.5 are on; above 0 where the first model's values are no probabilities"};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    const auto at = events_among(facts);
    if (!at) return fail(ErrorKind::unsupported, *refuses(facts));
    auto decision = std::make_unique<HeardEvents>();
    decision->shape = *frames_of(facts[*at]);
    decision->values = numbers_of(outputs[*at].value);
    decision->is_lost = std::ranges::any_of(decision->values, [](double x) { return std::isnan(x); });
    decision->limit = limit_of(decision->values);
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const HeardEvents &a = events_in(reference), &b = events_in(variant);
    if (a.shape != b.shape || a.values.size() != b.values.size())
      return fail(ErrorKind::unsupported, "the variant has frames of another number than the reference");
    const auto before = frames_on(a, a.limit), after = frames_on(b, a.limit);
    DecisionChange change{false, 0, told_frames(a, before), told_frames(b, after), a.is_lost && b.is_lost};
    if (a.is_lost != b.is_lost) {
      change.changed = true;
      change.margin = b.is_lost ? lost_decision : 0;
    }
    if (a.is_lost || b.is_lost) return change;
    std::size_t flips = 0, first = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == after[i]) continue;
      if (flips++ == 0) first = i;
      change.margin = std::max(change.margin, std::abs(a.values[i] - a.limit));
    }
    if (flips == 0) return change;
    change.changed = true;
    change.reference = place_of(a.shape, first) + (before[first] ? " on" : " off");
    change.variant = after[first] ? "on" : "off";
    if (flips > 1) change.variant += fmt::format(" ({} {} flip)", flips, a.shape.classes == 1 ? "frames" : "events");
    return change;
  }

  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const HeardEvents& heard = events_in(decision);
    const auto on = frames_on(heard, heard.limit);
    ToldDecision told;
    told.words = told_frames(heard, on);
    const auto right = right_frames(truth, on.size());
    if (!right) return told;
    told.truth = told_count(heard.shape, *right);
    told.is_right = !heard.is_lost && on == *right;
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<EventsComparator>(*this, options.seed);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> events_among(std::span<const OutputFacts> outputs) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!frames_of(outputs[i])) continue;
      if (!settings_.output.empty() && outputs[i].name != settings_.output) continue;
      if (std::ranges::find(names_of_detectors, lower_case(outputs[i].name)) != names_of_detectors.end()) return i;
      if (!first) first = i;
    }
    return first;
  }

  /// Where nothing is known beforehand, the values say it.
  [[nodiscard]] double limit_of(const std::vector<double>& values) const {
    if (limit_) return *limit_;
    return may_be_probabilities(values) ? 0.5 : 0;
  }

  [[nodiscard]] std::string place_of(const FrameShape& shape, std::size_t at) const {
    const auto place = static_cast<std::int64_t>(at);
    if (shape.classes == 1) return fmt::format("frame {}", place);
    return fmt::format("frame {} {}", place / shape.classes,
                       printable("class " + class_name(place % shape.classes, settings_.class_names), 60));
  }

  static std::string told_count(const FrameShape& shape, const std::vector<bool>& on) {
    const auto count = std::ranges::count(on, true);
    return shape.classes == 1 ? fmt::format("{} of {} frames", count, shape.frames)
                              : fmt::format("{} of {} events in {} frames", count, on.size(), shape.frames);
  }

  static std::string told_frames(const HeardEvents& heard, const std::vector<bool>& on) {
    return heard.is_lost ? "no frames can be read (NaN)" : told_count(heard.shape, on);
  }

  TaskSettings settings_;
  std::optional<double> limit_ = {};  ///< the threshold for all samples; absent: each sample tells its own
  std::string why_ = {};              ///< why the limit is that one, for people; ""
};

}  // namespace

std::unique_ptr<DecisionTask> make_events_task(const TaskSettings& settings, std::span<const OutputFacts> outputs) {
  return std::make_unique<EventsTask>(settings, outputs);
}

}  // namespace culprit
