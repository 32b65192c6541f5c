// A picture: super-resolution, style, denoising.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "task/best_score.h"
#include "task/picture_quality.h"
#include "task/picture_shape.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

constexpr double levels = 255;  // of a shown picture, above black
constexpr double most_of_a_share = 2;

struct PictureDecision : Decision {
  Numbers numbers;  ///< channels first
  PictureShape shape;
  double range = 1;
};

/// The range of the picture that is right; what is compared with it has the same range.
double range_of(const NamedTensor& output, const Numbers& numbers, double asked) {
  if (asked > 0) return asked;
  if (is_integer(output.value.dtype())) return levels;
  const bool is_large = std::ranges::any_of(numbers, [](double x) { return std::isfinite(x) && x > most_of_a_share; });
  return is_large ? levels : 1;
}

/// Errors and likenesses of samples: 8 bytes each.
struct Quality {
  SampleValues error, likeness;
  void add(const PictureDecision& right, const Numbers& other) {
    error.add(mean_squared_error(right.numbers, other, right.range));
    const auto ssim = structural_similarity(right.numbers, other, static_cast<std::size_t>(right.shape.height),
                                            static_cast<std::size_t>(right.shape.width), right.range);
    if (ssim) likeness.add(*ssim);
  }
  void merge(StateReader& state) {
    error.merge(SampleValues::read(state));
    likeness.merge(SampleValues::read(state));
  }
  void write(StateWriter& state) const {
    error.write(state);
    likeness.write(state);
  }
  /// Decibels of the mean error: their own mean would be infinite as soon as one sample is the same.
  void fill(std::map<std::string, MetricRecord>& into, std::uint64_t seed) const {
    const Estimate mean = error.mean(seed);
    into["psnr"] = {decibels(mean.value), decibels(mean.high), decibels(mean.low)};
    if (likeness.size() > 0) into["ssim"] = record_of(likeness.mean_within(-1, 1, seed));
  }
};

class PictureComparator : public TaskComparator {
 public:
  PictureComparator(const DecisionTask& task, const TaskSettings& settings, std::uint64_t seed)
      : TaskComparator(task, seed), settings_(settings) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const auto& a = dynamic_cast<const PictureDecision&>(reference);
    const auto& b = dynamic_cast<const PictureDecision&>(variant);
    const bool has_right = sample.truth != nullptr && sample.truth->values.size() == 1;
    if (has_right && static_cast<std::size_t>(sample.truth->values[0].value.count()) != a.numbers.size())
      return fail(ErrorKind::unsupported, fmt::format("what is right is {}, and the output has {} numbers",
                                                      text_of(facts_of(sample.truth->values)), a.numbers.size()));
    agreement_.add(a, b.numbers);
    if (!sample.truth) return {};
    for (const NamedTensor& value : sample.truth->values) {
      const auto shape = picture_shape(value.value.shape());
      if (!shape || static_cast<std::size_t>(value.value.count()) != a.numbers.size()) continue;
      PictureDecision truth;
      truth.shape = *shape;
      truth.numbers = with_channels_first(numbers_of(value.value), *shape);
      truth.range = range_of(value, truth.numbers, settings_.range);
      ++labelled_;
      right_[0].add(truth, a.numbers);
      right_[1].add(truth, b.numbers);
      return {};
    }
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    agreement_.write(state);
    for (const Quality& right : right_) right.write(state);
    state.add(labelled_);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    agreement_.merge(state);
    for (Quality& right : right_) right.merge(state);
    labelled_ += state.count();
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    agreement_.fill(record.metrics, seed());
    record.labelled = labelled_;
    if (labelled_ == 0) return {};
    right_[0].fill(record.reference_against_labels, seed());
    right_[1].fill(record.variant_against_labels, seed());
    return {};
  }

 private:
  const TaskSettings& settings_;
  Quality agreement_;
  std::array<Quality, 2> right_;
  std::int64_t labelled_ = 0;
};

class PictureTask : public DecisionTask {
 public:
  explicit PictureTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "picture"; }
  [[nodiscard]] TaskTraits traits() const override { return {.margins_are_sureness = false}; }
  [[nodiscard]] bool reads_values() const override { return true; }
  [[nodiscard]] TruthPictures truth_pictures() const override { return TruthPictures::colours; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (picture_among(outputs)) return std::nullopt;
    return fmt::format("picture wants an output [N,C,H,W] or [N,H,W,C] of 1, 3 or 4 channels; there are: {}",
                       text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs,
                             std::span<const NamedTensor> example) const override {
    const auto at = picture_among(outputs);
    if (!at) return {};
    const OutputFacts& output = outputs[*at];
    if (*at < example.size()) {
      // What is nearly all black and white is a mask.
      const Numbers numbers = numbers_of(example[*at].value);
      const auto is_end = [](double x) { return std::abs(x) < 0.05 || std::abs(x - 1) < 0.05; };
      if (std::ranges::count_if(numbers, is_end) * 5 > static_cast<std::ptrdiff_t>(numbers.size()) * 4)
        return {0.3, fmt::format("'{}' has the shape of an image", output.name)};
    }
    const std::int64_t channels = picture_shape(output.shape)->channels;
    if (channels == 3) return {0.8, fmt::format("'{}' has the shape of an image of three colours", output.name)};
    return {channels == 1 ? 0.6 : 0.4, fmt::format("'{}' has the shape of an image", output.name)};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    const auto at = picture_among(facts);
    if (!at) return fail(ErrorKind::unsupported, *refuses(facts));
    auto decision = std::make_unique<PictureDecision>();
    decision->shape = *picture_shape(facts[*at].shape);
    decision->numbers = with_channels_first(numbers_of(outputs[*at].value), decision->shape);
    decision->range = range_of(outputs[*at], decision->numbers, settings_.range);
    return decision;
  }

  /// Changed where a value is off by more than one of 255 levels. The margin is the largest difference, in levels.
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const auto& a = dynamic_cast<const PictureDecision&>(reference);
    const auto& b = dynamic_cast<const PictureDecision&>(variant);
    if (a.numbers.size() != b.numbers.size() || a.shape.height != b.shape.height)
      return fail(ErrorKind::unsupported, "the variant has an image of another size than the reference");
    double most = 0;
    bool is_undecided = false, is_lost = false;
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
      if (std::isnan(b.numbers[i])) (std::isnan(a.numbers[i]) ? is_undecided : is_lost) = true;
      const double off = std::sqrt(mean_squared_error({&a.numbers[i], 1}, {&b.numbers[i], 1}, a.range));
      most = std::max(most, off * levels);
    }
    DecisionChange change{most > 1, most, "the image", fmt::format("off by up to {:.3g} of 255 levels", most)};
    if (is_lost) change = {true, lost_decision, "the image", "holds NaN"};
    change.is_undecided = is_undecided;
    return change;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<PictureComparator>(*this, settings_, options.seed);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> picture_among(std::span<const OutputFacts> outputs) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool is_number = is_float(outputs[i].type) || outputs[i].type == DType::u8;
      const bool is_asked = settings_.output.empty() || outputs[i].name == settings_.output;
      const auto shape = picture_shape(outputs[i].shape);
      if (!is_number || !is_asked || !shape || outputs[i].shape.size() != 4) continue;
      if (shape->channels < 0 || shape->channels == 1 || shape->channels == 3 || shape->channels == 4) return i;
    }
    return std::nullopt;
  }

  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_picture_task(const TaskSettings& settings, std::span<const OutputFacts>) {
  return std::make_unique<PictureTask>(settings);
}

}  // namespace culprit
