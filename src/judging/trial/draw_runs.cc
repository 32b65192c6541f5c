#include "trial/draw_runs.h"

#include <onnx/onnx_pb.h>

#include <utility>

#include "base/folder.h"
#include "judge/draw_results.h"
#include "model/perturb_quantized.h"
#include "model/perturb_results.h"
#include "model/perturb_weights.h"

namespace culprit {
namespace {

constexpr std::size_t at_once = 3;
constexpr std::uint64_t first_seed = 1;

/// A draw that could not even be asked for: the machine's doing.
RunOutcome not_started(const Error& error) {
  RunOutcome outcome;
  outcome.stage = RunOutcome::Stage::start;
  outcome.failure.ending = Ending::threw;
  outcome.failure.machine = true;
  outcome.failure.message = error.text();
  return outcome;
}

}  // namespace

Draw draw_of(int number, std::vector<std::size_t> samples) {
  return {first_seed + static_cast<std::uint64_t>(number), ulps_of_draw(number), std::move(samples)};
}

Draws::Draws(Dispatcher& dispatcher, const Reference& reference, fs::path folder)
    : dispatcher_(dispatcher), reference_(reference), folder_(std::move(folder)), drawn_{reference.model.path, {}} {
  const auto& proto = reference_.model.proto;
  model_moves_ =  // of what is not there, that is not known
      proto == nullptr || (movable_weights(*proto) > 0 || perturbable_results(*proto) > 0 || quantizes(*proto));
}

Draws::Draws(Dispatcher& dispatcher, const Reference& reference, fs::path folder, DrawnVariant variant)
    : dispatcher_(dispatcher),
      reference_(reference),
      folder_(std::move(folder)),
      drawn_(std::move(variant)),
      model_moves_(true) {}

void Draws::ask(Draw draw, OnDraw then) {
  waiting_.push_back({std::move(draw), std::move(then)});
  start_next();
}

void Draws::start_next() {
  while (under_way_ < at_once && !waiting_.empty()) {
    const Asked asked = std::move(waiting_.front());
    waiting_.pop_front();
    start(asked);
  }
}

void Draws::start(const Asked& asked) {
  const fs::path folder = folder_.string() + "-" + std::to_string(started_++);
  ++under_way_;
  auto job = prepare(asked.draw, folder);
  if (!job) return finish(asked, not_started(job.error()), folder);
  dispatcher_.run(std::move(*job),
                  [this, asked, folder](const RunOutcome& outcome) { finish(asked, outcome, folder); });
}

void Draws::finish(const Asked& asked, const RunOutcome& outcome, const fs::path& folder) {
  --under_way_;
  asked.then(asked.draw, outcome);
  remove_folder(folder);
  start_next();
}

Result<RunJob> Draws::prepare(const Draw& draw, const fs::path& folder) {
  if (auto made = make_folder(folder); !made) return tl::unexpected(made.error());
  RunJob job;
  job.model = drawn_.file;
  job.inputs = drawn_.inputs;
  job.outputs = drawn_.outputs;
  job.session = reference_.session;
  job.limits = reference_.options.limits;
  job.folder = folder / "outputs";
  if (draw.ulps > 0) job.perturbation = Perturbation{draw.seed, draw.ulps};
  for (const std::size_t sample : draw.samples) job.samples.push_back(reference_.samples.at(sample));
  return job;
}

}  // namespace culprit
