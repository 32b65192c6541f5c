// Plain numbers, of which nobody said what they mean: no decision is known, and none can change.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "task/embedding.h"
#include "task/regression.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

struct TensorDecision : Decision {
  std::vector<NamedTensor> outputs;  // they share their elements
};

const std::vector<NamedTensor>& outputs_in(const Decision& decision) {
  return dynamic_cast<const TensorDecision&>(decision).outputs;
}

/// |v - r| / |r|, of all elements together (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section
/// 1.2); what is not finite in one alone counts as 1, and so does more than that.
double relative_error(const std::vector<double>& reference, const std::vector<double>& variant) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < std::min(reference.size(), variant.size()); ++i) {
    const double a = reference[i], b = variant[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      size += std::isfinite(a) ? a * a : 0;
      continue;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) return 1;
    off += (a - b) * (a - b);
    size += a * a;
  }
  if (off == 0) return 0;
  return size > 0 ? std::min(1.0, std::sqrt(off / size)) : 1;
}

struct TensorDistance {
  bool is_identical = true;
  double cosine = 1, error = 0;  ///< of the output that is furthest
};

TensorDistance distance_between(const std::vector<NamedTensor>& reference, const std::vector<NamedTensor>& variant) {
  TensorDistance distance;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const Tensor &a = reference[i].value, &b = variant[i].value;
    if (a.identical(b)) continue;
    distance.is_identical = false;
    if (a.dtype() == DType::string) {
      distance.error = 1;
      continue;
    }
    const auto x = numbers_of(a), y = numbers_of(b);
    distance.cosine = std::min(distance.cosine, cosine_of(x, y));
    distance.error = std::max(distance.error, relative_error(x, y));
  }
  return distance;
}

/// The numbers of all outputs, one output behind the other. Texts have no numbers.
std::vector<double> all_numbers(const std::vector<NamedTensor>& outputs) {
  std::vector<double> all;
  for (const NamedTensor& output : outputs) {
    if (output.value.dtype() == DType::string) continue;
    const auto numbers = numbers_of(output.value);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

/// The right numbers in the order of the outputs. A value stands for the output of its name; where both are single, the
/// name does not count. Empty where a value is missing or has another size.
std::vector<double> numbers_that_are_right(const Truth& truth, const std::vector<NamedTensor>& outputs) {
  std::vector<NamedTensor> right;
  for (const NamedTensor& output : outputs) {
    const auto named = std::ranges::find(truth.values, output.name, &NamedTensor::name);
    const bool is_only = outputs.size() == 1 && truth.values.size() == 1;
    if (named == truth.values.end() && !is_only) return {};
    const NamedTensor& its = is_only ? truth.values.front() : *named;
    if (its.value.count() != output.value.count()) return {};
    right.push_back(its);
  }
  return all_numbers(right);
}

class TensorComparator : public TaskComparator {
 public:
  using TaskComparator::TaskComparator;

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const TensorDistance distance = distance_between(outputs_in(reference), outputs_in(variant));
    cosines_.add(distance.cosine);
    errors_.add(distance.error);
    identical_ += distance.is_identical ? 1 : 0;
    if (sample.truth == nullptr) return {};
    const auto right = numbers_that_are_right(*sample.truth, outputs_in(reference));
    if (right.empty()) return {};
    right_[0].add(sample.number, right, all_numbers(outputs_in(reference)));
    right_[1].add(sample.number, right, all_numbers(outputs_in(variant)));
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    cosines_.write(state);
    errors_.write(state);
    state.add(identical_);
    for (const RegressionSums& sums : right_) sums.write(state);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    cosines_.merge(SampleValues::read(state));
    errors_.merge(SampleValues::read(state));
    identical_ += state.count();
    for (RegressionSums& sums : right_) sums.merge(RegressionSums::read(state));
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["identical"] = record_of(rate_of(static_cast<double>(identical_), record.samples));
    record.metrics["cosine"] = record_of(cosines_.mean_within(-1, 1, seed()));
    record.metrics["relative_error"] = record_of(errors_.share(seed()));
    record.labelled = right_[0].samples();
    if (record.labelled == 0) return {};
    record.reference_against_labels = right_[0].metrics(seed());
    record.variant_against_labels = right_[1].metrics(seed());
    return {};
  }

 private:
  SampleValues cosines_, errors_;  ///< 8 bytes a sample
  std::int64_t identical_ = 0;
  std::array<RegressionSums, 2> right_;  ///< of the reference and of the variant
};

class TensorTask : public DecisionTask {
 public:
  [[nodiscard]] std::string name() const override { return "tensor"; }
  [[nodiscard]] TaskTraits traits() const override {
    return {.counts_decisions = false, .margins_are_sureness = false};
  }
  [[nodiscard]] bool reads_values() const override { return true; }
  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (!outputs.empty()) return std::nullopt;
    return "tensor wants an output; there are no outputs";
  }
  [[nodiscard]] TaskFit fits(std::span<const OutputFacts>, std::span<const NamedTensor>) const override {
    return {0.1, "outputs are numbers"};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    auto decision = std::make_unique<TensorDecision>();
    decision->outputs.assign(outputs.begin(), outputs.end());
    return decision;
  }

  /// The margin is the relative error.
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const auto &a = outputs_in(reference), &b = outputs_in(variant);
    const auto is_alike = [](const NamedTensor& x, const NamedTensor& y) {
      return x.value.dtype() == y.value.dtype() && x.value.shape() == y.value.shape();
    };
    if (!std::ranges::equal(a, b, is_alike))
      return fail(ErrorKind::unsupported, "the variant has outputs of other sizes than the reference");
    const TensorDistance distance = distance_between(a, b);
    return DecisionChange{false, distance.error, "its numbers", fmt::format("relative error {:.3g}", distance.error)};
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<TensorComparator>(*this, options.seed);
  }
};

}  // namespace

std::unique_ptr<DecisionTask> make_tensor_task(const TaskSettings&, std::span<const OutputFacts>) {
  return std::make_unique<TensorTask>();
}

}  // namespace culprit
