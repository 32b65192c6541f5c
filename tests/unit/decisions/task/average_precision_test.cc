#include "task/average_precision.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/random.h"

namespace culprit {
namespace {

class MemorySpill : public Spill {
 public:
  explicit MemorySpill(std::uint64_t limit) : limit_(limit) {}
  Result<void> append(std::string_view bytes) override {
    if (bytes_.size() + bytes.size() > limit_) return fail(ErrorKind::io, "the disk is full");
    bytes_.append(bytes);
    return {};
  }
  Result<void> read(std::uint64_t offset, std::span<char> into) override {
    if (offset + into.size() > bytes_.size()) return fail(ErrorKind::internal, "behind the end");
    std::memcpy(into.data(), bytes_.data() + offset, into.size());
    return {};
  }

 private:
  std::string bytes_;
  std::uint64_t limit_;
};

/// Matches by chance: `boxes` of each of three classes, with many equal scores.
SampleMatches random_matches(Random& random, std::int64_t boxes) {
  SampleMatches matches;
  for (std::int64_t label = 0; label < 3; ++label) {
    matches.truths[label] = random.between(0, boxes);
    for (std::int64_t i = 0; i < boxes; ++i) {
      BoxMatch box;
      box.score = static_cast<double>(random.between(0, 300)) / 300;
      box.label = label;
      box.matched = static_cast<std::uint16_t>(random.between(0, 1023)) & (random.uniform() < box.score ? 1023 : 0);
      matches.boxes.push_back(box);
    }
  }
  return matches;
}

void expect_same(const PrecisionResult& a, const PrecisionResult& b) {
  EXPECT_EQ(a.ap_at, b.ap_at);
  EXPECT_EQ(a.recall_at, b.recall_at);
  EXPECT_EQ(a.ap_50_95->low, b.ap_50_95->low);
  EXPECT_EQ(a.ap_50_95->high, b.ap_50_95->high);
}

TEST(AveragePrecision, SpilledRunsChangeNoBit) {
  Random random(11);
  AveragePrecision in_memory, spilled(std::make_unique<MemorySpill>(UINT64_MAX));
  for (std::int64_t sample = 0; sample < 900; ++sample) {
    const SampleMatches matches = random_matches(random, 80);
    ASSERT_TRUE(in_memory.add(sample, matches));
    ASSERT_TRUE(spilled.add(sample, matches));
  }
  expect_same(in_memory.result().value(), spilled.result().value());
}

TEST(AveragePrecision, ChunksMergedInOrderChangeNoBit) {
  Random random(12);
  for (int turn = 0; turn < 5; ++turn) {
    AveragePrecision whole, merged;
    auto chunk = std::make_unique<AveragePrecision>();
    for (std::int64_t sample = 0; sample < 120; ++sample) {
      const SampleMatches matches = random_matches(random, 4);
      ASSERT_TRUE(whole.add(sample, matches));
      ASSERT_TRUE(chunk->add(sample, matches));
      if (random.uniform() > 0.1 && sample != 119) continue;
      StateWriter writer;
      ASSERT_TRUE(chunk->write(writer));
      const std::string state = writer.take();
      StateReader reader(state);
      ASSERT_TRUE(merged.merge(reader));
      EXPECT_TRUE(reader.is_at_end());
      chunk = std::make_unique<AveragePrecision>();
    }
    expect_same(whole.result().value(), merged.result().value());
  }
}

TEST(AveragePrecision, AFullDiskIsAnError) {
  Random random(13);
  AveragePrecision precision(std::make_unique<MemorySpill>(3 << 20));
  Result<void> added;
  for (std::int64_t sample = 0; sample < 2000 && added; ++sample)
    added = precision.add(sample, random_matches(random, 80));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::io);
}

TEST(AveragePrecision, SpillsToAFileWithoutAName) {
  const auto folder = std::filesystem::temp_directory_path();
  auto spill = open_spill(folder);
  ASSERT_TRUE(spill);
  Random random(14);
  AveragePrecision in_memory, spilled(std::move(*spill));
  for (std::int64_t sample = 0; sample < 300; ++sample) {
    const SampleMatches matches = random_matches(random, 80);
    ASSERT_TRUE(in_memory.add(sample, matches));
    ASSERT_TRUE(spilled.add(sample, matches));
  }
  expect_same(in_memory.result().value(), spilled.result().value());
  EXPECT_FALSE(open_spill(folder / "is" / "not" / "there"));
}

TEST(AveragePrecision, TheIntervalIsAsWideAsOtherSamplesSay) {
  std::vector<double> values;
  double width = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed + 50);
    AveragePrecision precision;
    for (std::int64_t sample = 0; sample < 200; ++sample) ASSERT_TRUE(precision.add(sample, random_matches(random, 5)));
    const PrecisionResult result = precision.result().value();
    values.push_back(result.ap_50->value);
    width += (result.ap_50->high - result.ap_50->low) / 40;
  }
  double mean = 0, spread = 0;
  for (const double value : values) mean += value / 40;
  for (const double value : values) spread += (value - mean) * (value - mean) / 39;
  EXPECT_NEAR(width, 2 * 1.96 * std::sqrt(spread), 0.4 * width);
}

TEST(AveragePrecision, OfNothingThereIsNone) {
  AveragePrecision precision;
  EXPECT_FALSE(precision.result().value().ap_50.has_value());
  SampleMatches one_false;
  one_false.truths[7] = 0;
  one_false.boxes.push_back({.score = 1, .label = 7});
  ASSERT_TRUE(precision.add(0, one_false));
  EXPECT_FALSE(precision.result().value().ap_50.has_value());
}

TEST(AveragePrecision, ClassesThatCannotBeAreRefused) {
  AveragePrecision precision;
  SampleMatches matches;
  matches.truths[std::int64_t{1} << 40] = 1;
  EXPECT_FALSE(precision.add(0, matches));
  matches.truths.clear();
  for (std::int64_t label = 0; label <= static_cast<std::int64_t>(AveragePrecision::most_classes); ++label)
    matches.truths[label] = 1;
  EXPECT_FALSE(precision.add(0, matches));
}

}  // namespace
}  // namespace culprit
