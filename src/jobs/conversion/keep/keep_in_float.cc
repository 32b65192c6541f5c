#include "conversion/keep/keep_in_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/coarse/coarse_errors.h"
#include "conversion/coarse/honest_rounding.h"
#include "conversion/faults/classify.h"
#include "conversion/keep/layers_to_keep.h"

namespace culprit {
namespace {

constexpr std::size_t always_searched = 16;  // samples
constexpr std::size_t names_told = 6;

using SampleSet = std::vector<std::size_t>;

/// What some samples give, of the outputs that are bound: by sample, in their order.
using BoundTensors = std::vector<std::vector<Tensor>>;

/// What a run of the source, rounded in part, does on some samples.
struct RoundedRun {
  SampleSet changed;
  double error = 0;
};

/// The argument of onnxruntime.quantization, or of onnxruntime.transformers.float16, that leaves nodes out.
std::string option_of_quantizer(const Network& network, const CoarseTypes& types) {
  if (network.format != "onnx") return "";
  const DType narrow = types.values != DType::undefined ? types.values : types.weights;
  return is_float(narrow) ? "node_block_list" : "nodes_to_exclude";
}

double rms_of(const BoundTensors& right, const SampleSet& samples, const BoundTensors& found) {
  SquaredError error;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t output = 0; output < found[i].size(); ++output)
      error.add(right[samples[i]][output], found[i][output]);
  return error.rms();
}

class KeepingInFloat {
 public:
  explicit KeepingInFloat(const KeepTask& task)
      : task_(task),
        source_(task.sides.source),
        grids_(target_grids(source_.ways, task.sides.target.ways, task.map)),
        layers_(layers_that_round(rounding())) {}

  Result<std::optional<KeepRecord>> find() {
    if (layers_.empty()) return std::nullopt;
    const auto of_target = read_outputs();
    if (!of_target) return tl::unexpected(of_target.error());
    if (right_.empty() || *of_target != right_.size()) return std::nullopt;
    if (!decides_ || record_.changed_by_target == 0) return std::nullopt;
    record_.rounding = to_string(task_.types);
    if (source_.network().format == task_.sides.target.network().format)
      record_.option = option_of_quantizer(source_.network(), task_.types);
    record_.samples = static_cast<std::int64_t>(right_.size());
    const auto rounded = run(layers_set({}), all_samples());
    if (!rounded) return tl::unexpected(rounded.error());
    record_.changed_by_rounding = static_cast<std::int64_t>(rounded->changed.size());
    record_.runs = 1;
    record_.is_proven = rounded->changed.empty();
    if (record_.is_proven) return record_;
    choose_searched(rounded->changed);
    return rank().and_then([this] { return search(); }).map([this] { return std::optional(record_); });
  }

 private:
  [[nodiscard]] SampleSet all_samples() const {
    SampleSet all(right_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }

  /// The layers that are rounded where these, by their places in `layers_`, are kept.
  [[nodiscard]] std::set<int> layers_set(const LayerSet& kept) const {
    std::set<int> rounded(layers_.begin(), layers_.end());
    for (const std::size_t place : kept) rounded.erase(layers_[place]);
    return rounded;
  }

  [[nodiscard]] RoundingTask rounding() const {
    return {source_.ways, task_.map, task_.types, source_.sketches, grids_};
  }

  /// Takes what the source gives, and holds the target against it. How many samples of both are whole.
  Result<std::size_t> read_outputs() {
    auto elements = task_.sides.target.elements(task_.sides.target.task(true));
    BoundTensors of_target;
    for (const ValueMatch& output : task_.outputs) {
      const auto right = task_.sides.source_on_all.of(output.source);
      if (!right) return tl::unexpected(right.error());
      const auto found = elements->of(output.target);
      if (!found) return tl::unexpected(found.error());
      if (right->empty() || right->size() != found->size()) continue;
      const auto brought = brought_to_source(pair_of(output, *right, *found), *found);
      if (!brought) continue;
      outputs_.push_back(output.source);
      right_.resize(right->size());
      of_target.resize(right->size());
      for (std::size_t i = 0; i < right->size(); ++i) {
        right_[i].push_back((*right)[i]);
        of_target[i].push_back((*brought)[i]);
      }
    }
    record_.changed_by_target = static_cast<std::int64_t>(changed_in(all_samples(), of_target).size());
    return of_target.size();
  }

  SampleSet changed_in(const SampleSet& samples, const BoundTensors& found) {
    SampleSet changed;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto is_changed = task_.changes(right_[samples[i]], found[i]);
      decides_ = decides_ || is_changed.has_value();
      if (is_changed.value_or(false)) changed.push_back(samples[i]);
    }
    return changed;
  }

