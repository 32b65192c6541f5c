#include "compare/first_parting.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "base/folder.h"
#include "compare/compared_graphs.h"
#include "compare/editable_model.h"
#include "compare/labelled_tensors.h"
#include "executor/run_all.h"
#include "model/expose_values.h"

namespace culprit {
namespace {

constexpr std::size_t most_values = 512, values_at_once = 32, most_alone = 64;
constexpr int most_runs_that_fail = 16;

/// What the nodes of the top graph make. A stored value cannot differ.
std::vector<FirstParting> values_in_order(const onnx::GraphProto& graph) {
  std::vector<FirstParting> values;
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    if (node.op_type() == "Constant") continue;
    for (const auto& output : node.output())
      if (!output.empty()) values.push_back({output, node_ref(node, i)});
  }
  return values;
}

class PartingSearch {
 public:
  using Values = std::span<const FirstParting>;
  using Found = Result<std::optional<FirstParting>>;

  PartingSearch(const EditableModel& model, const RunJob& job, const TwoWays& ways)
      : model_(model), job_(job), ways_(ways) {
    for (const auto& output : model.proto.graph().output()) own_.insert(output.name());
  }

  /// What a runtime fuses it leaves alone where a value in the middle is read: then each is read alone.
  Found find(Values values) {
    auto found = find(values, values_at_once);
    if (!found.has_value() || found->has_value()) return found;
    return values.size() <= most_alone ? find(values, 1) : found;
  }

 private:
  Found find(Values values, std::size_t at_once) {
    for (std::size_t begin = 0; begin < values.size(); begin += at_once) {
      auto found = look_at(values.subspan(begin, std::min(at_once, values.size() - begin)));
      if (!found.has_value() || found->has_value()) return found;
    }
    return std::nullopt;
  }

  struct BothWays {
    Pack one, other;
  };

  Found look_at(Values values) {
    auto both = read(values);
    if (!both) return tl::unexpected(both.error());
    if (both->has_value()) return first_of(values, **both);
    if (values.size() == 1 || ++failures_ > most_runs_that_fail) return std::nullopt;
    const std::size_t half = values.size() / 2;
    auto found = look_at(values.first(half));
    if (!found.has_value() || found->has_value()) return found;
    return look_at(values.subspan(half));
  }

  [[nodiscard]] std::optional<FirstParting> first_of(Values values, const BothWays& both) const {
    for (const FirstParting& value : values) {
      const Tensor* one = both.one.find(value.value);
      const Tensor* other = both.other.find(value.value);
      if (one != nullptr && other != nullptr && ways_.differ(*one, *other)) return value;
    }
    return std::nullopt;
  }

  /// Nothing where one of the two does not run so.
  Result<std::optional<BothWays>> read(Values values) {
    std::vector<std::string> added;
    for (const FirstParting& value : values)
      if (!own_.contains(value.value)) added.push_back(value.value);
    auto file = model_.save(expose(model_.proto, added), "exposed.onnx");
    if (!file) return tl::unexpected(file.error());
    RunJob job = job_;
    job.model = *file;
    auto one = outputs_of(ways_.one, job, "one");
    if (!one) return tl::unexpected(one.error());
    if (!one->has_value()) return std::nullopt;
    auto other = outputs_of(ways_.other, job, "other");
    if (!other) return tl::unexpected(other.error());
    if (!other->has_value()) return std::nullopt;
    return BothWays{std::move(**one), std::move(**other)};
  }

  Result<std::optional<Pack>> outputs_of(const RunOnce& way, RunJob job, const std::string& name) const {
    job.folder = model_.folder / name;
    remove_folder(job.folder);
    if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
    auto outcome = way(job);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!ran(*outcome, 1)) return std::nullopt;
    auto pack = Pack::read(outcome->outputs.front());
    if (!pack) return tl::unexpected(pack.error());
    return std::move(*pack);
  }

  const EditableModel& model_;
  const RunJob& job_;
  const TwoWays& ways_;
  std::set<std::string> own_;
  int failures_ = 0;
};

}  // namespace

Result<std::optional<FirstParting>> first_parting(const Model& model, const RunJob& job,
                                                  const std::filesystem::path& folder, const TwoWays& ways) {
  if (model.proto == nullptr || job.samples.empty()) return std::nullopt;
  const auto values = values_in_order(model.proto->graph());
  if (values.size() > most_values) return std::nullopt;
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  RunJob on_one = job;
  on_one.samples.resize(1);
  const auto editable = make_editable_model(model, folder);
  auto found = editable ? PartingSearch(*editable, on_one, ways).find(values)
                        : Result<std::optional<FirstParting>>(tl::unexpected(editable.error()));
  remove_folder(folder);
  return found;
}

}  // namespace culprit
