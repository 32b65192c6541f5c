#include <filesystem>
#include <utility>

#include "app/ask_for_steps.h"
#include "app/limits_probe.h"
#include "app/workers.h"
#include "runtime/find_library.h"
#include "worker/lone_run.h"
#include "worker/measuring_blocks.h"
#include "worker/pool.h"

namespace culprit {
namespace {

class ProcessWorkers : public Workers {
 public:
  explicit ProcessWorkers(std::filesystem::path program) : program_(std::move(program)) {}

  Result<std::filesystem::path> find_runtime(const std::string& named) override { return find_onnxruntime(named); }

  Result<ProbedRuntime> probe(const std::filesystem::path& library, double seconds) override {
    return probe_runtime(program_, {library}, seconds);
  }

  Result<Harvest> steps_of(const std::filesystem::path& library) override { return ask_for_steps(program_, library); }

  Result<std::unique_ptr<Executor>> make_executor(const std::filesystem::path& library, int jobs,
                                                  const std::filesystem::path& scratch, bool others) override {
    PoolOptions options;
    options.program = program_;
    options.runner = {library};
    options.jobs = jobs;
    options.scratch = scratch;
    if (others) options.others = find_other_runners();
    return make_pool(std::move(options));
  }

  std::unique_ptr<MeasuringBlocks> make_blocks(const std::filesystem::path& library,
                                               const std::filesystem::path& scratch) override {
    return make_measuring_blocks({program_, library, scratch, find_other_runners()});
  }

  Result<std::vector<std::string>> command_of_run(const MeasuredModel& model,
                                                  const std::filesystem::path& file) override {
    if (auto ok = write_lone_run(model.job, {model.library}, file); !ok) return tl::unexpected(ok.error());
    return std::vector<std::string>{program_, "worker", "--run", std::filesystem::absolute(file)};
  }

  Result<MachineLimits> limits(std::int64_t threads) override { return probe_limits(program_, threads); }

 private:
  std::filesystem::path program_;
};

}  // namespace

std::unique_ptr<Workers> make_process_workers(std::filesystem::path program) {
  return std::make_unique<ProcessWorkers>(std::move(program));
}

}  // namespace culprit
