#include "model/operators_differ.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <utility>

#include "model/graph_walk.h"
#include "model/rounding_ops.h"
#include "record/costs.h"

namespace culprit {
namespace {

using Counts = std::map<std::pair<std::string, std::string>, int>;  // by domain and name

template <class Nodes>
void count(const Nodes& nodes, Counts& counts) {
  for (const auto& node : nodes) {
    if (computes(node)) ++counts[{std::string(domain_of(node.domain())), node.op_type()}];
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) count(attribute.g().node(), counts);
      for (const auto& inner : attribute.graphs()) count(inner.node(), counts);
    }
  }
}

Counts counts_of(const onnx::ModelProto& model) {
  Counts counts;
  count(model.graph().node(), counts);
  for (const auto& function : model.functions()) count(function.node(), counts);
  return counts;
}

}  // namespace

bool operators_differ(const onnx::ModelProto& a, const onnx::ModelProto& b) { return counts_of(a) != counts_of(b); }

}  // namespace culprit
