#include "runtime/run_sample.h"

#include <utility>

#include "tensor/steps.h"
#include "tensor/token_loop.h"

namespace culprit {
namespace {

class SteppedRun : public BoundRun {
 public:
  SteppedRun(RunnerSession& session, std::vector<NamedTensor> inputs) : session_(session), inputs_(std::move(inputs)) {}
  Result<void> run() override {
    return run_sample(session_, inputs_).map([](const auto& /*outputs*/) {});
  }

 private:
  RunnerSession& session_;
  std::vector<NamedTensor> inputs_;
};

}  // namespace

Result<std::vector<NamedTensor>> run_sample(RunnerSession& session, const std::vector<NamedTensor>& inputs) {
  const StepRun run = [&session](const std::vector<NamedTensor>& fed) { return session.run(fed); };
  if (has_tokens(inputs)) return run_token_loop(inputs, run);
  return has_steps(inputs) ? run_steps(inputs, run) : session.run(inputs);
}

Result<std::unique_ptr<BoundRun>> bind_sample(RunnerSession& session, const std::vector<NamedTensor>& inputs) {
  if (!has_steps(inputs) && !has_tokens(inputs)) return session.bind(inputs);
  return std::make_unique<SteppedRun>(session, inputs);
}

}  // namespace culprit
