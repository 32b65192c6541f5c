#include "compare/taken_branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/hash.h"
#include "executor/run_all.h"
#include "model/content_hash.h"
#include "model/graph_walk.h"
#include "model/take_branch.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr int deepest_if = 16;          // of Ifs in Ifs
constexpr int most_conditions = 1'000;  // of one round

using Conditions = std::vector<bool>;

std::vector<int> ifs_in(const onnx::GraphProto& graph) {
  std::vector<int> found;
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    if (node.op_type() == "If" && node.domain().empty() && node.input_size() == 1) found.push_back(i);
  }
  return found;
}

/// -1: it has no such branch.
int branch_in(const onnx::NodeProto& node, bool condition) {
  const auto& attributes = node.attribute();
  const auto found = std::ranges::find_if(attributes, [&](const auto& attribute) {
    return attribute.has_g() && attribute.name() == (condition ? "then_branch" : "else_branch");
  });
  return found == attributes.end() ? -1 : static_cast<int>(found - attributes.begin());
}

/// A copy of the model whose only outputs are the conditions. A condition may be an input, or stored.
onnx::ModelProto telling_conditions(const onnx::ModelProto& model, const std::vector<int>& ifs) {
  onnx::ModelProto telling = model;
  auto& graph = *telling.mutable_graph();
  graph.clear_output();
  for (std::size_t i = 0; i < ifs.size(); ++i) {
    auto& node = *graph.add_node();
    node.set_op_type("Identity");
    node.add_input(model.graph().node(ifs[i]).input(0));
    node.add_output(fmt::format("culprit_condition_{}", i));
    auto& output = *graph.add_output();
    output.set_name(node.output(0));
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  }
  return telling;
}

/// Nothing where a condition is not told.
Result<std::optional<Conditions>> conditions_in(const std::filesystem::path& pack, std::size_t count) {
  const auto outputs = read_pack(pack);
  if (!outputs) return tl::unexpected(outputs.error());
  Conditions conditions;
  for (const NamedTensor& output : *outputs) {
    if (output.value.count() != 1) return std::nullopt;
    conditions.push_back(output.value.number(0) != 0);
  }
  return conditions.size() == count ? std::optional(std::move(conditions)) : std::nullopt;
}

/// Tells branches apart by their nodes and by what they read of the graph's stored tensors.
Hash128 content_of_branch(const onnx::GraphProto& graph, const onnx::GraphProto& branch) {
  std::set<std::string> read;
  for_each_graph(branch, [&](const onnx::GraphProto& inner) {
    for (const auto& node : inner.node()) read.insert(node.input().begin(), node.input().end());
  });
  Hasher hasher;
  add_message(hasher, branch);
  for (const auto& tensor : graph.initializer())
    if (read.contains(tensor.name())) hasher.add(tensor.name()).add(content_hash(tensor));
  return hasher.finish();
}

/// The branches of one model.
class BranchTaking {
 public:
  /// `samples`: places among those of the job; those that take other branches than the first go.
  BranchTaking(OpenedModel opened, std::vector<std::size_t>& samples, Executor& executor)
      : model_(opened.model),
        job_(std::move(opened.job)),
        all_(std::move(job_.samples)),
        samples_(samples),
        executor_(executor) {}

  /// How many Ifs are gone.
  Result<int> run() {
    int count = 0;
    for (int round = 0; round < deepest_if; ++round) {
      const auto ifs = ifs_in(model_.proto.graph());
      if (ifs.empty() || ifs.size() > most_conditions || samples_.empty()) break;
      const auto conditions = ask(ifs, round);
      if (!conditions) return tl::unexpected(conditions.error());
      const int taken = conditions->empty() ? 0 : take(ifs, conditions->front());
      if (taken == 0) break;
      count += taken;
      keep_those_as_the_first(*conditions);
    }
    return count;
  }

  /// Hashes of the branches that are not taken.
  [[nodiscard]] std::vector<Hash128> others() const {
    std::vector<Hash128> sorted = others_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

 private:
  /// For each sample; none where they cannot be told.
  Result<std::vector<Conditions>> ask(const std::vector<int>& ifs, int round) {
    const auto file = model_.save(telling_conditions(model_.proto, ifs),
                                  fmt::format("{}-{}.onnx", job_.folder.filename().string(), round));
    if (!file) return tl::unexpected(file.error());
    RunJob job = job_;
    job.model = *file;
    job.folder = job_.folder / std::to_string(round);
    for (const std::size_t sample : samples_) job.samples.push_back(all_[sample]);
    auto outcomes = run_all(executor_, {std::move(job)});
    if (!outcomes) return tl::unexpected(outcomes.error());
    std::vector<Conditions> all;
    if (!ran(outcomes->front(), samples_.size())) return all;
    for (const auto& pack : outcomes->front().outputs) {
      auto conditions = conditions_in(pack, ifs.size());
      if (!conditions) return tl::unexpected(conditions.error());
      if (!*conditions) return std::vector<Conditions>{};
      all.push_back(std::move(**conditions));
    }
    return all;
  }

  /// From the last to the first, so that places stay.
  int take(const std::vector<int>& ifs, const Conditions& conditions) {
    auto& graph = *model_.proto.mutable_graph();
    int taken = 0;
    for (std::size_t i = ifs.size(); i-- > 0;) {
      const int branch = branch_in(graph.node(ifs[i]), conditions[i]);
      if (branch < 0) continue;
      if (const int other = branch_in(graph.node(ifs[i]), !conditions[i]); other >= 0)
        others_.push_back(content_of_branch(graph, graph.node(ifs[i]).attribute(other).g()));
      take_branch(graph, ifs[i], branch);
      ++taken;
    }
    return taken;
  }

  void keep_those_as_the_first(const std::vector<Conditions>& conditions) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < conditions.size(); ++i)
      if (conditions[i] == conditions.front()) kept.push_back(samples_[i]);
    samples_ = std::move(kept);
  }

  EditableModel& model_;
  RunJob job_;  // without samples
  const std::vector<std::filesystem::path> all_;
  std::vector<std::size_t>& samples_;
  Executor& executor_;
  std::vector<Hash128> others_;
};

}  // namespace

Result<TakenBranches> take_branches_of_both(OpenedModel a, OpenedModel b, const std::vector<std::size_t>& samples,
                                            Executor& executor) {
  TakenBranches taken{0, 0, false, samples};
  BranchTaking in_a(std::move(a), taken.samples, executor);
  const auto of_a = in_a.run();
  if (!of_a) return tl::unexpected(of_a.error());
  BranchTaking in_b(std::move(b), taken.samples, executor);
  const auto of_b = in_b.run();
  if (!of_b) return tl::unexpected(of_b.error());
  taken.of_a = *of_a;
  taken.of_b = *of_b;
  taken.others_differ = in_a.others() != in_b.others();
  return taken;
}

Warning other_branches_warning(const TakenBranches& taken) {
  return {"branches_not_taken",
          fmt::format("branches of If that sample {} does not take are written otherwise in B; only samples that take "
                      "them can tell what they do, and --data, --input and --samples give others",
                      taken.samples.front())};
}

Warning branches_warning(const TakenBranches& taken) {
  return {"branches_taken",
          fmt::format("in the place of {} If of A and {} of B stand the branches that sample {} takes", taken.of_a,
                      taken.of_b, taken.samples.front())};
}

}  // namespace culprit
