#include "check/repeat.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "check/judgement.h"
#include "check/reason.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t repeated_samples = 8;
constexpr std::size_t named_ops = 4;
constexpr int deepest = 64;  // subgraphs in subgraphs
constexpr std::array<std::string_view, 6> random_ops = {"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                                        "RandomUniformLike", "Bernoulli",        "Multinomial"};

const onnx::AttributeProto* attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& candidate : node.attribute()) {
    if (candidate.name() == name) return &candidate;
  }
  return nullptr;
}

/// Training mode is the third input, which only the graph knows for sure: an input that is given counts.
bool is_training_dropout(const onnx::NodeProto& node) {
  return node.op_type() == "Dropout" && node.input_size() > 2 && !node.input(2).empty();
}

bool draws_without_seed(const onnx::NodeProto& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return false;
  const bool draws = std::ranges::find(random_ops, node.op_type()) != random_ops.end() || is_training_dropout(node);
  return draws && attribute(node, "seed") == nullptr;
}

template <class Nodes>
void collect(const Nodes& nodes, int depth, std::vector<std::string>& found) {
  if (depth > deepest) return;
  for (const onnx::NodeProto& node : nodes) {
    if (draws_without_seed(node)) {
      const std::string name = node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
      found.push_back(node.op_type() + " '" + printable(name, 60) + "'");
    }
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) collect(attribute.g().node(), depth + 1, found);
      for (const auto& graph : attribute.graphs()) collect(graph.node(), depth + 1, found);
    }
  }
}

bool same_bits(const fs::path& a, const fs::path& b) {
  const auto left = read_pack(a);
  const auto right = read_pack(b);
  return left && right && std::ranges::equal(*left, *right, [](const NamedTensor& x, const NamedTensor& y) {
           return x.name == y.name && x.value.identical(y.value);
         });
}

std::string cause(const Model& model) {
  auto ops = unseeded_random_ops(model);
  if (ops.empty())
    return "; no random operator without a seed was found in it, so it may depend on uninitialized memory or time";
  const std::size_t count = ops.size();
  if (count > named_ops) ops.resize(named_ops);
  std::string text = "; it draws random numbers without a seed: " + join(ops, ", ");
  if (count > named_ops) text += " and " + std::to_string(count - named_ops) + " more";
  return text + "; give these a seed, or check the model without them";
}

RepeatResult judge(const RunOutcome& outcome, std::span<const fs::path> reference, const Basis& basis) {
  RepeatResult result;
  result.record.name = "repeat";
  if (outcome.failure.failed() || outcome.outputs.size() != reference.size()) {
    result.record.verdict = Verdict::run_failed;
    result.record.message =
        "the model ran once and failed the second time: " + failure_text(outcome.failure, basis.options.limits);
    return result;
  }
  const Comparison comparison = compare(reference, outcome.outputs, {}, Contract::equivalent, basis.options);
  result.record.measurements = comparison.measurements;
  result.record.verdict = verdict_of(comparison.measurements);
  result.repeats = std::ranges::equal(reference, outcome.outputs, same_bits);
  if (result.repeats) return result;
  result.record.verdict = std::max(result.record.verdict, Verdict::deviates);
  std::string difference = describe(comparison);
  if (difference.empty()) difference = "signed zeros or NaN bits differ";
  result.record.message = "two runs on the same samples differ: " + difference + cause(basis.model);
  return result;
}

}  // namespace

std::vector<std::string> unseeded_random_ops(const Model& model) {
  std::vector<std::string> found;
  if (model.proto == nullptr) return found;
  collect(model.proto->graph().node(), 0, found);
  for (const auto& function : model.proto->functions()) collect(function.node(), 0, found);
  return found;
}

void run_repeat_control(Desk& desk, const Basis& basis, std::function<void(RepeatResult)> then) {
  const std::size_t count = std::min(basis.samples.size(), repeated_samples);
  RunJob job;
  job.model = basis.model.path;
  job.session = basis.session;
  job.samples.assign(basis.samples.begin(), basis.samples.begin() + static_cast<std::ptrdiff_t>(count));
  job.folder = basis.folder / "outputs" / "repeat";
  job.fresh_process = true;
  job.limits = basis.options.limits;
  desk.run(std::move(job), [&basis, count, then = std::move(then)](const RunOutcome& outcome) {
    RepeatResult result = judge(outcome, std::span(basis.reference).first(count), basis);
    std::error_code ignored;
    fs::remove_all(basis.folder / "outputs" / "repeat", ignored);
    then(std::move(result));
  });
}

}  // namespace culprit
