#include "runtime/runner.h"

namespace culprit {
namespace {

class PlainRun : public BoundRun {
 public:
  PlainRun(RunnerSession& session, std::vector<NamedTensor> inputs) : session_(session), inputs_(std::move(inputs)) {}
  Result<void> run() override {
    return session_.run(inputs_).map([](const auto& /*outputs*/) {});
  }

 private:
  RunnerSession& session_;
  std::vector<NamedTensor> inputs_;
};

}  // namespace

Result<std::unique_ptr<BoundRun>> RunnerSession::bind(const std::vector<NamedTensor>& inputs) {
  return std::make_unique<PlainRun>(*this, inputs);
}

}  // namespace culprit
