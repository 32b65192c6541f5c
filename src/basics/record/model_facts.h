#pragma once
// What a report says of a model.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit {

struct ModelFacts {
  std::string path;
  std::string sha256;
  std::uint64_t bytes = 0;
  std::int64_t nodes = 0;  ///< subgraphs included
  std::int64_t initializers = 0;
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> opsets;  ///< by domain; "" is ai.onnx
  std::vector<std::string> inputs;             ///< "data: float32[1,3,224,224]", true inputs only (no initializers)
  std::vector<std::string> outputs;
};

}  // namespace culprit
