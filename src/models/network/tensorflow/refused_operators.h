#pragma once
// Operators of TensorFlow that do more than compute: they run code, or touch files or the network. Private to this
// room, but for its tests.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

namespace tensorflow {
class MetaGraph;
}

enum class OperatorRisk {
  none,
  checkpoint,  ///< reads or writes a checkpoint: in every SavedModel, to load and save it
  outside,     ///< runs code, or reads, writes or sends what is none of the model's business
};

/// By its name alone. Source: all 1908 operators of TensorFlow 2.21 (TF_GetAllOpList) were looked through, those first
/// that have an argument or an attribute for a path, an address or a name of a library.
OperatorRisk risk_of_operator(std::string_view name);

/// See TensorflowModel::refused_operators.
std::vector<std::string> find_refused_operators(const tensorflow::MetaGraph& graph,
                                                std::span<const std::string> fetched);

}  // namespace culprit
