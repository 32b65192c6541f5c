#include "check/repeat.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "check/folders.h"
#include "check/judgement.h"
#include "check/reason.h"
#include "model/traced_value.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t repeated_samples = 8;
constexpr std::size_t named_ops = 4;
constexpr int deepest = 64;  // subgraphs in subgraphs
constexpr std::array<std::string_view, 6> random_ops = {"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                                        "RandomUniformLike", "Bernoulli",        "Multinomial"};

bool is_standard(const onnx::NodeProto& node) { return node.domain().empty() || node.domain() == "ai.onnx"; }

bool is_false(const onnx::TensorProto& tensor) {
  if (tensor.data_type() != onnx::TensorProto::BOOL) return false;
  if (tensor.int32_data_size() == 1) return tensor.int32_data(0) == 0;
  return tensor.raw_data().size() == 1 && tensor.raw_data().front() == 0;
}

/// Nodes that draw random numbers without a seed, with the constants that are known to be false: an outer graph's are
/// known in its subgraphs as well.
class RandomOps {
 public:
  void look_into(const onnx::GraphProto& graph, std::set<std::string> known_false, int depth) {
    for (const auto& initializer : graph.initializer()) {
      if (is_false(initializer)) known_false.insert(initializer.name());
    }
    for (const auto& input : graph.input()) known_false.erase(input.name());  // only a default
    look_at(graph.node(), std::move(known_false), depth);
  }

  template <class Nodes>
  void look_at(const Nodes& nodes, std::set<std::string> known_false, int depth) {
    if (depth > deepest) return;
    for (const onnx::NodeProto& node : nodes) {
      const auto* value = node.op_type() == "Constant" && is_standard(node) ? attribute_of(node, "value") : nullptr;
      if (value != nullptr && node.output_size() == 1 && is_false(value->t())) known_false.insert(node.output(0));
      note(node, known_false);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) look_into(attribute.g(), known_false, depth + 1);
        for (const auto& graph : attribute.graphs()) look_into(graph, known_false, depth + 1);
      }
    }
  }

  std::vector<std::string> found;

 private:
  void note(const onnx::NodeProto& node, const std::set<std::string>& known_false) {
    if (!is_standard(node) || attribute_of(node, "seed") != nullptr) return;
    // Training mode is the third input; what is not known to be false may be true.
    const bool trains = node.op_type() == "Dropout" && node.input_size() > 2 && !node.input(2).empty() &&
                        !known_false.contains(node.input(2));
    if (!trains && std::ranges::find(random_ops, node.op_type()) == random_ops.end()) return;
    const std::string name = node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
    found.push_back(node.op_type() + " '" + printable(name, 60) + "'" + (trains ? " in training mode" : ""));
  }
};

bool same_bits(const fs::path& a, const fs::path& b) {
  const auto left = read_pack(a);
  const auto right = read_pack(b);
  return left && right && std::ranges::equal(*left, *right, [](const NamedTensor& x, const NamedTensor& y) {
           return x.name == y.name && x.part == y.part && x.value.identical(y.value);
         });
}

std::string cause(const Basis& basis) {
  auto ops = unseeded_random_ops(basis.model);
  const int threads = basis.session.threads;
  if (ops.empty() && threads > 1) {
    return "; it ran on " + std::to_string(threads) +
           " threads, which may add up sums in another order each time: use --threads 1";
  }
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
  result.record.message = "two runs on the same samples differ: " + difference + cause(basis);
  return result;
}

}  // namespace

std::vector<std::string> unseeded_random_ops(const Model& model) {
  if (model.proto == nullptr) return {};
  RandomOps ops;
  ops.look_into(model.proto->graph(), {}, 0);
  for (const auto& function : model.proto->functions()) ops.look_at(function.node(), {}, 0);
  return std::move(ops.found);
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
    remove_folder(basis.folder / "outputs" / "repeat");
    then(std::move(result));
  });
}

}  // namespace culprit
