// A class for each pixel: the best of its scores, a whole number, or what is above a threshold.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "statistics/group_bootstrap.h"
#include "task/best_score.h"
#include "task/class_name.h"
#include "task/likely_detector.h"
#include "task/picture_shape.h"
#include "task/segmentation.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

using Labels = std::vector<std::int32_t>;

/// The class of a pixel whose scores are NaN, or have no clear best one (task/best_score.h).
constexpr std::int32_t no_class = -1;
const std::vector<std::string> names_of_masks{"seg", "mask"};
const std::vector<std::string> names_of_tables{"box", "score", "logit"};
constexpr double most_of_a_picture = 0.4;  // how well a detector may fit outputs of which one is a mask [N,H,W]
const std::vector<std::string> names_of_chances{"sigmoid"};

struct PixelDecision : Decision {
  Labels labels;
  std::vector<float> sureness;  ///< by how much the best score of a pixel is above the second; 0 of whole numbers
  std::size_t width = 1, height = 1;
  std::int32_t classes = 0;  ///< that the outputs tell apart; 0: not known
  /// "x 3, y 7"
  [[nodiscard]] std::string place(std::size_t pixel) const {
    return fmt::format("x {}, y {}", pixel % width, pixel / width % height);
  }
};

std::int32_t pixel_label_of(double number) {
  const bool is_one = std::abs(number) < std::numeric_limits<std::int32_t>::max();
  return is_one ? static_cast<std::int32_t>(std::lround(number)) : no_class;
}

void decide_by_scores(const std::vector<double>& scores, const PictureShape& shape, PixelDecision& into) {
  const auto pixels = static_cast<std::size_t>(shape.height * shape.width);
  const auto channels = static_cast<std::size_t>(shape.channels);
  for (std::size_t picture = 0; picture < static_cast<std::size_t>(shape.pictures); ++picture) {
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      const double* at = &scores[picture * channels * pixels + pixel];
      BestScore best;
      for (std::size_t c = 0; c < channels; ++c) best.add(at[c * pixels]);
      into.labels.push_back(static_cast<std::int32_t>(best.label()));
      into.sureness.push_back(static_cast<float>(best.ahead()));
    }
  }
}

void decide_by_threshold(const std::vector<double>& values, double threshold, PixelDecision& into) {
  for (const double value : values) {
    into.labels.push_back(std::isnan(value) ? no_class : value > threshold ? 1 : 0);
    const double ahead = std::abs(value - threshold);
    into.sureness.push_back(std::isfinite(ahead) ? static_cast<float>(ahead) : 0.0F);
  }
}

void decide_by_classes(const std::vector<double>& values, PixelDecision& into) {
  for (const double value : values) into.labels.push_back(pixel_label_of(value));
  into.sureness.assign(values.size(), 0);
}

/// Chances: all from 0 to 1, and most of them near the ends. A picture that is nearly black may look so, too; so there
/// is something at both ends, or the output is called as chances are.
bool holds_chances(const OutputFacts& output, const Tensor& value) {
  std::size_t low = 0, high = 0;
  const std::vector<double> numbers = numbers_of(value);
  for (const double number : numbers) {
    if (!(number >= 0 && number <= 1)) return false;
    low += number < 0.05 ? 1 : 0;
    high += number > 0.95 ? 1 : 0;
  }
  if ((low + high) * 5 <= numbers.size() * 4) return false;
  return (low > 0 && high > 0) || names_one_of(output.name, names_of_chances);
}

