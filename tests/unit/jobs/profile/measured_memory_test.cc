#include "profile/measured_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

/// Loading takes what is said here, by block: of the model, and of the graph that came of it.
struct FakeLoads {
  std::vector<std::pair<double, double>> seconds;
  std::vector<MeasuredModel> asked = {};  ///< models of the last block
  std::size_t blocks = 0;
};

class LoadingBlock : public MeasuringBlock {
 public:
  explicit LoadingBlock(std::pair<double, double> seconds) : seconds_(seconds) {}
  Loaded load(std::size_t model) override { return {{}, model == 0 ? seconds_.first : seconds_.second, "1.31.1"}; }
  Turn run(std::size_t /*model*/, std::int64_t /*runs*/) override { return {}; }
  Turn run_sample(std::size_t /*model*/, std::int64_t /*runs*/, std::size_t /*sample*/) override { return {}; }
  Resident resident(std::size_t /*model*/) override { return {}; }

 private:
  std::pair<double, double> seconds_;
};

class LoadingBlocks : public MeasuringBlocks {
 public:
  explicit LoadingBlocks(FakeLoads& loads) : loads_(loads) {}
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    loads_.asked = std::move(models);
    return std::make_unique<LoadingBlock>(loads_.seconds[loads_.blocks++]);
  }

 private:
  FakeLoads& loads_;
};

std::optional<double> part_of(FakeLoads& loads, const std::filesystem::path& data_folder = "") {
  LoadingBlocks blocks(loads);
  return measure_optimizing(blocks, {}, "as_run.onnx", data_folder);
}

/// Running takes as much as is said here, beside all samples that are held.
class HoldingBlock : public MeasuringBlock {
 public:
  HoldingBlock(const std::vector<std::filesystem::path>& samples, std::uint64_t runs_take)
      : samples_(samples), runs_take_(runs_take) {}
  Loaded load(std::size_t /*model*/) override { return {{}, 1, "1.31.1"}; }
  Turn run(std::size_t /*model*/, std::int64_t /*runs*/) override {
    resident_ = {1000, 1000 + runs_take_, 7};
    for (const auto& sample : samples_) resident_.largest += std::filesystem::file_size(sample);
    return {};
  }
  Turn run_sample(std::size_t model, std::int64_t runs, std::size_t /*sample*/) override { return run(model, runs); }
  Resident resident(std::size_t /*model*/) override { return resident_; }

 private:
  std::vector<std::filesystem::path> samples_;
  std::uint64_t runs_take_;
  Resident resident_{1000, 1200, 0};
};

class HoldingBlocks : public MeasuringBlocks {
 public:
  explicit HoldingBlocks(std::uint64_t runs_take) : runs_take_(runs_take) {}
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    ++opened;
    return std::make_unique<HoldingBlock>(models.front().job.samples, runs_take_);
  }
  std::size_t opened = 0;

 private:
  std::uint64_t runs_take_;
};

TEST(MeasureMemory, DoesNotHangOnHowManySamplesThereAreNorOnTheirBytes) {
  const TemporaryFolder folder = TemporaryFolder::create(fs::temp_directory_path(), "measured_memory_test").value();
  MeasuredModel model;
  for (std::size_t samples = 1; samples <= 8; ++samples) {
    const auto file = folder.path() / std::to_string(samples);
    std::ofstream(file) << std::string(10'000 * samples, 'x');
    model.job.samples.push_back(file);
    HoldingBlocks blocks(500);
    const MemoryResult result = measure_memory(blocks, model);
    ASSERT_TRUE(result.memory);
    EXPECT_EQ(result.memory->run_peak, 1500u) << samples;
    EXPECT_EQ(result.memory->load_peak, 1200u);
    EXPECT_EQ(result.memory->arena, 7u);
    EXPECT_EQ(blocks.opened, std::min<std::size_t>(samples, 5));
  }
}

TEST(MeasureOptimizing, IsThePartOfLoadingThatTheMedianPairShows) {
  FakeLoads loads{{{4, 3}, {10, 1}, {4, 2}}};
  EXPECT_DOUBLE_EQ(part_of(loads).value(), 0.5);
  EXPECT_EQ(loads.asked[1].job.model, "as_run.onnx");
  EXPECT_EQ(loads.asked[1].job.session.level, Level::off);
}

/// Whatever was measured: of the load of a row this makes no more than the load.
TEST(MeasureOptimizing, IsNeverLessThanNothingAndNeverMoreThanAll) {
  const std::vector<std::pair<double, double>> odd{{1, 3}, {1, 0}, {0, 0}, {0, 2}, {1e-9, 1e9}, {1e9, 1e-9}};
  for (const auto& one : odd) {
    FakeLoads loads{{one, one, one}};
    const double part = part_of(loads).value();
    EXPECT_GE(part, 0) << one.first << " " << one.second;
    EXPECT_LE(part, 1) << one.first << " " << one.second;
  }
}

TEST(MeasureOptimizing, DataThatAreNotThereEndItBeforeARuntimeIsAsked) {
  const TemporaryFolder folder = TemporaryFolder::create(fs::temp_directory_path(), "measured_memory_test").value();
  FakeLoads loads{{{4, 3}, {4, 3}, {4, 3}}};
  EXPECT_FALSE(part_of(loads, folder.path()));
  EXPECT_EQ(loads.blocks, 0u);
}

}  // namespace
}  // namespace culprit
