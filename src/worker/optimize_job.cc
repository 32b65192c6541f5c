#include "worker/optimize_job.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <chrono>

#include "model/fingerprint.h"
#include "worker/ending.h"
#include "worker/limits.h"
#include "worker/recipes.h"
#include "worker/scan.h"
#include "worker/supervisor.h"
#include "worker/wire.h"

namespace culprit {
namespace {

using Clock = std::chrono::steady_clock;

/// The model as given, with external data inside.
Result<std::shared_ptr<const onnx::ModelProto>> load_whole(const std::filesystem::path& path) {
  auto model = load_model(path);
  if (!model) return tl::unexpected(model.error());
  if (!model->has_external_data) return model->proto;
  auto whole = std::make_shared<onnx::ModelProto>(*model->proto);
  if (auto inlined = inline_external_data(*whole, path.parent_path()); !inlined) return tl::unexpected(inlined.error());
  return std::shared_ptr<const onnx::ModelProto>(std::move(whole));
}

class Import {
 public:
  Import(const OptimizeJob& job, const WorkerSkills& skills, Supervisor& supervisor)
      : job_(job), skills_(skills), supervisor_(supervisor) {}

  /// Fills `model` and `session`, or tells why not.
  ImportOutcome run() {
    ImportOutcome outcome;
    limit_process(job_.limits);
    try {
      import(outcome);
    } catch (...) {
      outcome.failure = failure_of_exception();
    }
    unlimit_process();
    return outcome;
  }

  std::shared_ptr<Optimizer> optimizer;
  std::shared_ptr<const onnx::ModelProto> model;
  std::unique_ptr<OptimizerSession> session;

 private:
  void import(ImportOutcome& outcome) {
    const auto found =
        std::ranges::find(skills_.optimizers, job_.optimizer, [](const auto& one) { return one->name(); });
    if (found == skills_.optimizers.end()) {
      outcome.failure = failure_of_text("this worker knows no optimizer '" + job_.optimizer + "'");
      return;
    }
    optimizer = *found;
    supervisor_.doing("loading the model");
    auto loaded = load_whole(job_.model);
    if (!loaded) {
      outcome.failure = failure_of_text(loaded.error().text());
      return;
    }
    model = *loaded;
    outcome.original = fingerprint(*model);
    supervisor_.doing("checking the model as given");
    outcome.checker_complaint = checker_complaint(*model);
    supervisor_.doing("importing the model");
    wire::FromWorker message;
    message.mutable_importing();
    supervisor_.say(message);
    const auto start = Clock::now();
    session = optimizer->import(*model);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }

  const OptimizeJob& job_;
  const WorkerSkills& skills_;
  Supervisor& supervisor_;
};

}  // namespace

void serve_optimize(const wire::OptimizeJob& wire_job, const WorkerSkills& skills, Channel& parent) {
  const OptimizeJob job = wire::decode(wire_job);
  Supervisor supervisor(parent, wire_job.scratch(), job.limits);
  Import import(job, skills, supervisor);
  const ImportOutcome imported = import.run();
  wire::FromWorker message;
  *message.mutable_imported() = wire::encode(imported);
  supervisor.say(message);
  if (!imported.failure.failed()) {
    const auto passes = import.optimizer->passes();
    const Scan found = scan(*import.session, scannable(job, passes), job.most_places, supervisor);
    if (job.most_places > 0) {
      wire::encode(found.places, *message.mutable_scanned());
      supervisor.say(message);
    }
    Recipes(job, *import.model, *import.session, supervisor).run(to_do(job, passes, found.matching));
  }
  message.mutable_optimized();
  supervisor.say(message);
}

}  // namespace culprit
