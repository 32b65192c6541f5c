#include "worker/optimize_job.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/memory.h"
#include "base/stopwatch.h"
#include "model/fingerprint.h"
#include "model/order_by_use.h"
#include "model/placed_weights.h"
#include "process/how_it_ended.h"
#include "process/limit_itself.h"
#include "worker/infer_types.h"
#include "worker/predicate_scan.h"
#include "worker/run_recipes.h"
#include "worker/supervisor.h"
#include "worker/wire.h"

namespace culprit {
namespace {

/// The model as given, with external data brought inside, and then the large tensors of large models in `weights`.
Result<onnx::ModelProto> load_whole(const std::filesystem::path& path, Weights& weights) {
  auto loaded = load_proto(path);
  if (!loaded) return tl::unexpected(loaded.error());
  onnx::ModelProto model = std::move(*loaded);
  if (auto inlined = inline_external_data(model, path.parent_path()); !inlined) return tl::unexpected(inlined.error());
  if (placeable_bytes(model) >= placed_model_bytes) place_weights(model, Stored::raw, weights);
  return model;
}

class Import {
 public:
  Import(const OptimizeJob& job, const WorkerSkills& skills, Supervisor& supervisor, ImportPlace place)
      : job_(job), skills_(skills), supervisor_(supervisor), place_(std::move(place)) {}

  /// Fills `model` and `session`, or tells why not.
  ImportOutcome run() {
    ImportOutcome outcome;
    const Stopwatch watch;
    limit_process(job_.limits);
    try {
      import(outcome);
    } catch (...) {
      outcome.failure = failure_of_exception();
    }
    unlimit_process();
    outcome.seconds_total = watch.seconds();
    outcome.peak_bytes = peak_resident_bytes();
    return outcome;
  }

  std::shared_ptr<Optimizer> optimizer;
  onnx::ModelProto model;
  Weights weights;  // of the model, where it is large; moved to the session while that is there
  std::unique_ptr<OptimizerSession> session;

 private:
  void import(ImportOutcome& outcome) {
    auto found = std::ranges::find(skills_.optimizers, job_.optimizer, [](const auto& one) { return one->name(); });
    if (found == skills_.optimizers.end())
      found =
          std::ranges::find(skills_.optimizers, command_optimizer_name, [](const auto& one) { return one->name(); });
    if (found == skills_.optimizers.end()) {
      outcome.failure = failure_of_text("this worker knows no optimizer '" + job_.optimizer + "'");
      return;
    }
    optimizer = *found;
    supervisor_.doing("loading the model");
    auto loaded = load_whole(job_.model, weights);
    if (!loaded) {
      outcome.failure = failure_of_text(loaded.error().text());
      return;
    }
    model = std::move(*loaded);
    outcome.original = fingerprint(model);
    supervisor_.doing("checking the model as given");
    outcome.checker_complaint = complaint_but_for_order(model);
    if (job_.infers_types) outcome.types_complaint = inferred_complaint(model, supervisor_);
    supervisor_.doing("importing the model");
    wire::FromWorker message;
    message.mutable_importing();
    supervisor_.say(message);
    const Stopwatch watch;
    session = optimizer->import(model, place_);
    if (!weights.empty()) session->use(weights);
    outcome.seconds = watch.seconds();
  }

  const OptimizeJob& job_;
  const WorkerSkills& skills_;
  Supervisor& supervisor_;
  ImportPlace place_;
};

}  // namespace

void serve_optimize(const wire::OptimizeJob& wire_job, const WorkerSkills& skills, StayingProgram& staying,
                    Channel& parent) {
  const OptimizeJob job = wire::decode(wire_job);
  Supervisor supervisor(parent, wire_job.scratch(), job.limits);
  Import import(job, skills, supervisor, {job.model, wire_job.scratch(), job.runtime_library});
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
    const bool is_sorted = nodes_too_early(import.model.graph()) == 0;
    Recipes({job, import.model, import.weights, import.optimizer->loses_types(), is_sorted}, *import.session,
            supervisor, staying)
        .run(to_do(job, passes, found.matching));
  }
  message.mutable_optimized();
  supervisor.say(message);
}

}  // namespace culprit
