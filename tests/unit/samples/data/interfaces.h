#pragma once
// Small interfaces to try data on.

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/sample.h"
#include "tensor/tensor_proto.h"

namespace culprit {

inline Dim fixed(std::int64_t size) { return {size, ""}; }
inline Dim open(std::string name = "") { return {std::nullopt, std::move(name)}; }

inline ValueInfo value(std::string name, DType type, std::vector<Dim> dims) {
  ValueInfo info;
  info.name = std::move(name);
  info.dtype = type;
  info.has_shape = true;
  info.dims = std::move(dims);
  return info;
}

inline Model model_with(std::vector<ValueInfo> inputs, std::filesystem::path path = "/nowhere/model.onnx") {
  Model model;
  model.path = std::move(path);
  model.interface.inputs = std::move(inputs);
  model.interface.outputs = {value("y", DType::f32, {open()})};
  return model;
}

inline const Tensor& input(const Sample& sample, const std::string& name) {
  for (const auto& tensor : sample.inputs) {
    if (tensor.name == name) return tensor.value;
  }
  throw std::runtime_error("no input " + name);
}

/// The zoo's voice activity detector, as `interface_of` sees it.
inline std::vector<ValueInfo> silero_inputs() {
  return {value("input", DType::f32, {open(), open()}), value("state", DType::f32, {fixed(2), open(), fixed(128)}),
          value("sr", DType::i64, {})};
}

inline Interface interface_with(std::vector<ValueInfo> inputs) { return model_with(std::move(inputs)).interface; }

}  // namespace culprit
