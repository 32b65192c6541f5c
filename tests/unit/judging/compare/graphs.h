#pragma once
// Graphs for the tests of the value map, written in ONNX's text syntax.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <string>

#include "compare/value_map.h"

namespace culprit {

inline onnx::ModelProto parse(const std::string& graph) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

/// Two graphs whose inputs and outputs are bound in their order, and their map by names.
struct Mapped {
  Mapped(const std::string& one, const std::string& other) : a(parse(one)), b(parse(other)) { map_again(); }

  void map_again() {
    index_a = index_of(a);
    index_b = index_of(b);
    BoundValues bound;
    for (int i = 0; i < std::min(a.graph().input_size(), b.graph().input_size()); ++i) {
      bound.inputs.emplace_back(index_a.find(a.graph().input(i).name()), index_b.find(b.graph().input(i).name()));
    }
    for (int i = 0; i < std::min(a.graph().output_size(), b.graph().output_size()); ++i) {
      bound.outputs.emplace_back(index_a.outputs[static_cast<std::size_t>(i)],
                                 index_b.outputs[static_cast<std::size_t>(i)]);
    }
    map = map_values(index_a, index_b, bound);
  }

  /// What B calls it; "" where it is not mapped.
  [[nodiscard]] std::string of(const std::string& value) const {
    const int at = map.to_b[static_cast<std::size_t>(index_a.find(value))];
    return at < 0 ? "" : std::string(index_b.values[static_cast<std::size_t>(at)].name);
  }
  [[nodiscard]] std::string by(const std::string& value) const {
    return std::string(name_of(map.by[static_cast<std::size_t>(index_a.find(value))]));
  }
  /// The operator of the node that it was fused into; "" where it was not.
  [[nodiscard]] std::string into(const std::string& value) const {
    const int at = map.into[static_cast<std::size_t>(index_a.find(value))];
    return at < 0 ? "" : index_b.nodes[static_cast<std::size_t>(at)].proto->op_type();
  }

  onnx::ModelProto a, b;
  GraphIndex index_a, index_b;
  ValueMap map;
};

}  // namespace culprit