class PixelComparator : public TaskComparator {
 public:
  PixelComparator(const DecisionTask& task, const TaskSettings& settings, std::uint64_t seed)
      : TaskComparator(task, seed), settings_(settings) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const Labels& a = dynamic_cast<const PixelDecision&>(reference).labels;
    const Labels& b = dynamic_cast<const PixelDecision&>(variant).labels;
    PixelCounts one;
    one.add(b, a);
    agreement_.add(one.agreement());
    const std::size_t group = group_of(sample.number);
    counts_[0][group].merge(one);
    const auto& decision = dynamic_cast<const PixelDecision&>(reference);
    if (!sample.truth || !take_truth(*sample.truth, decision)) return {};
    ++labelled_;
    const std::int32_t most = *std::ranges::max_element(truth_);
    outside_ += decision.classes > 0 && most >= decision.classes ? 1 : 0;
    classes_ = std::max<std::int64_t>(classes_, decision.classes);
    add_known(a, counts_[1][group]);
    add_known(b, counts_[2][group]);
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    agreement_.write(state);
    state.add(labelled_).add(outside_).add(classes_);
    for (const Groups& groups : counts_)
      for (const PixelCounts& counts : groups) counts.write(state);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    agreement_.merge(SampleValues::read(state));
    labelled_ += state.count();
    outside_ += state.count();
    classes_ = std::max(classes_, state.count());
    for (Groups& groups : counts_)
      for (PixelCounts& counts : groups) counts.merge(PixelCounts::read(state));
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["pixel_agreement"] = record_of(agreement_.share(seed()));
    record.metrics["miou"] = over_groups(counts_[0], &PixelCounts::mean_iou, agreement_.size());
    record.by_class = by_class(counts_[0]);
    record.labelled = labelled_;
    record.labels_outside = outside_;
    record.classes = outside_ > 0 ? classes_ : 0;
    if (labelled_ == 0) return {};
    const auto labelled = static_cast<std::size_t>(labelled_);
    for (std::size_t model = 0; model < 2; ++model) {
      auto& into = model == 0 ? record.reference_against_labels : record.variant_against_labels;
      into["pixel_accuracy"] = over_groups(counts_[1 + model], &PixelCounts::agreement, labelled);
      into["miou"] = over_groups(counts_[1 + model], &PixelCounts::mean_iou, labelled);
      (model == 0 ? record.reference_by_class : record.variant_by_class) = by_class(counts_[1 + model]);
    }
    return {};
  }

 private:
  using Groups = std::array<PixelCounts, sample_groups>;

  MetricRecord over_groups(const Groups& groups, double (PixelCounts::*metric)() const, std::size_t samples) const {
    std::uint32_t there = 0;
    for (std::size_t group = 0; group < groups.size(); ++group)
      if (groups[group].pixels() > 0) there |= std::uint32_t{1} << group;
    return record_of(over_draws(there, seed(), samples, [&](const GroupWeights& weights) {
      return (weighted_sum(groups, weights).*metric)();
    }));
  }

  [[nodiscard]] MetricsByClass by_class(const Groups& groups) const {
    PixelCounts all;
    for (const PixelCounts& counts : groups) all.merge(counts);
    const auto there = all.there();
    MetricsByClass by_class{"iou", {}};
    for (const auto& [label, iou] : all.iou())
      by_class.classes.push_back({class_name(label, settings_.class_names), there.at(label), {{"iou", iou}}});
    return by_class;
  }

  /// The first value of the truth with a number for each pixel; else a mask of another size, at the middles of the
  /// output's pixels. False where there is none.
  bool take_truth(const Truth& truth, const PixelDecision& decision) {
    const std::size_t pixels = decision.labels.size();
    truth_.clear();
    for (const NamedTensor& value : truth.values) {
      if (pixels == 0 || static_cast<std::size_t>(value.value.count()) != pixels) continue;
      for (const double number : numbers_of(value.value)) truth_.push_back(pixel_label_of(number));
      return true;
    }
    const bool is_mask = truth.values.size() == 1 && is_integer(truth.values[0].value.dtype()) &&
                         truth.values[0].value.shape().size() == 3 && truth.values[0].value.shape()[0] == 1 &&
                         decision.width * decision.height == pixels;
    if (!is_mask || pixels == 0 || truth.values[0].value.count() == 0) return false;
    const auto numbers = numbers_of(truth.values[0].value);
    const auto height = static_cast<std::size_t>(truth.values[0].value.shape()[1]), width = numbers.size() / height;
    for (std::size_t i = 0; i < pixels; ++i) {
      const std::size_t x = (2 * (i % decision.width) + 1) * width / (2 * decision.width);
      const std::size_t y = (2 * (i / decision.width) + 1) * height / (2 * decision.height);
      truth_.push_back(pixel_label_of(numbers[y * width + x]));
    }
    return true;
  }

  /// Without the pixels of which the truth says nothing (below 0).
  void add_known(const Labels& labels, PixelCounts& into) const {
    const std::span<const std::int32_t> of_model(labels), right(truth_);
    for (std::size_t i = 0, end = 0; i < right.size(); i = std::max(end, i + 1)) {
      end = i;
      while (end < right.size() && right[end] >= 0) ++end;
      into.add(of_model.subspan(i, end - i), right.subspan(i, end - i));
    }
  }

  const TaskSettings& settings_;
  SampleValues agreement_;        ///< 4 bytes a sample
  std::array<Groups, 3> counts_;  ///< variant and reference, reference and labels, variant and labels
  std::int64_t labelled_ = 0;
  std::int64_t outside_ = 0, classes_ = 0;  ///< samples with pixels of no class of the outputs, and how many those have
  Labels truth_;                            ///< of the sample at hand
};

