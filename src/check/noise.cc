#include "check/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/text.h"
#include "check/draws.h"
#include "judge/noise_floor.h"
#include "judge/tolerance.h"
#include "model/quantization.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

constexpr std::size_t floor_samples = 4;
constexpr std::uint64_t first_seed = 1;
constexpr std::size_t outputs_named = 3;

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
      draw.samples.resize(self->reference_.size());
      std::iota(draw.samples.begin(), draw.samples.end(), std::size_t{0});
      self->draws_.ask(std::move(draw), [self](const Draw&, const RunOutcome& outcome) { self->take(outcome); });
    }
  }

 private:
  using Pack = std::vector<NamedTensor>;

  void read_reference() {
    const std::size_t count = std::min(basis_.reference.size(), floor_samples);
    for (std::size_t sample = 0; sample < count; ++sample) {
      auto pack = read_pack(basis_.reference[sample]);
      if (!pack) break;
      for (const NamedTensor& output : *pack) {
        NoiseFloor& floor = result_.outputs[output.name];
        const double before = floor.rms;
        add_reference(floor, output.value);
        if (floor.rms > before || !largest_.contains(output.name)) largest_[output.name] = output.value;
      }
      reference_.push_back(std::move(*pack));
    }
  }

  void add_steps() {
    if (basis_.model.proto == nullptr) return;
    for (const auto& [output, step] : quantization_steps(*basis_.model.proto)) {
      if (const auto at = result_.outputs.find(output); at != result_.outputs.end()) {
        at->second.step = std::max(at->second.step, step);
      }
    }
  }

  void take(const RunOutcome& outcome) {
    const bool ran = !outcome.failure.failed() && outcome.outputs.size() == reference_.size();
    if (ran) {
      take_outputs(outcome);
    } else {
      for (auto& [name, floor] : result_.outputs) ++floor.discarded;
    }
    if (--owed_ == 0) finish();
  }

  /// A draw counts for an output if it does on every sample.
  void take_outputs(const RunOutcome& outcome) {
    std::map<std::string, Drift> drifts;
    for (std::size_t sample = 0; sample < reference_.size(); ++sample) {
      const auto found = read_pack(outcome.outputs[sample]);
      const Pack& expected = reference_[sample];
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool there = found && i < found->size();
        const Drift here = there ? drift_of(expected[i].value, (*found)[i].value) : Drift{};
        const auto [at, is_first] = drifts.emplace(expected[i].name, here);
        if (is_first) continue;
        at->second.counts = at->second.counts && here.counts;
        at->second.deviation = std::max(at->second.deviation, here.deviation);
      }
    }
    for (const auto& [name, drift] : drifts) {
      NoiseFloor& floor = result_.outputs[name];
      ++(drift.counts ? floor.draws : floor.discarded);
      if (drift.counts) floor.deviation = std::max(floor.deviation, drift.deviation);
    }
  }

  void finish() {
    for (auto& [name, floor] : result_.outputs) complete(floor);
    if (auto hides = floor_hides(result_.outputs, largest_, basis_.options.tolerance)) {
      result_.warnings.push_back(std::move(*hides));
    }
    then_(std::move(result_));
  }

  const Basis& basis_;
  std::function<void(FloorResult)> then_;
  Draws draws_;
  std::vector<Pack> reference_;
  std::map<std::string, Tensor> largest_;
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
