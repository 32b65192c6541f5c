#include "compare/value_rounding.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "executor/run_all.h"
#include "judge/paired_parts.h"
#include "model/rounding_natures.h"
#include "tensor/pack_file.h"
#include "tensor/structured_value.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

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

using DrawnValues = std::map<std::string, std::vector<Drawn>>;  // by sample

/// What one draw gave of each value.
Result<void> add_draw(const RunOutcome& outcome, unsigned ulps, const PackSequence& found, DrawnValues& drawn) {
  if (!ran(outcome, found.size())) return {};
  for (std::size_t sample = 0; sample < found.size(); ++sample) {
    const auto reference = found.at(sample);
    const auto moved = Pack::read(outcome.outputs[sample]);
    if (!reference || !moved) return tl::unexpected((!reference ? reference : moved).error());
    for (const PartPair& pair : pair_parts(reference->tensors(), moved->tensors(), positions_in(*reference, *moved))) {
      const auto at = drawn.find(pair.label);
      const bool is_there = pair.variant != nullptr || !pair.change.empty();
      if (is_there && at != drawn.end() && sample < at->second.size()) add_draw(at->second[sample], pair, ulps);
    }
  }
  return {};
}

/// What all draws so far explain.
Result<void> explain_all(const PackSequence& found, DrawnValues& drawn, Noise& noise) {
  for (std::size_t sample = 0; sample < found.size(); ++sample) {
    const auto reference = found.at(sample);
    if (!reference) return tl::unexpected(reference.error());
    for (auto& [value, known] : noise) {
      const Tensor* own = reference->find(value);
      if (sample < known.by_sample.size() && own != nullptr)
        known.by_sample[sample] = explain(*own, std::move(drawn[value][sample]));
    }
  }
  return {};
}

Result<Noise> noise_of_natures(const std::vector<std::string>& values, const PackSequence& found,
                               const std::map<std::string, Nature>& natures) {
  const std::set<std::string> distinct(values.begin(), values.end());  // a model may name an output twice
  Noise noise;
  for (const std::string& value : distinct) noise[value];
  for (std::size_t sample = 0; sample < found.size(); ++sample) {
    const auto pack = found.at(sample);
    if (!pack) return tl::unexpected(pack.error());
    for (auto& [value, known] : noise) {
      const Tensor* tensor = pack->find(value);
      const auto nature = natures.find(value);
      Drawn drawn;
      if (tensor != nullptr)
        drawn.nature = nature_for(tensor->dtype(), nature == natures.end() ? Nature::smooth : nature->second);
      known.by_sample.push_back(tensor == nullptr ? Explained{} : explain(*tensor, std::move(drawn)));
    }
  }
  return noise;
}

}  // namespace

Result<Noise> noise_without_draws(const std::vector<std::string>& values, const PackSequence& found,
                                  const onnx::ModelProto& model) {
  return noise_of_natures(values, found, natures_of(model));
}

Result<Noise> noise_without_draws(const std::vector<std::string>& values, const PackSequence& found,
                                  const Model& model) {
  return noise_of_natures(values, found,
                          model.proto == nullptr ? std::map<std::string, Nature>() : natures_of(*model.proto));
}

Result<void> NoiseDraws::add(const RunJob& job, const PackSequence& found, Noise& noise, int from, int to) {
  std::vector<RunJob> jobs;
  for (int draw = from; draw < std::min(to, draws_ == 0 ? 0 : to); ++draw) {
    RunJob moved = job;
    moved.perturbation = Perturbation{static_cast<std::uint64_t>(draw) + 1, ulps_of_draw(draw)};
    moved.folder = folder_ / ("draw-" + std::to_string(draw));
    std::error_code ignored;
    fs::create_directories(moved.folder, ignored);
    runs_ += static_cast<std::int64_t>(moved.samples.size());
    jobs.push_back(std::move(moved));
  }
  const auto outcomes = run_all(executor_, jobs);
  if (!outcomes) return tl::unexpected(outcomes.error());
  DrawnValues drawn;
  for (auto& [value, known] : noise) {
    for (Explained& explained : known.by_sample) drawn[value].push_back(std::move(explained.drawn));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto ok = add_draw((*outcomes)[i], jobs[i].perturbation->ulps, found, drawn);
    std::error_code ignored;
    fs::remove_all(jobs[i].folder, ignored);
    if (!ok) return ok;
  }
  return explain_all(found, drawn, noise);
}

}  // namespace culprit
