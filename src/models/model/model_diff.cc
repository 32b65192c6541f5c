#include "model/model_diff.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "model/external_data.h"
#include "model/graph_walk.h"
#include "model/unused_parts.h"
#include "tensor/tensor.h"

namespace culprit {
namespace {

constexpr std::size_t names_listed = 3;
constexpr std::size_t longest_listed_name = 60;
constexpr std::uint64_t small_growth = 1000;  // bytes; less than this, or than 1 %, is not worth a warning

/// " (a, b, c and 5 more)"; "" where there are none.
std::string some_of(const Names& names) {
  if (names.empty()) return "";
  std::vector<std::string> shown;
  for (const auto& name : names) {
    if (shown.size() == names_listed) break;
    shown.push_back(name.empty() ? "unnamed" : printable(name, longest_listed_name));
  }
  const std::size_t more = names.size() - shown.size();
  return fmt::format(" ({}{})", join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// The names of `after` that `before` does not have, each as often as it comes too often.
Names added(const Names& before, const Names& after) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (const auto& name : before) ++known[name];
  Names result;
  for (const auto& name : after) {
    const auto at = known.find(name);
    if (at != known.end() && at->second > 0) {
      --at->second;
    } else {
      result.push_back(name);
    }
  }
  return result;
}

std::string op_name(const onnx::NodeProto& node) {
  const auto domain = domain_of(node.domain());
  return domain.empty() ? printable(node.op_type()) : printable(domain) + "." + printable(node.op_type());
}

std::map<std::string, std::int64_t> ops_of(const onnx::ModelProto& model) {
  std::map<std::string, std::int64_t> ops;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) ++ops[op_name(node)];
  });
  return ops;
}

/// Keys of `before` that `after` lacks.
template <class Entries>
Names lost_keys(const Entries& before, const Entries& after) {
  Names had;
  Names has;
  for (const auto& entry : before) had.emplace_back(entry.key());
  for (const auto& entry : after) has.emplace_back(entry.key());
  return added(has, had);
}

/// Nodes that are still there (told by their first output) and had metadata that they have no more.
Names nodes_without_metadata(const onnx::GraphProto& before, const onnx::GraphProto& after) {
  std::unordered_map<std::string_view, const onnx::NodeProto*> had;
  for (const auto& node : before.node()) {
    if (!node.metadata_props().empty() && !node.output().empty()) had.emplace(node.output(0), &node);
  }
  Names lost;
  for (const auto& node : after.node()) {
    if (node.output().empty()) continue;
    const auto at = had.find(node.output(0));
    if (at != had.end() && !lost_keys(at->second->metadata_props(), node.metadata_props()).empty()) {
      lost.emplace_back(node.output(0));
    }
  }
  return lost;
}

std::string metadata_lost(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  std::vector<std::string> parts;
  const auto of_model = lost_keys(before.metadata_props(), after.metadata_props());
  const auto of_graph = lost_keys(before.graph().metadata_props(), after.graph().metadata_props());
  const auto of_nodes = nodes_without_metadata(before.graph(), after.graph());
  if (!of_model.empty()) parts.push_back(counted(of_model.size(), "key", "keys") + " of the model" + some_of(of_model));
  if (!of_graph.empty()) parts.push_back(counted(of_graph.size(), "key", "keys") + " of the graph" + some_of(of_graph));
  if (!of_nodes.empty()) parts.push_back("that of " + counted(of_nodes.size(), "node", "nodes") + some_of(of_nodes));
  return parts.empty() ? "" : "metadata are lost: " + join(parts, ", ");
}

Names annotated(const onnx::ModelProto& model) {
  Names names;
  for (const auto& annotation : model.graph().quantization_annotation()) names.emplace_back(annotation.tensor_name());
  return names;
}

/// Initializers that a caller may replace, so that a runtime must not fold them. ONNX Runtime takes them so from IR 4
/// on: before, every initializer had to stand among the inputs.
Names overridable(const onnx::ModelProto& model) {
  Names names;
  if (model.ir_version() < 4) return names;
  std::unordered_set<std::string_view> inputs;
  for (const auto& input : model.graph().input()) inputs.insert(input.name());
  for (const auto& tensor : model.graph().initializer()) {
    if (inputs.contains(tensor.name())) names.emplace_back(tensor.name());
  }
  for (const auto& tensor : model.graph().sparse_initializer()) {
    if (inputs.contains(tensor.values().name())) names.emplace_back(tensor.values().name());
  }
  return names;
}

