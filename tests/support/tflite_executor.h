#pragma once
// An executor that runs TFLite files in this process by LiteRT, where it is.

#include <deque>
#include <filesystem>
#include <memory>
#include <string>

#include "executor/executor.h"
#include "runtime/find_library.h"
#include "runtime/open_runner.h"
#include "tensor/pack_file.h"

namespace culprit::testing {

class TfliteExecutor : public Executor {
 public:
  /// Why there is none; "".
  std::string open() {
    const auto library = find_tflite();
    if (!library) return library.error().text();
    auto opened = open_runner({*library, std::string(tflite_kind)});
    if (!opened) return opened.error().text();
    runner_ = std::move(*opened);
    return "";
  }

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    waiting_.push_back(std::move(job));
    return ++jobs_;
  }
  std::optional<Outcome> next() override {
    if (waiting_.empty()) return std::nullopt;
    const JobId id = jobs_ - waiting_.size() + 1;
    RunOutcome outcome = run(waiting_.front());
    waiting_.pop_front();
    outcome.job = id;
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  static RunOutcome failed(RunOutcome outcome, RunOutcome::Stage stage, const Error& why) {
    outcome.stage = stage;
    outcome.failure.ending = Ending::threw;
    outcome.failure.message = why.text();
    return outcome;
  }

  RunOutcome run(const RunJob& job) {
    RunOutcome outcome;
    auto session = runner_->load(job.model, job.session);
    if (!session) return failed(std::move(outcome), RunOutcome::Stage::load, session.error());
    for (const auto& sample : job.samples) {
      const auto given = read_pack(sample);
      if (!given) return failed(std::move(outcome), RunOutcome::Stage::run, given.error());
      const auto made = (*session)->run(*given);
      if (!made) return failed(std::move(outcome), RunOutcome::Stage::run, made.error());
      std::filesystem::create_directories(job.folder);
      outcome.outputs.push_back(job.folder / (std::to_string(outcome.outputs.size()) + ".pack"));
      if (auto ok = write_pack(outcome.outputs.back(), *made); !ok)
        return failed(std::move(outcome), RunOutcome::Stage::run, ok.error());
    }
    return outcome;
  }

  std::unique_ptr<Runner> runner_;
  std::deque<RunJob> waiting_;
  std::size_t jobs_ = 0;
};

}  // namespace culprit::testing
