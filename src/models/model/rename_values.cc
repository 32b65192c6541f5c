#include "model/rename_values.h"

namespace culprit {
namespace {

class Renamer {
 public:
  explicit Renamer(const NewNames& names) : names_(names) {}

  void rename(onnx::GraphProto& graph) const {
    for (auto* infos : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
      for (auto& info : *infos) rename(*info.mutable_name());
    }
    for (auto& tensor : *graph.mutable_initializer()) rename(*tensor.mutable_name());
    for (auto& tensor : *graph.mutable_sparse_initializer()) rename(*tensor.mutable_values()->mutable_name());
    for (auto& annotation : *graph.mutable_quantization_annotation()) rename(*annotation.mutable_tensor_name());
    for (auto& node : *graph.mutable_node()) {
      for (std::string& input : *node.mutable_input()) rename(input);
      for (std::string& output : *node.mutable_output()) rename(output);
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) rename(*attribute.mutable_g());
        for (auto& inner : *attribute.mutable_graphs()) rename(inner);
      }
    }
  }

 private:
  void rename(std::string& name) const {
    if (const auto at = names_.find(name); at != names_.end()) name = at->second;
  }

  const NewNames& names_;
};

}  // namespace

void rename_values(onnx::GraphProto& graph, const NewNames& names) { Renamer(names).rename(graph); }

}  // namespace culprit
