#include "twin/calibrate_layers.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/folder.h"
#include "baseline/written_samples.h"
#include "data/sample.h"
#include "executor/dispatcher.h"
#include "executor/run_and_wait.h"
#include "model/expose_values.h"
#include "model/graph_walk.h"
#include "tensor/pack_file.h"
#include "trial/plain_reason.h"
#include "twin/deviation_nodes.h"
#include "twin/seeded_weights.h"
#include "twin/weights_in_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_rounds = 3;
constexpr double smallest_fine = 0.5, largest_fine = 2;  // variances that need no further round
constexpr double silence = 0x1p-50;                      // a deviation below it is none

/// To 5 binary digits. frexp and ldexp are exact.
double rounded(double value) {
  int exponent = 0;
  const double digits = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(digits * 32) / 32, exponent);
}

bool is_heard(double deviation) { return std::isfinite(deviation) && deviation > silence; }

class Calibration {
 public:
  Calibration(std::shared_ptr<onnx::ModelProto> model, const WeightMap& map, const CalibrationTools& tools)
      : model_(std::move(model)),
        layers_(map.layers),
        tools_(tools),
        dispatcher_(tools.executor),
        expected_(map.layers.size(), 1) {}

  Result<CalibrationFacts> run(std::uint64_t seed) {
    if (layers_.empty() || opset_of(*model_) < first_measured_opset) return facts_;
    if (auto ok = adapt(seed); !ok) return tl::unexpected(ok.error());
    for (;;) {
      const auto deviations = measure(DeviationMode::measure);
      if (!deviations) return tl::unexpected(deviations.error());
      judge(*deviations);
      const bool fine = facts_.smallest >= smallest_fine && facts_.largest <= largest_fine;
      if (fine || facts_.rounds >= most_rounds) return facts_;
      const auto again = measure(DeviationMode::adapt);
      if (!again) return tl::unexpected(again.error());
      apply(*again);
    }
  }

 private:
  using Deviations = std::vector<double>;  ///< for each layer; NaN where it was not measured

  /// The first round: of what can be fed, the first that the model takes. Biases join only behind it, for beside a
  /// kernel of any scale they would say what the scale is.
  Result<void> adapt(std::uint64_t seed) {
    Model fed;
    fed.path = tools_.folder / "measured.onnx";  // no data lie beside it
    fed.proto = model_;
    fed.facts = facts_of(*model_);
    fed.interface = interface_of(*model_);
    DataOptions options;
    options.seed = seed;
    const auto proposals = propose(fed, options);
    if (!proposals) return tl::unexpected(proposals.error());
    Error last;
    for (const Proposal& proposal : *proposals) {
      if (auto ok = take_samples(proposal); !ok) return ok;
      const auto deviations = measure(DeviationMode::adapt, /*with_biases=*/false);
      if (deviations) {
        apply(*deviations, /*with_biases=*/false);
        return {};
      }
      last = deviations.error();
      if (last.kind != ErrorKind::bad_input) break;
    }
    return tl::unexpected(last);
  }

  Result<void> take_samples(const Proposal& proposal) {
    auto written = write_samples(proposal, tools_.folder);
    if (!written) return tl::unexpected(written.error());
    samples_ = std::move(written->packs);
    facts_.samples = static_cast<std::int64_t>(samples_.size());
    return {};
  }

  /// The root of the mean variance at each layer, over the samples, in units of what is expected.
  Result<Deviations> measure(DeviationMode mode, bool with_biases = true) {
    auto measured = with_weights_in_file(*model_, tools_.folder / "weights");
    if (!measured) return tl::unexpected(measured.error());
    if (!with_biases) silence_biases(*measured);
    const std::vector<std::string> values = add_deviation_nodes(*measured, layers_, expected_, mode);
    std::vector<std::string> outputs;
    std::ranges::copy_if(values, std::back_inserter(outputs), [](const auto& name) { return !name.empty(); });
    measured->mutable_graph()->clear_output();  // which may be large, or nothing that comes out of a run
    const auto ran = run(expose(*measured, outputs));
    if (!ran) return tl::unexpected(ran.error());
    return read(ran->outputs, values);
  }

