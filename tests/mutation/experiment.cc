#include "mutation/experiment.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "base/random.h"
#include "data/sample.h"
#include "judge/judge.h"
#include "judge/tolerance.h"
#include "support/tool.h"
#include "tensor/npy.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"
#include "tensor/ulp.h"

namespace culprit::testing {
namespace {

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

Result<std::vector<NamedTensor>> run(Runner& runner, const fs::path& model, const std::vector<NamedTensor>& inputs) {
  auto session = runner.load(model, {});
  if (!session) return tl::unexpected(session.error());
  return (*session)->run(inputs);
}

/// The model with this one node rewritten wrongly, and nothing else.
onnx::ModelProto with_mistake(const onnx::ModelProto& model, const Mistake& mistake, int wrong) {
  onnx::ModelProto made = model;
  made.mutable_graph()->clear_node();
  for (int i = 0; i < model.graph().node_size(); ++i) {
    if (i != wrong) {
      *made.mutable_graph()->add_node() = model.graph().node(i);
      continue;
    }
    for (onnx::NodeProto& node : rewritten(mistake, model.graph().node(i), Rewritten::wrongly))
      made.mutable_graph()->add_node()->Swap(&node);
  }
  return made;
}

std::string said_of(const nlohmann::json& faults) {
  std::string said = fmt::format("{} faults", faults.size());
  for (const auto& fault : faults) {
    said += fmt::format("; {} {} rewrites", fault["culprits"].dump(), fault["verdict"].dump());
    for (const auto& rewrite : fault["rewrites"]) said += " " + rewrite["output"].dump();
    if (fault["rewrites"].empty()) said += " none: " + fault.value("rewrites_message", "");
  }
  return said;
}

}  // namespace

std::string Experiment::line() const {
  return fmt::format(
      "{} {} seed {}: '{}' of {} places, {} ({}){}", model, kind, seed, node, places,
      !observable ? "not observable" : (found ? "found" : "MISSED"), seen,
      observable ? fmt::format(", {} questions, {:.1f} s{}", asked, seconds, found ? "" : "; " + said) : "");
}

Subject::Subject(const fs::path& model, Runner& runner)
    : model_(or_throw(load_model(model))), runner_(runner), folder_(scratch()) {
  DataOptions options;
  options.samples = 1;
  const std::vector<Proposal> proposals = or_throw(propose(model_, options));
  inputs_ = or_throw(proposals.front().sample(0)).inputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const fs::path file = folder_.path() / fmt::format("input_{}.npy", i);
    if (auto ok = write_npy(file, inputs_[i].value); !ok) throw std::runtime_error(ok.error().text());
    input_arguments_.insert(input_arguments_.end(), {"--input", inputs_[i].name + "=" + file.string()});
  }
  outputs_ = or_throw(run(runner_, model_.path, inputs_));
  measure_floors();
}

/// 4 x what an output moves where all float inputs and weights move by one unit in the last place, in three draws, and
/// 8 units of its RMS. Draws of their own, not the tool's.
void Subject::measure_floors() {
  constexpr std::uint64_t draws = 3, first_seed = 7'001;
  floors_.assign(outputs_.size(), 0);
  for (std::uint64_t seed = first_seed; seed < first_seed + draws; ++seed) {
    Random random(seed);
    onnx::ModelProto moved = *model_.proto;
    for (onnx::TensorProto& weight : *moved.mutable_graph()->mutable_initializer()) {
      const Tensor tensor = or_throw(from_proto(weight));
      if (is_nudgeable(tensor.dtype()) && tensor.count() > 1)
        weight = to_proto(perturbed(tensor, random), weight.name());
    }
    std::vector<NamedTensor> inputs = inputs_;
    for (NamedTensor& input : inputs) input.value = perturbed(input.value, random);
    const fs::path file = folder_.path() / "moved.onnx";
    if (auto ok = save_model(moved, file); !ok) throw std::runtime_error(ok.error().text());
    const auto outputs = or_throw(run(runner_, file, inputs));
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs[i].value.shape() != outputs_[i].value.shape() || !is_nudgeable(outputs[i].value.dtype())) continue;
      const double deviation = measure(outputs_[i].value, outputs[i].value, {}).max_abs;
      const double rounding = 8 * epsilon_of(outputs[i].value.dtype()) * rms_of_finite(outputs_[i].value);
      floors_[i] = std::max(floors_[i], 4 * deviation + rounding);
    }
  }
}

std::optional<Experiment> Subject::plant(const std::string& kind, std::uint64_t seed, const fs::path& tool) {
  const Mistake& mistake = *mistake_of(kind);
  const std::vector<int> places = places_of(mistake, model_.proto->graph());
  if (places.empty()) return std::nullopt;
  Experiment experiment;
  experiment.model = model_.path.stem();
  experiment.kind = kind;
  experiment.seed = seed;
  experiment.places = places.size();
  const int wrong = places[chosen_place(kind, seed, places.size())];
  experiment.node = model_.proto->graph().node(wrong).output(0);
  look(experiment, mistake, wrong);
  if (experiment.observable) ask(experiment, tool);
  return experiment;
}

/// Without the tool: the mistake alone, on the sample that the tool will be given.
void Subject::look(Experiment& experiment, const Mistake& mistake, int node) {
  const fs::path file = folder_.path() / "mistaken.onnx";
  if (auto ok = save_model(with_mistake(*model_.proto, mistake, node), file); !ok)
    throw std::runtime_error(ok.error().text());
  const auto outputs = run(runner_, file, inputs_);
  experiment.observable = !outputs;
  experiment.seen = outputs ? "" : "refused by the runtime";
  if (!outputs) return;
  double furthest = 0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Measurement measured = measure(outputs_[i].value, (*outputs)[i].value, {});
    furthest = std::max(furthest, measured.max_abs);
    if (verdict_of(measured) == Verdict::diverged && measured.max_abs > floors_[i]) experiment.observable = true;
  }
  const double floor = floors_.empty() ? 0 : *std::ranges::max_element(floors_);
  experiment.seen = fmt::format("differs by {:.2g}, rounding explains {:.2g}", furthest, floor);
}

void Subject::ask(Experiment& experiment, const fs::path& tool) {
  setenv("CULPRIT_PLANTED_SEED", std::to_string(experiment.seed).c_str(), 1);
  std::vector<std::string> arguments{model_.path, "--each", experiment.kind, "--samples", "1"};
  arguments.insert(arguments.end(), input_arguments_.begin(), input_arguments_.end());
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = culprit_check(arguments, tool);
  experiment.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (ran.report.is_null()) {
    experiment.said = ran.err;
    return;
  }
  const auto& faults = ran.report["models"][0]["faults"];
  experiment.said = said_of(faults);
  if (faults.size() != 1 || faults[0]["rewrites"].size() != 1) return;
  experiment.asked = faults[0].value("rewrites_asked", 0);
  experiment.found = faults[0]["culprits"] == nlohmann::json({experiment.kind}) &&
                     faults[0]["rewrites"][0]["output"] == experiment.node && ran.exit == 1;
}

}  // namespace culprit::testing
