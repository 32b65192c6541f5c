#pragma once
// Workers that start no process: their executors are those of the test.

#include <functional>
#include <memory>
#include <utility>

#include "app/workers.h"

namespace culprit {

class FakeWorkers : public Workers {
 public:
  using MakeExecutor = std::function<std::unique_ptr<Executor>()>;
  using MakeBlocks = std::function<std::unique_ptr<MeasuringBlocks>()>;

  FakeWorkers(MakeExecutor executor, MakeBlocks blocks) : executor_(std::move(executor)), blocks_(std::move(blocks)) {}

  Result<std::filesystem::path> find_runtime(const std::string& named) override {
    if (named == "nosuch") return fail(ErrorKind::not_found, "there is no such library");
    return std::filesystem::path("libonnxruntime.so.9.9.9");
  }
  Result<ProbedRuntime> probe(const std::filesystem::path&, double) override {
    return ProbedRuntime{"9.9.9", {"CUDA", "CPU"}};
  }
  Result<Harvest> steps_of(const std::filesystem::path&) override { return Harvest{"9.9.9", {}}; }
  Result<std::unique_ptr<Executor>> make_executor(const std::filesystem::path&, int, const std::filesystem::path&,
                                                  bool) override {
    return executor_();
  }
  std::unique_ptr<MeasuringBlocks> make_blocks(const std::filesystem::path&, const std::filesystem::path&) override {
    return blocks_();
  }
  Result<std::vector<std::string>> command_of_run(const MeasuredModel&, const std::filesystem::path&) override {
    return std::vector<std::string>{"true"};
  }
  Result<MachineLimits> limits(std::int64_t) override { return fail(ErrorKind::unsupported, "nobody measures here"); }

 private:
  MakeExecutor executor_;
  MakeBlocks blocks_;
};

}  // namespace culprit
