#include "check/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/text.h"
#include "check/draws.h"
#include "judge/noise_floor.h"
#include "judge/parts.h"
#include "judge/tolerance.h"
#include "model/quantization.h"
#include "model/stepped.h"
#include "tensor/pack.h"
#include "tensor/value.h"

namespace culprit {
namespace {

constexpr std::size_t floor_samples = 4;
constexpr std::uint64_t first_seed = 1;
constexpr std::size_t outputs_named = 3;

/// The first ones; half of them directed ones, where there are so many.
std::vector<std::size_t> floor_samples_of(const Basis& basis) {
  const std::size_t count = std::min(basis.reference.size(), floor_samples);
  const std::size_t directed = std::min(basis.directed, count / 2);
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < count - directed; ++i) samples.push_back(i);
  for (std::size_t i = 0; i < directed; ++i) samples.push_back(basis.reference.size() - basis.directed + i);
  return samples;
}

/// What is known so far; lives until the last draw has come.
class FloorMeasurement {
 public:
  FloorMeasurement(Desk& desk, const Basis& basis, std::function<void(FloorResult)> then)
      : basis_(basis), then_(std::move(then)), draws_(desk, basis, "floor") {
    read_reference();
    add_steps();
  }

  static void start(const std::shared_ptr<FloorMeasurement>& self) {
    const int draws = self->draws_.possible() && !self->reference_.empty() ? self->basis_.options.draws : 0;
    self->owed_ = draws;
    if (draws <= 0) return self->finish();
    for (int i = 0; i < draws; ++i) {
      Draw draw{first_seed + static_cast<std::uint64_t>(i)};
      draw.samples = self->samples_;
      self->draws_.ask(std::move(draw), [self](const Draw&, const RunOutcome& outcome) { self->take(outcome); });
    }
  }

 private:
  using Pack = std::vector<NamedTensor>;

  void read_reference() {
    for (const std::size_t sample : floor_samples_of(basis_)) {
      auto pack = read_pack(basis_.reference[sample]);
      if (!pack) break;
      const auto labels = labels_of(*pack);
      for (std::size_t i = 0; i < pack->size(); ++i) {
        if (is_form((*pack)[i].part)) continue;
        NoiseFloor& floor = floors_of(sample)[labels[i]];
        const double before = floor.rms;
        add_reference(floor, (*pack)[i].value);
        if (is_directed(sample)) continue;
        if (floor.rms > before || !largest_.contains(labels[i])) largest_[labels[i]] = (*pack)[i].value;
      }
      samples_.push_back(sample);
      reference_.push_back(std::move(*pack));
    }
  }

  [[nodiscard]] bool is_directed(std::size_t sample) const {
    return sample >= basis_.reference.size() - basis_.directed;
  }
  std::map<std::string, NoiseFloor>& floors_of(std::size_t sample) {
    return is_directed(sample) ? result_.directed : result_.outputs;
  }
  template <class Visit>
  void for_each_floor(const Visit& visit) {
    for (auto* floors : {&result_.outputs, &result_.directed}) {
      for (auto& [name, floor] : *floors) visit(name, floor);
    }
  }

  void add_steps() {
    if (basis_.model.proto == nullptr) return;
    const auto steps = quantization_steps(*basis_.model.proto);
    const auto stepped = stepped_outputs(*basis_.model.proto);
    for_each_floor([&](const std::string& output, NoiseFloor& floor) {
      if (const auto at = steps.find(output); at != steps.end()) floor.step = std::max(floor.step, at->second);
      floor.stepped = floor.eps > 0 && floor.step == 0 && stepped.contains(output);  // a known step needs no ties
      if (floor.stepped) stepped_.insert(output);
    });
  }

  void take(const RunOutcome& outcome) {
    const bool ran = !outcome.failure.failed() && outcome.outputs.size() == reference_.size();
    if (ran) {
      take_outputs(outcome);
    } else {
      for_each_floor([](const std::string&, NoiseFloor& floor) { ++floor.discarded; });
    }
    if (--owed_ == 0) finish();
  }

