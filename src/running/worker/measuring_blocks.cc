#include "worker/measuring_blocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "process/child.h"
#include "process/how_it_ended.h"
#include "process/interrupt.h"
#include "process/start_child.h"
#include "runtime/runner_kind.h"
#include "worker/wire.h"

namespace culprit {
namespace {

bool are_times(const google::protobuf::RepeatedField<double>& seconds) {
  return std::ranges::all_of(seconds, [](double value) { return std::isfinite(value) && value >= 0; });
}

class Block : public MeasuringBlock {
 public:
  Block(MeasuringOptions options, std::vector<MeasuredModel> models)
      : options_(std::move(options)), models_(std::move(models)) {}

  Loaded load(std::size_t model) override {
    wire::ToWorker message;
    message.mutable_measure()->set_number(static_cast<std::uint32_t>(model));
    const auto runner = runner_of(model);
    if (!runner) return {failure_of_machine(runner.error().text()), 0, {}};
    *message.mutable_measure()->mutable_job() = wire::encode(models_[model].job, *runner);
    const auto answer = ask(model, message, models_[model].job.limits);
    if (!answer) return {failure_, 0, {}};
    if (failure_.failed()) return {failure_, answer->seconds_load(), {}};
    return {{}, answer->seconds_load(), printable(answer->runtime_version(), 100)};
  }

  Turn run(std::size_t model, std::int64_t runs) override { return run_on(model, runs, std::nullopt); }

  Turn run_sample(std::size_t model, std::int64_t runs, std::size_t sample) override {
    return run_on(model, runs, sample);
  }

  Result<std::filesystem::path> end_profile(std::size_t model) override {
    wire::ToWorker message;
    message.mutable_end_profile()->set_number(static_cast<std::uint32_t>(model));
    const auto answer = ask(model, message, models_[model].job.limits);
    if (answer && !failure_.failed()) {
      const auto file = wire::decode_profile(answer->profile(), models_[model].job.session.profile_to, /*is_due=*/true);
      if (file) return *file;
      nonsense(model);
    }
    if (failure_.skipped) return ended_early();
    return fail(failure_.machine ? ErrorKind::io : ErrorKind::bad_input, failure_.message);
  }

  Resident resident(std::size_t model) override {
    wire::ToWorker message;
    message.mutable_resident()->set_number(static_cast<std::uint32_t>(model));
    const auto answer = ask(model, message, models_[model].job.limits);
    if (!answer) return {};
    return {answer->now(), answer->largest(), answer->arena()};
  }

 private:
  Turn run_on(std::size_t model, std::int64_t runs, std::optional<std::size_t> sample) {
    wire::ToWorker message;
    message.mutable_turn()->set_number(static_cast<std::uint32_t>(model));
    message.mutable_turn()->set_runs(static_cast<std::uint64_t>(runs));
    if (sample) message.mutable_turn()->set_sample(*sample);
    Limits limits = models_[model].job.limits;
    limits.cpu_seconds *= static_cast<double>(runs);
    const auto answer = ask(model, message, limits);
    if (!answer || failure_.failed()) return {failure_, {}};
    const bool tells_waiting = answer->waited_size() > 0;
    if (answer->seconds_size() != runs || (tells_waiting && answer->waited_size() != runs))
      return {nonsense(model), {}};
    return {
        {}, {answer->seconds().begin(), answer->seconds().end()}, {answer->waited().begin(), answer->waited().end()}};
  }

  [[nodiscard]] Result<RunnerSpec> runner_of(std::size_t model) const {
    const auto& own = models_[model].library;
    return runner_for(models_[model].job.model, {own.empty() ? options_.runtime_library : own}, options_.others);
  }

  Child* process_for(std::size_t model) {
    const auto runner = runner_of(model);
    if (!runner) {
      failure_ = failure_of_machine(runner.error().text());
      return nullptr;
    }
    if (const auto found = processes_.find(runner->library); found != processes_.end()) return &found->second;
    auto child = start_program(options_.program, {"worker", "--fd", std::to_string(channel_fd)}, options_.scratch);
    if (!child) {
      failure_ = failure_of_machine(child.error().text());
      return nullptr;
    }
    return &processes_.emplace(runner->library, std::move(*child)).first->second;
  }

  /// The answer, or what is left of a process that gave none. `failure_` tells of both.
  std::optional<wire::Measured> ask(std::size_t model, const wire::ToWorker& message, const Limits& limits) {
    if (failure_.failed()) return std::nullopt;
    Child* child = process_for(model);
    if (child == nullptr) return std::nullopt;
    child->watch(limits);
    child->channel().send(message.SerializeAsString());
    while (true) {
      const bool over = child->over();
      if (const auto bytes = child->channel().next()) return understood(model, *bytes, *child);
      if (interrupt_requested()) child->condemn({Ending::threw, "interrupted", "", false, /*skipped=*/true});
      child->check_limits();
      if (over || child->condemned()) {
        failure_ = child->bury();
        return std::nullopt;
      }
      wait_for({child}, {interrupt_fd()}, child->milliseconds());
    }
  }

  std::optional<wire::Measured> understood(std::size_t model, const std::string& bytes, Child& child) {
    child.unwatch();
    const auto message = wire::parse<wire::FromWorker>(bytes);
    const auto failure =
        message && message->has_measured() ? wire::decode(message->measured().failure()) : std::nullopt;
    if (!failure || !are_times(message->measured().seconds()) || !are_times(message->measured().waited()) ||
        !std::isfinite(message->measured().seconds_load())) {
      nonsense(model);
      return std::nullopt;
    }
    failure_ = *failure;
    if (failure_.failed()) failure_.last_words = child.log().last_words();
    return message->measured();
  }

  const Failure& nonsense(std::size_t model) {
    failure_ = {Ending::crashed, "its process answered nonsense while " + models_[model].job.model.string() + " ran",
                ""};
    return failure_;
  }

  MeasuringOptions options_;
  std::vector<MeasuredModel> models_;
  std::map<std::filesystem::path, Child> processes_;  ///< by library
  Failure failure_;
};

class Blocks : public MeasuringBlocks {
 public:
  explicit Blocks(MeasuringOptions options) : options_(std::move(options)) {}
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    return std::make_unique<Block>(options_, std::move(models));
  }

 private:
  MeasuringOptions options_;
};

}  // namespace

std::unique_ptr<MeasuringBlocks> make_measuring_blocks(MeasuringOptions options) {
  return std::make_unique<Blocks>(std::move(options));
}

}  // namespace culprit
