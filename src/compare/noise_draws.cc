#include "compare/noise_draws.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "base/random.h"
#include "compare/jobs.h"
#include "judge/parts.h"
#include "model/natures.h"
#include "model/perturb_results.h"
#include "tensor/nudge.h"
#include "tensor/pack.h"
#include "tensor/value.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

Result<void> write_moved(const fs::path& sample, const fs::path& to, std::uint64_t seed, unsigned ulps,
                         const std::set<std::string>& summed) {
  auto inputs = read_pack(sample);
  if (!inputs) return tl::unexpected(inputs.error());
  for (NamedTensor& input : *inputs) {
    if (!is_nudgeable(input.value.dtype()) || input.value.count() < 2 || !summed.contains(input.name)) continue;
    Random random(seed, input.name + input.part);
    input.value = nudged(input.value, random, ulps);
  }
  return write_pack(to, *inputs);
}

/// Where each value of `one` stands in `other`, which may hold them in another order; behind its end what it lacks.
std::vector<std::size_t> positions_in(const Pack& one, const Pack& other) {
  const auto own = values_in(one.tensors()), others = values_in(other.tensors());
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < others.size(); ++i) by_name.emplace(others[i].front().name, i);
  std::vector<std::size_t> positions;
  for (const auto& parts : own) {
    const auto at = by_name.find(parts.front().name);
    positions.push_back(at == by_name.end() ? others.size() : at->second);
  }
  return positions;
}

/// What one draw gave of each value, by sample.
Result<void> add_draw(const RunOutcome& outcome, unsigned ulps, const Packs& found,
                      std::map<std::string, std::vector<Drawn>>& drawn) {
  const auto moved = ran(outcome, found.size()) ? read_packs(outcome.outputs) : Result<Packs>();
  if (!moved) return tl::unexpected(moved.error());
  for (std::size_t sample = 0; sample < std::min(found.size(), moved->size()); ++sample) {
    const Pack& one = found[sample];
    const Pack& other = (*moved)[sample];
    for (const PartPair& pair : pair_parts(one.tensors(), other.tensors(), positions_in(one, other))) {
      const auto at = drawn.find(pair.label);
      const bool is_there = pair.variant != nullptr || !pair.change.empty();
      if (is_there && at != drawn.end() && sample < at->second.size()) add_draw(at->second[sample], pair, ulps);
    }
  }
  return {};
}

}  // namespace

Noise noise_without_draws(const std::vector<std::string>& values, const Packs& found, const onnx::ModelProto& model) {
  const auto natures = natures_of(model);
  Noise noise;
  for (const std::string& value : values) {
    ValueNoise& known = noise[value];
    if (!known.by_sample.empty()) continue;  // a model may name an output twice
    const auto nature = natures.find(value);
    for (const Pack& pack : found) {
      const Tensor* tensor = pack.find(value);
      Drawn drawn;
      if (tensor != nullptr)
        drawn.nature = nature_for(tensor->dtype(), nature == natures.end() ? Nature::smooth : nature->second);
      known.by_sample.push_back(tensor == nullptr ? Explained{} : explain(*tensor, std::move(drawn)));
    }
  }
  return noise;
}

Result<std::vector<fs::path>> NoiseDraws::moved_samples(const RunJob& job, int draw) {
  const std::set<std::string> summed = summed_inputs(*a_.proto);
  std::vector<fs::path> samples;
  for (const fs::path& sample : job.samples) {
    const auto [at, is_new] = moved_.try_emplace({sample, draw});
    if (is_new) {
      at->second = folder_ / ("moved-" + std::to_string(moved_.size()) + ".pack");
      const auto seed = static_cast<std::uint64_t>(draw) * 1000 + moved_.size();
      if (auto ok = write_moved(sample, at->second, seed, ulps_of_draw(draw), summed); !ok)
        return tl::unexpected(ok.error());
    }
    samples.push_back(at->second);
  }
  return samples;
}

Result<void> NoiseDraws::add(const RunJob& job, const Packs& found, Noise& noise, int from, int to) {
  std::vector<RunJob> jobs;
  for (int draw = from; draw < std::min(to, draws_ == 0 ? 0 : to); ++draw) {
    auto samples = moved_samples(job, draw);
    if (!samples) return tl::unexpected(samples.error());
    RunJob moved = job;
    moved.samples = std::move(*samples);
    moved.nudge = Nudge{static_cast<std::uint64_t>(draw) + 1, ulps_of_draw(draw)};
    moved.folder = folder_ / ("draw-" + std::to_string(draw));
    std::error_code ignored;
    fs::create_directories(moved.folder, ignored);
    runs_ += static_cast<std::int64_t>(moved.samples.size());
    jobs.push_back(std::move(moved));
  }
  const auto outcomes = run_all(executor_, jobs);
  if (!outcomes) return tl::unexpected(outcomes.error());
  std::map<std::string, std::vector<Drawn>> drawn;
  for (auto& [value, known] : noise) {
    for (Explained& explained : known.by_sample) drawn[value].push_back(std::move(explained.drawn));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto ok = add_draw((*outcomes)[i], jobs[i].nudge->ulps, found, drawn);
    std::error_code ignored;
    fs::remove_all(jobs[i].folder, ignored);
    if (!ok) return ok;
  }
  for (auto& [value, known] : noise) {
    for (std::size_t sample = 0; sample < known.by_sample.size(); ++sample) {
      const Tensor* reference = found[sample].find(value);
      if (reference != nullptr) known.by_sample[sample] = explain(*reference, std::move(drawn[value][sample]));
    }
  }
  return {};
}

}  // namespace culprit
