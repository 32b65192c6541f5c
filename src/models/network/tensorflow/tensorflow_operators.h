#pragma once
// TensorFlow's operators in the words of ONNX, as data: which operator of ONNX they are, which of their inputs are
// parameters, and what their attributes are called there. What is not in here keeps its own name and words.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "network/operator_rule.h"

namespace culprit {

enum class TensorflowWord {
  integer,
  flag,  ///< which ONNX has as 0 and 1
  real,
  word,
  integers,  ///< a list; an empty one says nothing
  spatial,   ///< a list for each dimension of a layer's input, of which those of batch and channels are left out
  type,      ///< of elements, by the numbers of ONNX
};

struct TensorflowAttribute {
  std::string_view name;   ///< "keep_dims"
  std::string_view hyper;  ///< "keepdims"
  TensorflowWord kind = TensorflowWord::integer;
  std::optional<double> preset = {};  ///< what TensorFlow takes where a file does not say
  bool is_silent_if_preset = false;   ///< ONNX has no word for it, so it is told only where it is something else
};

/// "Conv" of "Conv2D"; the name itself of what has no word in ONNX.
std::string_view onnx_type_of_tensorflow(std::string_view operation);
/// The operator that computes what ONNX's does: "Conv2D" of "Conv"; "" where there is none of that type alone.
std::string_view tensorflow_operator_of(std::string_view onnx_type);
/// What input `at` of `count` holds; nullptr: what comes from other layers, or nothing is known.
const InputRule* tensorflow_input_rule(std::string_view operation, std::size_t at, std::size_t count);
/// The attributes that are hyper-parameters; nothing: the operator is not known.
std::optional<std::vector<TensorflowAttribute>> tensorflow_attributes(std::string_view operation);

/// How many outputs it has; 1 where nothing is known. By an attribute's number ("num_split") or the length of its list
/// of types ("Tout") where one is named.
struct TensorflowOutputs {
  int count = 1;
  std::string_view by_number, by_list;
};
TensorflowOutputs tensorflow_outputs(std::string_view operation);

/// Does it slide over its input? Then it has a padding, and dimensions in an order that data_format tells.
bool slides_in_tensorflow(std::string_view operation);
/// Identity and the like: what it gives is what it takes.
bool is_tensorflow_alias(std::string_view operation);

}  // namespace culprit
