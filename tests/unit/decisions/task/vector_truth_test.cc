// Embeddings against labels and pairs: over samples, chunks and a spill.
#include "task/vector_truth.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

/// Samples of three kinds; the vectors of a kind point about the same way.
std::vector<MadeSample> made_vectors(std::size_t count) {
  Random random(3);
  std::vector<MadeSample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    Floats vector = random_floats(random, 6);
    vector[i % 3] += 2;
    samples.push_back({output_of("embedding", {1, 6}, vector), output_of("embedding", {1, 6}, vector), {}});
    samples.back().truth.label = std::to_string(i % 3);
  }
  return samples;
}

TaskSettings with_pairs(std::int64_t samples) {
  TaskSettings settings;
  for (std::int64_t a = 0; a + 1 < samples; ++a)
    for (std::int64_t b = a + 1; b < std::min(samples, a + 5); ++b) settings.pairs.push_back({a, b, a % 3 == b % 3});
  return settings;
}

SampleOutputs sample_at(const std::vector<MadeSample>& samples, std::size_t i) {
  return {static_cast<std::int64_t>(i), &samples[i].truth, samples[i].reference, samples[i].variant};
}

TEST(VectorTruth, IsAskedForAndNeedsLabelsOrPairs) {
  const auto samples = made_vectors(30);
  const ComparatorOptions asking{.with_scores = true};
  EXPECT_TRUE(compared("embedding", samples).variant_against_labels.empty());
  const DecisionRecord labels = compared("embedding", samples, {}, asking);
  EXPECT_EQ(labels.labelled, 30);
  EXPECT_TRUE(labels.variant_against_labels.contains("recall_1"));
  EXPECT_FALSE(labels.variant_against_labels.contains("eer"));
  auto unlabelled = samples;
  for (MadeSample& sample : unlabelled) sample.truth = {};
  EXPECT_EQ(compared("embedding", unlabelled, {}, asking).labelled, 0);
  const DecisionRecord pairs = compared("embedding", unlabelled, with_pairs(30), asking);
  EXPECT_EQ(pairs.labelled, 30);
  EXPECT_TRUE(pairs.variant_against_labels.contains("eer"));
  EXPECT_TRUE(pairs.variant_against_labels.contains("tar_at_far_1e-3"));
  EXPECT_FALSE(pairs.variant_against_labels.contains("recall_1"));
  EXPECT_GT(pairs.variant_against_labels.at("pair_auc").value, 0.6);
}

/// As a stream does it: forks that keep vectors in memory, merged by one that spills.
TEST(VectorTruth, ChunksAndSpillsChangeNoBit) {
  const auto samples = made_vectors(50);
  const TaskSettings settings = with_pairs(50);
  const auto task = make_task("embedding", facts_of(samples.front().reference), settings).value();
  const ComparatorOptions asking{.with_scores = true};
  const auto folder = std::filesystem::temp_directory_path();
  const auto whole = task->comparator(asking).value();
  const auto merged = task->comparator({1, [folder] { return open_spill(folder); }, /*with_scores=*/true}).value();
  auto chunk = task->comparator(asking).value();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_TRUE(whole->add(sample_at(samples, i)));
    ASSERT_TRUE(chunk->add(sample_at(samples, i)));
    if (i % 9 != 8 && i + 1 < samples.size()) continue;
    ASSERT_TRUE(merged->merge(chunk->state().value()));
    chunk = task->comparator(asking).value();
  }
  const DecisionRecord record = whole->result().value();
  EXPECT_EQ(record.variant_against_labels.size(), 8U);
  EXPECT_EQ(record, merged->result().value());
}

}  // namespace
}  // namespace culprit