std::map<std::string_view, std::int64_t> opsets_of(const onnx::ModelProto& model) {
  std::map<std::string_view, std::int64_t> opsets;
  for (const auto& opset : model.opset_import()) {
    auto& version = opsets[domain_of(opset.domain())];
    version = std::max<std::int64_t>(version, opset.version());
  }
  return opsets;
}

std::string opset_raised(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  const auto had = opsets_of(before);
  std::vector<std::string> raised;
  for (const auto& [domain, version] : opsets_of(after)) {
    const auto at = had.find(domain);
    if (at != had.end() && version > at->second) {
      raised.push_back(
          fmt::format("{} from {} to {}", domain.empty() ? "ai.onnx" : printable(domain), at->second, version));
    }
  }
  return raised.empty() ? "" : "the operator set was raised: " + join(raised, ", ");
}

}  // namespace

std::map<std::string, std::int64_t> ops_changed(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  auto changed = ops_of(after);
  for (const auto& [op, count] : ops_of(before)) changed[op] -= count;
  std::erase_if(changed, [](const auto& entry) { return entry.second == 0; });
  return changed;
}

std::optional<Warning> tied_warning(const std::map<std::string, std::int64_t>& ops_changed) {
  std::int64_t of_processor = 0, of_runtime = 0;
  for (const auto& [op, change] : ops_changed) {
    if (change <= 0) continue;
    const bool is_layout = op.starts_with("com.microsoft.nchwc.") || op.starts_with("com.ms.internal.nhwc.");
    if (is_layout) of_processor += change;
    if (!is_layout && op.starts_with("com.microsoft.")) of_runtime += change;
  }
  const auto operators = [](std::int64_t count) {
    return counted(static_cast<std::size_t>(count), "operator", "operators");
  };
  if (of_processor > 0)
    return Warning{"tied_to_processor", "saved as a file it is for ONNX Runtime and processors like this one only: " +
                                            operators(of_processor) + " of a layout of theirs"};
  if (of_runtime > 0)
    return Warning{"tied_to_runtime",
                   "saved as a file it is for ONNX Runtime only: " + operators(of_runtime) + " of com.microsoft"};
  return std::nullopt;
}

std::vector<Warning> structural_warnings(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  std::vector<Warning> warnings;
  const auto warn = [&](std::string code, std::string message) {
    if (!message.empty()) warnings.push_back({std::move(code), std::move(message)});
  };
  const auto warn_if_more = [&](std::string code, Names (*find)(const onnx::ModelProto&), std::string_view one,
                                std::string_view many) {
    const auto had = find(before);
    const auto has = find(after);
    if (has.size() <= had.size()) return;
    warn(std::move(code), counted(has.size() - had.size(), one, many) + some_of(added(had, has)));
  };
  warn_if_more("unused_initializer", unused_initializers, "initializer is left that nothing uses",
               "initializers are left that nothing uses");
  warn_if_more("duplicate_initializer", duplicate_initializers, "more initializer repeats the content of another",
               "more initializers repeat the content of others");
  warn_if_more("dead_node", dead_nodes, "node is left whose result nothing needs",
               "nodes are left whose results nothing needs");
  warn("metadata_lost", metadata_lost(before, after));
  if (const auto lost = added(annotated(after), annotated(before)); !lost.empty()) {
    warn("quantization_annotation_lost",
         counted(lost.size(), "quantization annotation is lost", "quantization annotations are lost") + some_of(lost));
  }
  const std::uint64_t had_bytes = whole_bytes(before);
  const std::uint64_t has_bytes = whole_bytes(after);
  if (has_bytes > had_bytes + std::max(small_growth, had_bytes / 100)) {
    warn("larger_file", fmt::format("the model grew from {} to {}", human_bytes(had_bytes), human_bytes(has_bytes)));
  }
  if (after.ir_version() > before.ir_version()) {
    warn("ir_raised", fmt::format("the IR version was raised from {} to {}", before.ir_version(), after.ir_version()));
  }
  warn("opset_raised", opset_raised(before, after));
  warn_if_more(
      "constants_became_inputs", overridable,
      "initializer that was a constant is now the default of an input; a runtime may no longer fold or fuse it",
      "initializers that were constants are now defaults of inputs; a runtime may no longer fold or fuse them");
  return warnings;
}

}  // namespace culprit
