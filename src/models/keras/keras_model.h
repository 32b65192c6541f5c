#pragma once
// A model of Keras as its file tells it: layers with their configuration, their weights, and who takes whose results.
// Nothing of Python is run. The words are those of Keras; network/keras/read_keras_network.h has them in ONNX's.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

struct KerasOptions {
  /// Lambda layers, classes and functions that are not Keras' own are read, too: what they compute is not known, and
  /// who runs such a file runs their code.
  bool trust = false;
};

struct KerasWeight {
  std::string role;  ///< "kernel", "forward/kernel"; where the class is not known, its place in the file
  std::string name;  ///< as the file has it: "layers/dense/vars/0", "dense/kernel:0"
  Tensor tensor;
};

/// A result of a layer.
struct KerasSource {
  int layer = -1;  ///< of KerasModel::layers
  int call = 0;    ///< of KerasLayer::calls
  int output = 0;  ///< of these, where a layer gives several
};

struct KerasArgument {
  std::string name;                     ///< "" of what has only a position
  std::optional<KerasSource> from;      ///< a value
  nlohmann::json constant;              ///< else what the file says: a number, a list
  bool has_dims = false;                ///< does the file tell the shape of the value?
  std::vector<std::int64_t> dims = {};  ///< -1: not known
  DType dtype = DType::undefined;
};

/// A layer that is shared is called more than once.
struct KerasCall {
  std::vector<KerasArgument> arguments;  ///< lists of values one after the other; what is null is left out
};

struct KerasModel;

struct KerasLayer {
  std::string name;
  std::string class_name;     ///< "Conv2D"; "Custom>Mine"
  std::string module;         ///< "keras.layers"; "" of files of Keras 2
  bool is_operation = false;  ///< a function of Keras 3 (keras.ops), which has no weights
  nlohmann::json config;      ///< as the file has it; null of one that is a model
  nlohmann::json build;       ///< build_config; null where there is none
  std::vector<KerasWeight> weights;
  std::vector<KerasCall> calls;
  std::shared_ptr<const KerasModel> model;  ///< where the layer is a model
};

struct KerasModel {
  std::string name;
  bool is_sequential = false;
  std::vector<KerasLayer> layers;  ///< in the order of the file
  std::vector<KerasSource> inputs, outputs;
  std::vector<std::string> output_names;  ///< keys, where outputs are a dictionary; else empty
};

struct KerasFile {
  std::string path;           ///< for messages
  std::string keras_version;  ///< "3.15.1"; "" where the file does not say
  KerasModel model;
};

/// Reads a .keras (a zip) or a whole model in an HDF5 file (.h5), told apart by content. A Sequential model that has no
/// InputLayer gets one. Errors name the file, the layer and what to do: bad_input (damaged, or its parts do not fit),
/// unsupported (weights without a model, quantized layers; without `trust` code of strangers), io.
Result<KerasFile> read_keras_file(const std::filesystem::path& path, const KerasOptions& options = {});

/// The number that a configuration has under this name; `otherwise` where it is not there or is none.
double number_in(const nlohmann::json& config, const char* name, double otherwise);
bool flag_in(const nlohmann::json& config, const char* name, bool otherwise);
std::string word_in(const nlohmann::json& config, const char* name, const std::string& otherwise = "");

}  // namespace culprit
