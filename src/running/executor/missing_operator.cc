#include "executor/missing_operator.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <regex>

#include "base/text.h"
#include "model/graph_walk.h"

namespace culprit {
namespace {

constexpr std::size_t examined = 4000;  // characters; std::regex goes deep on long texts

/// Whose operators come with ONNX or with the runtime. Those of com.microsoft.extensions come in a library.
bool is_built_in(std::string_view domain) {
  constexpr std::array<std::string_view, 11> built_in = {"",
                                                         "ai.onnx",
                                                         "ai.onnx.ml",
                                                         "ai.onnx.training",
                                                         "ai.onnx.preview",
                                                         "ai.onnx.preview.training",
                                                         "com.microsoft",
                                                         "com.microsoft.experimental",
                                                         "com.microsoft.nchwc",
                                                         "com.ms.internal.nhwc",
                                                         "org.pytorch.aten"};
  return std::ranges::find(built_in, domain) != built_in.end();
}

bool has_functions_of(const onnx::ModelProto& model, const std::string& domain) {
  return std::ranges::find(model.functions(), domain, &onnx::FunctionProto::domain) != model.functions().end();
}

bool has_nodes_of(const onnx::ModelProto& model, const std::string& domain) {
  bool found = false;
  const auto look_at = [&](const auto& nodes) {
    found = found || std::ranges::find(nodes, domain, &onnx::NodeProto::domain) != nodes.end();
  };
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) { look_at(graph.node()); });
  for (const auto& function : model.functions()) look_at(function.node());
  return found;
}

bool is_of(const onnx::NodeProto& node, const MissingOperator& missing) {
  const std::string domain = node.domain().empty() ? "ai.onnx" : node.domain();
  return domain == missing.domain && (missing.op.empty() || node.op_type() == missing.op);
}

/// ", at the node 'n7' (opset 26)"; "" for an operator that no node has.
std::string place_of(const MissingOperator& missing, const onnx::ModelProto& model) {
  std::string place;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    const auto node = std::ranges::find_if(graph.node(), [&](const auto& one) { return is_of(one, missing); });
    if (!place.empty() || node == graph.node().end()) return;
    const std::string name = node->name().empty() && node->output_size() > 0 ? node->output(0) : node->name();
    place = ", at the node '" + printable(name, 100) + "'";
  });
  for (const auto& import : model.opset_import()) {
    const std::string domain = import.domain().empty() ? "ai.onnx" : import.domain();
    if (!place.empty() && domain == missing.domain) place += " (opset " + std::to_string(import.version()) + ")";
  }
  return place;
}

}  // namespace

std::optional<MissingOperator> missing_operator(std::string_view message) {
  const std::string text = printable(message, examined);
  std::smatch found;
  if (std::regex_search(text, found, std::regex(R"(([\w.\-]*):(\w+)\(-?\d+\) is not a registered function/op)"))) {
    return MissingOperator{found[1].length() > 0 ? found[1].str() : "ai.onnx", found[2].str()};
  }
  if (std::regex_search(text, found, std::regex(R"(No opset import for domain '([^']*)')"))) {
    return MissingOperator{found[1].str(), ""};
  }
  if (std::regex_search(text, found, std::regex(R"(No Op registered for (\w+) with domain_version of)"))) {
    std::smatch node;
    const bool named = std::regex_search(text, node, std::regex(R"re(In Node, \("[^"]*", \w+, "([^"]*)")re"));
    return MissingOperator{named && node[1].length() > 0 ? node[1].str() : "ai.onnx", found[1].str()};
  }
  return std::nullopt;
}

std::string what_is_missing(const MissingOperator& missing) {
  const std::string what = missing.op.empty() ? "operators" : "the operator " + missing.op;
  return "the runtime does not know " + what + " of the domain " + missing.domain;
}

std::string advice_on(const MissingOperator& missing, const onnx::ModelProto* model) {
  const std::string what = what_is_missing(missing) + (model == nullptr ? "" : place_of(missing, *model));
  if (missing.op.empty() || !is_built_in(missing.domain))
    return what + "; give the library that has it with --custom-ops LIB";
  return what +
         "; a newer ONNX Runtime may know it (--runtime VERSION), or export the model with an older opset; for an " +
         "operator of your own give its library with --custom-ops LIB";
}

std::optional<std::string> missing_library(const RunOutcome& outcome, const Model& original, const Model& variant) {
  const bool is_refused = outcome.failure.ending == Ending::threw && !outcome.failure.machine;
  if (!is_refused || outcome.stage != RunOutcome::Stage::load) return std::nullopt;
  const auto missing = missing_operator(outcome.failure.message);
  // Without an operator it is an import of the model's own that is missing, and no library brings that.
  if (!missing || missing->op.empty() || is_built_in(missing->domain)) return std::nullopt;
  if (has_nodes_of(*original.proto, missing->domain)) return std::nullopt;
  if (has_functions_of(*variant.proto, missing->domain)) return std::nullopt;
  return advice_on(*missing, variant.proto.get());
}

}  // namespace culprit