  /// Where the rounded source does not run, all samples count as changed.
  Result<RoundedRun> run(const std::set<int>& rounded, const SampleSet& samples) {
    SideView view;
    view.edits = rounding_of_layers(rounding(), rounded);
    if (view.edits.empty() || samples.empty()) return RoundedRun{};
    std::vector<std::filesystem::path> packs;
    packs.reserve(samples.size());
    for (const std::size_t sample : samples) packs.push_back(source_.samples[sample]);
    const auto ran = source_.runs.run(view, packs);
    if (!ran) return tl::unexpected(ran.error());
    if (!ran->has_run || ran->outputs.size() != samples.size())
      return RoundedRun{samples, std::numeric_limits<double>::infinity()};
    const auto values = values_of_outputs(source_.network(), ran->outputs);
    BoundTensors found(samples.size());
    for (const int output : outputs_) {
      const auto given = values.find(output);
      if (given == values.end()) return RoundedRun{samples, std::numeric_limits<double>::infinity()};
      for (std::size_t i = 0; i < samples.size(); ++i) found[i].push_back(given->second[i]);
    }
    return RoundedRun{changed_in(samples, found), rms_of(right_, samples, found)};
  }

  /// Those that change, and as many others; of few samples all.
  void choose_searched(const SampleSet& changed) {
    const std::size_t most = std::max(always_searched, 2 * changed.size());
    searched_ = changed;
    for (std::size_t sample = 0; sample < right_.size(); ++sample) {
      if (std::ranges::binary_search(changed, sample)) continue;
      (searched_.size() < most ? searched_ : others_).push_back(sample);
    }
    std::ranges::sort(searched_);
  }

  Result<void> rank() {
    for (const int layer : layers_) {
      const auto alone = run({layer}, searched_);
      if (!alone) return tl::unexpected(alone.error());
      record_.layers.push_back(
          {layer_ref(source_.network(), layer), alone->error, static_cast<std::int64_t>(alone->changed.size())});
      costs_.push_back(alone->error);
      if (task_.progress) task_.progress(costs_.size(), layers_.size(), "rounding each layer alone");
    }
    std::ranges::stable_sort(record_.layers, std::greater(), &LayerCost::error);
    return {};
  }

  Result<std::int64_t> changed_with(const LayerSet& kept) {
    if (kept.empty()) return record_.changed_by_rounding;
    if (task_.progress)
      task_.progress(0, 0, fmt::format("keeping {} of {} layers in float", kept.size(), layers_.size()));
    auto outcome = run(layers_set(kept), searched_);
    if (outcome && outcome->changed.empty()) outcome = run(layers_set(kept), others_);
    return outcome.map([](const RoundedRun& ran) { return static_cast<std::int64_t>(ran.changed.size()); });
  }

  Result<void> search() {
    const auto found = layers_to_keep(costs_, [this](const LayerSet& kept) { return changed_with(kept); });
    if (!found) return tl::unexpected(found.error());
    for (const std::size_t place : found->kept) record_.kept.push_back(layer_ref(source_.network(), layers_[place]));
    record_.changed_left = found->changed_left;
    record_.is_proven = found->changed_left == 0;
    record_.runs = found->questions;
    return {};
  }

  const KeepTask& task_;
  ReadSide& source_;
  TargetGrids grids_;
  std::vector<int> layers_;   // that can be kept
  std::vector<int> outputs_;  // bound, and read on both sides
  BoundTensors right_;        // what the source gives on all samples
  bool decides_ = false;
  SampleSet searched_, others_;
  std::vector<double> costs_;  // by layer, alone
  KeepRecord record_;
};

}  // namespace

Result<std::optional<KeepRecord>> keep_in_float(const KeepTask& task) { return KeepingInFloat(task).find(); }

std::string to_string(const KeepRecord& keep) {
  std::string text = fmt::format("{} of {} {} decided otherwise", keep.changed_by_target, keep.samples,
                                 keep.changed_by_target == 1 ? "samples is" : "samples are");
  if (keep.changed_by_rounding == 0) return text + ", and none where the source is rounded likewise";
  std::vector<std::string> names;
  for (const LayerRef& layer : keep.kept)
    if (names.size() < names_told) names.push_back("'" + printable(layer.name, 60) + "'");
  if (keep.kept.size() > names.size()) names.push_back(fmt::format("{} more", keep.kept.size() - names.size()));
  if (keep.is_proven)
    return text + "; none is where " + join(names, ", ") +
           (keep.kept.size() == 1 ? " stays in float" : " stay in float");
  return text + fmt::format("; {} still where all layers stay in float", keep.changed_left);
}

}  // namespace culprit
