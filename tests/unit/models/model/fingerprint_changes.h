#pragma once
// A model with much in it, and ways to change it.

#include <gtest/gtest.h>

#include <functional>

#include "unit/models/model/parse.h"

namespace culprit {

using onnx::ModelProto;

// Inputs with and without default, a shared initializer, an unused one, value_info, attributes of several types, an If
// whose branches read values of the graph around them, and a function.
inline const char* const model_text = R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
  g (float[N,4] x, float[4] d, bool c) => (float[N,4] y, float[M] z)
  <float[4] d = {1, 1, 1, 1}, float[4] w = {1, 2, 3, 4}, float[2] unused = {5, 6}, float[N,4] t>
  {
    t = Add(x, w)
    u = Mul(t, w)
    v = If (c) <then_branch = th () => (float[N,4] a) { a = Clip(u, , w) },
                else_branch = el () => (float[N,4] b) <float[4] k = {9, 8, 7, 6}> { e = Neg(u) b = Add(e, k) }>
    y = Selu <gamma = 1.5, alpha = 0.5> (v)
    f = local.twice(t)
    p = Transpose <perm = [1, 0]> (f)
    q = Cast <to = 1> (p)
    z = ReduceMax <axes = [1], keepdims = 0> (q)
  }
  <domain: "local", opset_import: ["" : 17]>
  twice (i) => (o) { h = Add(i, i) o = Identity(h) })";

inline ModelProto base() { return parse_model(model_text); }

inline onnx::NodeProto* node(ModelProto& model, const std::string& op) {
  for (auto& candidate : *model.mutable_graph()->mutable_node()) {
    if (candidate.op_type() == op) return &candidate;
  }
  ADD_FAILURE() << "no " << op;
  return model.mutable_graph()->mutable_node(0);
}

inline onnx::GraphProto* branch(ModelProto& model, int which) {
  return node(model, "If")->mutable_attribute(which)->mutable_g();
}

inline onnx::TensorProto* initializer(ModelProto& model, const std::string& name) {
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.name() == name) return &tensor;
  }
  ADD_FAILURE() << "no " << name;
  return model.mutable_graph()->mutable_initializer(0);
}

/// Renames a value everywhere in a graph and the graphs inside.
inline void rename(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  const auto change = [&](std::string* name) {
    if (*name == from) *name = to;
  };
  for (auto& n : *graph.mutable_node()) {
    for (auto& name : *n.mutable_input()) change(&name);
    for (auto& name : *n.mutable_output()) change(&name);
    for (auto& attribute : *n.mutable_attribute()) {
      if (attribute.has_g()) rename(*attribute.mutable_g(), from, to);
    }
  }
  for (auto& t : *graph.mutable_initializer()) change(t.mutable_name());
  for (auto& v : *graph.mutable_value_info()) change(v.mutable_name());
  for (auto& v : *graph.mutable_input()) change(v.mutable_name());
  for (auto& v : *graph.mutable_output()) change(v.mutable_name());
}

struct Change {
  const char* name;
  std::function<void(ModelProto&)> apply;
};
inline void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }
inline std::string name_of_case(const testing::TestParamInfo<Change>& info) { return info.param.name; }

}  // namespace culprit
