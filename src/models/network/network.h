#pragma once
// A trained network as its layers, whatever file it comes from: what is above this room knows no format. The words are
// ONNX's: a layer that computes what ONNX's Conv does has the type "Conv" and hyper-parameters with the names of Conv's
// attributes, though its file says CONV_2D and stride_h. What has no word in ONNX keeps its own type. Where a file says
// nothing, hyper-parameters hold what its format means by that.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

using Hyper = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

/// 0.1, "SAME_UPPER", [1, 1]: for messages.
std::string to_string(const Hyper& hyper);

/// real = scale * (stored - zero point), one for all elements, or one for each slice of `axis`.
struct Quantization {
  std::vector<double> scale;
  std::vector<std::int64_t> zero_point;  ///< as many; empty: all 0
  int axis = 0;                          ///< of the tensor as it is stored
};

struct NetworkValue {
  std::string name;  ///< as the file has it; "" of what lies between two layers that are one node there
  DType dtype = DType::undefined;
  bool has_rank = false;
  std::vector<std::int64_t> dims = {};            ///< -1: not known
  std::optional<Tensor> constant = {};            ///< as it is stored: of quantized ones the integers
  std::optional<Quantization> quantization = {};  ///< as the file tells; of ONNX see the layers DequantizeLinear
  int made_by = -1;                               ///< the layer; -1: an input or a constant
  bool is_visible = true;                         ///< a run can show it
  std::int64_t native = -1;                       ///< its number in the file, where it has one
};

/// A constant that a layer works with.
struct Parameter {
  int value = -1;      ///< of Network::values
  std::size_t at = 0;  ///< of NetworkLayer::inputs
  std::string role;    ///< "kernel", "bias", "scale", "mean", ...; "operand" where nothing is known
  std::string axes;    ///< what its dimensions count: "OIHW", "OHWI", "IO"; "" where nothing is known
};

struct NetworkLayer {
  std::string name;          ///< of the node; where it has none, of its first result
  std::string type;          ///< "Conv"
  std::string native_type;   ///< "CONV_2D"
  std::int64_t native = -1;  ///< the number of the node in its file; several layers may be one node
  std::vector<int> inputs;   ///< in the order of the file, constants too; -1: not given
  std::vector<int> outputs;
  std::vector<Parameter> parameters;
  std::map<std::string, Hyper> hyper;
  bool is_channels_last = false;  ///< of layers that know channels: [N, H, W, C]
};

struct Network {
  std::string format;  ///< "onnx", "tflite"
  std::vector<NetworkValue> values;
  std::vector<NetworkLayer> layers;  ///< each behind those that make its inputs
  std::vector<int> inputs, outputs;
};

/// A constant that a layer takes as a hyper-parameter: one number of a scalar, else a list, of which no more than the
/// first 1000 numbers are told. It has elements, and is not of texts.
Hyper hyper_of_constant(const Tensor& tensor);

/// Layers that use a value, in their order.
std::vector<std::vector<int>> users_of(const Network& network);

/// The parameter with this role; nullptr where there is none.
const Parameter* parameter_of(const NetworkLayer& layer, std::string_view role);

/// The real numbers that a constant means: dequantized where the value is quantized. f32 or wider; integers without
/// quantization stay what they are. Errors: scales that do not fit the shape.
Result<Tensor> real_constant(const NetworkValue& value);

}  // namespace culprit
