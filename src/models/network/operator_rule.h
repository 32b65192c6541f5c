#pragma once
// How operators of ONNX are read: which of their inputs are parameters, and which hold hyper-parameters. Readers of
// other formats say which operator of ONNX theirs is, and where it differs.

#include <span>
#include <string_view>

namespace culprit {

struct InputRule {
  std::string_view role;  ///< of a parameter: "kernel"; of a hyper-parameter its name in older versions: "perm"
  std::string_view axes;  ///< "OIHW"; "" where they say nothing
  bool is_hyper = false;  ///< a constant here is a hyper-parameter, not a weight
};

/// What input `at` of this operator holds; nullptr: what comes from other layers, or nothing is known.
const InputRule* input_rule(std::string_view onnx_type, std::size_t at);

/// Does it know which dimension is that of channels? Then files may have them second or last.
bool knows_channels(std::string_view onnx_type);

}  // namespace culprit
