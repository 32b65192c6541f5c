#include "evaluate/sample_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// Three pictures, by their names.
class NamedSamples : public SampleSource {
 public:
  [[nodiscard]] DataFacts facts() const override { return {}; }
  [[nodiscard]] std::int64_t size() const override { return 3; }
  [[nodiscard]] std::string name(std::int64_t number) const override {
    return std::vector<std::string>{"ann/a.png", "ann/b.png", "bob/3.png"}.at(static_cast<std::size_t>(number));
  }
  [[nodiscard]] Result<Sample> at(std::int64_t /*number*/, const Stop& /*stop*/) const override { return Sample{}; }
};

class SamplePairs : public ::testing::Test {
 protected:
  Result<std::vector<SamplePair>> pairs_of(const std::string& text) {
    const auto file = std::filesystem::path(::testing::TempDir()) / "culprit_pairs.csv";
    EXPECT_TRUE(write_file_atomic(file, text));
    auto pairs = read_sample_pairs(file, NamedSamples(), "faces");
    std::filesystem::remove(file);
    return pairs;
  }
  void expect_refused(const std::string& text, const std::string& why) {
    const auto pairs = pairs_of(text);
    ASSERT_FALSE(pairs) << text;
    EXPECT_EQ(pairs.error().kind, ErrorKind::usage);
    EXPECT_THAT(pairs.error().text(), HasSubstr(why));
  }
};

TEST_F(SamplePairs, AreNamedAsLabelsAreOrCounted) {
  const auto pairs = pairs_of("a,b,same\r\nann/a.png,b.png,1\r\n./bob/3.png,0,no\r\n1, /data/bob/3.png ,False\n");
  ASSERT_TRUE(pairs) << pairs.error().text();
  const auto is = [&](std::size_t at, std::int64_t first, std::int64_t second, bool is_same) {
    const SamplePair& pair = pairs->at(at);
    return pair.first == first && pair.second == second && pair.is_same == is_same;
  };
  ASSERT_EQ(pairs->size(), 3U);
  EXPECT_TRUE(is(0, 0, 1, true));
  EXPECT_TRUE(is(1, 2, 0, false));
  EXPECT_TRUE(is(2, 1, 2, false));
  EXPECT_EQ(pairs_of("0,1,yes\n0,2,0\n")->size(), 2U) << "without headings";
  EXPECT_EQ(pairs_of("0,1,1\n0,3,0\n")->at(1).second, 2) << "there is an image of this name";
}

TEST_F(SamplePairs, WhatNamesNoSampleIsToldWithItsLine) {
  expect_refused("0,1,1\nann/a.png,eve/9.png,0\n", "line 2: 'eve/9.png' is none of the samples");
  expect_refused("0,1,1\nann/a.png,eve/9.png,0\n", "there are 3, the first is 'ann/a.png'");
  expect_refused("0,1,1\n0,4,0\n", "line 2: '4' is none of the samples");
  expect_refused("0,1,1\n0,-1,0\n", "line 2: '-1' is none of the samples");
  expect_refused("0,1,1\n0,2,maybe\n", "line 2: 'maybe' does not say whether both show the same");
  expect_refused("0,1,1\n0,2\n", "line 2: there are 2 fields, and not 3");
  expect_refused("0,1,1\n1,0,1\n", "of 2 pairs all are the same");
  expect_refused("a,b,same\n", "of 0 pairs none is the same");
}

}  // namespace
}  // namespace culprit
