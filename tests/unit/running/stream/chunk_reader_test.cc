#include "stream/chunk_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "base/file.h"
#include "tensor/pack_bundle.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Sample n is x = [n]. `deed` may do something else first.
class FakeSource : public SampleSource {
 public:
  explicit FakeSource(std::int64_t size, std::function<Result<void>(std::int64_t)> deed = {})
      : size_(size), deed_(std::move(deed)) {}
  [[nodiscard]] DataFacts facts() const override { return {}; }
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] std::string name(std::int64_t number) const override { return "sample " + std::to_string(number); }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    if (deed_) {
      if (auto ok = deed_(number); !ok) return tl::unexpected(ok.error());
    }
    return Sample{name(number), {{"x", Tensor::of<std::int64_t>({1}, {number})}}};
  }

 private:
  std::int64_t size_;
  std::function<Result<void>(std::int64_t)> deed_;
};

/// With a file for each sample, and with bundles.
class ChunkReaderTest : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] ReadingOptions options() const {
    ReadingOptions options;
    options.samples_per_chunk = 4;
    options.folder = folder_.path();
    options.bundles = GetParam();
    return options;
  }
  [[nodiscard]] std::size_t files() const {
    std::size_t found = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      found += entry.path().extension() == ".pack" || entry.path().extension() == ".packs";
    return found;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-chunks").value();
};

INSTANTIATE_TEST_SUITE_P(Files, ChunkReaderTest, testing::Bool(),
                         [](const auto& one) { return one.param ? "bundles" : "one_each"; });

std::int64_t value_in(const PackPlace& pack) {
  return PackReader().read(pack).value().at(0).value.as<std::int64_t>()[0];
}

TEST_P(ChunkReaderTest, GivesAllSamplesInOrderAndChunks) {
  const FakeSource source(10);
  const auto reader = make_chunk_reader(source, in_order(10), options());
  std::vector<std::int64_t> values;
  std::vector<std::size_t> sizes;
  while (auto chunk = reader->next({}).value()) {
    sizes.push_back(chunk->numbers.size());
    for (const auto& pack : chunk->packs) values.push_back(value_in(pack));
    EXPECT_GT(chunk->bytes, 0U);
    EXPECT_THAT(chunk->skipped, IsEmpty());
  }
  EXPECT_THAT(sizes, ElementsAre(4, 4, 2));
  EXPECT_THAT(values, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_FALSE(reader->next({}).value()) << "still at the end";
}

TEST_P(ChunkReaderTest, ReadsAFewChunksAheadAndNoMore) {
  const FakeSource source(1000);
  const auto reader = make_chunk_reader(source, in_order(1000), options());
  for (int round = 0; round < 20; ++round) {
    const auto chunk = reader->next({}).value();
    EXPECT_LE(files(), 3U * 4U) << "this one and two after it";
    fs::remove_all(chunk->folder);
  }
}

TEST_P(ChunkReaderTest, SkipsWhatIsBadAndSaysWhy) {
  const FakeSource source(6, [](std::int64_t number) -> Result<void> {
    if (number == 1 || number == 4) return fail(ErrorKind::bad_input, "no image");
    return {};
  });
  const auto reader = make_chunk_reader(source, in_order(6), options());
  const auto first = reader->next({}).value();
  EXPECT_THAT(first->numbers, ElementsAre(0, 2, 3));
  ASSERT_EQ(first->skipped.size(), 1U);
  EXPECT_EQ(first->skipped[0].name, "sample 1");
  EXPECT_EQ(first->skipped[0].reason, "no image");
  const auto second = reader->next({}).value();
  EXPECT_THAT(second->numbers, ElementsAre(5));
  EXPECT_EQ(second->skipped.size(), 1U);
}

TEST_P(ChunkReaderTest, ASampleThatKillsItsProcessCostsOneSample) {
  const FakeSource source(9, [](std::int64_t number) -> Result<void> {
    if (number == 2) std::abort();
    if (number == 5) ::_exit(0);
    return {};
  });
  const auto reader = make_chunk_reader(source, in_order(9), options());
  std::vector<std::int64_t> good;
  std::vector<std::string> reasons;
  while (auto chunk = reader->next({}).value()) {
    good.insert(good.end(), chunk->numbers.begin(), chunk->numbers.end());
    for (const auto& skipped : chunk->skipped) reasons.push_back(skipped.name + ": " + skipped.reason);
  }
  EXPECT_THAT(good, ElementsAre(0, 1, 3, 4, 6, 7, 8));
  EXPECT_THAT(reasons, ElementsAre(HasSubstr("sample 2: the process that read it killed by SIGABRT"),
                                   HasSubstr("sample 5: the process that read it ended")));
}

TEST_P(ChunkReaderTest, ASampleThatHangsIsSkipped) {
  const FakeSource source(3, [](std::int64_t number) -> Result<void> {
    while (number == 1) ::usleep(1000);
    return {};
  });
  ReadingOptions short_time = options();
  short_time.each_sample.cpu_seconds = 0.2;
  const auto reader = make_chunk_reader(source, in_order(3), short_time);
  const auto chunk = reader->next({}).value();
  EXPECT_THAT(chunk->numbers, ElementsAre(0, 2));
  ASSERT_EQ(chunk->skipped.size(), 1U);
  EXPECT_THAT(chunk->skipped[0].reason, HasSubstr("limit 200 ms"));
}

TEST_P(ChunkReaderTest, OtherErrorsEndTheReading) {
  const FakeSource source(3, [](std::int64_t number) -> Result<void> {
    if (number == 1) return fail(ErrorKind::io, "the disk is full", "make room");
    return {};
  });
  const auto reader = make_chunk_reader(source, in_order(3), options());
  const auto chunk = reader->next({});
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().kind, ErrorKind::io);
  EXPECT_EQ(chunk.error().text(), "the disk is full. make room");
}

TEST_P(ChunkReaderTest, StopsWhenItIsAskedTo) {
  const FakeSource source(3, [](std::int64_t) -> Result<void> {
    while (true) ::usleep(1000);
  });
  const auto reader = make_chunk_reader(source, in_order(3), options());
  const auto chunk = reader->next([] { return true; });
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().kind, ErrorKind::interrupted);
}

TEST_P(ChunkReaderTest, LeavesNothingBehind) {
  const FakeSource source(100);
  {
    const auto reader = make_chunk_reader(source, in_order(100), options());
    const auto chunk = reader->next({}).value();
    fs::remove_all(chunk->folder);
  }
  EXPECT_EQ(files(), 0U);
}

TEST(OrderOfSamples, IsAPermutationThatTheSeedDecides) {
  const auto order = shuffled(1000, 7);
  EXPECT_EQ(std::set<std::int64_t>(order.begin(), order.end()).size(), 1000U);
  EXPECT_EQ(order, shuffled(1000, 7));
  EXPECT_NE(order, shuffled(1000, 8));
  EXPECT_NE(order, in_order(1000));
  EXPECT_THAT(shuffled(0, 1), IsEmpty());
}

}  // namespace
}  // namespace culprit