  Result<RunOutcome> run(const onnx::ModelProto& measured) {
    RunJob job;
    job.model = tools_.folder / "measured.onnx";
    job.samples = samples_;
    job.folder = tools_.folder / "outputs";
    job.limits = tools_.limits;
    if (auto saved = save_model(measured, job.model, Durability::buffered); !saved)
      return tl::unexpected(saved.error());
    if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
    auto ran = run_and_wait(dispatcher_, std::move(job));
    if (!ran || (!ran->failure.failed() && ran->outputs.size() == samples_.size())) return ran;
    return fail(ran->failure.machine ? ErrorKind::io : ErrorKind::bad_input,
                "the model does not run with seeded weights: " + failure_text(ran->failure, tools_.limits),
                "does `culprit check` run the model as it is?");
  }

  static Result<Deviations> read(const std::vector<fs::path>& packs, const std::vector<std::string>& values) {
    Deviations squares(values.size(), 0);
    for (const fs::path& pack : packs) {
      const auto outputs = read_pack(pack);
      if (!outputs) return tl::unexpected(outputs.error());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = std::ranges::find(*outputs, values[i], &NamedTensor::name);
        const bool is_there = !values[i].empty() && at != outputs->end() && at->value.count() == 1;
        const double deviation = is_there ? at->value.number(0) : std::numeric_limits<double>::quiet_NaN();
        squares[i] += deviation * deviation / static_cast<double>(packs.size());
      }
    }
    for (double& square : squares) square = std::sqrt(square);
    return squares;
  }

  void silence_biases(onnx::ModelProto& measured) const {
    std::set<std::string> biases;
    for (const Layer& layer : layers_) biases.insert(layer.bias);
    for (auto& tensor : *measured.mutable_graph()->mutable_initializer()) {
      if (!biases.contains(tensor.name())) continue;
      const std::size_t bytes = bytes_for(dtype_from_onnx(tensor.data_type()).value_or(DType::f32),
                                          element_count(Shape(tensor.dims().begin(), tensor.dims().end())).value_or(0));
      tensor.clear_data_location();
      tensor.clear_external_data();
      tensor.set_raw_data(std::string(bytes, '\0'));
    }
  }

  void apply(const Deviations& deviations, bool with_biases = true) {
    ++facts_.rounds;
    std::map<std::string, onnx::TensorProto*> tensors;
    for (auto& tensor : *model_->mutable_graph()->mutable_initializer()) tensors[tensor.name()] = &tensor;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      if (!layer.is_first || !is_heard(deviations[i])) continue;
      if (layer.normalizes()) {
        const double scale = rounded(deviations[i]);
        scale_tensor(*tensors.at(layer.mean), scale);
        scale_tensor(*tensors.at(layer.variance), scale * scale);
        for (std::size_t j = i; j < layers_.size(); ++j) {
          if (layers_[j].variance == layer.variance) expected_[j] *= scale;
        }
        continue;
      }
      const double gain = rounded(1 / deviations[i]);
      scale_tensor(*tensors.at(layer.kernel), gain);
      if (with_biases && !layer.bias.empty()) scale_tensor(*tensors.at(layer.bias), gain);
    }
  }

  void judge(const Deviations& deviations) {
    facts_.layers = facts_.silent = 0;
    facts_.smallest = std::numeric_limits<double>::infinity();
    facts_.largest = 0;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      ++(is_heard(deviations[i]) ? facts_.layers : facts_.silent);
      if (!is_heard(deviations[i])) continue;
      const double variance = deviations[i] * deviations[i];
      facts_.smallest = std::min(facts_.smallest, variance);
      facts_.largest = std::max(facts_.largest, variance);
    }
  }

  std::shared_ptr<onnx::ModelProto> model_;
  const std::vector<Layer>& layers_;
  const CalibrationTools& tools_;
  Dispatcher dispatcher_;
  std::vector<double> expected_;  ///< deviations that normalizations are made for, by now; 1 for kernels
  std::vector<fs::path> samples_;
  CalibrationFacts facts_;
};

}  // namespace

Result<CalibrationFacts> calibrate(const std::shared_ptr<onnx::ModelProto>& model, const WeightMap& map,
                                   std::uint64_t seed, const CalibrationTools& tools) {
  return Calibration(model, map, tools).run(seed);
}

}  // namespace culprit
