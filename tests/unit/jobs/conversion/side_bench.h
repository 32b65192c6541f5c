#pragma once
// Sides of models that are written in ONNX's text syntax, and an executor that runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "conversion/readings/show_values.h"
#include "conversion/sides/side.h"
#include "network/onnx/read_onnx_network.h"
#include "support/tensor_executor.h"
#include "tensor/pack_file.h"

namespace culprit {

inline onnx::ModelProto onnx_of(const std::string& graph) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

inline Network network_of(const std::string& graph) { return read_onnx_network(onnx_of(graph)).value(); }

/// The number of the value with this name; -1 where there is none.
inline int value_named(const Network& network, const std::string& name) {
  for (std::size_t i = 0; i < network.values.size(); ++i)
    if (network.values[i].name == name) return static_cast<int>(i);
  return -1;
}
/// The number of the layer whose first output has this name; -1 where there is none.
inline int layer_making(const Network& network, const std::string& name) {
  const int value = value_named(network, name);
  return value < 0 ? -1 : network.values[static_cast<std::size_t>(value)].made_by;
}

/// A new layer behind a value, for all of its users or for some.
inline InsertBehind behind(int value, const std::string& type, std::vector<int> users = {}) {
  InsertBehind edit;
  edit.value = value;
  edit.users = std::move(users);
  edit.layer.type = type;
  return edit;
}

class SideBench : public ::testing::Test {
 protected:
  SideBench() : folder_(TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-sides").value()) {
    std::filesystem::create_directories(folder() / "work");
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  [[nodiscard]] std::unique_ptr<Side> side_of(const std::string& graph) const { return side_of(onnx_of(graph)); }
  [[nodiscard]] std::unique_ptr<Side> side_of(onnx::ModelProto model) const {
    Network network = read_onnx_network(model).value();
    return open_onnx_side({std::move(model), folder()}, std::move(network), {});
  }

  /// Writes it as the next sample.
  void add_sample(const std::vector<NamedTensor>& tensors) {
    samples.push_back(folder() / ("sample-" + std::to_string(samples.size()) + ".pack"));
    EXPECT_TRUE(write_pack(samples.back(), tensors));
  }

  /// What the view gives on the samples.
  ViewOutcome look(const Side& side, const SideView& view) {
    ViewRuns runs(side, executor, folder() / "work");
    return runs.run(view, samples).value();
  }

  std::vector<std::filesystem::path> samples;
  testing::TensorExecutor executor;

 private:
  TemporaryFolder folder_;
};

}  // namespace culprit
