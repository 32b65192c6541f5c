#pragma once
// Which programs made a report, and on which machine.

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

/// The optimizer under test.
struct OptimizerRecord {
  std::string name, version;
  std::vector<std::string> steps;  ///< of a runtime, for its versions have other ones; of others none
};

struct Environment {
  std::string onnx_optimizer, onnx, onnxruntime, provider = "CPU", cpu, os;
  std::int64_t threads = 1;
  std::int64_t cores = 1;
  OptimizerRecord optimizer = {};
};

}  // namespace culprit
