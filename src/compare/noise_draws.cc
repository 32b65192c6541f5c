#include "compare/noise_draws.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "base/random.h"
#include "compare/jobs.h"
#include "judge/noise_floor.h"
#include "model/perturb.h"
#include "model/quantization.h"
#include "model/stepped.h"
#include "tensor/nudge.h"
#include "tensor/pack.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

Result<void> write_moved(const fs::path& sample, const fs::path& to, std::uint64_t seed,
                         const std::set<std::string>& steering) {
  auto inputs = read_pack(sample);
  if (!inputs) return tl::unexpected(inputs.error());
  for (NamedTensor& input : *inputs) {
    if (!is_nudgeable(input.value.dtype()) || input.value.count() < 2 || steering.contains(input.name)) continue;
    Random random(seed, input.name + input.part);
    input.value = nudged(input.value, random);
  }
  return write_pack(to, *inputs);
}

}  // namespace

Noise noise_without_draws(const std::vector<std::string>& values, const Packs& found, const onnx::ModelProto& model) {
  const auto steps = quantization_steps(model);
  const auto stepped = stepped_outputs(model);
  Noise noise;
  for (const std::string& value : values) {
    ValueNoise& known = noise[value];
    for (const Pack& pack : found) {
      if (const Tensor* tensor = pack.find(value)) add_reference(known.floor, *tensor);
    }
    if (const auto step = steps.find(value); step != steps.end())
      known.floor.step = std::max(known.floor.step, step->second);
    complete(known.floor);
    known.floor.stepped = known.floor.eps > 0 && known.floor.step == 0 && stepped.contains(value);
  }
  return noise;
}

Result<std::vector<fs::path>> NoiseDraws::moved_samples(const RunJob& job, int draw) {
  const std::set<std::string> steering = steering_values(*a_.proto);
  std::vector<fs::path> samples;
  for (const fs::path& sample : job.samples) {
    const auto [at, is_new] = moved_.try_emplace({sample, draw});
    if (is_new) {
      at->second = folder_ / ("moved-" + std::to_string(moved_.size()) + ".pack");
      const auto seed = static_cast<std::uint64_t>(draw) * 1000 + moved_.size();
      if (auto ok = write_moved(sample, at->second, seed, steering); !ok) return tl::unexpected(ok.error());
    }
    samples.push_back(at->second);
  }
  return samples;
}

Result<void> NoiseDraws::add(const RunJob& job, const Packs& found, Noise& noise) {
  std::vector<RunJob> jobs;
  for (int draw = 0; draw < draws_; ++draw) {
    auto samples = moved_samples(job, draw);
    if (!samples) return tl::unexpected(samples.error());
    RunJob moved = job;
    moved.samples = std::move(*samples);
    moved.nudge = Nudge{static_cast<std::uint64_t>(draw) + 1, 1};
    moved.folder = folder_ / ("draw-" + std::to_string(draw));
    std::error_code ignored;
    fs::create_directories(moved.folder, ignored);
    runs_ += static_cast<std::int64_t>(moved.samples.size());
    jobs.push_back(std::move(moved));
  }
  const auto outcomes = run_all(executor_, jobs);
  if (!outcomes) return tl::unexpected(outcomes.error());
  for (std::size_t draw = 0; draw < jobs.size(); ++draw) {
    auto ok = add_draw((*outcomes)[draw], found, noise);
    std::error_code ignored;
    fs::remove_all(jobs[draw].folder, ignored);
    if (!ok) return ok;
  }
  for (auto& [value, known] : noise) complete(known.floor);
  return {};
}

Result<void> NoiseDraws::add_draw(const RunOutcome& outcome, const Packs& found, Noise& noise) const {
  const auto drawn = ran(outcome, found.size()) ? read_packs(outcome.outputs) : Result<Packs>();
  if (!drawn) return tl::unexpected(drawn.error());
  for (auto& [value, known] : noise) {
    Drift worst{!drawn->empty(), 0};
    for (std::size_t sample = 0; sample < drawn->size(); ++sample) {
      const Tensor* reference = found[sample].find(value);
      const Tensor* moved = (*drawn)[sample].find(value);
      if (reference == nullptr || moved == nullptr) continue;
      const bool jumps = known.floor.stepped;
      const Drift drift = jumps ? drift_between_jumps(*reference, *moved) : drift_of(*reference, *moved);
      worst = {worst.counts && drift.counts, std::max(worst.deviation, drift.deviation)};
      if (!is_exact(reference->dtype()) && !jumps) continue;
      known.ties.resize(found.size());
      known.floor.ties += mark_flips(*reference, *moved, known.ties[sample]);
    }
    ++(worst.counts ? known.floor.draws : known.floor.discarded);
    if (worst.counts) known.floor.deviation = std::max(known.floor.deviation, worst.deviation);
  }
  return {};
}

}  // namespace culprit