class SegmentationTask : public DecisionTask {
 public:
  explicit SegmentationTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "segmentation"; }
  [[nodiscard]] TaskTraits traits() const override { return {.labelled = TaskTraits::Labelled::pixels}; }
  [[nodiscard]] bool reads_values() const override { return true; }
  [[nodiscard]] TruthPictures truth_pictures() const override { return TruthPictures::classes; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (const auto at = picture_among(outputs)) {
      const bool is_mask = is_float(outputs[*at].type) && picture_shape(outputs[*at].shape)->channels <= 1;
      if (is_mask || !settings_.threshold) return std::nullopt;
      return fmt::format("a threshold is for a mask, numbers with one channel; there is {}",
                         text_of(outputs.subspan(*at, 1)));
    }
    return fmt::format(
        "segmentation wants an output of scores [N,C,H,W] or [N,H,W,C], of classes [N,H,W], or a mask [N,1,H,W]; there "
        "are: "
        "{}",
        text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs,
                             std::span<const NamedTensor> example) const override {
    const auto at = picture_among(outputs);
    if (!at) return {};
    const OutputFacts& output = outputs[*at];
    const std::int64_t channels = picture_shape(output.shape)->channels;
    if (names_one_of(output.name, names_of_masks))
      return {0.9, fmt::format("'{}' is called as segments are", output.name)};
    const bool may_be_chances = channels == 1 && output.shape.size() == 4 && is_float(output.type);
    if (may_be_chances && *at < example.size() && holds_chances(output, example[*at].value))
      return {0.7,
              fmt::format("'{}' has a chance for each pixel, and what is above {} counts", output.name, threshold())};
    if (output.shape.size() < 3) return {0.1, fmt::format("'{}' has rows and columns", output.name)};
    if (is_integer(output.type) && output.type != DType::u8)
      return {0.7, fmt::format("'{}' has a whole number for each pixel", output.name)};
    if (channels >= 5) return {0.75, fmt::format("'{}' has {} numbers for each pixel", output.name, channels)};
    return {0.35, fmt::format("'{}' has the shape of an image", output.name)};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    const auto at = picture_among(facts);
    if (!at) return fail(ErrorKind::unsupported, *refuses(facts));
    const PictureShape shape = *picture_shape(facts[*at].shape);
    auto numbers = with_channels_first(numbers_of(outputs[*at].value), shape);
    auto decision = std::make_unique<PixelDecision>();
    decision->width = static_cast<std::size_t>(shape.width);
    decision->height = static_cast<std::size_t>(shape.height);
    if (is_float(facts[*at].type)) decision->classes = std::max(2, static_cast<std::int32_t>(shape.channels));
    if (!is_float(facts[*at].type))
      decide_by_classes(numbers, *decision);
    else if (shape.channels > 1)
      decide_by_scores(numbers, shape, *decision);
    else
      decide_by_threshold(numbers, threshold(), *decision);
    return decision;
  }

  /// Changed where one pixel has another class. The margin is of the pixel of which the reference was surest.
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const auto& a = dynamic_cast<const PixelDecision&>(reference);
    const auto& b = dynamic_cast<const PixelDecision&>(variant);
    if (a.labels.size() != b.labels.size())
      return fail(ErrorKind::unsupported, "the variant has an image of another size than the reference");
    DecisionChange change;
    std::size_t surest = 0;
    std::int64_t differ = 0;
    // A pixel that lost its class stands before all others.
    const auto margin_at = [&](std::size_t i) {
      return b.labels[i] == no_class ? lost_decision : static_cast<double>(a.sureness[i]);
    };
    for (std::size_t i = 0; i < a.labels.size(); ++i) {
      if (a.labels[i] == b.labels[i]) {
        change.is_undecided |= a.labels[i] == no_class;
      } else if (differ++ == 0 || margin_at(i) > margin_at(surest)) {
        surest = i;
      }
    }
    if (differ == 0) return change;
    change.changed = true;
    change.margin = margin_at(surest);
    change.reference = fmt::format("{} at {}", words_of(a.labels[surest]), a.place(surest));
    change.variant =
        fmt::format("{} there; {} of {} pixels differ", words_of(b.labels[surest]), differ, a.labels.size());
    return change;
  }

  /// How much of the picture each class has, the largest first.
  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* /*truth*/) const override {
    constexpr std::size_t most_told = 5;
    const Labels& labels = dynamic_cast<const PixelDecision&>(decision).labels;
    std::map<std::int32_t, std::int64_t> counts;
    for (const std::int32_t label : labels) ++counts[label];
    std::vector<std::pair<std::int64_t, std::int32_t>> largest;
    largest.reserve(counts.size());
    for (const auto& [label, count] : counts) largest.emplace_back(-count, label);
    std::ranges::sort(largest);
    ToldDecision told;
    for (std::size_t i = 0; i < std::min(most_told, largest.size()); ++i)
      told.words += fmt::format("{}{} on {:.3g} %", i > 0 ? ", " : "", words_of(largest[i].second),
                                -100.0 * static_cast<double>(largest[i].first) / static_cast<double>(labels.size()));
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<PixelComparator>(*this, settings_, options.seed);
  }

 private:
  static std::string words_of(std::int32_t label) {
    return label == no_class ? "no class (NaN)" : fmt::format("class {}", label);
  }
  [[nodiscard]] double threshold() const { return settings_.threshold.value_or(0.5); }

  [[nodiscard]] std::optional<std::size_t> picture_among(std::span<const OutputFacts> outputs) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool is_number =
          is_float(outputs[i].type) || is_integer(outputs[i].type) || outputs[i].type == DType::boolean;
      const bool is_asked = settings_.output.empty() || outputs[i].name == settings_.output;
      if (is_number && is_asked && picture_shape(outputs[i].shape) && !is_table(outputs, i)) return i;
    }
    return std::nullopt;
  }

  /// Rows of numbers have rows and columns, too: boxes, scores of a batch, candidates of a detector.
  static bool is_table(std::span<const OutputFacts> outputs, std::size_t i) {
    const OutputFacts& output = outputs[i];
    if (!is_float(output.type) || output.shape.size() == 4) return false;
    if (output.shape.size() == 2 || names_one_of(output.name, names_of_tables)) return true;
    const auto detector = likely_detector(outputs);
    return detector && detector->fit.share > most_of_a_picture;
  }

  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_segmentation_task(const TaskSettings& settings, std::span<const OutputFacts>) {
  return std::make_unique<SegmentationTask>(settings);
}

}  // namespace culprit
