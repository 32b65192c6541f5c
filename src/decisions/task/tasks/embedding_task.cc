// A vector that stands for what was given: alike things point the same way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "task/best_score.h"
#include "task/embedding.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"
#include "task/vector_truth.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

const std::vector<std::string> names_of_embeddings{"embed", "feature", "hidden", "pool"};
constexpr std::size_t neighbours = 5;
/// Neighbours are looked for among the samples with the smallest numbers, and their vectors are kept.
constexpr std::int64_t most_kept = 256;
constexpr std::size_t most_kept_numbers = std::size_t{1} << 20;  // of both models

struct VectorDecision : Decision {
  Numbers numbers;
};

const Numbers& numbers_in(const Decision& decision) { return dynamic_cast<const VectorDecision&>(decision).numbers; }

bool is_zero(const Numbers& vector) {
  return std::ranges::all_of(vector, [](double x) { return x == 0; });
}

class VectorComparator : public TaskComparator {
 public:
  VectorComparator(const DecisionTask& task, std::uint64_t seed, std::optional<VectorTruth> truth)
      : TaskComparator(task, seed), truth_(std::move(truth)) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const Numbers &a = numbers_in(reference), &b = numbers_in(variant);
    cosines_.add(cosine_of(a, b));
    // By number and not by order, so that any grouping keeps the same ones.
    const auto fitting = static_cast<std::int64_t>(most_kept_numbers / 2 / std::max<std::size_t>(1, a.size()));
    if (sample.number < std::min(most_kept, fitting))
      kept_[sample.number] = {{a.begin(), a.end()}, {b.begin(), b.end()}};
    return truth_ ? truth_->add(sample.number, sample.truth, b) : Result<void>();
  }

  Result<void> write(StateWriter& state) const override {
    cosines_.write(state);
    state.add(static_cast<std::uint64_t>(kept_.size()));
    for (const auto& [sample, pair] : kept_) state.add(sample).add_all(pair.reference).add_all(pair.variant);
    return truth_ ? truth_->write(state) : Result<void>();
  }

  Result<void> read_and_merge(StateReader& state) override {
    cosines_.merge(SampleValues::read(state));
    const auto kept = state.next<std::uint64_t>();
    for (std::uint64_t i = 0; i < kept && state.is_good(); ++i) {
      const auto sample = state.next<std::int64_t>();
      Pair& pair = kept_[sample];
      pair = {};
      state.all_to(pair.reference);
      state.all_to(pair.variant);
    }
    return truth_ ? truth_->merge(state) : Result<void>();
  }

  Result<void> fill(DecisionRecord& record) const override {
    if (auto filled = truth_ ? truth_->fill(record, seed()) : Result<void>(); !filled) return filled;
    if (record.samples > 0 && record.empty == record.samples) return {};  // of two that point nowhere, none is measured
    record.metrics["cosine"] = record_of(cosines_.mean_within(-1, 1, seed()));
    std::vector<std::vector<float>> a, b;
    for (const auto& [sample, pair] : kept_) {
      a.push_back(pair.reference);
      b.push_back(pair.variant);
    }
    if (a.size() < 2) return {};
    SampleValues shares;
    for (const double share : neighbour_agreement(a, b, neighbours)) shares.add(share);
    record.metrics["neighbours_5"] = record_of(shares.share(seed()));
    return {};
  }

 private:
  struct Pair {
    std::vector<float> reference, variant;
  };
  SampleValues cosines_;  ///< 4 bytes a sample
  std::map<std::int64_t, Pair> kept_;
  std::optional<VectorTruth> truth_;  ///< where that is asked
};

class EmbeddingTask : public DecisionTask {
 public:
  explicit EmbeddingTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "embedding"; }
  [[nodiscard]] TaskTraits traits() const override {
    return {.margins_are_sureness = false, .empty = TaskTraits::Empty::zero_vectors};
  }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (vector_among(outputs)) return std::nullopt;
    return fmt::format("embedding wants an output of floats [D] or [1,D], or with more dimensions; there are: {}",
                       text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs,
                             std::span<const NamedTensor> example) const override {
    const auto at = vector_among(outputs);
    if (!at) return {};
    const OutputFacts& output = outputs[*at];
    if (names_one_of(output.name, names_of_embeddings))
      return {0.9, fmt::format("'{}' is called as embeddings are", output.name)};
    if (output.shape.size() > 2 || output.shape.back() < 16) return {};
    if (*at < example.size()) {
      double square = 0;
      for (const double x : numbers_of(example[*at].value)) square += x * x;
      if (std::abs(square - 1) < 0.01) return {0.85, fmt::format("'{}' has the length 1", output.name)};
    }
    return {0.3, fmt::format("'{}' has rows of numbers", output.name)};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    const auto at = vector_among(facts);
    if (!at) return fail(ErrorKind::unsupported, *refuses(facts));
    auto decision = std::make_unique<VectorDecision>();
    decision->numbers = numbers_of(outputs[*at].value);
    return decision;
  }

  /// Changed where the cosine is below the least one. The margin is 1 - cosine.
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const Numbers &a = numbers_in(reference), &b = numbers_in(variant);
    if (a.size() != b.size())
      return fail(ErrorKind::unsupported, "the variant has a vector of another size than the reference");
    const bool is_lost = holds_nan(b);
    if (is_lost != holds_nan(a))
      return DecisionChange{true, is_lost ? lost_decision : 0, is_lost ? "the vector" : "no vector (NaN)",
                            is_lost ? "no vector (NaN)" : "a vector"};
    if (is_lost) return DecisionChange{.reference = "no vector (NaN)", .variant = "none either", .is_undecided = true};
    if (is_zero(a) && is_zero(b))
      return DecisionChange{.reference = "no vector (zeros)", .variant = "none either", .is_empty = true};
    const double cosine = cosine_of(a, b);
    return DecisionChange{cosine < settings_.least_cosine, 1 - cosine, "the vector",
                          fmt::format("cosine {:.6g}", cosine)};
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    if (!options.with_scores) return std::make_unique<VectorComparator>(*this, options.seed, std::nullopt);
    auto spill = one_spill(options);
    if (!spill) return tl::unexpected(spill.error());
    return std::make_unique<VectorComparator>(*this, options.seed, VectorTruth(settings_, std::move(*spill)));
  }

 private:
  [[nodiscard]] std::optional<std::size_t> vector_among(std::span<const OutputFacts> outputs) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!is_float(outputs[i].type) || outputs[i].shape.empty()) continue;
      if (!settings_.output.empty() && outputs[i].name != settings_.output) continue;
      if (names_one_of(outputs[i].name, names_of_embeddings)) return i;
      if (!first) first = i;
    }
    return first;
  }

  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_embedding_task(const TaskSettings& settings, std::span<const OutputFacts>) {
  return std::make_unique<EmbeddingTask>(settings);
}

}  // namespace culprit
