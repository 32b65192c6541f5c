#pragma once
// What a model holds and does not need. An optimizer that leaves more of it than it found earns a warning.

#include <string_view>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Views into the model.
using Names = std::vector<std::string_view>;

/// Initializers that no node of their graph, no graph inside and no output uses.
Names unused_initializers(const onnx::ModelProto& model);
/// Initializers whose content another one of the same graph has had before. Constant nodes count as well, so that
/// turning them into initializers does not look like making duplicates.
Names duplicate_initializers(const onnx::ModelProto& model);
/// Nodes from which no output of their graph can be reached, by the name of their first output.
Names dead_nodes(const onnx::ModelProto& model);

}  // namespace culprit
