#pragma once
// Profiles as the runtime writes them, by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "profile/nodes/flat_model.h"
#include "profile/nodes/runtime_trace.h"

namespace culprit::testing {

/// {"cat": "Node", ...} of a node; `index` as the runtime writes it, a text.
inline std::string node_event(const std::string& name, const std::string& op, int start, int duration, int index = 0) {
  return R"({"cat": "Node", "pid": 1, "tid": 1, "dur": )" + std::to_string(duration) + R"(, "ts": )" +
         std::to_string(start) + R"(, "ph": "X", "name": ")" + name + R"(_kernel_time", "args": {"op_name": ")" + op +
         R"(", "provider": "CPUExecutionProvider", "node_index": ")" + std::to_string(index) +
         R"(", "input_type_shape": [{"float": [1, 3]}, {"int64": []}], "output_type_shape": [{"float": [1, 7]}]}})";
}

inline std::string session_event(const std::string& name, int start, int duration) {
  return R"({"cat": "Session", "pid": 1, "tid": 1, "dur": )" + std::to_string(duration) + R"(, "ts": )" +
         std::to_string(start) + R"(, "ph": "X", "name": ")" + name + R"(", "args": {}})";
}
inline std::string graph_event(int start, int duration) {
  return session_event("SequentialExecutor::Execute", start, duration);
}
inline std::string run_event(int start, int duration) { return session_event("model_run", start, duration); }

inline std::string as_array(const std::vector<std::string>& events) {
  std::string text = "[\n";
  for (const std::string& event : events) text += (text.size() > 2 ? ",\n" : "") + event;
  return text + "\n]\n";
}

class TraceTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path write(const std::string& text) const {
    const fs::path file = folder_.path() / "profile.json";
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  [[nodiscard]] Result<RuntimeTrace> read(const std::string& text, int warm_up = 0) const {
    return read_runtime_trace(write(text), warm_up);
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-trace").value();
};

inline onnx::ModelProto parsed(const std::string& graph) {
  onnx::ModelProto model;
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 13, "com.microsoft" : 1, "com.microsoft.nchwc" : 1]> )" + graph;
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  if (!status.IsOK()) throw std::runtime_error(status.ErrorMessage());
  return model;
}

/// The node that makes this value.
inline onnx::NodeProto& maker_of(onnx::ModelProto& model, const std::string& value) {
  for (auto& node : *model.mutable_graph()->mutable_node())
    for (const auto& output : node.output())
      if (output == value) return node;
  throw std::runtime_error("nothing makes " + value);
}

}  // namespace culprit::testing
