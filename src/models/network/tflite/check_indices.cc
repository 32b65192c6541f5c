#include "network/tflite/read_graph.h"

namespace culprit {
namespace {

class IndexCheck {
 public:
  IndexCheck(const TfliteGraph& graph, const std::string& where) : graph_(graph), where_(where) {}

  Result<void> run() {
    for (std::size_t at = 0; at < graph_.subgraphs.size(); ++at) subgraph(graph_.subgraphs[at], at);
    for (const auto& signature : graph_.signatures) {
      const auto who = "signature " + std::to_string(&signature - graph_.signatures.data());
      below(who, "subgraph", signature.subgraph, graph_.subgraphs.size());
      if (!found_.empty()) break;
      const auto tensors = graph_.subgraphs[signature.subgraph].tensors.size();
      for (const auto& [name, tensor] : signature.inputs) below(who, "tensor", tensor, tensors);
      for (const auto& [name, tensor] : signature.outputs) below(who, "tensor", tensor, tensors);
    }
    for (const auto& [name, buffer] : graph_.metadata) below("metadata", "buffer", buffer, graph_.buffers.size());
    if (found_.empty()) return {};
    return fail(ErrorKind::bad_input, where_ + " contradicts itself: " + found_, "convert or download it again");
  }

 private:
  void below(const std::string& who, std::string_view what, std::int64_t number, std::size_t count) {
    if (!found_.empty() || (number >= 0 && static_cast<std::uint64_t>(number) < count)) return;
    found_ =
        who + " names " + std::string(what) + " " + std::to_string(number) + ", and there are " + std::to_string(count);
  }

  void tensors(const std::string& who, const std::vector<std::int32_t>& numbers, std::size_t count, bool may_lack) {
    for (const auto number : numbers) {
      if (!may_lack || number != -1) below(who, "tensor", number, count);
    }
  }

  void subgraph(const TfliteSubgraph& graph, std::size_t number) {
    const auto inside = " of subgraph " + std::to_string(number);
    const auto count = graph.tensors.size();
    tensors("the list of inputs" + inside, graph.inputs, count, false);
    tensors("the list of outputs" + inside, graph.outputs, count, false);
    for (std::size_t at = 0; at < count && found_.empty(); ++at) {
      below("tensor " + std::to_string(at) + inside, "buffer", graph.tensors[at].buffer,
            std::max<std::size_t>(1, graph_.buffers.size()));
    }
    for (std::size_t at = 0; at < graph.operators.size() && found_.empty(); ++at) {
      const auto who = "operator " + std::to_string(at) + inside;
      const auto& node = graph.operators[at];
      below(who, "operator code", node.code_index, graph_.codes.size());
      tensors(who, node.inputs, count, true);
      tensors(who, node.outputs, count, true);
      tensors(who, node.intermediates, count, true);
    }
  }

  const TfliteGraph& graph_;
  const std::string& where_;
  std::string found_;
};

}  // namespace

Result<void> check_tflite_indices(const TfliteGraph& graph, const std::string& where) {
  return IndexCheck(graph, where).run();
}

}  // namespace culprit
