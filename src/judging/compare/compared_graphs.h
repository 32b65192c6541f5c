#pragma once
// Two models side by side: what inner values are read from.

#include <filesystem>
#include <string>

#include "compare/editable_model.h"
#include "compare/value_map.h"
#include "model/bind_models.h"
#include "record/witnesses.h"

namespace culprit {

/// Not to be moved once the indices are made: they point into the models.
struct ComparedGraphs {
  EditableModel a, b;
  ModelBinding binding;
  GraphIndex index_a, index_b;
  BoundValues bound;
  ValueMap map;

  ComparedGraphs(EditableModel one, EditableModel other, ModelBinding how);
  ComparedGraphs(const ComparedGraphs&) = delete;
  ComparedGraphs& operator=(const ComparedGraphs&) = delete;

  [[nodiscard]] std::string name_a(int value) const { return name(index_a, value); }
  [[nodiscard]] std::string name_b(int value) const { return name(index_b, value); }
  static std::string name(const GraphIndex& graph, int value) {
    return std::string(graph.values[static_cast<std::size_t>(value)].name);
  }
};

/// Is there a value inside that both have, or an output that the same operator makes? Not asked where there is none.
bool have_common(const ComparedGraphs& graphs);

/// The node by its number; none for -1.
NodeRef node_ref(const GraphIndex& graph, int node);
/// The node that stands at this place of the top graph.
NodeRef node_ref(const onnx::NodeProto& node, int index);

}  // namespace culprit