  /// What one sample of a draw tells of each output; nothing of those whose form it changed.
  [[nodiscard]] std::map<std::string, Drift> drifts_between(const Pack& expected, const Pack& found) const {
    std::map<std::string, Drift> drifts;
    const auto labels = labels_of(expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!is_form(expected[i].part)) drifts[labels[i]] = {};
    }
    for (const PartPair& pair : pair_parts(expected, found)) {
      if (pair.variant == nullptr || pair.is_form) continue;
      drifts[pair.label] = stepped_.contains(pair.label) ? drift_between_jumps(*pair.reference, *pair.variant)
                                                         : drift_of(*pair.reference, *pair.variant);
    }
    return drifts;
  }

  /// A draw counts for an output if it does on every sample of the kind.
  void take_outputs(const RunOutcome& outcome) {
    std::map<std::pair<bool, std::string>, Drift> drifts;
    for (std::size_t sample = 0; sample < reference_.size(); ++sample) {
      const auto found = read_pack(outcome.outputs[sample]);
      const bool directed = is_directed(samples_[sample]);
      for (const auto& [label, here] : drifts_between(reference_[sample], found.value_or(Pack{}))) {
        const auto [at, is_first] = drifts.emplace(std::pair{directed, label}, here);
        if (is_first) continue;
        at->second.counts = at->second.counts && here.counts;
        at->second.deviation = std::max(at->second.deviation, here.deviation);
      }
    }
    for (const auto& [place, drift] : drifts) {
      NoiseFloor& floor = (place.first ? result_.directed : result_.outputs)[place.second];
      ++(drift.counts ? floor.draws : floor.discarded);
      if (drift.counts) floor.deviation = std::max(floor.deviation, drift.deviation);
    }
  }

  void finish() {
    for_each_floor([](const std::string&, NoiseFloor& floor) { complete(floor); });
    if (auto hides = floor_hides(result_.outputs, largest_, basis_.options.tolerance)) {
      result_.warnings.push_back(std::move(*hides));
    }
    then_(std::move(result_));
  }

  const Basis& basis_;
  std::function<void(FloorResult)> then_;
  Draws draws_;
  std::vector<std::size_t> samples_;  // that are drawn
  std::vector<Pack> reference_;       // of these
  std::map<std::string, Tensor> largest_;
  std::set<std::string> stepped_;  // outputs
  FloorResult result_;
  int owed_ = 0;
};

}  // namespace

void measure_floor(Desk& desk, const Basis& basis, std::function<void(FloorResult)> then) {
  FloorMeasurement::start(std::make_shared<FloorMeasurement>(desk, basis, std::move(then)));
}

std::optional<Warning> floor_hides(const std::map<std::string, NoiseFloor>& floors,
                                   const std::map<std::string, Tensor>& largest, const Tolerance& tolerance) {
  std::vector<std::string> hidden;
  for (const auto& [name, floor] : floors) {
    const auto reference = largest.find(name);
    if (reference == largest.end() || is_exact(reference->second.dtype())) continue;
    const Bounds bounds = bounds_for(reference->second, tolerance);
    const double allowed = bounds.atol + bounds.rtol * floor.rms;
    if (!(floor.abs > allowed)) continue;
    hidden.push_back(
        fmt::format("output '{}': floor {:.2g}, tolerance {:.2g}", printable(name, 100), floor.abs, allowed));
  }
  if (hidden.empty()) return std::nullopt;
  const std::size_t count = hidden.size();
  if (count > outputs_named) hidden.resize(outputs_named);
  std::string text = "rounding alone moves outputs further than the tolerance, so smaller faults cannot be seen: " +
                     join(hidden, "; ");
  if (count > outputs_named) text += fmt::format("; and {} more", count - outputs_named);
  return Warning{"floor_hides", text};
}

}  // namespace culprit
