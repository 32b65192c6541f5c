#include "profile/measured_memory.h"

#include <gtest/gtest.h>

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
