#include "cost/typed_graph.h"

#include <algorithm>
#include <unordered_set>

#include "cost/graph_typer.h"
#include "model/graph_walk.h"

namespace culprit {
namespace {

bool fits(const onnx::ValueInfoProto& declared, const Shape& shape) {
  const ValueShape value = value_shape(declared.name(), declared.type());
  if (!value.dims) return true;
  if (value.dims->size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if ((*value.dims)[axis] >= 0 && (*value.dims)[axis] != shape[axis]) return false;
  }
  return true;
}

}  // namespace

TypedGraph typed_graph(const onnx::ModelProto& model, const SeenValues& seen) {
  GraphTyper typer(model);
  for (const auto& input : model.graph().input()) {
    const auto given = seen.find(input.name());
    if (given != seen.end() && !fits(input, given->second.shape)) typer.distrust_declared();
  }
  return typer.type_main(seen);
}

TypedGraph typed_graph(const onnx::ModelProto& model, const InputShapes& shapes) {
  std::unordered_set<std::string_view> inputs;
  for (const auto& input : model.graph().input()) inputs.insert(input.name());
  SeenValues seen;
  for (const auto& [name, shape] : shapes) {
    if (inputs.contains(name)) seen.emplace(name, SeenValue{DType::undefined, shape, {}});
  }
  return typed_graph(model, seen);
}

}  // namespace culprit
