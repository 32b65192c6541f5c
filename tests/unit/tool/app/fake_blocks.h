#pragma once
// Timed blocks without a machine: every run of every model takes as long as its level says.

#include <memory>
#include <utility>
#include <vector>

#include "executor/measuring.h"

namespace culprit {

/// A run takes 4 ms with the runtime's optimizations off, and 1 ms at any other level.
class LevelBlock : public MeasuringBlock {
 public:
  explicit LevelBlock(std::vector<MeasuredModel> models) : models_(std::move(models)) {}
  Loaded load(std::size_t) override { return {{}, 0.01, "9.9.9"}; }
  Turn run(std::size_t model, std::int64_t runs) override { return run_sample(model, runs, 0); }
  Turn run_sample(std::size_t model, std::int64_t runs, std::size_t) override {
    const bool is_off = models_.at(model).job.session.level == Level::off;
    Turn turn;
    turn.seconds.assign(static_cast<std::size_t>(runs), is_off ? 0.004 : 0.001);
    return turn;
  }
  Resident resident(std::size_t) override { return {}; }

 private:
  std::vector<MeasuredModel> models_;
};

class LevelBlocks : public MeasuringBlocks {
 public:
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    return std::make_unique<LevelBlock>(std::move(models));
  }
};

}  // namespace culprit
